import type { Browser, Page } from 'playwright-core';
import type { CampaignCard, Comparison, Overview, Row, Timeline } from '../../../../src/statistics/model.ts';
import type { FromPage, ToPage } from '../../../../src/statistics/protocol.ts';

export const ref = { connection: 'test', id: 12 };
export const card: CampaignCard = { ref, name: 'Winter sale', state: 'sent 20 Nov 2026, 08:24', gone: false, service: 'Test service' };

export const overview: Overview = {
  unsent: false, unopened: false, remarks: ['There are more clicks than opens.'],
  figures: [
    { key: 'sent', label: 'Sent', value: '4,000' },
    { key: 'open_unique', label: 'Unique opens', value: '1,204', rate: { value: '30.1%', of: 'of 4,000 sent' }, change: '+12', meaning: 'Recipients who opened it.' },
    { key: 'bounce_details:full', label: '<b>Mailbox</b> full', value: '40' },
  ],
  sales: [{ key: 'tracking_sale:EUR', label: 'Sales', value: '€12.50' }],
  others: [{ key: 'spam', label: 'Spam reports', value: '3' }],
  funnel: [{ label: 'Sent', count: 4000, share: 1 }, { label: 'Opened', count: 1204, share: 0.301 }, { label: 'Clicked', count: 366, share: 0.0915 }],
  versions: { columns: ['A', 'B', 'Sum'], rows: [{ label: 'Sent', cells: [{ value: '2,000' }, { value: '2,000', rate: '50%' }, { value: '4,000' }] }] },
};

const start = Date.UTC(2026, 10, 20, 8);
export const timeline: Timeline = {
  unit: 'hour', points: [5, 9, 2].map((opens, at) => ({ time: start + at * 3_600_000, label: `20 Nov, ${8 + at}:00`, opens, clicks: at })),
  meaning: 'First opens.', read: 4000, of: 4000, complete: true, undated: 2,
};

export const comparison: Comparison = {
  columns: ['One', 'A & <b>two'], names: ['One', 'A & <b>two'],
  rows: [{ label: 'Sent', cells: [{ value: '10' }, { value: '20', change: '+1' }] }],
  bars: [{ label: 'Opened', values: [0.3, 0.5] }, { label: 'Clicked', values: [0.1, null] }],
};

export const recipient = (at: number): Row => ({ user_id: String(at), email: `user${at}@example.com`, open: at % 3 === 0 ? '2' : '0', bounce: '0', unsubscribe: '0', '#clicks': at % 9 === 0 ? 1 : 0 });

/** The statistics' page as VS Code loads it, with the policy of its host; the interface of VS Code is a list of what was posted. */
export class StatisticsInBrowser {
  readonly page: Page;
  #answered = 0;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, { script, style }: { script: string; style: string }, { width = 900, kept }: { width?: number; kept?: unknown } = {}): Promise<StatisticsInBrowser> {
    const policy = `default-src 'none'; script-src 'nonce-n'; style-src 'unsafe-inline'; img-src data:; form-action 'none'`;
    const html = `<!doctype html><html lang="en" style="--vscode-charts-blue: #0063d3; --vscode-charts-yellow: #bf8803; --vscode-editor-background: #fff"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head>
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
    return new StatisticsInBrowser(page);
  }

  async send(message: ToPage): Promise<void> {
    await this.page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), message);
    // The toolkit draws what it was given a frame later, and the charts after that.
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
  }

  async begin(changed: Partial<Extract<ToPage, { type: 'show' }>> = {}): Promise<void> {
    await this.send({ type: 'show', choice: [ref], cards: [card], pageSize: 100, watch: 0, wide: false, ...changed });
  }

  async showFigures(changed: Partial<Overview> = {}): Promise<void> {
    await this.send({ type: 'overview', overview: { kind: 'known', value: { ...overview, ...changed }, at: '10:42' } });
    await this.send({ type: 'timeline', timeline: { kind: 'known', value: timeline, at: '10:42' } });
  }

  async posted<Type extends FromPage['type']>(type: Type): Promise<Extract<FromPage, { type: Type }>[]> {
    const all = await this.page.evaluate(() => (globalThis as unknown as { posted: FromPage[] }).posted);
    return all.filter((message): message is Extract<FromPage, { type: Type }> => message.type === type);
  }

  kept(): Promise<unknown> {
    return this.page.evaluate(() => (globalThis as unknown as { kept: unknown }).kept);
  }

  /** Answers what the tables asked for since the last time, from `total` rows; `false` where nothing was asked. */
  async answer(total: number, rowAt: (at: number) => Row = recipient): Promise<boolean> {
    const wants = await this.posted('want');
    const last = wants.at(-1);
    if (!last || wants.length === this.#answered) return false;
    this.#answered = wants.length;
    for (const page of last.pages) {
      const rows = Array.from({ length: Math.max(0, Math.min(100, total - page * 100)) }, (_, index) => rowAt(page * 100 + index));
      await this.send({ type: 'rows', turn: last.turn, page, rows, ended: (page + 1) * 100 >= total });
      if (page === 0) await this.send({ type: 'count', turn: last.turn, count: total });
    }
    return true;
  }
}
