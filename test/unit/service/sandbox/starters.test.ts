import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { check } from '../../../../src/email/checks/index.ts';
import { composeParts, renderSubject, type MessageSource } from '../../../../src/service/sandbox/message.ts';
import { emptyMail } from '../../../../src/service/sandbox/records.ts';
import { compose, startSandbox, type Sandbox } from '../../../support/sandbox/index.ts';
import { findTagProblems, tagLanguage } from '../../../../src/email/tags/index.ts';
import { createCaller, NOW, send } from './support.ts';

const folder = new URL('../../../../media/starters/', import.meta.url);
const readStarter = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const starters = JSON.parse(readStarter('index.json')) as {
  file: string;
  name: string;
  subject: string;
  preheader: string;
}[];
const language = tagLanguage('acymailing');
/** The test list and its first member. */
const TESTERS = 8;

/** Removes stylesheets, because their rules contain braces. */
const removeStyles = (html: string) => html.replace(/<style[\s>][^]*?<\/style>/gi, '');
const unsubscribeLinks = (html: string) =>
  [...html.matchAll(/href="([^"]*ctrl=unsubscribe[^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));

describe('starters, sent through the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox({ assets: fileURLToPath(folder), now: () => new Date(NOW) });
  });
  after(() => sandbox.close());

  for (const { file, name, subject, preheader } of starters) {
    const body = readStarter(file);

    it(`${file}: leaves no tag unrendered for a recipient with a name, and the unsubscribe link works`, async () => {
      const call = createCaller(sandbox);
      const { json } = await call('createOrUpdateCampaign', { name, subject, preheader, body, listIds: [TESTERS] });
      sandbox.outbox.clear();
      await call('sendCampaign', `campaignId=${Object(json).campaignId}`);
      const { html } = await sandbox.outbox.parts(1);
      assert.ok(html.includes('</html>'));
      assert.doesNotMatch(removeStyles(html), /[{}]/);
      assert.doesNotMatch(sandbox.outbox.get(1)?.subject ?? '{', /[{}]/);
      assert.equal(unsubscribeLinks(html).length, body.includes('{unsubscribe}') ? 1 : 0);
      for (const link of unsubscribeLinks(html)) {
        const { status, text } = await send(link);
        assert.equal(status, 200);
        assert.match(text, /Unsubscribe/);
      }
    });

    it(`${file}: AcyMailing sends it completely`, () => {
      const found = check({ body, subject, preheader }, { profile: 'acymailing' });
      assert.deepEqual(
        found.filter(({ severity }) => severity === 'error').map(({ message }) => message),
        [],
      );
    });

    it(`${file}: leaves no tag unrendered for a recipient without a name`, async () => {
      const source: MessageSource = {
        id: 1,
        mail: { ...emptyMail, id: 1, name, subject, preheader, body },
        campaignId: 1,
        listIds: [TESTERS],
        sentAt: NOW,
        baseUrl: sandbox.baseUrl,
        recipient: {
          userId: 9,
          person: { name: '', email: 'missing@example.com', language: '', source: '' },
          created: '2026-01-02 03:04:05',
          lists: [],
        },
      };
      const html = (await composeParts(source, compose)).html;
      assert.doesNotMatch(removeStyles(html), /[{}]/);
      assert.doesNotMatch(removeStyles(html), /(?:Dear|Welcome,|sleep,|مرحبًا) ?[,.?،]/);
      assert.match(renderSubject(source), /^[^\s,{}]/);
    });

    it(`${file}: contains only valid tags`, () => {
      for (const [text, where] of [
        [body, 'body'],
        [subject, 'subject'],
        [preheader, 'preheader'],
      ] as const)
        assert.deepEqual(findTagProblems(text, language, where), []);
    });
  }

  it('serves every page that mails link to', async () => {
    for (const page of ['unsubscribe', 'unsubscribeAll', 'disableTracking', 'confirm', 'subscribe', 'archive']) {
      assert.equal((await send(`${sandbox.baseUrl}/index.php?ctrl=${page}&user=1&mail=1`)).status, 200, page);
    }
    assert.equal((await send(`${sandbox.baseUrl}/index.php?ctrl=elsewhere`)).status, 404);
  });
});
