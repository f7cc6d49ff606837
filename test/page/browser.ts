import { createServer } from 'node:http';
import { build } from 'esbuild';
import { chromium, type Browser, type Frame, type Page } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/lib/chromium.mjs';
import { waitUntilSettled } from '../support/pageWaits.ts';
import { findChange } from '../../src/email/html/text.ts';
import type { FromPage, Part, PreviewContent, ToolbarState, ToPage } from '../../src/features/preview/protocol.ts';
import { initialToolbar } from '../../src/features/preview/model.ts';
import { createPageHtml, PageInBrowser, waitUntilReady } from './pageInBrowser.ts';
import { releasePages, takePage } from './pages.ts';
import { WAIT_TIMEOUT_MS } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';

const address = 'http://127.0.0.1/';

let shared: Promise<Browser> | undefined;

/** Returns the browser that all test files of this process share. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  return (shared ??= chromium.launch({ executablePath, args: chromiumFlags }));
}

/** Closes the browser after the tests of a file, unless the process runs others: in mocha's parallel mode, the browser ends with the process. */
export async function closeBrowser(): Promise<void> {
  if (process.env['MOCHA_WORKER_ID'] !== undefined) return;
  await (await shared)?.close();
  shared = undefined;
}

export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/**
 * Sets up a browser and a page's bundle for a suite. Both are available once the first test runs. Pages that a test or its `beforeEach` opens are
 * released after the test.
 */
export function browserFor(entry: string): { readonly browser: Browser; readonly files: PageFiles } {
  const context = {} as { browser: Browser; files: PageFiles };
  before(async () => {
    context.browser = await openBrowser();
    context.files = await bundle(entry);
  });
  afterEach(async function () {
    await releasePages(context.browser, this.currentTest);
  });
  after(closeBrowser);
  return context;
}

const bundles = new Map<string, Promise<PageFiles>>();

/** Bundles an entry like `esbuild.mjs`, once per process. */
export function bundle(entry: string): Promise<PageFiles> {
  const files = bundles.get(entry) ?? makeBundle(entry);
  bundles.set(entry, files);
  return files;
}

async function makeBundle(entry: string): Promise<PageFiles> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    outdir: 'out',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'chrome128',
    logLevel: 'error',
  });
  const file = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: file('.js'), style: file('.css') };
}

/** Opens an empty page with a module's exports in `globalThis.tested`, without network access. */
export async function openModule(browser: Browser, entry: string): Promise<Page> {
  const { script } = await bundle(entry);
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  await page.route('**/*', (route) => {
    const name = new URL(route.request().url()).pathname;
    if (name === '/module.js') return route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script });
    return name === '/'
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' })
      : route.abort();
  });
  await page.goto(address);
  await page.evaluate(async (path) => {
    Object.assign(globalThis, { tested: await import(path) });
  }, '/module.js');
  return page;
}

/** Serves texts by path on a free local port. */
async function serve(
  texts: Readonly<Record<string, readonly [type: string, text: string]>>,
): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = texts[url] ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(text);
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The preview's page as VS Code loads it. */
export class PreviewInBrowser extends PageInBrowser<ToPage, FromPage> {
  /** Requested remote addresses. */
  readonly fetched: string[];

  /** The shown texts. */
  #texts = { body: '', stylesheet: '' };

  private constructor(page: Page, fetched: string[]) {
    super(page);
    this.fetched = fetched;
  }

  /** `reachable`: origin of a test server whose requests are let through. The page is then also served over HTTP. */
  static async open(
    browser: Browser,
    { script, style }: PageFiles,
    { reachable }: { readonly reachable?: string } = {},
  ): Promise<PreviewInBrowser> {
    const html = createPageHtml(style, { sources: 'https: http:' });
    const page = await takePage(browser, { width: 800, height: 700 });
    const fetched: string[] = [];
    // Browsers don't let an intercepted page access a local server.
    const server =
      reachable === undefined
        ? undefined
        : await serve({ '/': ['text/html', html], '/page.js': ['text/javascript', script] });
    if (server) page.once('close', () => server.close());
    await page.route('**/*', (route) => {
      const { host, pathname, href, origin } = new URL(route.request().url());
      if (server && (origin === reachable || (origin === server.origin && ['/', '/page.js'].includes(pathname))))
        return route.continue();
      if (host === '127.0.0.1' && pathname === '/')
        return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
      if (host === '127.0.0.1' && pathname === '/page.js')
        return route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script });
      fetched.push(href);
      return route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      });
    });
    await page.goto(server?.origin ?? address);
    await waitUntilReady(page);
    return new PreviewInBrowser(page, fetched);
  }

  override async send(message: ToPage): Promise<void> {
    await this.page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), message);
  }

  async show(
    content: Partial<Omit<PreviewContent, 'toolbar'>> & { readonly toolbar?: Partial<ToolbarState> },
  ): Promise<Frame> {
    this.#texts = { body: content.body ?? '', stylesheet: content.stylesheet ?? '' };
    await this.send({
      type: 'show',
      document: 'mailing://test/templates/1/a.html',
      title: 'a.html',
      locked: false,
      ...content,
      ...this.#texts,
      toolbar: { ...initialToolbar, ...content.toolbar },
    });
    await this.settle();
    return this.mail();
  }

  /** Replaces a part's text as an edit that changes only the difference. Returns the new text. */
  async edit(part: Part, text: string): Promise<string> {
    const change = findChange(this.#texts[part], text);
    this.#texts[part] = text;
    await this.send({ type: 'change', part, changes: [change], length: text.length });
    return text;
  }

  /** Inserts a text at an offset of a part, as typing does. */
  async type(part: Part, offset: number, inserted: string): Promise<string> {
    const text = this.#texts[part];
    return this.edit(part, text.slice(0, offset) + inserted + text.slice(offset));
  }

  /** Waits until the source index and the marks are up to date. */
  async settle(): Promise<void> {
    await waitUntilSettled(this.page);
  }

  /** Returns the email's frame. */
  async mail(): Promise<Frame> {
    const element = await this.page.locator('iframe.mail').elementHandle();
    const frame = await element?.contentFrame();
    if (!frame) throw new Error('There is no email.');
    return frame;
  }

  /** Evaluates a function in the page with the email's document: the email itself can't run scripts. */
  async inMail<Result>(read: (mail: Document) => Result): Promise<Result> {
    const handle = await this.page.evaluateHandle(
      () => document.querySelector<HTMLIFrameElement>('iframe.mail')?.contentDocument as Document,
    );
    return handle.evaluate(read);
  }
}
