import assert from 'node:assert/strict';
import { imagesOf, isRelative, withAddresses, withPaths, type Assets } from '../../../src/folders/assets.ts';
import type { MappedTemplate } from '../../../src/folders/mapping.ts';
import { History } from '../../../src/folders/history.ts';
import { Lock } from '../../../src/folders/lock.ts';
import { TemplateFolder } from '../../../src/folders/templateFolder.ts';
import { Disk, layout } from './stage.ts';

const assets: Assets = [['emails/img', 'https://cdn.example/mail']];

describe('Images of a mapped folder', () => {
  const html = `<body background="../img/back.png"><img src='../img/a.png'><img src=../img/b.png alt=x>
<p style="background: url( '../img/c.png' )"><style>a { background: url(../img/d.png) }</style><img src="https://else.example/x.png"><img src="{image}">`;

  it('stand as public addresses on the service, and as paths in the folder', async () => {
    const out = withAddresses(html, await imagesOf(html), 'emails/welcome', assets);
    assert.equal(out, html.replaceAll('../img/', 'https://cdn.example/mail/'));
    assert.equal(withPaths(out, await imagesOf(out), 'emails/welcome', assets), html);
  });

  it('are left alone where their folder stands for no address', async () => {
    const other = '<img src="other/a.png"><img src="../imgs/a.png"><img src="https://cdn.example/mails/a.png">';
    assert.equal(withAddresses(other, await imagesOf(other), 'emails/welcome', assets), other);
    assert.equal(withPaths(other, await imagesOf(other), 'emails/welcome', assets), other);
  });

  it('that no reader would see are told', async () => {
    const template: MappedTemplate = { folder: 'emails/welcome', ids: {}, place: { start: 0, end: 0 } };
    const disk = new Disk([['emails/welcome/body.html', '<img src="../img/a.png"><img src="b.png"><img src="b.png">'], ['emails/welcome/style.css', 'a { background: url("c.png") }']]);
    const folder = new TemplateFolder(disk, layout, () => assets);
    const texts = await folder.read(template);
    assert.equal(texts['body'], '<img src="https://cdn.example/mail/a.png"><img src="b.png"><img src="b.png">');
    assert.deepEqual(await folder.unseenImages(texts), ['b.png', 'c.png']);
    await folder.write(template, { body: '<img src="https://cdn.example/mail/z.png">' }, texts, {}, { local: '', remote: '' });
    assert.equal(disk.files.get('emails/welcome/body.html'), '<img src="../img/z.png">');
  });

  it('have paths: what leads elsewhere is none', () => {
    for (const text of ['a.png', './a.png', '../a/b.png', ' a.png']) assert.ok(isRelative(text), text);
    for (const text of ['', '#x', '/a.png', '//host/a.png', 'https://a', 'data:image/png;base64,', 'cid:x', '{image}', '%7Bimage%7D', 'javascript:x']) assert.ok(!isRelative(text), text);
  });
});

describe('A lock', () => {
  const print = (letter: string): string => letter.repeat(43);

  it('is the same text for the same bases, whatever their order', () => {
    const base = (letter: string) => ({ local: print(letter), remote: print(letter) });
    const one = Lock.read(undefined).with('b', 'p', { body: base('a'), name: base('b') }).with('a', 'p', { body: base('c') });
    const other = Lock.read(undefined).with('a', 'p', { body: base('c') }).with('b', 'p', { name: base('b'), body: base('a') });
    assert.equal(one.toString(), other.toString());
    assert.equal(Lock.read(one.toString()).toString(), one.toString());
    assert.deepEqual(one.with('b', 'p', undefined).base('b', 'p'), {});
  });

  it('that git could not merge knows what both sides agree on', () => {
    const line = (name: string, letter: string): string => `        "${name}": "${print(letter)}"`;
    const text = ['{ "version": 1, "templates": { "a": { "p": {', `${line('name', 'n')},`, '<<<<<<< HEAD', line('body', 'o'), '=======', line('body', 't'), '>>>>>>> theirs', '} } } }'].join('\n');
    assert.deepEqual(Lock.read(text).base('a', 'p'), { name: { local: print('n'), remote: print('n') } });
  });

  it('of which nothing can be made knows nothing', () => {
    for (const text of ['', '{}', '[]', '{"version":2,"templates":{}}', '{"version":1,"templates":{"a":{"p":{"body":5,"name":"short"}}}}']) assert.deepEqual(Lock.read(text).base('a', 'p'), {}, text);
  });
});

describe('The history of a template', () => {
  const ref = { connection: 'p', id: 7 };

  it('keeps the last twenty states, newest first, and a state that stays once', async () => {
    const history = new History(new Disk(), (connection) => connection, () => 5);
    for (let number = 0; number < 30; number += 1) {
      await history.remember(ref, { body: `text ${number}`, name: 'N' });
      await history.remember(ref, { body: `text ${number}`, name: 'N' });
    }
    const states = await history.states(ref);
    assert.deepEqual(states.map(({ texts }) => texts['body']), Array.from({ length: 20 }, (_, index) => `text ${29 - index}`));
    assert.ok(states.every(({ at, texts }) => at === 5 && texts['name'] === 'N'));
  });

  it('outlives the window, belongs to its service, and survives a broken file', async () => {
    const disk = new Disk();
    await new History(disk, () => 'https://one').remember(ref, { body: 'one' });
    assert.equal((await new History(disk, () => 'https://one').states({ connection: 'renamed', id: 7 })).length, 1);
    assert.equal((await new History(disk, () => 'https://two').states(ref)).length, 0);
    for (const name of disk.files.keys()) disk.files.set(name, '{ broken');
    assert.equal((await new History(disk, () => 'https://one').states(ref)).length, 0);
  });

  it('knows what was sent without an answer, for an hour', async () => {
    let now = 0;
    const disk = new Disk();
    const history = (): History => new History(disk, () => 's', () => now);
    await history().sending(ref, { body: 'sent' });
    assert.equal((await history().lost(ref)).get('body')?.length, 1);
    now = 3_599_999;
    assert.equal((await history().lost(ref)).size, 1);
    now = 3_600_000;
    assert.equal((await history().lost(ref)).size, 0);
    const answered = await history().sending(ref, { body: 'again' });
    await answered();
    assert.equal((await history().lost(ref)).size, 0);
  });

  it('keeps no more text than a few million characters', async () => {
    const disk = new Disk();
    const history = new History(disk, () => 's');
    for (let number = 0; number < 6; number += 1) await history.remember(ref, { body: String(number).repeat(3_000_000) });
    assert.equal((await history.states(ref)).length, 2);
    assert.ok([...disk.files.values()].join('').length < 8_100_000);
  });
});
