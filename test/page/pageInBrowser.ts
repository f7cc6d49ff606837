import type { Browser, Page } from 'playwright-core';
import type { TableFromPage, TableRow } from '../../src/ui/page/table/protocol.ts';
import type { ResponseMessage } from '../../src/ui/protocol.ts';
import type { PageFiles } from './browser.ts';
import { themeClasses, themeStyle, type Theme } from '../support/themes.ts';
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
  readonly bodyClass?: string;
  /** Sources of styles, images and fonts that the page may load. */
  readonly sources?: string;
}

/** Returns the options of a page in one of VS Code's themes. */
export function inTheme(theme: Theme): PageOptions {
  return { theme: themeStyle(theme), bodyClass: themeClasses[theme] };
}

/** Changes the theme of a loaded page, as VS Code does. */
export async function changeTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(
    async ([style, classes]) => {
      document.documentElement.style.cssText = style;
      const others = [...document.body.classList].filter((name) => !name.startsWith('vscode-'));
      document.body.className = [classes, ...others].join(' ');
      // The toolkit adapts one frame later.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
    },
    [themeStyle(theme), themeClasses[theme]] as const,
  );
}

/** Creates a page as VS Code does, with the policy of its host. The VS Code API is replaced by a list of posted messages. */
export function createPageHtml(style: string, options: PageOptions): string {
  const { storedState = null, theme = '', bodyClass = 'vscode-light', sources = '' } = options;
  const policy = `default-src 'none'; script-src 'nonce-n'; style-src 'unsafe-inline' ${sources}; img-src data: ${sources}; font-src data: ${sources}; form-action 'none'`;
  return `<!doctype html><html lang="en" style="${theme}"><head><meta charset="utf-8"><title>Page</title><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head>
    <body class="${bodyClass}"><script nonce="n">
      globalThis.posted = []; globalThis.storedState = ${JSON.stringify(storedState)} ?? undefined;
      globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => posted.push(message), getState: () => storedState, setState: (state) => { globalThis.storedState = state; } });
    </script><script type="module" nonce="n" src="/page.js"></script></body></html>`;
}

export async function waitUntilReady(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    (globalThis as typeof globalThis & Globals).posted.some(({ type }) => type === 'ready'),
  );
}

/** Loads a page without network access. */
export async function loadPage(
  browser: Browser,
  { script, style }: PageFiles,
  options: PageOptions = {},
): Promise<Page> {
  const body = createPageHtml(style, options);
  const page = await takePage(browser, { width: options.width ?? 900, height: 900 });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html; charset=utf-8', body });
    return pathname === '/page.js'
      ? route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script })
      : route.abort();
  });
  await page.goto('http://127.0.0.1/');
  await waitUntilReady(page);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return page;
}

type TableRequest = Extract<TableFromPage<string>, { type: 'rows' | 'count' }>;

/** Rows per page of the tables. */
export const PAGE_SIZE = 100;

/** A loaded page, the messages to it, and the messages it posted. */
export class PageInBrowser<ToPage, FromPage extends Typed> {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async send(message: ToPage | ResponseMessage): Promise<void> {
    await this.page.evaluate(async (data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
      // The toolkit renders one frame later, and the charts after that.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
    }, message as never);
  }

  /** Returns the types of all messages that the page posted. */
  postedTypes(): Promise<readonly string[]> {
    return this.page.evaluate(() => (globalThis as typeof globalThis & Globals).posted.map(({ type }) => type));
  }

  async posted<Type extends FromPage['type']>(type: Type): Promise<Extract<FromPage, { type: Type }>[]> {
    const all = (await this.page.evaluate(
      () => (globalThis as typeof globalThis & Globals).posted,
    )) as readonly FromPage[];
    return all.filter((message): message is Extract<FromPage, { type: Type }> => message.type === type);
  }

  /** Returns the number of messages of a type that the page posted. */
  async count(type: FromPage['type']): Promise<number> {
    return (await this.posted(type)).length;
  }

  readStoredState(): Promise<object> {
    return this.page.evaluate(() => (globalThis as typeof globalThis & Globals).storedState);
  }
}

/** A loaded page with tables in tabs. */
export class TablesInBrowser<ToPage, FromPage extends Typed> extends PageInBrowser<ToPage, FromPage> {
  readonly #answered = new Set<number>();

  /** Answers new requests of a table with `total` rows, or as many as its tab has. Returns `false` if there are none. */
  async answer(total: number | Readonly<Record<string, number>>, rowAt: (index: number) => TableRow): Promise<boolean> {
    const requests = await this.requests();
    for (const request of requests) {
      const count = typeof total === 'number' ? total : (total[request.tab] ?? 0);
      if (request.type === 'count') await this.#respond(request, { result: count });
      else {
        const first = request.page * PAGE_SIZE;
        const length = Math.max(0, Math.min(PAGE_SIZE, count - first));
        const rows = Array.from({ length }, (_, index) => rowAt(first + index));
        await this.#respond(request, { result: { rows, isLast: first + PAGE_SIZE >= count } });
      }
    }
    return requests.length > 0;
  }

  /** Answers all requests with a failure, and those for the number of rows with nothing. */
  async fail(message: string): Promise<void> {
    for (const request of await this.requests())
      await this.#respond(request, request.type === 'rows' ? { error: message } : {});
  }

  /** Returns the requests that are neither answered nor canceled. */
  async requests(): Promise<readonly TableRequest[]> {
    const all = (await Promise.all(
      ['rows', 'count', 'cancelRequest'].map((type) => this.posted(type as FromPage['type'])),
    )) as readonly Typed[][] as readonly TableRequest[][];
    const [rows = [], counts = [], canceled = []] = all;
    const ended = new Set([...this.#answered, ...canceled.map(({ requestId }) => requestId)]);
    return [...rows, ...counts].filter(({ requestId }) => !ended.has(requestId));
  }

  async #respond({ requestId }: TableRequest, response: Partial<ResponseMessage>) {
    this.#answered.add(requestId);
    await this.send({ type: 'response', requestId, ...response });
  }
}
