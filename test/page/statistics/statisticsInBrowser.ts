import type { Browser } from 'playwright-core';
import type { Comparison, Overview, StatisticsRow } from '../../../src/service/statistics/model.ts';
import type { CampaignCard, ActivityTimeline } from '../../../src/features/statistics/model.ts';
import type { FromPage, ToPage } from '../../../src/features/statistics/protocol.ts';
import { loadPage, PAGE_SIZE, TablesInBrowser, type PageFiles, type PageOptions } from '../pageInBrowser.ts';

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
export class StatisticsInBrowser extends TablesInBrowser<ToPage, FromPage> {
  static async open(browser: Browser, files: PageFiles, options?: PageOptions): Promise<StatisticsInBrowser> {
    return new StatisticsInBrowser(await loadPage(browser, files, { theme, ...options }));
  }

  async begin(changed: Partial<Extract<ToPage, { type: 'show' }>> = {}): Promise<void> {
    await this.send({
      type: 'show',
      selection: [ref],
      cards: [card],
      pageSize: PAGE_SIZE,
      wide: false,
      ...changed,
    });
  }

  async sendFigures(
    figures: Extract<ToPage, { type: 'figures' }>['figures'],
    failures: readonly string[] = [],
  ): Promise<void> {
    await this.send({ type: 'figures', figures, failures });
  }

  async sendTimeline(reading: Extract<ToPage, { type: 'timeline' }>['timeline']): Promise<void> {
    await this.send({ type: 'timeline', timeline: reading });
  }

  async showFigures(changed: Partial<Overview> = {}): Promise<void> {
    await this.sendFigures({ kind: 'loaded', value: { ...overview, ...changed }, at: '10:42' });
    await this.sendTimeline({ kind: 'loaded', value: timeline, at: '10:42' });
  }

  override answer(total: number, rowAt = recipient): Promise<boolean> {
    return super.answer(total, rowAt);
  }

  async answerAll(total: number): Promise<void> {
    while (await this.answer(total));
  }
}
