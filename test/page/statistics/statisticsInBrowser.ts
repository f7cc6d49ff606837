import type { Browser } from 'playwright-core';
import type {
  CampaignCard,
  Comparison,
  Overview,
  StatisticsRow,
  ActivityTimeline,
} from '../../../src/features/statistics/model.ts';
import type { FromPage, ToPage } from '../../../src/features/statistics/protocol.ts';
import { loadPage, PageInBrowser, type PageFiles, type PageOptions } from '../pageInBrowser.ts';

export const ref = { connection: 'test', id: 12 };
export const card: CampaignCard = {
  name: 'Winter sale',
  state: 'sent 20 Nov 2026, 08:24',
  isMissing: false,
  service: 'Test service',
};

export const overview: Overview = {
  isUnsent: false,
  isUnopened: false,
  remarks: ['There are more clicks than opens.'],
  figures: [
    { key: 'sent', label: 'Sent', value: '4,000' },
    {
      key: 'open_unique',
      label: 'Unique opens',
      value: '1,204',
      rate: { value: '30.1%', of: 'of 4,000 sent' },
      change: '+12',
      meaning: 'Recipients who opened it.',
    },
    { key: 'bounce_details:full', label: '<b>Mailbox</b> full', value: '40' },
  ],
  sales: [{ key: 'tracking_sale:EUR', label: 'Sales', value: '€12.50' }],
  otherFigures: [{ key: 'spam', label: 'Spam reports', value: '3' }],
  funnel: [
    { label: 'Sent', count: 4000, share: 1 },
    { label: 'Opened', count: 1204, share: 0.301 },
    { label: 'Clicked', count: 366, share: 0.0915 },
  ],
  versions: {
    columns: ['A', 'B', 'Sum'],
    rows: [{ label: 'Sent', cells: [{ value: '2,000' }, { value: '2,000', rate: '50%' }, { value: '4,000' }] }],
  },
};

const start = Date.UTC(2026, 10, 20, 8);
export const timeline: ActivityTimeline = {
  unit: 'hour',
  points: [5, 9, 2].map((opens, at) => ({
    time: start + at * 3_600_000,
    label: `20 Nov, ${8 + at}:00`,
    opens,
    clicks: at,
  })),
  meaning: 'First opens.',
  readCount: 4000,
  totalCount: 4000,
  isComplete: true,
  undated: 2,
};

export const comparison: Comparison = {
  columns: ['One', 'A & <b>two'],
  rows: [{ label: 'Sent', cells: [{ value: '10' }, { value: '20', change: '+1' }] }],
  bars: [
    { label: 'Opened', values: [0.3, 0.5] },
    { label: 'Clicked', values: [0.1, null] },
  ],
};

export const recipient = (at: number): StatisticsRow => ({
  user_id: String(at),
  email: `user${at}@example.com`,
  open: at % 3 === 0 ? String(2 + (at % 8)) : '0',
  bounce: '0',
  unsubscribe: '0',
  '#clicks': at % 9 === 0 ? 1 : 0,
});

const theme = '--vscode-charts-blue: #0063d3; --vscode-charts-yellow: #bf8803; --vscode-editor-background: #fff';

/** The statistics page in a browser. */
export class StatisticsInBrowser extends PageInBrowser<ToPage, FromPage> {
  #answeredCount = 0;

  static async open(browser: Browser, files: PageFiles, options?: PageOptions): Promise<StatisticsInBrowser> {
    return new StatisticsInBrowser(await loadPage(browser, files, { theme, ...options }));
  }

  async begin(changed: Partial<Extract<ToPage, { type: 'show' }>> = {}): Promise<void> {
    await this.send({
      type: 'show',
      selection: [ref],
      cards: [card],
      pageSize: 100,
      intervalSeconds: 0,
      wide: false,
      ...changed,
    });
  }

  async showFigures(changed: Partial<Overview> = {}): Promise<void> {
    await this.send({
      type: 'figures',
      figures: { kind: 'loaded', value: { ...overview, ...changed }, at: '10:42' },
      failures: [],
    });
    await this.send({ type: 'timeline', timeline: { kind: 'loaded', value: timeline, at: '10:42' } });
  }

  /** Answers new requests of the tables from `total` rows. Returns `false` if there are none. */
  async answer(total: number, rowAt: (at: number) => StatisticsRow = recipient): Promise<boolean> {
    const requests = await this.posted('requestPages');
    const last = requests.at(-1);
    if (!last || requests.length === this.#answeredCount) return false;
    this.#answeredCount = requests.length;
    for (const page of last.pages) {
      const rows = Array.from({ length: Math.max(0, Math.min(100, total - page * 100)) }, (_, index) =>
        rowAt(page * 100 + index),
      );
      await this.send({ type: 'rows', generation: last.generation, page, rows, isLast: (page + 1) * 100 >= total });
      if (page === 0) await this.send({ type: 'count', generation: last.generation, count: total });
    }
    return true;
  }
}
