import assert from 'node:assert/strict';
import type { Page } from '../../../../../src/service/client/paginate.ts';
import { RecipientReader } from '../../../../../src/features/statistics/host/recipients.ts';
import type { RecordCache } from '../../../../../src/features/statistics/host/source.ts';
import { TableReader } from '../../../../../src/features/statistics/host/tableReader.ts';
import type { StatisticsRow } from '../../../../../src/features/statistics/model.ts';
import type { ToPage } from '../../../../../src/features/statistics/protocol.ts';
import { eventually } from '../../../../support/eventually.ts';

/** A campaign with so many recipients, whose statistics tell of `told`. */
function open(
  there: number,
  told: number | undefined,
  clicks: readonly StatisticsRow[] | Promise<readonly StatisticsRow[]> = [],
) {
  const asked: Page[] = [];
  const posted: ToPage[] = [];
  const recipients = new RecipientReader(async ({ offset, limit }) => {
    asked.push({ offset, limit });
    return Array.from({ length: Math.max(0, Math.min(limit, there - offset)) }, (_, at): StatisticsRow => ({
      user_id: offset + at,
      mail_id: 1,
    }));
  });
  const records = { recipients, readAll: async () => clicks } as Pick<
    RecordCache,
    'recipients' | 'readAll'
  > as RecordCache;
  const tables = new TableReader({ recordCache: records, recipients: told }, (message) => posted.push(message));
  const posts = (type: ToPage['type']): ToPage[] => posted.filter((message) => message.type === type);
  return { tables, asked, posts };
}

describe('the tables of a campaign', () => {
  it('say how many recipients there are after one more request, where the statistics are right', async () => {
    const { tables, asked, posts } = open(1200, 1200);
    tables.requestPages(1, 'recipients', [0]);
    await eventually(() => assert.deepEqual(posts('count'), [{ type: 'count', generation: 1, count: 1200 }]));
    assert.deepEqual(asked, [
      { offset: 0, limit: 500 },
      { offset: 1199, limit: 2 },
    ]);
  });

  for (const told of [1199, 1300, undefined]) {
    it(`say how many recipients there are where the statistics tell of ${told ?? 'none'}`, async () => {
      const { tables, posts } = open(1200, told);
      tables.requestPages(1, 'recipients', [0]);
      await eventually(() => assert.deepEqual(posts('count'), [{ type: 'count', generation: 1, count: 1200 }]));
    });
  }

  it('say it while the clicks are still being read', async () => {
    const { tables, posts } = open(1200, 1200, new Promise(() => undefined));
    tables.requestPages(1, 'recipients', [0]);
    await eventually(() => assert.deepEqual(posts('count'), [{ type: 'count', generation: 1, count: 1200 }]));
    assert.deepEqual(posts('rows'), []);
    tables.stop();
  });

  it('count the clicks once, however many pages of recipients they belong to', async () => {
    let looked = 0;
    const click = new Proxy<StatisticsRow>(
      { user_id: 700, click: 3 },
      {
        get: (row, key) => {
          looked += 1;
          return Reflect.get(row, key);
        },
      },
    );
    const { tables, posts } = open(1200, 1200, [click]);
    tables.requestPages(1, 'recipients', [0]);
    await eventually(() => assert.equal(posts('rows').length, 1));
    const once = looked;
    assert.ok(once > 0);
    tables.requestPages(1, 'recipients', [1, 2]);
    await eventually(() => assert.equal(posts('rows').length, 3));
    assert.equal(looked, once);
    const clicked = posts('rows')
      .flatMap((message) => (message.type === 'rows' ? message.rows : []))
      .find((row) => row['user_id'] === 700);
    assert.equal(clicked?.['#clicks'], 3);
  });
});
