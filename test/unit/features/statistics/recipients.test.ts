import assert from 'node:assert/strict';
import { paginatePages, readRange, type Page } from '../../../../src/service/client/paginate.ts';
import { RecipientReader } from '../../../../src/features/statistics/recipients.ts';
import type { StatisticsRow } from '../../../../src/service/statistics/model.ts';

interface Service {
  /** Recipients of each version. */
  readonly versions: readonly number[];
  /** Whether `offset` and `limit` apply to each version. */
  readonly byVersion: boolean;
  /** Maximum rows per response (and version). */
  readonly cap?: number;
}

const { signal } = new AbortController();

function serve({ versions, byVersion, cap = Infinity }: Service) {
  const all = versions.map((count, version) =>
    Array.from({ length: count }, (_, user) => ({ mail_id: 24 + version, user_id: version * 1e6 + user })),
  );
  const requests: Page[] = [];
  const slice = <R>(rows: readonly R[], { offset, limit }: Page) => rows.slice(offset, offset + Math.min(limit, cap));
  const reader = new RecipientReader(async (page) => {
    requests.push(page);
    return byVersion ? all.flatMap((rows) => slice(rows, page)) : slice(all.flat(), page);
  });
  return { reader, requests, users: all.flat().map(({ user_id }) => user_id) };
}

const sorted = <T>(numbers: readonly T[]) => [...numbers].sort((one, other) => Number(one) - Number(other));

const services: readonly (readonly [string, Service])[] = [
  ['no recipients', { versions: [0], byVersion: false }],
  ['one version', { versions: [1234], byVersion: false }],
  ['one version, short responses', { versions: [1234], byVersion: false, cap: 100 }],
  ['consecutive versions', { versions: [700, 900, 3], byVersion: false }],
  ['consecutive versions, short responses', { versions: [70, 900, 3], byVersion: false, cap: 90 }],
  ['each version paged separately', { versions: [1700, 1700], byVersion: true }],
  ['each version paged separately, different sizes', { versions: [120, 120, 2160], byVersion: true }],
  ['each version paged separately, short responses', { versions: [250, 30, 900], byVersion: true, cap: 100 }],
  ['each version paged separately, a single response', { versions: [3, 1], byVersion: true }],
];

describe('RecipientReader', () => {
  for (const [name, service] of services) {
    it(`reads all recipients in sequence, and ranges in any order: ${name}`, async () => {
      const { reader, users } = serve(service);
      const found: StatisticsRow[] = [];
      for await (const page of paginatePages(reader.fetchRows, { pageSize: 500, signal, prefetch: 2 }))
        found.push(...page);
      assert.deepEqual(sorted(found.map(({ user_id }) => user_id)), users);
      const { rows: range } = await readRange(reader.fetchRows, { offset: 37, limit: 600 }, { signal });
      assert.deepEqual(range, found.slice(37, 637));

      const { reader: other } = serve(service);
      const size = 400;
      const count = Math.ceil(users.length / size) + 1;
      const parts = new Map<number, readonly unknown[]>();
      for (const page of [0, count - 1, ...Array.from({ length: count }, (_, at) => at)]) {
        const { rows, isLast } = await readRange(other.fetchRows, { offset: page * size, limit: size }, { signal });
        assert.equal(isLast, rows.length < size);
        const ids = rows.map(({ user_id }) => user_id);
        assert.deepEqual(ids, parts.get(page) ?? ids);
        parts.set(page, ids);
      }
      assert.deepEqual(sorted([...parts.values()].flat()), users);
    });
  }

  it('can start with any range', async () => {
    const { reader, users } = serve({ versions: [300, 300], byVersion: true });
    const { rows } = await readRange(reader.fetchRows, { offset: 400, limit: 400 }, { signal });
    const { rows: first } = await readRange(reader.fetchRows, { offset: 0, limit: 400 }, { signal });
    assert.deepEqual(sorted([...first, ...rows].map(({ user_id }) => user_id)), users);
  });

  it('needs no extra requests for one version', async () => {
    const { reader, requests } = serve({ versions: [900], byVersion: false });
    await readRange(reader.fetchRows, { offset: 0, limit: 500 }, { signal });
    await readRange(reader.fetchRows, { offset: 500, limit: 500 }, { signal });
    assert.deepEqual(requests, [
      { offset: 0, limit: 500 },
      { offset: 500, limit: 500 },
      { offset: 900, limit: 100 },
    ]);
  });

  it('recovers after the first request failed', async () => {
    let failures = 1;
    const reader = new RecipientReader(async ({ offset }) => {
      if (failures-- > 0) throw new Error('It is broken.');
      return offset === 0 ? [{ mail_id: 1, user_id: 7 }] : [];
    });
    await assert.rejects(readRange(reader.fetchRows, { offset: 0, limit: 500 }, { signal }), /broken/u);
    assert.deepEqual((await readRange(reader.fetchRows, { offset: 0, limit: 500 }, { signal })).rows, [
      { mail_id: 1, user_id: 7 },
    ]);
  });
});
