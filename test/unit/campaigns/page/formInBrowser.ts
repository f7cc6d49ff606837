import type { Browser, Page } from 'playwright-core';
import type { FromPage, ListChoice, ToPage } from '../../../../src/campaigns/protocol.ts';

export const details = {
  name: 'Winter sale', subject: 'The winter sale opens at nine', from_name: 'Fjord & Fell', from_email: 'hello@fjord.example', reply_to_name: '', reply_to_email: '',
  bounce_email: '', bcc: '', listIds: [1, 5], sending_type: 'scheduled', sending_date: '2027-01-31',
};

export const lists: readonly ListChoice[] = [
  { id: 1, name: 'Newsletter', color: '#2f6feb', subscribers: '1,420 subscribers' },
  { id: 2, name: 'Product updates', color: '#1a7f5a', subscribers: '920 subscribers' },
  { id: 5, name: 'Customers', color: '#bf3989', subscribers: '760 subscribers' },
  { id: 7, name: 'Blog readers (old site)', color: '#8c959f', subscribers: '360 subscribers', note: 'inactive' },
];

/** The form's page as VS Code loads it, with the policy of its host; the interface of VS Code is a list of what was posted. */
export class FormInBrowser {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, { script, style }: { script: string; style: string }, { width = 900, kept, theme = '' }: { width?: number; kept?: unknown; theme?: string } = {}): Promise<FormInBrowser> {
    const policy = `default-src 'none'; script-src 'nonce-n'; style-src 'unsafe-inline'; img-src data:; form-action 'none'`;
    const html = `<!doctype html><html lang="en" style="${theme}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head>
      <body class="vscode-light"><script nonce="n">
        globalThis.posted = []; globalThis.kept = ${JSON.stringify(kept ?? null)} ?? undefined;
        globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => posted.push(message), getState: () => kept, setState: (state) => { globalThis.kept = state; } });
      </script><script type="module" nonce="n" src="/page.js"></script></body></html>`;
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
      return pathname === '/page.js' ? route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script }) : route.abort();
    });
    await page.goto('http://127.0.0.1/');
    await page.waitForFunction(() => (globalThis as unknown as { posted: FromPage[] }).posted.some(({ type }) => type === 'ready'));
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return new FormInBrowser(page);
  }

  async send(message: ToPage): Promise<void> {
    await this.page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), message);
    // The toolkit draws what it was given a frame later.
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** Shows details: by default a scheduled campaign without problems, on a service with four lists. */
  async show(changed: Readonly<Record<string, unknown>> = {}, rest: Partial<Extract<ToPage, { type: 'details' }>> = {}): Promise<void> {
    await this.send({ type: 'details', seen: 0, problems: [], ...rest, details: { ...details, ...changed } });
  }

  async showLists(known: readonly ListChoice[] = lists): Promise<void> {
    await this.send({ type: 'lists', lists: { kind: 'known', lists: known } });
  }

  async posted<Type extends FromPage['type']>(type: Type): Promise<Extract<FromPage, { type: Type }>[]> {
    const all = await this.page.evaluate(() => (globalThis as unknown as { posted: FromPage[] }).posted);
    return all.filter((message): message is Extract<FromPage, { type: Type }> => message.type === type);
  }

  /** Field, value and number of each edit so far. */
  async edits(): Promise<(readonly [field: string, value: unknown])[]> {
    return (await this.posted('edit')).map(({ path, value }) => [path.join('.'), value] as const);
  }
}
