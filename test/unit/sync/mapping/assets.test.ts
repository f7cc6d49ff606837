import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { findImageAddresses } from '../../../../src/email/checks/images.ts';
import {
  isRelative,
  mayNameImages,
  withAddresses,
  withPaths,
  type Assets,
} from '../../../../src/sync/mapping/assets.ts';
import { TemplateFolder } from '../../../../src/sync/mapping/folder.ts';
import { Disk, findImages, layout, template } from '../fixtures.ts';

const assets: Assets = [['emails/img', 'https://cdn.example/mail']];
const corpus = new URL('../../../../shared/', import.meta.url);

const pushed = (html: string, folders = assets) =>
  withAddresses(html, findImageAddresses(html, 'html'), 'emails/welcome', folders).text;
const pulled = (html: string, folders = assets) =>
  withPaths(html, findImageAddresses(html, 'html'), 'emails/welcome', folders);

describe('Offsets in a text with public addresses', () => {
  it('lead to the same places of the file', () => {
    const html = '<img src="../img/a.png"> one <img src="https://x.example/b.png"><img src="../img/long/c.png">two';
    const { text, toFile } = withAddresses(html, findImageAddresses(html, 'html'), 'emails/welcome', assets);
    assert.notEqual(text, html);
    for (const part of ['<img', ' one', 'https://x', '><img', 'two'])
      assert.equal(toFile(text.indexOf(part)), html.indexOf(part), part);
    assert.equal(toFile(text.length), html.length);
    // Inside of an address, the place is inside of the path.
    assert.ok(html.slice(0, toFile(text.indexOf('a.png'))).endsWith('../img/a.png'));
  });
});

describe('asset mapping', () => {
  it('keeps images of folders without a public address', () => {
    const other = '<img src="other/a.png"><img src="../imgs/a.png"><img src="https://cdn.example/mails/a.png">';
    assert.deepEqual([pushed(other), pulled(other)], [other, other]);
  });

  it('lists images without a public address', async () => {
    const disk = new Disk([
      ['emails/welcome/body.html', '<img src="../img/a.png"><img src="b.png"><img src="b.png">'],
      ['emails/welcome/style.css', 'a { background: url("c.png") }'],
    ]);
    const folder = new TemplateFolder(disk, layout, () => assets, findImages);
    const texts = await folder.read(template);
    assert.equal(texts['body'], '<img src="https://cdn.example/mail/a.png"><img src="b.png"><img src="b.png">');
    assert.deepEqual(await folder.findLocalImages(texts), ['b.png', 'c.png']);
    await folder.write(template, { body: '<img src="https://cdn.example/mail/z.png">' }, texts);
    assert.equal(disk.files.get('emails/welcome/body.html'), '<img src="../img/z.png">');
  });

  it('keeps the spelling of the file and uses the shortest path for new images', async () => {
    const body = '<img src="./../img//a.png"><img src="../img/x/../a.png"><img src="https://cdn.example/mail/a.png">';
    const disk = new Disk([['emails/welcome/body.html', body]]);
    const folder = new TemplateFolder(disk, layout, () => assets, findImages);
    const texts = await folder.read(template);
    assert.equal(texts['body'], '<img src="https://cdn.example/mail/a.png">'.repeat(3));
    assert.equal(await folder.renderFile(template, 'emails/welcome/body.html', texts), body);
    const more = { body: `${texts['body']}<img src="https://cdn.example/mail/b.png">` };
    await folder.write(template, more, texts);
    assert.equal(disk.files.get('emails/welcome/body.html'), `${body}<img src="../img/b.png">`);
    assert.equal((await folder.read(template))['body'], more.body);
  });

  it('finds images in every attribute and style that loads one, and nowhere else', () => {
    const shown = [
      "<td background='../img/1.png'>",
      '<video poster=../img/2.png>',
      '<source srcset="../img/3.png 1x,\n\t../img/4.png 2x">',
      '<p style="background:url(&quot;../img/5.png&quot;) url(\'../img/6.png\'), image-set(&quot;../img/7.png&quot; 1x)">',
      '<style>/* url(../img/no.png) */ a { background: URL( ../img/8.png ); content: "url(../img/no.png)" }</style>',
      '<!--[if gte mso 9]><td background="../img/9.png"><v:fill type="tile" src="../img/10.png" /><style>b { background: url(../img/11.png) }</style><![endif]-->',
      '<svg><image href="../img/12.png"/><style/></svg><img src="../img/13.png">',
      '<!--[if !mso]><!--><img src="../img/14.png"><!--<![endif]-->',
      '<style>u { background: url("../img/15.png',
    ];
    const none = [
      '<p title="../img/no.png">url(../img/no.png) src="../img/no.png"</p>',
      '<!-- <img src="../img/no.png"> -->',
      '<a href="../img/no.png" data-src="../img/no.png">',
      '<title><img src="../img/no.png"></title>',
      '<style>a { content: "../img/no.png" }</style>',
    ];
    const html = [...none, ...shown].join('\n');
    assert.deepEqual(
      findImageAddresses(html, 'html').map(({ value }) => value),
      Array.from({ length: 15 }, (_, index) => `../img/${index + 1}.png`),
    );
    const out = pushed(html);
    assert.equal(out, html.replace(/\.\.\/img\/(?=\d)/gu, 'https://cdn.example/mail/'));
    assert.equal(pulled(out), html);
  });

  it('replaces only addresses that can be restored exactly', () => {
    const unchanged = [
      'https://cdn.example/mail//a.png',
      'https://cdn.example/mail/../a.png',
      'https://cdn.example/mail/./a.png',
      'https://cdn.example/mail/https://else.example/a.png',
      'https://cdn.example/mail/a//',
      'https://cdn.example/mail',
      'https://cdn.example/mail?x',
    ];
    for (const address of unchanged) assert.equal(pulled(`<img src="${address}">`), `<img src="${address}">`);
    const exchanged = [
      '{subscriber:id}.png',
      'a:b.png',
      '#a.png',
      'a.png?x=https://b//c/../d',
      'a%20b.png',
      'a{if:x//y}b.png',
      'a/',
      'a.png#/../b',
    ];
    for (const name of exchanged) {
      assert.equal(pulled(`<img src="https://cdn.example/mail/${name}">`), `<img src="../img/${name}">`);
      assert.equal(pushed(`<img src="../img/${name}">`), `<img src="https://cdn.example/mail/${name}">`);
    }
  });

  it('uses the innermost folder and the most specific address', () => {
    const nested: Assets = [
      ['img/icons', 'https://icons.example'],
      ['img', 'https://cdn.example/a'],
      ['raw', 'https://cdn.example'],
    ];
    const html =
      '<img src="img/icons/x.png"><img src="img/y.png"><img src="raw/z.png"><img src="https://cdn.example/a/icons/x.png">';
    const out = withAddresses(html, findImageAddresses(html, 'html'), '.', nested).text;
    assert.deepEqual(
      findImageAddresses(out, 'html').map(({ value }) => value),
      [
        'https://icons.example/x.png',
        'https://cdn.example/a/y.png',
        'https://cdn.example/z.png',
        'https://cdn.example/a/icons/x.png',
      ],
    );
    assert.equal(withPaths(out, findImageAddresses(out, 'html'), '.', nested), html);
  });

  it('keeps images whose replacement would end the attribute', () => {
    const spaced: Assets = [['my "img" (1)', 'https://cdn.example/?u=1&copy=']];
    assert.equal(
      pulled('<img src=https://cdn.example/?u=1&amp;copy=/a.png>', spaced),
      '<img src=https://cdn.example/?u=1&amp;copy=/a.png>',
    );
    const pair: Assets = [['r&d/my img', 'https://cdn.example/?u=1&copy=']];
    const html =
      '<img src="../../r&amp;d/my img/a (1).png"><style>p { background: url("../../r&d/my img/a.png") }</style>';
    const out = pushed(html, pair);
    assert.ok(
      out.includes('src="https://cdn.example/?u=1&amp;copy=/a (1).png"') &&
        out.includes('url("https://cdn.example/?u=1&copy=/a.png")'),
      out,
    );
    assert.equal(pulled(out, pair), html);
    assert.equal(
      pulled('<img src=https://cdn.example/?u=1&amp;copy=/a.png>', pair),
      '<img src=https://cdn.example/?u=1&amp;copy=/a.png>',
    );
  });

  it('restores any text byte for byte', () => {
    const folders: Assets = [
      ['emails/img/icons', 'https://icons.example'],
      ['emails/my img', 'https://cdn.example/my?a=1&b='],
      ['emails/img', 'https://cdn.example/mail'],
      ['emails/welcome', 'https://proxy.example/https://cdn.example'],
      ['same', 'https://cdn.example/mail'],
    ];
    const starts = [
      '../img/',
      './',
      '',
      '../my img/',
      '../img/icons/',
      '../../same/',
      '.././img//',
      '..\\img\\',
      '../img&#47;',
      '/',
      '//',
      ...folders.map(([, address]) => `${address}/`),
    ];
    const names = [
      'a.png',
      'icons/a.png',
      'b/',
      '../c.png',
      './d.png',
      '/e.png',
      'https://x.example/f.png',
      '{tag:x}.png',
      'a:b.png',
      '#h',
      '?q=../i//j',
      'k&amp;l.png',
      'm&n.png',
      'a&#58;b.png',
      'é (1).png',
      'o,p',
      '',
      '\\3a q.png',
      "it's.png",
    ];
    const address = fc
      .tuple(fc.constantFrom(...starts), fc.array(fc.constantFrom(...names), { maxLength: 2 }))
      .map(([start, parts]) => start + parts.join(''));
    const places: readonly ((text: string) => string)[] = [
      (text) => `<img src="${text}">`,
      (text) => `<img src='${text}'>`,
      (text) => `<td background=${text}>`,
      (text) => `<img srcset="${text} 1x, ${text} 2x">`,
      (text) => `<p style="background:url(${text})">`,
      (text) => `<p style='background:url("${text}")'>`,
      (text) => `<p style="a:url(&quot;${text}&quot;)">`,
      (text) => `<p style=a:url(${text})>`,
      (text) => `<style>a{b:url(${text})}</style>`,
      (text) => `<style>a{b:url( '${text}' );c:"${text}"/*url(${text})*/}</style>`,
      (text) => `<!--[if mso]><v:fill src="${text}"/><![endif]-->`,
      (text) => `<!-- ${text} -->`,
      (text) => `<p>${text}`,
      (text) => `<img alt="${text}" src=" ${text}\n">`,
      (text) => text,
    ];
    const part = fc.oneof(
      fc.tuple(fc.constantFrom(...places), address).map(([place, text]) => place(text)),
      fc.constantFrom('<', '>', '"', "'", '<!--', '-->', '<style>', '</style>', '<svg>', '(', 'url(', '\n', '{if}'),
    );
    const html = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(html, html, fc.constantFrom('html', 'css'), (one, other, format) => {
        const find = (text: string) => findImageAddresses(text, format);
        for (const text of [one, other]) assert.ok(mayNameImages(text) || find(text).length === 0);
        const push = (text: string) => withAddresses(text, find(text), 'emails/welcome/', folders).text;
        const pull = (text: string, existing: string) =>
          withPaths(text, find(text), 'emails/welcome/', folders, find(existing));
        assert.equal(pull(push(one), one), one);
        for (const existing of ['', one, other]) assert.equal(push(pull(push(one), existing)), push(one));
      }),
      { numRuns: 500 },
    );
  });

  it('restores real emails byte for byte', function () {
    if (!existsSync(corpus)) this.skip();
    const read = (folder: URL) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.html'))
        .map((name) => readFileSync(new URL(name, folder), 'utf8'));
    let exchanged = 0;
    for (const html of [...read(new URL('corpus/', corpus)), ...read(new URL('as-sent/', corpus))]) {
      const images = findImageAddresses(html, 'html');
      const values = images.map(({ value }) => value);
      const addresses = values.flatMap((value) => /^(https?:\/\/.+)\/[^/]+$/u.exec(value)?.[1] ?? []);
      const paths = values.filter(isRelative).map((path) => path.replace(/\/?[^/]*$/u, ''));
      const folders: Assets = [...new Set([...addresses, ...paths.filter(Boolean)])].map((one, index) =>
        addresses.includes(one) ? [`img/${index}`, one] : [`emails/welcome/${one}`, `https://cdn.example/${index}`],
      );
      const out = withAddresses(html, images, 'emails/welcome', folders).text;
      const sent = findImageAddresses(out, 'html');
      const back = withPaths(out, sent, 'emails/welcome', folders);
      exchanged += Number(back !== out);
      assert.equal(withPaths(out, sent, 'emails/welcome', folders, images), html);
      assert.equal(pushed(back, folders), out);
    }
    assert.ok(exchanged > 10, `${exchanged}`);
  });

  it('recognizes relative paths', () => {
    for (const text of ['a.png', './a.png', '../a/b.png', ' a.png']) assert.ok(isRelative(text), text);
    const others = ['', '#x', '/a.png', '//host/a.png', 'https://a', 'data:image/png;base64,', 'cid:x', '{image}'];
    for (const text of [...others, '%7Bimage%7D', 'javascript:x']) assert.ok(!isRelative(text), text);
  });
});
