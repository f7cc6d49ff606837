import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { findCampaignReferences } from '../../../../src/features/campaigns/picker.ts';
import { composeCampaignBody } from '../../../../src/email/compose/compose.ts';
import type { FollowUpRecord } from '../../../../src/features/followUps/record.ts';
import { createMailReferenceProvider } from '../../../../src/features/followUps/mailReferences.ts';
import { matchesAnyBody } from '../../../../src/platform/documents/recordCollections.ts';
import { startSandbox, type Sandbox } from '../../../support/sandbox/index.ts';

const assets = fileURLToPath(new URL('../../../../media/starters', import.meta.url));
const { signal } = new AbortController();
const service = { connection: 'one', baseUrl: 'https://mail.example.com' };
const body = '<p>Spring</p>';
const composed = composeCampaignBody({ body, stylesheet: 'p { color: red }' });
const text = { name: 'Spring', subject: 'Spring is here', bodies: [body, composed] };

describe('references to a template', () => {
  let sandbox: Sandbox;
  let client: MailingClient;
  beforeEach(async () => {
    sandbox = await startSandbox({ assets, subscribers: 60 });
    client = new MailingClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
  });
  afterEach(async () => {
    await client.close();
    await sandbox.close();
  });

  it('finds campaigns with its name or subject, with the same text (composed or not) or another', async () => {
    const make = (name: string, subject: string, content: string) =>
      client.createOrUpdateCampaign({ name, subject, body: content });
    await make('Spring', 'Other', composed);
    await make('Another', 'Spring is here', `${body}\n`);
    await make('Spring', 'Spring is here', '<p>Rewritten</p>');
    await make('Foreign', 'Spring is here', '<p>Foreign</p>');
    await make('Unseen', 'Unseen', body);
    const { references: found, incompleteReason } = await findCampaignReferences(service, client, text, signal);
    assert.deepEqual(
      found.map(({ label, reason: why }) => `${label} ${why}`),
      [
        'Campaign "Spring" (draft) has the same name but another text',
        'Campaign "Another" (draft) has the same text',
        'Campaign "Spring" (draft) has the same text',
      ],
    );
    assert.equal(incompleteReason, undefined);
  });

  it('reads a limited number of campaigns', async () => {
    for (let at = 0; at < 35; at += 1) await client.createOrUpdateCampaign({ name: 'Spring', subject: 'S', body });
    const { references: found, incompleteReason } = await findCampaignReferences(service, client, text, signal);
    assert.deepEqual(
      [found.length, incompleteReason],
      [30, '5 older campaigns with that name or subject were not checked.'],
    );
  });

  it('finds follow-up mails whose text is stored locally, and reports the number of others', async () => {
    const record = {
      id: 1,
      name: 'Series',
      display_name: '',
      mails: [{ mail_id: 1 }, { mail_id: 2 }, { mail_id: 3 }],
      mailTexts: { 1: { name: 'First', body }, 2: { name: 'Second', body: '<p>Other</p>' } },
    };
    const { references: found, incompleteReason } = await createMailReferenceProvider({
      list: async function* () {
        yield record as object as FollowUpRecord;
      },
      read: async () => record as object as FollowUpRecord,
    })(service, client, text, signal);
    assert.deepEqual(
      found.map(({ label, argument }) => [label, argument]),
      [['Email "First" of the follow-up "Series"', { ...service, id: 1, mailId: 1 }]],
    );
    assert.equal(
      incompleteReason,
      "1 email of a follow-up couldn't be compared, because services never return its text.",
    );
  });

  it('never matches an empty body', () =>
    assert.deepEqual(
      [matchesAnyBody('', ['']), matchesAnyBody(' a\r\nb ', ['a\nb']), matchesAnyBody('a', ['b'])],
      [false, true, false],
    ));
});
