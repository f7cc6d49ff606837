import assert from 'node:assert/strict';
import { useService } from './support.ts';

/** Parses a message into unfolded header fields and body. */
function read(eml: string) {
  const [head = '', ...body] = eml.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const fields = lines.map((line) => /^([^:]*):\s*(.*)$/s.exec(line) ?? []);
  return {
    headers: new Map(fields.map(([, name = '', value = '']) => [name.toLowerCase(), value])),
    body: body.join('\r\n\r\n'),
  };
}

const decodeQuotedPrintable = (text: string) =>
  text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Returns the decoded parts of a multipart body. */
function decodeParts(eml: string) {
  const { headers, body } = read(eml);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  return body
    .split(`--${boundary}\r\n`)
    .slice(1)
    .map((part) => {
      const { headers: own, body: text } = read(part.replace(`--${boundary}--`, ''));
      const encoding = own.get('content-transfer-encoding');
      const bytes = encoding === 'quoted-printable' ? decodeQuotedPrintable(text) : text;
      const decoded = Buffer.from(bytes, encoding === 'base64' ? 'base64' : 'latin1').toString('utf8');
      return { type: own.get('content-type') ?? '', text: decoded };
    });
}

describe('sandbox: outbox', () => {
  let deliveryCount = 0;
  const service = useService({ onDidDeliver: () => (deliveryCount += 1) });
  const { call, record } = service;
  beforeEach(() => {
    deliveryCount = 0;
  });
  const deliver = async (fields: object) => {
    const { campaignId } = await record('createOrUpdateCampaign', { name: 'C', subject: 'S', listIds: [8], ...fields });
    await call('sendCampaign', `campaignId=${String(campaignId)}`);
  };

  /** Sends a new template as the welcome mail of a new list. */
  const welcome = async (fields: object) => {
    const { templateId: welcomeId } = await record('createTemplate', { name: 'W', ...fields });
    const { listId } = await record('createList', { name: 'L', welcomeId });
    await call('subscribeUsers', { emails: ['test.phone@example.com'], listIds: [listId], trigger: false });
  };

  it('composes a message with its headers', async () => {
    await deliver({
      body: '<p>Hi</p>',
      subject: 'Grüße an {subscriber:name}',
      from_name: 'Ann',
      from_email: 'ann@example.com',
      reply_to_name: 'Desk',
      reply_to_email: 'desk@example.com',
    });
    const { headers } = read(await service.sandbox.outbox.eml(2));
    assert.equal(headers.get('from'), 'Ann <ann@example.com>');
    assert.equal(headers.get('to'), '"Test inbox: desktop" <test.desktop@example.org>');
    assert.equal(headers.get('reply-to'), 'Desk <desk@example.com>');
    assert.match(headers.get('subject') ?? '', /^=\?UTF-8\?/);
    assert.equal(service.sandbox.outbox.get(2)?.subject, 'Grüße an Test inbox: desktop');
    assert.equal(headers.get('date'), 'Wed, 20 May 2026 10:00:00 +0000');
    assert.match(
      headers.get('list-unsubscribe') ?? '',
      /^<http:\/\/127\.0\.0\.1:\d+\/index\.php\?ctrl=unsubscribe&user=2&mail=\d+>$/,
    );
    assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.match(headers.get('content-type') ?? '', /^multipart\/alternative/);
    assert.match(headers.get('message-id') ?? '', /^<.+@.+>$/);
  });
  it('uses the default sender if the campaign has none', async () => {
    await deliver({});
    assert.equal(read(await service.sandbox.outbox.eml(1)).headers.get('from'), 'Sandbox <hello@example.com>');
  });
  it('prevents header injection by extra headers of a template', async () => {
    const { sandbox } = service;
    await welcome({
      subject: 'W',
      body: '<p>x</p>',
      headers: 'Subject: no\nBcc: spy@example.com\nList-Unsubscribe: <https://elsewhere.example/>\nbroken',
    });
    const eml = await sandbox.outbox.eml(1);
    const { headers } = read(eml);
    assert.deepEqual([headers.get('subject'), headers.has('bcc')], ['W', false]);
    assert.equal(eml.slice(0, eml.indexOf('\r\n\r\n')).match(/^List-Unsubscribe:/gm)?.length, 1);
    assert.match(headers.get('list-unsubscribe') ?? '', /^<http:\/\/127\.0\.0\.1:/);
  });
  it('prevents header injection by subject or name', async () => {
    await deliver({
      subject: 'Hello\r\nBcc: spy@example.com',
      from_name: 'A\r\nX-Evil: 1',
      from_email: 'a@example.com',
    });
    const { headers } = read(await service.sandbox.outbox.eml(1));
    assert.deepEqual([headers.has('bcc'), headers.has('x-evil')], [false, false]);
  });
  it('keeps the sent version of a message', async () => {
    await deliver({ body: '<p>before</p>' });
    const campaignId = service.sandbox.outbox.get(1)?.campaignId;
    await call('createOrUpdateCampaign', { campaignId, name: 'C', subject: 'T', body: '<p>after</p>' });
    assert.equal(service.sandbox.outbox.get(1)?.subject, 'S');
    assert.match(await service.sandbox.outbox.eml(1), /before/);
  });
  it('rejects a missing id', async () => {
    for (const id of [0, 1, 1.5, -1]) await assert.rejects(service.sandbox.outbox.parts(id), RangeError);
  });
  it('reports deliveries and pages newest last', async () => {
    const { outbox } = service.sandbox;
    await deliver({});
    await deliver({ subject: 'Second' });
    assert.equal(deliveryCount, 2);
    assert.deepEqual(
      outbox.page(2, 2).map(({ id, subject }) => [id, subject]),
      [
        [3, 'S'],
        [4, 'Second'],
      ],
    );
    assert.equal(outbox.messages.at(-1)?.id, 6);
    outbox.clear();
    assert.deepEqual([outbox.count, outbox.messages], [0, []]);
  });

  it('sends the composed email with rendered tags and a text part', async () => {
    const { sandbox } = service;
    await welcome({
      subject: 'W {subscriber:name}',
      body: '<style>p { color: #ff0000 } a:hover { color: blue }</style><h1>Caf&eacute; &amp; Köln</h1><p>Hi {subscriber:name},<br>\nsee <a href="/x?y=1&amp;z=2">this</a>.</p><!-- hidden --><p>{unsubscribe}Leave{/unsubscribe}</p>',
      headers: '<meta name="x" content="y">',
    });
    const { html, text, source } = await sandbox.outbox.parts(1);
    assert.ok(html.includes('<p style="color:#f00">Hi '), html);
    assert.ok(html.includes(`<a href="${sandbox.baseUrl}/x?y=1&z=2"`), html);
    assert.match(html, /<a[^>]+href="http:\/\/127\.0\.0\.1:\d+\/index\.php\?ctrl=unsubscribe&user=1&mail=\d+"/);
    assert.match(html, /a:hover\{color: blue;\}/);
    assert.match(html, /<meta name="x" content="y">/);
    assert.doesNotMatch(html, /[{]subscriber|[{]unsubscribe|<!doctype/i);
    assert.match(
      text,
      /Café & Köln\s+Hi Test inbox: phone,\nsee this \( http:\/\/127\.0\.0\.1:\d+\/x\?y=1&z=2 \)\.\s+Leave \( http:\S+ctrl=unsubscribe&user=1&mail=\d+ \)$/,
    );
    assert.doesNotMatch(text, /hidden|p\{\}|</);
    const [plain, rich] = decodeParts(source);
    assert.match(plain?.type ?? '', /^text\/plain; charset=utf-8/);
    assert.match(rich?.type ?? '', /^text\/html; charset=utf-8/);
    const lines = (part = '') => part.trim().split(/\r?\n/);
    assert.deepEqual([lines(plain?.text), lines(rich?.text)], [lines(text), lines(html)]);
    const { headers } = read(source);
    assert.deepEqual([headers.has('x'), headers.get('subject')], [false, 'W Test inbox: phone']);
  });
  it('sends a complete HTML document with its preheader', async () => {
    await deliver({
      preheader: 'Peek',
      body: '<html lang="en"><head><style>p { color: #ff0000 }</style></head><body><p>Hi</p></body></html>',
    });
    const { html, text } = await service.sandbox.outbox.parts(1);
    assert.match(html, /^<html xmlns[^]*<p style="color:#f00">Hi<\/p><\/body><\/html>/u);
    assert.doesNotMatch(html, /lang=|<!doctype/iu);
    assert.match(text, /^Peek\s+Hi$/u);
  });
});
