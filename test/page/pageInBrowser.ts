import type { Browser, Page } from 'playwright-core';
import type { PageFiles } from './browser.ts';
import { takePage } from './pages.ts';

interface Typed {
  readonly type: string;
}
interface Globals {
  readonly posted: readonly Typed[];
  readonly storedState: object;
}

export type { PageFiles };

export interface PageOptions {
  readonly width?: number;
  /** The stored state that the page starts with. */
  readonly storedState?: object;
  /** Theme colors, as CSS. */
  readonly theme?: string;
}

/** Loads a page as VS Code does, with the policy of its host and without network access. The VS Code API is replaced by a list of posted messages. */
export async function loadPage(
  browser: Browser,
  { script, style }: PageFiles,
  { width = 900, storedState, theme = '' }: PageOptions = {},
): Promise<Page> {
  const policy = `default-src 'none'; script-src 'nonce-n'; style-src 'unsafe-inline'; img-src data:; form-action 'none'`;
  const html = `<!doctype html><html lang="en" style="${theme}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head>
    <body class="vscode-light"><script nonce="n">
      globalThis.posted = []; globalThis.storedState = ${JSON.stringify(storedState ?? null)} ?? undefined;
      globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => posted.push(message), getState: () => storedState, setState: (state) => { globalThis.storedState = state; } });
    </script><script type="module" nonce="n" src="/page.js"></script></body></html>`;
  const page = await takePage(browser, { width, height: 900 });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    return pathname === '/page.js'
      ? route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script })
      : route.abort();
  });
  await page.goto('http://127.0.0.1/');
  await page.waitForFunction(() =>
    (globalThis as typeof globalThis & Globals).posted.some(({ type }) => type === 'ready'),
  );
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return page;
}

/** A loaded page, the messages to it, and the messages it posted. */
export class PageInBrowser<ToPage, FromPage extends Typed> {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async send(message: ToPage): Promise<void> {
    await this.page.evaluate(async (data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
      // The toolkit renders one frame later, and the charts after that.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
    }, message as never);
  }

  async posted<Type extends FromPage['type']>(type: Type): Promise<Extract<FromPage, { type: Type }>[]> {
    const all = (await this.page.evaluate(
      () => (globalThis as typeof globalThis & Globals).posted,
    )) as readonly FromPage[];
    return all.filter((message): message is Extract<FromPage, { type: Type }> => message.type === type);
  }

  readStoredState(): Promise<object> {
    return this.page.evaluate(() => (globalThis as typeof globalThis & Globals).storedState);
  }
}
