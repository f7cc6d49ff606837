import assert from 'node:assert/strict';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { compareReceived } from '../../../../src/email/received/compare.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';

const site = 'https://shop.example';
const email = {
  body:
    '<h1>Hi {subscriber:name|part:first}</h1><p>Caf\u00e9 &amp; cake, ' +
    'for everyone who reads to the end of a line that is longer than quoted-printable allows.</p>' +
    '<p><a href="https://shop.example/news?id=5&amp;utm_source=mail">Read the news</a></p><img src="/a.png" alt="">' +
    '<p>Sent to you. {unsubscribe}Unsubscribe{/unsubscribe}</p>',
  subject: 'News for {subscriber:name}',
  preheader: 'Cake inside',
};
const sent = { ...composeSent(email, { profile: 'acymailing', site }), subject: email.subject };
const tracked = composeSent(email, { profile: 'acymailing', site, tracked: true });
/** Replaces the tags as the service does. */
const personalize = (text: string) =>
  text
    .replaceAll(/\{subscriber:[^}]*\}/gu, 'Ann')
    .replace('{unsubscribe}', '<a href="https://shop.example/index.php?task=unsubscribe&amp;key=Xy12345678">')
    .replace('{/unsubscribe}', '</a>');
const html = personalize(tracked.html);

interface Options {
  readonly html?: string;
  readonly text?: string;
  readonly subject?: string;
  readonly [field: string]: unknown;
}

/** Returns a message as a receiver stores it. */
const receive = async (options: Options = {}) => {
  const message = await new MailComposer({
    from: 'Shop <news@shop.example>',
    to: '"Ann Lee" <ann.lee@post.example>',
    subject: 'News for Ann',
    html,
    text: personalize(tracked.text).replaceAll(/<[^>]*>/gu, ''),
    textEncoding: 'quoted-printable',
    headers: { 'List-Unsubscribe': '<https://shop.example/leave?key=Xy12345678>' },
    ...options,
  })
    .compile()
    .build();
  const results = 'Authentication-Results: mx.post.example; dkim=pass header.d=shop.example; spf=fail; dmarc=none\r\n';
  return Buffer.concat([Buffer.from(results), message]);
};
const compare = async (options?: Options) => compareReceived(sent, await receive(options));
/** Returns the lines of the differences. */
const differences = async (options?: Options) => (await compare(options)).report.match(/^[-+] .*/gmu) ?? [];

describe('A received email', () => {
  it('is equal after tracking, personal values, encodings and headers of the receiver', async () => {
    const { isEqual, report } = await compare();
    assert.equal(isEqual, true, report);
    assert.match(report, /^Subject: News for \{…\} ↔ News for Ann$/mu);
    assert.match(report, /^Preheader: Cake inside ↔ Cake inside$/mu);
    assert.match(report, /^Size: .* KB ↔ .* KB$/mu);
    assert.match(report, /^List-Unsubscribe: <https:\/\/shop\.example\/leave/mu);
    assert.match(report, /^Authentication-Results: .*dkim=pass.*spf=fail.*dmarc=none/mu);
    assert.match(report, /^Differences: 0$/mu);
    for (const encoding of ['base64', 'quoted-printable'])
      assert.deepEqual(await differences({ textEncoding: encoding, html: html.replaceAll('\n', '\r\n') }), []);
  });

  it('is equal if a tracked address shows its target, and if the text part is not documented', async () => {
    const target = 'https%3A%2F%2Fshop.example%2Fnews%3Fid%3D5';
    for (const link of [`https://track.example/CL0/${target}/1/abc`, `https://track.example/?u=${target}&amp;k=1`])
      assert.deepEqual(
        await differences({ html: personalize(sent.html).replace(/https:[^"]*utm_source=mail/u, link) }),
        [],
      );
    const { isEqual } = await compareReceived(
      { html: '<p>One</p>', text: '' },
      await receive({ subject: '', html: '<html><body><p>One</p></body></html>' }),
    );
    assert.equal(isEqual, true);
  });

  it('is different with another text, subject, preheader, link or image', async () => {
    assert.deepEqual(await differences({ subject: 'Olds for Ann' }), ['- News for {…}', '+ Olds for Ann']);
    assert.deepEqual(await differences({ html: html.replace('Cake inside', 'No cake') }), [
      '- Cake inside',
      '+ No cake',
    ]);
    const text = await differences({ html: html.replace('Hi Ann', 'Bye Ann') });
    assert.deepEqual(text, ['- Hi {…}', '+ Bye Ann']);
    const without = await differences({ html: html.replace(/<a [^>]*>Read the news<\/a>/u, '') });
    assert.deepEqual(
      without.map((line) => line.slice(0, 4)),
      ['- <a', '- Re'],
    );
    const untracked = personalize(sent.html);
    const link = await differences({ html: untracked.replace('/news?', '/olds?') });
    assert.match(link.join('\n'), /^- <a[^\n]*news\?id=5"[^\n]*\n\+ <a[^\n]*olds\?id=5"[^\n]*$/u);
    assert.match((await differences({ html: html.replace('/a.png', '/b.png') })).join('\n'), /a\.png.*\n.*b\.png/u);
    assert.match((await differences({ html: html.replace('</h1>', '</h1><p>New</p>') })).join('\n'), /^\+ <p>$/mu);
    assert.match((await differences({ text: 'Other' })).join('\n'), /\+ Other/u);
  });

  it('has an anonymous report', async () => {
    const changed = html.replace(
      'Sent to you',
      'For Ann at <a href="https://shop.example/me?key=1&amp;mail=ann.lee@post.example">ann.lee@post.example</a>, Xy12345678, blog.shop.example',
    );
    const { report, anonymous } = await compare({ html: changed });
    for (const secret of ['Ann', 'ann.lee', 'shop.example', 'post.example', 'Xy12345678', 'ann.lee@post']) {
      assert.ok(report.includes(secret), secret);
      assert.ok(!anonymous.includes(secret), secret);
    }
    assert.match(anonymous, /dkim=pass/u);
    assert.match(anonymous, /^\+ For name at$/mu);
  });

  it('is refused if it is too large, or no email with HTML', async () => {
    const refuse = (bytes: Uint8Array, message: RegExp) => assert.rejects(compareReceived(sent, bytes), message);
    const text = (content: string) => new TextEncoder().encode(content);
    const part = '--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nx\r\n';
    await refuse(text(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(10_000)}`), /too large/u);
    await refuse(new Uint8Array(21 * 1024 * 1024), /too large/u);
    await refuse(text('\n'.repeat(1_000_000)), /too large/u);
    await refuse(await receive({ html: 'x '.repeat(600_000) }), /too large/u);
    const nested = Array.from(
      { length: 100 },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
    );
    await refuse(text(nested.join('')), /nesting depth/u);
    await refuse(text(`Subject: ${'x'.repeat(300_000)}\nContent-Type: text/html\n\n<p>x</p>`), /header size/u);
    for (const content of [
      '',
      'PK\u0003\u0004\0\0',
      'Subject: x\n\nText',
      'Content-Type: multipart/mixed; boundary="',
      '<p>x</p>',
    ])
      await refuse(text(content), /no email with HTML/u);
  });

  it('contains neither nested messages nor attachments', async () => {
    const raw = (await receive({ html: '<p>Other</p>' })).toString();
    const attachments = [{ contentType: 'message/rfc822', content: raw, contentDisposition: 'inline' as const }];
    assert.deepEqual(await differences({ attachments }), []);
  });

  it('may be broken', async () => {
    for (const content of [
      'Content-Type: text/html; charset=none\n\n<p>x\uffff',
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+\x00==',
    ])
      assert.equal((await compareReceived(sent, new TextEncoder().encode(content))).isEqual, false);
    const hostile = [
      '<a href="',
      '<img width="1" src="',
      '<img ',
      '{',
      '<style>',
      `&u=https%3A%2F%2F`,
      '( http://',
      '\uf8f2',
      '\uf8f1',
      '__proto__ ',
    ];
    for (const part of hostile)
      assert.equal(
        (await compare({ html: `<p>${part.repeat(30_000 / part.length)}`, text: part.repeat(30_000 / part.length) }))
          .isEqual,
        false,
      );
  });
});
