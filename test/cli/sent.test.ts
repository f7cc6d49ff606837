import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { composeSent } from '../../src/email/sent/index.ts';
import { CommandLine } from '../support/commandLine.ts';

const body = '<h1>Hi {subscriber:name|part:first}</h1>\n<p><a href="/news">Read the news</a></p>\n';

describe('mailing sent', () => {
  let mailing: CommandLine;

  before(async () => {
    mailing = await CommandLine.build();
  });
  beforeEach(() => mailing.clear());
  after(() => mailing.dispose());

  it('prints the HTML or the text part as the service sends it', async () => {
    mailing.write({ 'a.html': body });
    const expected = composeSent({ body }, { profile: 'acymailing' });
    assert.equal((await mailing.run(['sent', 'a.html'])).stdout.trim(), expected.html.trim());
    assert.equal((await mailing.run(['sent', 'a.html', '--text'])).stdout.trim(), expected.text.trim());
    const { code, stderr } = await mailing.run(['sent', 'a.html', '--text', '--profile', 'documented']);
    assert.deepEqual([code, stderr.split('\n').length], [2, 3]);
  });

  it('treats the blocks of WordPress if the site runs it', async () => {
    mailing.write({ 'a.html': '<p>Hi</p><!-- wp:paragraph --><p>You</p><!-- /wp:paragraph -->' });
    const [size = 0, plainSize = 0] = await Promise.all(
      [['--cms', 'wordpress'], []].map(async (more) => (await mailing.run(['sent', 'a.html', ...more])).stdout.length),
    );
    assert.ok(size - plainSize > 2700);
    const json = async (...more: string[]) =>
      (await mailing.run(['check', 'a.html', '--format', 'json', ...more])).code;
    assert.deepEqual([await json('--cms', 'joomla'), await json('--cms', 'other')], [await json(), 2]);
  });
  it('takes the content management system from mailing.json', async () => {
    mailing.write({
      'mailing.json':
        '{ "templates": [{ "folder": "e", "ids": { "live": 1 } }], "connections": { "live": { "cms": "wordpress" } } }',
      'e/body.html': '<p>Hi</p><!-- wp:paragraph --><p>You</p><!-- /wp:paragraph -->',
    });
    assert.match((await mailing.run(['sent'])).stdout, /WordPress blocks/u);
  });

  it('replaces merge tags for a person of mailing.people.json', async () => {
    mailing.write({
      'a.html': body,
      'team/mailing.people.json': '{ "people": [{ "name": "Zoe Brown", "email": "zoe@example.com" }] }',
    });
    assert.match((await mailing.run(['sent', 'a.html', '--text', '--as', 'zoe@example.com'])).stdout, /Hi Zoe/iu);
    const unknown = await mailing.run(['sent', 'a.html', '--as', 'Nobody']);
    assert.deepEqual([unknown.code, unknown.stderr.split('\n')[0]], [2, 'There is no person "Nobody".']);
  });

  it('writes stable snapshots, and says what would reach readers differently', async () => {
    mailing.write({
      'mailing.json':
        '{ "templates": [{ "folder": "emails/one", "ids": { "live": 1 } }], "connections": { "live": { "baseUrl": "https://shop.example", "profile": "acymailing" } } }',
      'emails/one/body.html': body,
      'emails/one/style.css': 'h1 { color: red }',
    });
    const args = ['sent', '--snapshot', 'snapshots', '--as', 'typical'];
    assert.equal((await mailing.run(args)).code, 0);
    const html = mailing.read('snapshots/emails/one.html');
    assert.match(html, /color: red/u);
    assert.match(html, /https:\/\/shop\.example\/news/u);
    assert.match(mailing.read('snapshots/emails/one.txt'), /Read the news \( https:\/\/shop\.example\/news \)/u);
    assert.equal((await mailing.run([...args, '--check-snapshots'])).code, 0);
    mailing.write({ 'emails/one/style.css': 'h1 { color: blue }' });
    const changed = await mailing.run([...args, '--check-snapshots']);
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /^--- snapshots\/emails\/one\.html/mu);
    assert.match(changed.stdout, /^-.*red[^]*^\+.*blue/mu);
    assert.equal(mailing.read('snapshots/emails/one.html'), html);
  });

  it('never writes a snapshot over an email, its source or another snapshot', async () => {
    const mapping = { templates: [{ folder: 'b', source: 'b.html', output: 'dist/b.html' }] };
    mailing.write({
      'mailing.json': JSON.stringify(mapping),
      'a.html': body,
      'b.html': '<x-b>',
      'dist/b.html': body,
      'in/a.html': body,
    });
    for (const args of [
      ['--snapshot', '.', 'a.html'],
      ['--snapshot', '.'],
      ['--snapshot', 'in', 'a.html', 'in/a.html'],
      ['--snapshot', 'out', 'b.html', 'dist/b.html'],
    ]) {
      const { code, stderr } = await mailing.run(['sent', ...args]);
      assert.deepEqual(
        [code, /^A snapshot would replace (?:in\/|out\/)?[ab]\.html\.\n/u.test(stderr)],
        [2, true],
        stderr,
      );
    }
    assert.deepEqual(
      ['a.html', 'b.html', 'in/a.html'].map((path) => mailing.read(path)),
      [body, '<x-b>', body],
    );
  });

  it('compares an email with a received one', async () => {
    const message = 'Subject: \r\nContent-Type: text/html\r\n\r\n';
    mailing.write({
      'a.html': '<p>Hi {subscriber:name}</p>',
      'same.eml': `${message}<p>Hi Ann</p>`,
      'other.eml': `${message}<p>Bye Ann</p>`,
      'none.eml': 'x',
    });
    writeFileSync(`${mailing.folder}/large.eml`, '');
    truncateSync(`${mailing.folder}/large.eml`, 2 ** 40);
    const compare = (file: string) => mailing.run(['sent', 'a.html', '--profile', 'documented', '--compare', file]);
    const same = await compare('same.eml');
    assert.equal(same.code, 0, same.stdout + same.stderr);
    const other = await compare('other.eml');
    assert.equal(other.code, 1);
    assert.match(other.stdout, /^- Hi \{…\}\n\+ Bye Ann$/mu);
    for (const file of ['none.eml', 'missing.eml', 'large.eml']) {
      const { code, stderr } = await compare(file);
      assert.deepEqual([code, stderr.trim().split('\n').length], [2, 2], stderr);
      if (file === 'large.eml') assert.match(stderr, /more than 20 MB/u);
    }
  });
});
