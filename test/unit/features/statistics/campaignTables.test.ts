import assert from 'node:assert/strict';
import type { Page } from '../../../../src/service/client/paginate.ts';
import { RecipientReader } from '../../../../src/features/statistics/recipients.ts';
import { CampaignRecords } from '../../../../src/features/statistics/records.ts';
import { TablePages } from '../../../../src/ui/webview/tablePages.ts';
import type { StatisticsRow } from '../../../../src/service/statistics/model.ts';
import type { ToPage } from '../../../../src/features/statistics/protocol.ts';
import { eventually } from '../../../support/eventually.ts';

/** Creates the reader of a campaign with `actual` recipients, whose statistics report `reported`. */
function open(
  actual: number,
  reported: number | undefined,
  clicks: readonly StatisticsRow[] | Promise<readonly StatisticsRow[]> = [],
) {
  const requests: Page[] = [];
  const posted: ToPage[] = [];
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
  const post = (message: ToPage) => void posted.push(message);
  const tables = new TablePages(new CampaignRecords(campaign, post), post);
  const posts = (type: ToPage['type']) => posted.filter((message) => message.type === type);
  return { tables, requests, posts };
}

describe('the records of a campaign', () => {
  it('verifies a correct recipient count with one request', async () => {
    const { tables, requests, posts } = open(1200, 1200);
    tables.request({ type: 'requestPages', generation: 1, tab: 'recipients', pages: [0] });
    await eventually(() => assert.deepEqual(posts('count'), [{ type: 'count', generation: 1, count: 1200 }]));
    assert.deepEqual(requests, [
      { offset: 0, limit: 500 },
      { offset: 1199, limit: 2 },
    ]);
  });

  for (const reported of [1199, 1300, undefined]) {
    it(`counts the recipients if the statistics report ${reported ?? 'no count'}`, async () => {
      const { tables, posts } = open(1200, reported);
      tables.request({ type: 'requestPages', generation: 1, tab: 'recipients', pages: [0] });
      await eventually(() => assert.deepEqual(posts('count'), [{ type: 'count', generation: 1, count: 1200 }]));
    });
  }

  it('posts the count while the clicks are still loading', async () => {
    const { tables, posts } = open(1200, 1200, new Promise(() => undefined));
    tables.request({ type: 'requestPages', generation: 1, tab: 'recipients', pages: [0] });
    await eventually(() => assert.deepEqual(posts('count'), [{ type: 'count', generation: 1, count: 1200 }]));
    assert.deepEqual(posts('rows'), []);
    tables.stop();
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
    const { tables, posts } = open(1200, 1200, [click]);
    tables.request({ type: 'requestPages', generation: 1, tab: 'recipients', pages: [0] });
    await eventually(() => assert.equal(posts('rows').length, 1));
    const once = accessCount;
    assert.ok(once > 0);
    tables.request({ type: 'requestPages', generation: 1, tab: 'recipients', pages: [1, 2] });
    await eventually(() => assert.equal(posts('rows').length, 3));
    assert.equal(accessCount, once);
    const clicked = posts('rows')
      .flatMap((message) => (message.type === 'rows' ? message.rows : []))
      .find((row) => row['user_id'] === 700);
    assert.equal(clicked?.['#clicks'], 3);
  });
});
