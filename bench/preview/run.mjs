// Keystroke → pixels in the preview's own page, compared with replacing the whole body of a frame, in one page and one run.
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { median } from '../support.mjs';
import { chromiumFlags, findChromium } from '../../scripts/lib/chromium.mjs';

const address = 'http://127.0.0.1/';

/** Keystrokes of each kind; the first ones warm up and don't count. */
const KEYSTROKES = 45;
const WARM_UP = 5;

/** Creates a typical template of about `bytes` bytes: nested tables, inline styles, a stylesheet with media queries. */
export function template(bytes) {
  const row = (n) => `
          <tr>
            <td align="center" style="padding:20px 30px;background-color:#ffffff;font-family:Arial,Helvetica,sans-serif;">
              <table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0"><tbody><tr>
                <td width="120" valign="top" style="padding-right:20px;"><img src="data:image/gif;base64,R0lGODlhAQABAIAAAMLCwgAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==" width="120" height="90" alt="Product ${n}" style="display:block;border-radius:6px;"></td>
                <td class="text" valign="top" style="font-size:15px;line-height:22px;color:#444444;"><h3 style="margin:0 0 8px;font-size:18px;color:#222222;">Product ${n}</h3><p style="margin:0 0 10px;">The season&rsquo;s <b>favorite</b>, now in ${(n % 7) + 2} colors &amp; sizes, made to last for years of walks along the coast.</p><a href="https://shop.example/p/${n}?utm_source=mail" style="color:#0b63ce;text-decoration:none;font-weight:bold;">See it &rarr;</a></td>
              </tr></tbody></table>
            </td>
          </tr>`;
  const head = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Summer letter</title>
<style>
  body { margin: 0; background: #f2f3f5; } h3 a { color: inherit; } .text p { margin: 0; } table { border-collapse: separate; }
  @media only screen and (max-width: 480px) { .text { display: block !important; width: 100% !important; } }
  @media (prefers-color-scheme: dark) { body { background: #111 !important; } .text { color: #ddd !important; } }
</style></head>
<body><table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tbody><tr><td align="center"><table role="presentation" width="600"><tbody>`;
  const tail = '\n</tbody></table></td></tr></tbody></table></body></html>\n';
  let rows = '';
  for (let n = 1; head.length + rows.length + tail.length < bytes; n += 1) rows += row(n);
  return head + rows + tail;
}

/** The page in plain Chromium, as VS Code loads it: script, style, and VS Code's interface for webviews. */
export async function openPage(browser) {
  const { outputFiles } = await build({
    entryPoints: ['src/features/preview/page/main.ts'],
    outdir: 'out',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'chrome128',
    logLevel: 'error',
  });
  const file = (extension) => outputFiles.find(({ path }) => path.endsWith(extension)).text;
  const html = `<!doctype html><html lang="en"><style>${file('.css')}</style><body class="vscode-light"><script>
    window.posted = [];
    window.acquireVsCodeApi = () => ({ postMessage: (message) => posted.push(message), getState: () => undefined, setState: () => undefined });
  </script><script type="module" src="page.js"></script>`;
  const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  await page.route('**/*', (route) => {
    const script = route.request().url().endsWith('page.js');
    return route.fulfill(
      script
        ? { contentType: 'text/javascript; charset=utf-8', body: file('.js') }
        : { contentType: 'text/html; charset=utf-8', body: html },
    );
  });
  await page.goto(address);
  await page.waitForFunction(() => globalThis.posted.some(({ type }) => type === 'ready'));
  return page;
}

/**
 * Runs in the page. A keystroke starts with a frame of the browser and ends when the frame is styled, laid out and painted, which is
 * when the next task runs. Compositing and rasterizing happen on other threads, and take the same time in both.
 */
async function typeInPage({ body, stylesheet, kind, keystrokes }) {
  const frame = () => new Promise((resolve) => globalThis.requestAnimationFrame(resolve));
  const painted = () =>
    new Promise((resolve) => {
      const channel = new globalThis.MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now());
      channel.port2.postMessage(undefined);
    });
  const rest = () => new Promise((resolve) => setTimeout(resolve, 60));
  const send = (data) => globalThis.dispatchEvent(new globalThis.MessageEvent('message', { data }));
  const measure = async (act) => {
    await frame();
    const start = performance.now();
    act();
    return (await painted()) - start;
  };
  const texts = { body, stylesheet };
  const toolbar = { view: 'authored', lens: 'none', width: '600', scheme: 'light', remote: false };
  send({ type: 'show', document: 'mailing://bench/templates/1/a.html', title: 'a', ...texts, toolbar });
  await new Promise((resolve) => setTimeout(resolve, 1200));
  const type = (part, offset, text) => {
    texts[part] = texts[part].slice(0, offset) + text + texts[part].slice(offset);
    send({ type: 'change', part, changes: [{ offset, length: 0, text }], length: texts[part].length });
  };
  const middle = (sample) => body.indexOf(sample, body.length / 2);
  const kinds = {
    text: { part: 'body', offset: middle('made to last') + 3, keys: 'and well beyond ' },
    attribute: { part: 'body', offset: middle('line-height:22px;color:#444444') + 'line-height:22'.length, keys: '0' },
    'new tag': { part: 'body', offset: middle('<p style') + 30, keys: '<b>new</b> ' },
    stylesheet: { part: 'stylesheet', offset: stylesheet.indexOf('0;') + 1, keys: '1' },
  };
  const { part, offset, keys } = kinds[kind];
  // The floor: the same page, a frame of the same kind and size, the same text.
  const floorFrame = globalThis.document.createElement('iframe');
  floorFrame.setAttribute('sandbox', 'allow-same-origin');
  floorFrame.style.cssText =
    'position:fixed;left:100px;top:100px;width:600px;height:700px;border:0;background:#fff;z-index:9';
  const preview = globalThis.document.querySelector('iframe.mail');
  const taken = { preview: [], floor: [] };
  for (let n = 0; n < keystrokes; n += 1) {
    taken.preview.push(await measure(() => type(part, offset + n, keys[n % keys.length])));
    await rest();
  }
  // A fast preview of the wrong content doesn't count.
  const expected = new globalThis.DOMParser().parseFromString(texts.body, 'text/html');
  const shown = preview.contentDocument;
  if (!shown.body.isEqualNode(expected.body) || !shown.head.innerHTML.includes(texts.stylesheet))
    throw new Error(`After typing (${kind}), the preview shows something else.`);
  // Each is hidden while the other is measured, so that its frame doesn't add to the time.
  preview.style.display = 'none';
  globalThis.document.body.append(floorFrame);
  const inner = floorFrame.contentDocument;
  inner.open();
  inner.write('<!doctype html><html><head></head><body></body></html>');
  inner.close();
  const floorText = () => `${texts.stylesheet === '' ? '' : `<style>${texts.stylesheet}</style>`}${texts.body}`;
  inner.body.innerHTML = floorText();
  await rest();
  for (let n = 0; n < keystrokes; n += 1) {
    texts[part] = texts[part].slice(0, offset + n) + keys[n % keys.length] + texts[part].slice(offset + n);
    taken.floor.push(
      await measure(() => {
        inner.body.innerHTML = floorText();
      }),
    );
    await rest();
  }
  floorFrame.remove();
  preview.style.display = '';
  return taken;
}

const cases = [20, 177].flatMap((size) =>
  ['text', 'attribute', 'new tag', 'stylesheet'].map((kind) => ({ size, kind })),
);

/** Medians over the keystrokes in templates of 20 KB and 177 KB. */
export async function measure() {
  const executablePath = findChromium();
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const rows = [];
    for (const { size, kind } of cases) {
      const page = await openPage(browser);
      const stylesheet = '.text p { margin: 0; }\n.footer { color: #777; }\n';
      const taken = await page.evaluate(typeInPage, {
        body: template(size * 1024),
        stylesheet,
        kind,
        keystrokes: KEYSTROKES + WARM_UP,
      });
      const ours = median(taken.preview.slice(WARM_UP));
      const floor = median(taken.floor.slice(WARM_UP));
      rows.push([`${size} KB: ${kind}`, ours, floor, ours / floor, 'ms']);
      await page.close();
    }
    return { title: 'Keystroke → pixels in the preview (floor: setting the whole body of an iframe)', rows };
  } finally {
    await browser.close();
  }
}
