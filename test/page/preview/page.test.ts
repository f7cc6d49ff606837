import assert from 'node:assert/strict';
import { getContrast } from '../../../src/email/checks/color.ts';
import { themes } from '../../support/themes.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';
import { changeTheme } from '../pageInBrowser.ts';

const envelope = { subject: 'Your order', preheader: 'On its way', from_name: 'Fjord', from_email: 'a@fjord.example' };

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const hostile = `<!doctype html><html><head>
<meta http-equiv="refresh" content="0;url=https://evil.example/refresh"><base href="https://evil.example/">
<link rel="preload" as="image" href="https://evil.example/preload"><link rel="dns-prefetch" href="https://evil.example/">
<style>@import url(https://evil.example/import.css); p { background: url(https://evil.example/css.png) }</style>
<script>parent.document.title = 'leaked'</script></head>
<body onload="parent.document.title = 'leaked'"><p>Text</p>
<img src="https://evil.example/pixel.png" onerror="parent.document.title = 'leaked'"><img src="relative.png">
<iframe src="https://evil.example/frame"></iframe><object data="https://evil.example/object"></object><embed src="https://evil.example/embed">
<video src="https://evil.example/video" autoplay></video><svg><script>parent.document.title = 'leaked'</script><image href="https://evil.example/svg.png"/></svg>
<form action="https://evil.example/form"><input autofocus><button id="submit">Send</button></form>
<a id="script" href="javascript:parent.document.title='leaked'">script</a>
<a id="web" href="https://shop.example/?a=1&amp;b=2" target="_top">shop</a></body></html>`;

describe('The preview’s page', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let preview: PreviewInBrowser;
  beforeEach(async () => {
    preview = await PreviewInBrowser.open(suite.browser, suite.files);
  });

  it('runs no scripts of an email, doesn’t navigate and sends no requests', async () => {
    const mail = await preview.show({ body: hostile });
    await mail.locator('#script').click();
    await mail.locator('#web').click();
    await mail.locator('#submit').click();
    await preview.settle();
    assert.notEqual(await preview.page.title(), 'leaked');
    assert.equal(await mail.locator('p').textContent(), 'Text');
    assert.deepEqual(preview.fetched, []);
    assert.equal(await preview.page.locator('iframe.mail').getAttribute('sandbox'), 'allow-same-origin');
    assert.equal(await preview.inMail((document) => document.activeElement?.nodeName === 'INPUT'), false);
  });

  it('sends no referrer, whatever the email’s referrer policy', async () => {
    const referrers: (string | undefined)[] = [];
    preview.page.on('request', (request) => referrers.push(request.headers()['referer']));
    const fetching =
      '<img referrerpolicy=unsafe-url src="https://x.example/a.png"><link rel=stylesheet referrerpolicy=unsafe-url href="https://x.example/a.css">';
    for (const meta of [
      '',
      '<meta name="referrer" content="unsafe-url">',
      '<meta name="x" content="unsafe-url">'.repeat(4),
    ]) {
      await preview.show({
        body: `<html><head>${meta}</head><body>${fetching}</body></html>`,
        toolbar: { remote: true },
      });
    }
    assert.ok(referrers.length >= 2);
    assert.deepEqual(
      referrers.filter((referrer) => referrer !== undefined),
      [],
    );
  });

  it('loads remote images on request, and shows the number of blocked ones', async () => {
    const body =
      '<img src="https://x.example/a.png"><img src="https://x.example/b.png"><td background="https://x.example/b.png">';
    await preview.show({ body });
    const notice = preview.page.locator('.notice', { hasText: 'remote' });
    assert.match(await notice.innerText(), /^2 remote images or fonts blocked/);
    assert.deepEqual(preview.fetched, []);
    await notice.getByText('Load', { exact: true }).click();
    await preview.settle();
    assert.deepEqual([...new Set(preview.fetched)].sort(), ['https://x.example/a.png', 'https://x.example/b.png']);
    assert.equal(await notice.isVisible(), false);
    assert.equal((await preview.posted('toolbar')).at(-1)?.toolbar.remote, true);
  });

  it('resolves relative addresses in the file’s folder or not at all, and ignores the email’s base', async () => {
    const toolbar = { remote: true };
    const base = '<base href="https://evil.example/" target="_top">';
    const images =
      '<img src="relative.png"><img src="/rooted.png"><table background="table.png"><tr><td>x</td></tr></table>';
    const inHead = `<html><head>${base}</head><body>${images}</body></html>`;
    const bodies = [images, `${base}${images}`, inHead, `${images}<div>${base}<img src="later.png"></div>`];
    for (const body of bodies) {
      await preview.show({ body, stylesheet: 'p { background: url(style.png) }', toolbar });
      assert.equal(await preview.inMail((document) => document.baseURI), 'about:invalid');
    }
    // Edits of the shown email use the same folder.
    await preview.show({ body: images, toolbar });
    await preview.type('body', 0, base);
    await preview.type('body', 0, '<img src="typed.png">');
    await preview.settle();
    assert.deepEqual(preview.fetched, []);
    assert.deepEqual(
      await preview.inMail((document) => [...document.querySelectorAll('base')].map(({ target }) => target)),
      [''],
    );

    await preview.show({ body: `${base}${images}`, base: 'https://local.example/letters/', toolbar });
    assert.deepEqual([...new Set(preview.fetched)], ['https://local.example/rooted.png']);
    assert.deepEqual(
      (await preview.posted('pictures')).map(({ paths }) => [...paths].sort()),
      [['relative.png', 'table.png']],
    );
  });

  it('shows pictures only from the given folder, whatever the paths', async () => {
    const paths = [
      'logo.png',
      '../img/shared.png',
      '../../top.png',
      '../../../outside.png',
      '/rooted.png',
      '..%2f..%2f..%2fencoded.png',
      '\\\\..\\..\\..\\back.png',
    ];
    const body = `${paths.map((path) => `<img src="${path}">`).join('')}<div style="background: url(../../../style.png)">x</div><p>y</p>`;
    const base = 'https://local.example/team%20a/ws/emails/letter/';
    await preview.show({
      body,
      stylesheet: 'p { background: url("../img/sheet.png") } td { background: url(../../../sheet.png) }',
      base,
      root: 'https://local.example/team%20a/ws/',
    });
    await preview.settle();
    const [asked, ...more] = await preview.posted('pictures');
    assert.deepEqual(more, []);
    // A segment with an encoded slash doesn't leave the folder here: the host checks the resolved path.
    const inside = [
      'emails/img/shared.png',
      'emails/img/sheet.png',
      'emails/letter/../../../encoded.png',
      'emails/letter/logo.png',
      'top.png',
    ];
    assert.deepEqual([...(asked?.paths ?? [])].sort(), inside);

    await preview.send({
      type: 'pictures',
      pictures: inside.filter((path) => !path.includes('..')).map((path) => ({ path, data: pixel })),
    });
    await preview.settle();
    const widths = await preview.inMail((document) => [...document.images].map(({ naturalWidth }) => naturalWidth));
    assert.deepEqual(widths, [1, 1, 1, 0, 0, 0, 0]);
    const background = await preview.inMail((document) =>
      [...document.querySelectorAll('p, div')].map((element) => getComputedStyle(element).backgroundImage),
    );
    assert.deepEqual(
      background,
      ['url("https://local.example/style.png")', `url("${pixel}")`].map((each) =>
        each.replace('local.example', 'local.example/team%20a'),
      ),
    );
    assert.deepEqual(preview.fetched, []);
  });

  it('updates local pictures, and requests newly typed ones', async () => {
    const place = { base: 'https://local.example/ws/', root: 'https://local.example/ws/' };
    const body = '<img src="a.png"><img srcset="b.png 1x, c.png 2x"><p style="background:url( \'d.png\' )">text</p>';
    await preview.show({ body, ...place });
    assert.deepEqual((await preview.posted('pictures')).at(-1)?.paths, ['a.png', 'b.png', 'c.png', 'd.png']);
    await preview.send({
      type: 'pictures',
      pictures: ['a.png', 'b.png', 'd.png'].map((path) => ({ path, data: pixel })),
    });
    await preview.settle();
    const readImageWidths = async () => {
      await preview.inMail((document) => Promise.allSettled([...document.images].map((image) => image.decode())));
      return preview.inMail((document) => [...document.images].map(({ naturalWidth }) => naturalWidth));
    };
    assert.deepEqual(await readImageWidths(), [1, 1]);
    assert.equal(
      await preview.inMail((document) => document.querySelector('p')?.style.backgroundImage),
      `url("${pixel}")`,
    );
    await preview.send({ type: 'pictures', pictures: [{ path: 'a.png' }] });
    await preview.settle();
    assert.deepEqual(await readImageWidths(), [0, 1]);

    await preview.edit('body', body.replace('"a.png"', '"a2.png"'));
    await preview.settle();
    assert.deepEqual((await preview.posted('pictures')).at(-1)?.paths, ['a2.png']);
    await preview.send({ type: 'pictures', pictures: [{ path: 'a2.png', data: pixel }] });
    await preview.settle();
    assert.deepEqual(await readImageWidths(), [1, 1]);
    assert.deepEqual(preview.fetched, []);
  });

  it('lists omitted local pictures with the reason while they are in the email', async () => {
    const place = { base: 'https://local.example/ws/', root: 'https://local.example/ws/' };
    const notice = preview.page.locator('.notice', { hasText: 'Images not shown' });
    const body =
      '<img src="big%20one.png"><p style="background: url(photo.avif)">text</p><img src="missing.bmp"><img src="font.woff">';
    await preview.show({ body, ...place });
    assert.deepEqual((await preview.posted('pictures')).at(-1)?.paths, ['big one.png', 'missing.bmp', 'photo.avif']);
    assert.equal(await notice.isVisible(), false);
    await preview.send({
      type: 'pictures',
      pictures: [
        { path: 'big one.png', omissionReason: 'large' },
        { path: 'photo.avif', omissionReason: 'format' },
        { path: 'missing.bmp' },
      ],
    });
    await preview.settle();
    const both =
      'Images not shown: big one.png (larger than 2 MB) and photo.avif (not a PNG, JPEG, GIF, WebP, or SVG file)';
    assert.equal(await notice.innerText(), both);
    // The file changes before the email.
    await preview.send({ type: 'pictures', pictures: [{ path: 'big one.png', data: pixel }] });
    await preview.settle();
    assert.equal(await notice.innerText(), 'Images not shown: photo.avif (not a PNG, JPEG, GIF, WebP, or SVG file)');
    await preview.edit('body', '<p>text</p>');
    await preview.settle();
    assert.equal(await preview.page.locator('.notice:visible').count(), 0);

    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.gif`);
    await preview.show({
      body: many.map((path) => `<img src="${path}"><img srcset="${path} 1x, ${path} 2x">`).join(''),
      ...place,
    });
    await preview.send({ type: 'pictures', pictures: many.map((path) => ({ path, omissionReason: 'all' })) });
    await preview.settle();
    assert.match(
      await notice.innerText(),
      /shown: a\.gif \(images exceed 16 MB in total\), b\.gif .*, c\.gif [^,]*, and 2 more$/u,
    );
    assert.deepEqual(preview.fetched, []);
  });

  it('shows no picture that takes too long to draw, and gives the reason', async () => {
    const uses = '<use href="#a"/>'.repeat(9);
    const svg = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg">${uses}</svg>`)}`;
    const large = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAATiAAAE4gCAYAAAA=';
    const sources = `<img src="${svg}"><img srcset="${large} 2x"><table background="${svg}"></table><video poster="${large}"></video>`;
    const styles = `<p style="background: url(${svg})">x</p><style>p { color: red; background: url("${large}") }</style>`;
    const drawing = `<svg><style>p { background: url('${svg}') }</style><image href="${large}"/><image xlink:href="${svg}"/></svg>`;
    const body = `<i title="${svg.slice(5)}">${sources}${styles}${drawing}</i><img src="dat">`;
    const readHtml = () => preview.inMail((document) => document.documentElement.outerHTML);
    const assertLimited = async (count: number) => {
      const html = await readHtml();
      assert.ok(!html.includes(svg), html);
      assert.ok(!html.includes(large), html);
      assert.equal(html.split('data:,#excessive').length - 1, count, html);
    };
    await preview.show({ body, stylesheet: 'b { background: url(x) }' });
    await assertLimited(8);
    const notice = preview.page.locator('.notice', { hasText: 'Images not shown' });
    await preview.settle();
    assert.equal(
      await notice.innerText(),
      'Images not shown: data: (more than 40 megapixels, or an SVG that takes too long to draw)',
    );
    // Edits in place.
    await preview.edit('stylesheet', `b { background: url(${large}) }`);
    await assertLimited(9);
    await preview.edit('body', body.replace('src="dat"', `src="${large}"`));
    await assertLimited(10);
    await preview.edit('body', `<img src="${pixel}">`);
    await preview.edit('stylesheet', 'b { color: red }');
    await preview.settle();
    assert.ok((await readHtml()).includes(pixel));
    assert.equal(await preview.page.locator('.notice:visible').count(), 0);
  });

  it('opens a link only on demand, and shows its target', async () => {
    const mail = await preview.show({
      body: '<p><a id="web" href="https://shop.example/?a=1&amp;b=2">shop</a> <a href="https://x.example/\u202Egpj.exe"><b>y</b></a></p>',
    });
    await mail.locator('#web').hover();
    assert.equal(await preview.page.locator('.links .target').textContent(), 'https://shop.example/?a=1&b=2');
    await mail.locator('#web').click();
    assert.deepEqual(await preview.posted('openLink'), []);
    await mail.locator('#web').click({ modifiers: ['Control'] });
    await preview.page.locator('.links .open').click();
    const opened = { type: 'openLink', href: 'https://shop.example/?a=1&b=2' };
    assert.deepEqual(await preview.posted('openLink'), [opened, opened]);
    // Without bidirectional control characters.
    await mail.locator('b').hover();
    assert.match(await preview.page.locator('.links .target').innerText(), /^https:\/\/x\.example\/ ?gpj\.exe$/u);
  });

  it('handles clicks and shows the next email, whatever the names of elements', async () => {
    const names =
      'addEventListener querySelector querySelectorAll defaultView body head documentElement getSelection caretPositionFromPoint createElement';
    const inForm = 'attributes childNodes firstChild getAttribute setAttribute isEqualNode replaceWith remove matches';
    const controls = (tag: string, attribute: string) =>
      inForm
        .split(' ')
        .map((name) => `<${tag} ${attribute}="${name}">`)
        .join('');
    const body = [
      '<p>Text</p><i id="addEventListener">styled</i><style>#addEventListener, #matches { color: rgb(1, 2, 3) }</style>',
      ...names.split(' ').map((name) => `<img name="${name}"><img id="${name}" name="x"><form name="${name}"></form>`),
      ...names.split(' ').map((name) => `<iframe name="${name}"></iframe><object id="${name}"></object>`),
      `<form>${controls('input', 'name')}</form><form>${controls('input', 'id')}${controls('img', 'id')}</form>`,
    ].join('');
    await preview.show({ body: '<p>before</p>' });
    const mail = await preview.show({ body });
    await mail.locator('p').click();
    assert.equal((await preview.posted('reveal')).length, 1);
    for (const selector of ['i', 'input#matches'])
      assert.equal(await mail.locator(selector).evaluate((element) => getComputedStyle(element).color), 'rgb(1, 2, 3)');
    await preview.edit('body', body.replace('Text', 'Other text'));
    await preview.edit('body', body.replace('name="x"', 'name="body"'));
    await preview.settle();
    const next = await preview.show({ body: '<p>after</p>' });
    await next.locator('p').click();
    assert.equal((await preview.posted('reveal')).length, 2);
    assert.equal(await next.locator('p').innerText(), 'after');
  });

  it('keeps scroll position, selection and nodes while the user types', async () => {
    const body = `<h1>Title</h1>${'<p>paragraph</p>'.repeat(200)}<p id="last">the end</p>`;
    await preview.show({ body, stylesheet: 'p { color: red }' });
    await preview.inMail((document) => {
      const last = document.querySelector('#last') as Element;
      last.scrollIntoView();
      document.getSelection()?.selectAllChildren(last);
      Object.assign(last, { isReused: true });
    });
    // The visible position stays even if content is added above it.
    const readPosition = () =>
      preview.page.evaluate(async () => {
        for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
        const mail = document.querySelector<HTMLIFrameElement>('iframe.mail')?.contentDocument;
        return {
          top: Math.round(mail?.querySelector('#last')?.getBoundingClientRect().top ?? NaN),
          scrolled: (mail?.defaultView?.scrollY ?? 0) > 1000,
        };
      });
    const before = await readPosition();
    assert.equal(before.scrolled, true);
    await preview.type('body', 4, 'N');
    await preview.type('body', 0, '<hr>');
    assert.deepEqual(await readPosition(), before);
    await preview.type('stylesheet', 15, '; width: 90%');
    const after = await preview.inMail((document) => ({
      selected: document.getSelection()?.toString(),
      isReused: (document.querySelector('#last') as { isReused?: boolean } | null)?.isReused,
      title: document.querySelector('h1')?.textContent,
      width: document.querySelector('style')?.textContent?.includes('90%'),
    }));
    assert.deepEqual(after, { selected: 'the end', isReused: true, title: 'NTitle', width: true });
    assert.deepEqual(await readPosition(), before);
  });

  it('requests the whole content if the lengths differ', async () => {
    await preview.show({ body: '<p>Hello</p>' });
    const before = await preview.posted('ready');
    await preview.send({ type: 'change', part: 'body', changes: [{ offset: 3, length: 0, text: 'x' }], length: 99 });
    assert.equal((await preview.posted('ready')).length, before.length + 1);
    await preview.show({ body: '<p>Hello again</p>' });
    assert.equal(await (await preview.mail()).locator('p').textContent(), 'Hello again');
  });

  it('reports the exact character that was clicked', async () => {
    const body = '<table><tr><td style="font: 20px monospace">&#128512;🙂&#x1F600; Tea &amp; cake</td></tr></table>';
    const mail = await preview.show({ body });
    const { x, y } = await preview.inMail((document) => {
      const text = document.querySelector('td')?.firstChild as Text;
      const cell = text.parentElement?.getBoundingClientRect();
      const range = document.createRange();
      range.setStart(text, text.data.indexOf('cake'));
      const box = range.getBoundingClientRect();
      return { x: box.left - (cell?.left ?? 0) + 2, y: box.top - (cell?.top ?? 0) + box.height / 2 };
    });
    await mail.locator('td').click({ position: { x, y } });
    assert.deepEqual((await preview.posted('reveal')).at(-1), {
      type: 'reveal',
      part: 'body',
      offset: body.indexOf('cake'),
    });
  });

  it('marks and reveals the element at the cursor without changing the email', async () => {
    const body = `${'<p>paragraph</p>'.repeat(100)}<p id="here">here</p>`;
    await preview.show({ body });
    const before = await preview.inMail((document) => document.documentElement.outerHTML);
    await preview.send({ type: 'cursor', offset: body.indexOf('>here') + 2 });
    await preview.settle();
    const cursor = await preview.page.locator('.cursor').boundingBox();
    const element = await (await preview.mail()).locator('#here').boundingBox();
    assert.ok(cursor && element);
    assert.deepEqual([cursor.x, cursor.y, cursor.width], [element.x, element.y, element.width]);
    assert.ok(element.y > 0 && element.y < 700);
    assert.equal(await preview.inMail((document) => document.documentElement.outerHTML), before);
  });

  it('applies the email’s light and dark styles', async () => {
    const body =
      '<html><head><meta name="color-scheme" content="light dark"><style>p{color:rgb(1,1,1)}@media screen{@media (prefers-color-scheme:dark){p{color:rgb(2,2,2)}}}</style></head><body><p>x</p>';
    await preview.show({ body });
    const readColor = () =>
      preview.inMail(
        (document) => (document.defaultView as Window).getComputedStyle(document.querySelector('p') as Element).color,
      );
    await preview.page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await readColor(), 'rgb(1, 1, 1)');
    await preview.page.getByRole('button', { name: 'Dark mode' }).click();
    assert.equal(await readColor(), 'rgb(2, 2, 2)');
    await preview.type('body', body.indexOf('p{color:rgb(2') + 13, '3');
    assert.equal(await readColor(), 'rgb(23, 2, 2)');
    assert.equal((await preview.posted('toolbar')).at(-1)?.toolbar.scheme, 'dark');
    await preview.page.emulateMedia({ colorScheme: null });
  });

  it('unfolds the inbox line, with the start of the email if there is no preheader', async () => {
    await preview.show({ body: '<style>p{}</style><p>Dear Ann,</p><p>your order</p>', envelope });
    const line = () => preview.page.locator('.inbox').innerText();
    assert.match(await line(), /Fjord\s+Your order\s+On its way/);
    await preview.page.getByRole('button', { name: 'Show Sender and Preheader' }).click();
    assert.match(await line(), /Fjord\s+a@fjord.example\s+Your order\s+On its way/);
    assert.equal((await preview.posted('toolbar')).at(-1)?.toolbar.isInboxOpen, true);
    // Each has the whole width.
    const widths = ['.line', '.subject', '.preheader'].map(async (part) => {
      const box = await preview.page.locator(`.inbox ${part}`).boundingBox();
      return box?.width;
    });
    assert.equal(new Set(await Promise.all(widths)).size, 1);
    await preview.page.setViewportSize({ width: 290, height: 700 });
    const from_email = 'customer.service@fjord.example';
    await preview.send({ type: 'envelope', envelope: { ...envelope, from_name: 'Fjord & Fell', from_email } });
    const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth;
    assert.equal(await preview.page.locator('.inbox .sender').evaluate(isCut), false);
    await preview.send({ type: 'envelope', envelope: { ...envelope, subject: '', preheader: '' } });
    assert.match(await line(), /\(no subject\)\s+Dear Ann, your order/);
  });

  it('edits subject, preheader and sender on the inbox line, as they are stored', async () => {
    const written = { ...envelope, subject: 'Your order, {subtag:name|ucfirst}' };
    const { subject, preheader, from_name } = written;
    const editable = { subject, preheader, from_name };
    await preview.show({ body: '<p>Hello</p>', envelope: written, editable });
    await preview.send({ type: 'viewers', tags: 'acymailing', people: [], personId: 'ann', canPick: false });
    const field = (name: string) => preview.page.getByRole('textbox', { name });
    const edits = async () => (await preview.posted('edit')).map(({ field: name, text }) => [name, text]);
    await field('Subject').focus();
    assert.equal(await field('Subject').innerText(), subject);
    await field('Subject').fill('Other');
    // An update of the email doesn't replace what the user is typing.
    await preview.send({ type: 'envelope', envelope: written, editable });
    await field('Subject').press('Escape');
    assert.deepEqual([await edits(), await field('Subject').innerText()], [[], subject]);
    await field('Subject').fill(' Spring\n sale ');
    await field('Subject').press('Enter');
    await field('From name').fill('Shop');
    await field('Preheader').focus();
    const expected = [
      ['subject', 'Spring sale'],
      ['from_name', 'Shop'],
    ];
    assert.deepEqual(await edits(), expected);
    // The next email drops what was typed for the one before.
    await field('Preheader').fill('Typed');
    await preview.send({ type: 'opening', title: 'Next' });
    await preview.show({ body: '<p>Next</p>', envelope: { ...envelope, preheader: 'Next' } });
    assert.deepEqual([await edits(), await field('Preheader').count()], [expected, 0]);
    assert.match(await preview.page.locator('.inbox').innerText(), /Next/u);
  });

  it('edits a field of the inbox line only if the user types in it', async () => {
    const written = { ...envelope, subject: 'Sale\u00A0!  Now' };
    const editable = { subject: written.subject };
    await preview.show({ body: '<p>Hello</p>', envelope: written, editable });
    const subject = preview.page.getByRole('textbox', { name: 'Subject' });
    const edits = async () => (await preview.posted('edit')).map(({ text }) => text);
    await subject.focus();
    await subject.blur();
    await subject.focus();
    await subject.press('Escape');
    assert.deepEqual(await edits(), []);
    // The subject changes in its editor.
    await subject.focus();
    const changed = { ...envelope, subject: 'Changed' };
    await preview.send({ type: 'envelope', envelope: changed, editable: { subject: 'Changed' } });
    await subject.blur();
    assert.deepEqual([await edits(), await subject.innerText()], [[], 'Changed']);
    await preview.send({ type: 'envelope', envelope: written, editable });
    await subject.focus();
    await subject.press('End');
    await subject.pressSequentially(' and here ');
    await subject.press('Enter');
    assert.deepEqual(await edits(), ['Sale\u00A0! Now and here']);
  });

  it('shows later changes of a field that was edited when the window lost the focus', async () => {
    const editable = { subject: envelope.subject };
    await preview.show({ body: '<p>Hello</p>', envelope, editable });
    const subject = preview.page.getByRole('textbox', { name: 'Subject' });
    await subject.fill('Typed');
    // The field stays the active element of its document.
    await subject.evaluate((element) => element.dispatchEvent(new FocusEvent('blur')));
    await preview.send({ type: 'envelope', envelope: { ...envelope, subject: 'Later' }, editable });
    assert.equal(await subject.innerText(), 'Later');
  });

  it('marks a message that Gmail clips', async () => {
    const body = '<p>some words of text</p>\n'.repeat(5000);
    await preview.show({ body });
    await preview.settle();
    assert.match(
      (await preview.page.locator('.meter').getAttribute('aria-label')) ?? '',
      /^The email is 127 KB\. Gmail shows the first 102 KB/,
    );
    assert.equal(await preview.page.locator('.clip').count(), 1);
    assert.equal(await preview.page.locator('.clip').getAttribute('hidden'), null);
    for (const theme of themes) {
      await changeTheme(preview.page, theme);
      const colors = await preview.page.locator('.clip span').evaluate((label) => {
        const { color, backgroundColor } = getComputedStyle(label);
        const context = new OffscreenCanvas(1, 1).getContext('2d');
        return [color, backgroundColor].map((each) => {
          if (context) context.fillStyle = each;
          context?.fillRect(0, 0, 1, 1);
          return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
        });
      });
      const [text, background] = colors.map(([red = 0, green = 0, blue = 0]) => [red, green, blue] as const);
      assert.ok(text && background && getContrast(text, background) >= 4.5, `${theme}: ${colors.join(' on ')}`);
    }
    await preview.show({ body: '<p>short</p>' });
    assert.notEqual(await preview.page.locator('.clip').getAttribute('hidden'), null);
  });

  const broken: readonly (readonly [title: string, body: string, said: RegExp | undefined])[] = [
    ['NUL', '<p>a\0b</p>', undefined],
    ['a tag that is not finished', '<table><tr><td cl', undefined],
    ['an open comment', '<p>x</p><!-- ', undefined],
    ['20,000 nested tags', `<p>x</p>${'<div>'.repeat(20_000)}`, /nested too deep \(2\d,\d{3} levels\)/],
    ['10 MB', `<p>x</p>${'y'.repeat(10_000_000)}`, /9\.5 MB\. The preview shows its first 1,024 KB/],
  ];
  for (const [title, body, said] of broken) {
    it(`handles ${title} and recovers`, async () => {
      await preview.show({ body });
      const problem = preview.page.locator('.notice.problem:visible');
      if (said) assert.match(await problem.innerText(), said);
      else assert.equal(await problem.count(), 0);
      assert.equal(await preview.page.locator('iframe.mail').count(), 1);
      await preview.edit('body', '<p>fine again</p>');
      await preview.page.waitForFunction(
        () =>
          document.querySelector<HTMLIFrameElement>('iframe.mail')?.contentDocument?.querySelector('p')?.textContent ===
          'fine again',
      );
      assert.equal(await problem.count(), 0);
    });
  }

  it('keeps the last email that could be shown, and reports the problem', async () => {
    const mail = await preview.show({ body: '<p>good</p>' });
    await preview.edit('body', '<b>'.repeat(500));
    assert.equal(await mail.locator('p').textContent(), 'good');
    assert.match(await preview.page.locator('.notice.problem:visible').innerText(), /formatting tags.*\(500\)/);
  });

  it('is as wide as the device in CSS pixels', async () => {
    await preview.show({ body: '<p>x</p>', toolbar: { width: '375' } });
    assert.equal(await preview.inMail((document) => document.documentElement.clientWidth), 375);
    await preview.page.getByLabel('Width').selectOption({ label: '320 px (small phone)' });
    assert.equal(await preview.inMail((document) => document.documentElement.clientWidth), 320);
    assert.equal((await preview.posted('toolbar')).at(-1)?.toolbar.width, '320');
  });

  it('forwards keys to VS Code when the email has the focus', async () => {
    const mail = await preview.show({ body: '<p>x</p>' });
    await preview.page.evaluate(() =>
      window.addEventListener('keydown', (event) => {
        document.title = `${event.ctrlKey} ${event.key} ${event.keyCode}`;
      }),
    );
    await mail.locator('p').click();
    await preview.page.keyboard.press('Control+s');
    assert.equal(await preview.page.title(), 'true s 83');
  });
});
