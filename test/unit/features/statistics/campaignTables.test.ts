import assert from 'node:assert/strict';
import { createRefusal } from '../../../../src/service/client/errors.ts';
import type { Page } from '../../../../src/service/client/paginate.ts';
import { RecipientReader } from '../../../../src/features/statistics/recipients.ts';
import { CampaignRecords } from '../../../../src/features/statistics/records.ts';
import { createTableHandlers } from '../../../../src/ui/webview/tablePages.ts';
import type { StatisticsRow } from '../../../../src/service/statistics/model.ts';
import type { TableTab } from '../../../../src/features/statistics/model.ts';

/** Creates the reader of a campaign with `actual` recipients, whose statistics report `reported`. */
function open(
  actual: number,
  reported: number | undefined,
  clicks: readonly StatisticsRow[] | Promise<readonly StatisticsRow[]> = [],
) {
  const requests: Page[] = [];
  const recipients = new RecipientReader(async ({ offset, limit }) => {
    requests.push({ offset, limit });
    return Array.from({ length: Math.max(0, Math.min(limit, actual - offset)) }, (_, at): StatisticsRow => ({
      user_id: offset + at,
      mail_id: 1,
    }));
  });
  const rows = [{ total_subscribers: reported }];
  const campaign = {
    state: { rows, isDeleted: false },
    source: { recipients: () => recipients, clicks: async () => clicks, links: async () => [] },
  };
  const records = new CampaignRecords(campaign, () => undefined);
  const handlers = createTableHandlers<TableTab>(() => records);
  const { signal } = new AbortController();
  const readRows = (page: number) => handlers.rows({ tab: 'recipients', page }, signal);
  const count = () => handlers.count({ tab: 'recipients' }, signal);
  return { requests, readRows, count };
}

describe('the records of a campaign', () => {
  it('verifies a correct recipient count with one request', async () => {
    const { requests, readRows, count } = open(1200, 1200);
    void readRows(0);
    assert.equal(await count(), 1200);
    assert.deepEqual(requests, [
      { offset: 0, limit: 500 },
      { offset: 1199, limit: 2 },
    ]);
  });

  for (const reported of [1199, 1300, undefined]) {
    it(`counts the recipients if the statistics report ${reported ?? 'no count'}`, async () => {
      const { readRows, count } = open(1200, reported);
      void readRows(0);
      assert.equal(await count(), 1200);
    });
  }

  it('needs no count if the first page is the last one', async () => {
    const { requests, readRows, count } = open(20, 20);
    void readRows(0);
    assert.equal(await count(), undefined);
    assert.deepEqual(
      requests.map(({ offset }) => offset),
      [0, 20],
    );
  });

  it('counts while the clicks are still loading', async () => {
    const { readRows, count } = open(1200, 1200, new Promise(() => undefined));
    let hasRows = false;
    void readRows(0).then(() => (hasRows = true));
    assert.equal(await count(), 1200);
    assert.equal(hasRows, false);
  });

  it('counts the clicks once for all pages of recipients', async () => {
    let accessCount = 0;
    const click = new Proxy<StatisticsRow>(
      { user_id: 700, click: 3 },
      {
        get: (row, key) => {
          accessCount += 1;
          return Reflect.get(row, key);
        },
      },
    );
    const { readRows } = open(1200, 1200, [click]);
    await readRows(0);
    const once = accessCount;
    assert.ok(once > 0);
    const pages = await Promise.all([readRows(1), readRows(2)]);
    assert.equal(accessCount, once);
    const clicked = pages.flatMap(({ rows }) => rows).find((row) => row['user_id'] === 700);
    assert.equal(clicked?.['#clicks'], 3);
  });

  it('reads the clicks again after a cancellation, so that all recipients can be loaded for the timeline', async () => {
    const recipients = new RecipientReader(async ({ offset }) =>
      offset === 0 ? [{ user_id: 1, open: 1, open_date: '2026-11-20 08:24:55' }] : [],
    );
    const clicks = (signal: AbortSignal) =>
      new Promise<readonly StatisticsRow[]>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(createRefusal('aborted', 'getCampaignStatisticsClicks', '')));
        setImmediate(resolve, []);
      });
    const campaign = {
      state: { rows: [{ total_subscribers: 9000, sent: 9000 }], isDeleted: false },
      source: { recipients: () => recipients, clicks, links: async () => [] },
    };
    const records = new CampaignRecords(campaign, () => undefined);
    const reading = records.readTimeline();
    records.cancel();
    await reading;
    await records.readAllRecipients();
    assert.deepEqual([records.timeline.isCurrent, records.timeline.value?.readCount], [true, 1]);
  });
});
