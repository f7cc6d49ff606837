import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Sandbox } from '../../support/sandbox/index.ts';
import { getCanceledMessage } from '../../../src/features/statistics/refresh.ts';
import type { TableTab } from '../../../src/features/statistics/model.ts';
import { eventually } from '../../support/eventually.ts';
import { connectService } from '../service.ts';
import { SessionSuite, withReplaced } from './host.ts';

const HOUR = 3_600_000;
const operations = [
  'getCampaignStatistics',
  'getCampaignStatisticsDetailed',
  'getCampaignStatisticsClicks',
  'getCampaignStatisticsLinks',
] as const;
/** Campaigns of the sample: sent, with several versions, and unsent. */
const [sent, versions, unsent] = [1, 3, 7];

describe('StatisticsSession', () => {
  const suite = new SessionSuite();
  const { refs, open, openOn, fails, loaded, settled, requestPage, readPage: rows } = suite;
  const failure = async (tab: TableTab) => (await suite.opened.page.response(requestPage(tab))).error ?? '';
  const hanging = (sandbox: Sandbox, operation: string) =>
    sandbox.requests.filter((request) => request.operation === operation && request.status === null).length;

  describe('with one campaign', () => {
    it('posts the selection first, then name, figures and timeline', async () => {
      const { page, names } = await open(sent);
      await settled();
      const [show] = page.sent;
      assert.ok(show?.type === 'show');
      assert.deepEqual([show.selection, show.pageSize, show.wide], [refs(sent), 500, false]);
      const [card] = page.last('cards').cards;
      assert.match(card?.state ?? '', /^sent .*\d{4}/u);
      assert.deepEqual(
        [card?.name, card?.isMissing, names()],
        ['Monthly letter no. 36', false, ['Monthly letter no. 36']],
      );
      const overview = await loaded();
      assert.notEqual(overview.at, '');
      assert.deepEqual([overview.value.isUnsent, overview.value.isUnopened], [false, false]);
      const [row] = await suite.service.other.getCampaignStatistics(sent);
      assert.equal(
        overview.value.figures.find(({ key }) => /recipients|total_subscribers/u.test(key))?.value,
        String(row?.total_subscribers),
      );
      const { timeline } = page.last('timeline');
      assert.ok(timeline.kind === 'loaded');
      assert.deepEqual(
        [timeline.value.isComplete, timeline.value.readCount, timeline.value.totalCount],
        [true, row?.total_subscribers, row?.total_subscribers],
      );
      assert.equal(
        timeline.value.points.reduce((total, { opens }) => total + opens, timeline.value.undated),
        row?.open_unique,
      );
    });

    it('exports a table, and says whether the page is narrow', async () => {
      const { page, session } = await open(sent);
      const executed: unknown[][] = [];
      const execute = async (...parts: unknown[]) => void executed.push(parts);
      await withReplaced(
        vscode.commands,
        'executeCommand',
        execute as typeof vscode.commands.executeCommand,
        async () => {
          page.say({ type: 'export', tab: 'clicks', expected: 4 });
          await eventually(() => assert.equal(executed.length, 1));
        },
      );
      assert.deepEqual(executed, [
        ['mailing.statistics.export', { connection: suite.service.connection, id: sent, table: 'clicks', expected: 4 }],
      ]);
      assert.equal(session.isNarrow, true);
      page.say({ type: 'width', isNarrow: false });
      assert.equal(session.isNarrow, false);
    });

    it('reads each operation once and serves tables from the cache', async () => {
      await open(sent);
      await settled();
      await rows('clicks');
      await rows('links');
      await rows('links');
      assert.deepEqual(
        operations.map((operation) => suite.service.received(operation)),
        [1, 2, 1, 1],
      );
    });

    it('compares several versions', async () => {
      await open(versions);
      await settled();
      assert.ok(((await loaded()).value.versions?.columns.length ?? 0) >= 3);
      const all = await suite.service.other.getCampaignStatisticsDetailed(versions, { limit: 500 });
      const { rows: found } = await rows('recipients');
      assert.deepEqual(
        found.map((row) => [row['user_id'], row['mail_id']]),
        all.map((row) => [row.user_id, row.mail_id]),
      );
    });

    for (const profile of ['documented', 'acymailing'] as const) {
      it(`reports an unsent campaign without errors (${profile})`, async () => {
        const other = await connectService({ profile });
        try {
          await openOn(other, unsent);
          await settled();
          assert.ok((await loaded()).value.isUnsent);
          assert.equal(suite.opened.page.last('cards').cards[0]?.state, 'draft');
          const { timeline } = suite.opened.page.last('timeline');
          assert.deepEqual(timeline.kind === 'loaded' && [timeline.value.points.length, timeline.value.isComplete], [
            0,
            true,
          ]);
          assert.equal(other.received('getCampaignStatisticsDetailed'), 0);
          for (const tab of ['recipients', 'clicks', 'links'] as const) {
            const { rows: found, isLast } = await rows(tab);
            assert.deepEqual([found, isLast], [[], true], tab);
          }
        } finally {
          await other.end();
        }
      });
    }

    it('sanitizes hostile names', async () => {
      const hostile = '\u202Etxt.exe\u0000 <img src=x onerror=alert(1)> $(zap) [x](command:y)\n'.repeat(20);
      const { campaignId } = await suite.service.other.createOrUpdateCampaign({ name: hostile, subject: 'S' });
      const { page, names } = await open(campaignId);
      await page.until('cards', ({ cards }) => cards[0]?.state !== '');
      const [name = ''] = names();
      assert.doesNotMatch(name, /[\p{Cc}\u202E]/u);
      assert.ok(name.length <= 130 && name.startsWith('txt.exe <img'));
    });
  });

  describe('when an operation fails', () => {
    it('shows everything except the figures', async () => {
      fails(operations[0]);
      const { page } = await open(sent);
      await settled();
      const { value, message } = await page.untilOverview('failed');
      assert.equal(value, undefined);
      assert.match(message, /It is broken/u);
      assert.equal(page.last('timeline').timeline.kind, 'loaded');
      assert.ok((await rows('recipients')).rows.length > 100);
      assert.ok((await rows('links')).rows.length > 0);
    });

    it('shows everything except the recipients', async () => {
      fails(operations[1]);
      const { page } = await open(sent);
      await settled();
      assert.equal(page.lastOverview().kind, 'loaded');
      assert.equal(page.last('timeline').timeline.kind, 'failed');
      assert.match(await failure('recipients'), /It is broken/u);
      assert.ok((await rows('clicks')).rows.length > 0);
    });

    it('shows everything except the clicks, and reports them as missing', async () => {
      fails(operations[2]);
      const { page } = await open(sent);
      await settled();
      const { timeline } = page.last('timeline');
      assert.ok(timeline.kind === 'loaded' && timeline.value.isComplete);
      assert.match(timeline.value.meaning, /The clicks are missing: .*It is broken/u);
      const { rows: found } = await rows('recipients');
      assert.ok(found.length > 100 && found.every((row) => !('#clicks' in row)));
      assert.match(await failure('clicks'), /It is broken/u);
      assert.ok((await rows('links')).rows.length > 0);
      // "Retry" repeats the request.
      suite.service.sandbox.faults.clear();
      assert.ok((await rows('clicks')).rows.length > 0);
    });

    it('shows everything except the links', async () => {
      fails(operations[3]);
      const { page } = await open(sent);
      await settled();
      assert.deepEqual([page.lastOverview().kind, page.last('timeline').timeline.kind], ['loaded', 'loaded']);
      assert.match(await failure('links'), /It is broken/u);
    });

    it('shows everything except the name if the campaign’s record can’t be read', async () => {
      fails('getCampaignById', 403);
      const { page } = await open(sent);
      await settled();
      assert.deepEqual([page.lastOverview().kind, page.last('timeline').timeline.kind], ['loaded', 'loaded']);
      assert.equal(suite.opened.names()[0], `Campaign ${sent}`);
    });
  });

  describe('when an operation never responds', () => {
    it('shows recipients immediately and reloads them when the clicks arrive', async () => {
      suite.service.sandbox.faults.add({ kind: 'slow', bytes: 512, intervalMs: 300, operation: operations[2] });
      const { page } = await open(sent);
      await loaded();
      const first = await rows('recipients');
      assert.ok(first.rows.every((row) => !('#clicks' in row)));
      await page.until('reload', () => true);
      const second = await rows('recipients');
      assert.ok(second.rows.some((row) => Number(row['#clicks']) > 0));
      assert.equal(suite.service.received(operations[2]), 1);
    });

    it('keeps the last figures when the read is canceled', async () => {
      const hang = suite.service.sandbox.faults.add({ kind: 'hang', operation: operations[0] });
      const { page } = await open(sent);
      await eventually(() => assert.equal(hang.hits, 1));
      assert.equal(page.lastOverview().kind, 'loading');
      page.say({ type: 'cancel' });
      assert.deepEqual(page.lastOverview(), { kind: 'failed', message: getCanceledMessage() });
      hang.remove();
      page.say({ type: 'refresh' });
      await loaded();
      const again = suite.service.sandbox.faults.add({ kind: 'hang', operation: operations[0] });
      page.say({ type: 'refresh' });
      await eventually(() => assert.equal(again.hits, 1));
      page.say({ type: 'cancel' });
      assert.equal(page.lastOverview().kind, 'loaded');
    });

    it('reports the cancellation to waiting tables', async () => {
      const { page } = await open(sent);
      await settled();
      const hang = suite.service.sandbox.faults.add({ kind: 'hang', operation: operations[1] });
      const requestId = requestPage('recipients');
      await eventually(() => assert.equal(hang.hits, 1));
      page.say({ type: 'cancel' });
      assert.deepEqual(page.responses.at(-1), { type: 'response', requestId, error: getCanceledMessage() });
    });

    it('cancels requests when hidden, and reads again when visible', async () => {
      const hang = suite.service.sandbox.faults.add({ kind: 'hang', operation: operations[0], times: 1 });
      const { page, session, hide, show } = await open(sent);
      await eventually(() => assert.equal(hang.hits, 1));
      hide();
      page.forget();
      const before = suite.service.received(operations[0]);
      show();
      await loaded();
      assert.equal(suite.service.received(operations[0]), before + 1);
      // Fresh data is not read again.
      await session.refresh();
      hide();
      page.forget();
      show();
      await settled();
      assert.equal(suite.service.received(operations[0]), before + 2);
      assert.equal(page.sent[0]?.type, 'show');
    });
  });

  describe('when refreshed', () => {
    it('marks changes and reloads the tables', async () => {
      const { page } = await open(6);
      await settled();
      const before = await loaded();
      assert.ok(before.value.figures.every(({ change }) => change === undefined));
      page.forget();
      suite.service.sandbox.clock.advance(5 * HOUR);
      page.say({ type: 'refresh' });
      assert.equal(page.lastOverview().kind, 'loading');
      const { value } = await loaded();
      assert.ok(value.figures.some(({ change }) => /\+\d/u.test(change ?? '')));
      assert.equal(page.all('reload').length, 1);
      await settled();
      page.say({ type: 'refresh' });
      await page.untilOverview('loaded', (same) => same.value.figures.every(({ change }) => change === undefined));
    });

    it('reports a deleted campaign and keeps its last figures', async () => {
      const { page, names } = await open(sent);
      await settled();
      await suite.service.other.deleteCampaign(sent);
      page.say({ type: 'refresh' });
      const { value, message } = await page.untilOverview('failed');
      assert.ok(value);
      assert.match(message, /was deleted.*last figures/u);
      const [card] = page.last('cards').cards;
      assert.deepEqual([card?.state, card?.isMissing, card?.name], ['deleted', true, 'Monthly letter no. 36']);
      assert.deepEqual(names(), ['Monthly letter no. 36']);
    });
  });

  it('cancels all requests when disposed', async () => {
    suite.service.sandbox.faults.add({ kind: 'hang', operation: operations[0] });
    const { page } = await open(sent);
    await eventually(() => assert.equal(hanging(suite.service.sandbox, operations[0]), 1));
    const { length } = page.sent;
    suite.opened.dispose();
    page.say({ type: 'refresh' });
    assert.equal(page.sent.length, length);
  });
});
