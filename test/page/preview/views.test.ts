import assert from 'node:assert/strict';
import { findChange } from '../../../src/email/html/text.ts';
import type { SendingService } from '../../../src/features/preview/protocol.ts';
import { getLenses, lensNames } from '../../../src/email/lenses/index.ts';
import { composeSent } from '../../../src/email/sent/index.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';

const service: SendingService = { profile: 'acymailing', site: 'https://news.example/', isAssumed: false };
const stylesheet = 'p { color: rgb(1, 2, 3) } #outlook a { padding: 0 }';
const written = `<!doctype html><html><head><style>h1 { color: rgb(9, 9, 9) }</style></head><body>
<h1 class="gone">Dear {subtag:name|ucfirst}</h1><p>one two
three</p><p><a href="/shop">shop</a></p></body></html>`;

describe('The views of the preview', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let preview: PreviewInBrowser;
  beforeEach(async () => {
    preview = await PreviewInBrowser.open(suite.browser, suite.files);
  });

  let lastSent = { html: '', text: '' };
  /** Posts the sent version like the host. */
  const sendVersion = async (body: string, by = service, first = false) => {
    const { html, text } = composeSent({ body, stylesheet }, by);
    const before = first ? { html: '', text: '' } : lastSent;
    lastSent = { html, text };
    await preview.send({
      type: 'sent',
      service: by,
      html: findChange(before.html, html),
      text: findChange(before.text, text),
    });
    await preview.settle();
  };
  const open = async (view: 'authored' | 'sent' | 'text', body = written, by = service) => {
    await preview.show({ body, stylesheet, toolbar: { view } });
    await sendVersion(body, by, true);
  };
  const style = () => preview.inMail((mail) => mail.querySelector('p')?.getAttribute('style'));
  const choose = (label: string) => preview.page.getByRole('radio', { name: label }).click();
  const lensList = () => preview.page.locator('.toolbar').getByLabel('Lens');

  it('switches between the authored and the sent version', async () => {
    await open('authored');
    assert.equal(await style(), null);
    await choose('As sent');
    await preview.settle();
    assert.match((await style()) ?? '', /color/);
    assert.equal((await preview.posted('toolbar')).at(-1)?.toolbar.view, 'sent');
    assert.equal(await preview.inMail((mail) => mail.compatMode), 'BackCompat', 'It is sent without a doctype.');
    await choose('Authored');
    await preview.settle();
    assert.equal(await style(), null);
    assert.equal(await preview.inMail((mail) => mail.compatMode), 'CSS1Compat');
  });

  for (const view of ['authored', 'sent', 'text', 'clients'] as const) {
    it(`shows nothing of an email under the title of the next one (${view})`, async () => {
      await preview.show({ body: '<p>First secret</p>', toolbar: { view } });
      await sendVersion('<p>First secret</p>', service, true);
      await preview.send({ type: 'problems', errors: 2, warnings: 0 });
      const { page } = preview;
      const texts = async () => {
        const framed = page.frames().slice(1);
        return (await Promise.all([page, ...framed].map((each) => each.locator('body').innerText()))).join('\n');
      };
      assert.match(await texts(), /First secret/);
      await preview.send({ type: 'opening', title: 'Second email' });
      await preview.settle();
      assert.doesNotMatch(await texts(), /First secret|a\.html/);
      assert.match(await texts(), /Second email/);
      assert.equal(await page.locator('main > .content').getAttribute('aria-busy'), 'true');
      assert.deepEqual(await page.locator('.problems, .notice, .size').filter({ visible: true }).count(), 0);
      // A change of the toolbar doesn't bring it back.
      await page.getByRole('radio', { name: 'As sent' }).click();
      await preview.settle();
      assert.doesNotMatch(await texts(), /First secret/);
      await preview.show({ document: 'file:///b.html', body: '<p>Second text</p>', toolbar: { view } });
      assert.match(await texts(), /Second text/);
      assert.doesNotMatch(await texts(), /First secret/);
      assert.equal(await page.locator('main > .content').getAttribute('aria-busy'), null);
      await sendVersion('<p>Second text</p>', service, true);
      assert.match(await texts(), /Second text/);
      assert.doesNotMatch(await texts(), /First secret/);
    });
  }

  it('shows the source of an email that can’t be shown, rather than the email before', async () => {
    await preview.show({ body: '<p>First secret</p>' });
    const mail = await preview.show({ document: 'file:///b.html', body: `<p>Second</p>${'<b>'.repeat(500)}` });
    assert.match(await mail.locator('body').innerText(), /^<p>Second/);
  });

  it('shows a received message with its recipient, without an authored version', async () => {
    const envelope = { subject: '50% off', preheader: '', from_name: 'Fjord', from_email: 'a@fjord.example' };
    const message = { title: '50% off', body: '<p>Hello</p>', envelope, recipient: 'ann@example.com' };
    const { page } = preview;
    const radios = () => page.getByRole('radio').filter({ visible: true }).allInnerTexts();
    await preview.show({ ...message, toolbar: { view: 'sent' } });
    assert.deepEqual(await radios(), ['As sent', 'Text', 'Clients']);
    assert.match(await page.locator('.inbox').innerText(), /Fjord[^]*50% off[^]*To: ann@example\.com/);
    // In a narrow view, the recipient leaves the line to sender and subject, until it is unfolded.
    await page.setViewportSize({ width: 240, height: 700 });
    const findCut = () =>
      page
        .locator('.inbox :is(.sender, .subject, .recipient)')
        .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.className));
    assert.deepEqual([await page.locator('.recipient').isVisible(), await findCut()], [false, []]);
    await page.getByRole('button', { name: 'Show Sender and Preheader' }).click();
    assert.deepEqual([await page.locator('.recipient').isVisible(), await findCut()], [true, []]);
    await preview.show({ document: 'file:///b.html', body: '<p>Draft</p>' });
    assert.deepEqual(await radios(), ['Authored', 'As sent', 'Text', 'Clients']);
    assert.doesNotMatch(await page.locator('.inbox').innerText(), /ann@/);
  });

  it('selects the view by keyboard, with one tab stop', async () => {
    await open('authored');
    await preview.page.getByRole('radio', { name: 'Authored' }).focus();
    await preview.page.keyboard.press('ArrowRight');
    assert.equal(await preview.page.getByRole('radio', { name: 'As sent' }).getAttribute('aria-checked'), 'true');
    await preview.page.keyboard.press('End');
    assert.deepEqual(
      (await preview.posted('toolbar')).map(({ toolbar }) => toolbar.view),
      ['sent', 'clients'],
    );
    const stops = await preview.page
      .getByRole('radiogroup', { name: 'View' })
      .getByRole('radio')
      .evaluateAll((all) => all.filter((each) => (each as HTMLElement).tabIndex === 0).length);
    assert.equal(stops, 1);
  });

  it('applies changes of the sent version, and keeps nodes', async () => {
    await open('sent');
    await preview.inMail((mail) => {
      (mail.querySelector('h1') as HTMLElement & { isReused?: boolean }).isReused = true;
    });
    const body = written.replace('three', 'four');
    await preview.edit('body', body);
    await sendVersion(body);
    const mail = await preview.mail();
    assert.match(await mail.locator('p').first().innerText(), /four/);
    assert.equal(
      await preview.inMail((each) => (each.querySelector('h1') as HTMLElement & { isReused?: boolean }).isReused),
      true,
    );
    await choose('Authored');
    await preview.settle();
    assert.match(await (await preview.mail()).locator('p').first().innerText(), /four/);
  });

  it('reveals the source of a click and marks the element at the cursor in the sent version', async () => {
    await open('sent');
    await (await preview.mail()).locator('a').click();
    const { offset = 0 } = (await preview.posted('reveal')).at(-1) ?? {};
    assert.equal(written.slice(offset - 20, offset + 10).includes('shop'), true, written.slice(offset, offset + 10));
    await preview.send({ type: 'cursor', offset: written.indexOf('three') });
    await preview.settle();
    const [mark, paragraph] = [
      await preview.page.locator('.cursor').boundingBox(),
      await (await preview.mail()).locator('p').first().boundingBox(),
    ];
    assert.ok(mark && paragraph && Math.abs(mark.y - paragraph.y) < 4 && Math.abs(mark.height - paragraph.height) < 8);
  });

  it('renders HTML and text of the sent version for the selected person', async () => {
    await open('sent');
    await preview.send({
      type: 'viewers',
      tags: 'acymailing',
      people: [{ id: 'x', title: 'X', person: { name: 'zoe' } }],
      personId: 'x',
      canPick: false,
    });
    await preview.settle();
    assert.equal(await (await preview.mail()).locator('h1').innerText(), 'Dear Zoe');
    await choose('Text');
    assert.match(await preview.page.locator('.textPart pre').innerText(), /^Dear Zoe/);
  });

  it('says which images are blocked, except of the text part', async () => {
    const notice = preview.page.locator('.notice', { hasText: 'blocked' });
    await open('sent', '<p>Text</p><img src="https://x.example/a.png" alt="">');
    assert.equal(await notice.isVisible(), true);
    await choose('Text');
    await preview.settle();
    assert.equal(await notice.isVisible(), false);
    await choose('As sent');
    await preview.settle();
    assert.equal(await notice.isVisible(), true);
  });

  it('marks problems in the text part, and reveals their source', async () => {
    await open('text');
    const pre = preview.page.locator('.textPart pre');
    assert.match(await pre.innerText(), /one twothree[^]*shop \( https:\/\/news\.example\/shop \)/);
    assert.equal(await preview.page.locator('.textPart .summary').innerText(), '1 place where words run together');
    await pre.locator('mark.joined').press('Enter');
    const { offset = 0 } = (await preview.posted('reveal')).at(-1) ?? {};
    assert.ok(
      ['two', 'one'].some((word) => written.startsWith(word, offset)),
      written.slice(offset, offset + 10),
    );
    assert.equal(await preview.page.locator('.stage').isVisible(), false);
  });

  it('shows a note if the sent version is unavailable', async () => {
    await open('sent', written, { profile: 'documented', isAssumed: false });
    assert.match(await preview.page.locator('.notice').innerText(), /doesn't document how it composes emails/);
    await choose('Text');
    assert.match(await preview.page.locator('.notice').innerText(), /^Text preview isn't available/);
    await choose('Authored');
    assert.equal(await preview.page.locator('.notice').isVisible(), false);
    await preview.send({ type: 'sent', service: service });
    await choose('As sent');
    assert.match(await preview.page.locator('.notice').innerText(), /^Couldn't compose the sent version/);
    assert.equal(await style(), null);
    await sendVersion(written, { ...service, isAssumed: true }, true);
    assert.match(await preview.page.locator('.notice').innerText(), /^The preview shows local files/);
  });

  it('shows all of a note at 240 pixels', async () => {
    await preview.page.setViewportSize({ width: 240, height: 600 });
    await open('text', written, { profile: 'documented', isAssumed: false });
    const notice = preview.page.locator('.notice');
    assert.match(await notice.innerText(), /^Text preview isn't available/);
    const overflow = await notice
      .locator('.text')
      .evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth - clientWidth,
        scrollHeight - clientHeight,
      ]);
    assert.deepEqual(overflow, [0, 0]);
  });

  it("says what is missing instead of the size and the sent version of an email that can't be composed", async () => {
    await open('authored');
    await preview.send({ type: 'sent', service, note: 'The styles are missing.' });
    const meter = preview.page.locator('.toolbar .meter');
    await meter.waitFor({ state: 'hidden' });
    await choose('As sent');
    assert.equal(await preview.page.locator('.notice').innerText(), 'The styles are missing.');
    assert.equal(await style(), null);
    await sendVersion(written, service, true);
    assert.equal(await preview.page.locator('.notice').isVisible(), false);
    await meter.waitFor({ state: 'visible' });
  });

  it('measures the sent version including tracked links, and marks the clipping position in the authored one', async () => {
    const links = Array.from(
      { length: 700 },
      (_, n) => `<p id="p${n}"><a href="https://shop.example/${n}">Number ${n}</a></p>`,
    ).join('\n');
    const body = `<html><body>${links}</body></html>`;
    await preview.show({ body, toolbar: { view: 'authored' } });
    const size = async () => Number.parseFloat(await preview.page.locator('.meter .size').innerText());
    const before = await size();
    await sendVersion(body, service, true);
    assert.ok(before < 60 && (await size()) > 130, `${before} KB, ${await size()} KB`);
    assert.equal(await preview.page.locator('.clip').isVisible(), true);
    const top = await preview.page
      .locator('.clip')
      .evaluate((mark) => Number.parseFloat((mark as HTMLElement).style.top));
    const height = await preview.inMail((mail) => mail.documentElement.scrollHeight);
    assert.ok(top > height * 0.3 && top < height * 0.9, `${top} of ${height}`);
  });

  it('applies a lens with a note about its approximation, and removes it again', async () => {
    await open('sent');
    const before = await preview.inMail((mail) => mail.documentElement.outerHTML);
    await lensList().selectOption('Outlook.com (dark)');
    await preview.settle();
    assert.equal((await preview.posted('toolbar')).at(-1)?.toolbar.lens, 'outlookDark');
    assert.equal(
      await preview.inMail((mail) => mail.defaultView?.getComputedStyle(mail.documentElement).backgroundColor),
      'rgb(51, 51, 51)',
    );
    assert.match(
      (await lensList().getAttribute('title')) ?? '',
      /Approximation\. Source: Microsoft.s published formula .*, 2019\./,
    );
    await choose('Authored');
    await preview.settle();
    assert.equal(await lensList().inputValue(), 'none');
    assert.notEqual(
      await preview.inMail((mail) => mail.defaultView?.getComputedStyle(mail.documentElement).backgroundColor),
      'rgb(51, 51, 51)',
    );
    await choose('As sent');
    await lensList().selectOption('No lens');
    await preview.settle();
    assert.equal(await preview.inMail((mail) => mail.documentElement.outerHTML), before);
  });

  for (const lens of lensNames) {
    it(`maps positions and applies edits through “${getLenses()[lens].label}”`, async () => {
      await preview.show({ body: written, stylesheet, toolbar: { view: 'sent', lens } });
      await sendVersion(written, service, true);
      assert.ok((await lensList().getAttribute('title'))?.includes(getLenses()[lens].note));
      await (await preview.mail()).getByText('three').click();
      const { offset = 0 } = (await preview.posted('reveal')).at(-1) ?? {};
      // The pointer may be beside the text or in it.
      const paragraph = written.indexOf('<p>one two');
      assert.ok(paragraph <= offset && offset < written.indexOf('</p>'), written.slice(offset, offset + 12));
      await preview.send({ type: 'cursor', offset: written.indexOf('three') });
      await preview.settle();
      assert.equal(await preview.page.locator('.cursor').isVisible(), true);
      await sendVersion(written.replace('three', 'thirteen'));
      assert.match(await (await preview.mail()).locator('body').innerText(), /thirteen/);
    });
  }

  it('runs no scripts and sends no requests through any lens', async () => {
    const html = `<html><head><style>p { background: url(https://evil.example/c.png) }</style></head><body>
      <img src="https://evil.example/a.png" onerror="parent.document.title = 'leaked'" alt="&quot;><script>parent.document.title='leaked'</script>">
      <!--[if mso]><script>parent.document.title = 'leaked'</script><img src="https://evil.example/m.png" onerror="parent.document.title = 'leaked'"><![endif]-->
      <p style="color:red&quot; onclick=&quot;parent.document.title='leaked'">text</p></body></html>`;
    for (const lens of lensNames) {
      await preview.show({ body: written, toolbar: { view: 'sent', lens } });
      await preview.send({ type: 'sent', service: service, html: findChange('', html), text: findChange('', '') });
      await preview.settle();
      assert.equal(
        await preview.inMail((mail) => mail.querySelectorAll('script, [onclick], [onerror]').length),
        0,
        lens,
      );
      assert.notEqual(await preview.page.title(), 'leaked', lens);
    }
    assert.deepEqual(preview.fetched, []);
  });

  it('shows six lenses side by side that scroll together and reveal the source', async () => {
    const body = written.replace('<p>one', `${'<p>filling</p>'.repeat(120)}<p>one`);
    await open('sent', body);
    const singleUrl = (await preview.mail()).url();
    await choose('Clients');
    const cells = preview.page.locator('.lensGrid .cell');
    const getFrame = (index: number) => cells.nth(index).locator('iframe.mail').contentFrame();
    await getFrame(5).locator('h1').waitFor();
    assert.equal(await cells.count(), 6);
    assert.equal(await preview.page.locator('.stage').isVisible(), false, singleUrl);
    const readColor = (index: number) =>
      getFrame(index)
        .locator('html')
        .evaluate((root) => getComputedStyle(root).backgroundColor);
    assert.deepEqual(
      [await readColor(0), await readColor(1), await readColor(2)],
      ['rgba(0, 0, 0, 0)', 'rgb(51, 51, 51)', 'rgb(0, 0, 0)'],
    );

    await getFrame(0)
      .locator('html')
      .evaluate((root) => root.ownerDocument.defaultView?.scrollTo(0, 900));
    await preview.settle();
    for (const index of [1, 3, 5]) {
      const top = await getFrame(index)
        .locator('html')
        .evaluate((root) => root.ownerDocument.defaultView?.scrollY ?? 0);
      assert.ok(top > 500, `${index}: ${top}`);
    }
    await getFrame(3).getByText('three').click();
    const { offset = 0 } = (await preview.posted('reveal')).at(-1) ?? {};
    assert.ok(body.indexOf('<p>one') <= offset && offset < body.indexOf('three') + 5, body.slice(offset, offset + 12));

    await cells.nth(0).getByLabel('Lens').selectOption('gmailDark');
    await preview.settle();
    assert.equal(await readColor(0), 'rgb(0, 0, 0)');
    await sendVersion(body.replace('three', 'thirty'));
    await preview.settle();
    assert.match(await getFrame(4).locator('body').innerText(), /thirty/);
    await choose('Authored');
    assert.equal(await preview.page.locator('.lensGrid').isVisible(), false);
    assert.equal(await cells.count(), 0);
  });

  it('runs no scripts and sends no requests, whatever the sent version contains', async () => {
    const html = `<html><head><meta http-equiv="refresh" content="0;url=https://evil.example/"><script>parent.document.title = 'leaked'</script></head>
      <body onload="parent.document.title = 'leaked'"><img src="https://evil.example/a.png" onerror="parent.document.title = 'leaked'">
      <iframe src="https://evil.example/frame"></iframe><a href="javascript:parent.document.title='leaked'">script</a></body></html>`;
    const text = '<img src="https://evil.example/b.png" onerror="document.title = \'leaked\'">';
    await preview.show({ body: written, toolbar: { view: 'sent' } });
    await preview.send({ type: 'sent', service: service, html: findChange('', html), text: findChange('', text) });
    await preview.settle();
    await (await preview.mail()).locator('a').click();
    await choose('Text');
    await preview.settle();
    assert.equal(await preview.page.locator('.textPart pre').innerText(), text);
    assert.notEqual(await preview.page.title(), 'leaked');
    assert.deepEqual(preview.fetched, []);
  });
});
