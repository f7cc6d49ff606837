import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { connectService, type TestService } from '../service.ts';
import { fakePick, openSession, SessionSuite, withReplaced } from './host.ts';

const recipients = 'getCampaignStatisticsDetailed';
/** A sent campaign of the sample. */
const sent = 1;

describe('statistics of selections', () => {
  const suite = new SessionSuite();
  const { refs, open, openOn, fails, loaded, settled, requestPage, readPage, countRows } = suite;

  describe('with many recipients', () => {
    let many: TestService;
    before(async () => {
      many = await connectService({ subscribers: 12_000 });
    });
    after(() => many.end());
    beforeEach(() => many.forget());

    it('reads them for the timeline on request', async () => {
      const { page } = await openOn(many, sent);
      const first = await page.until('timeline', ({ timeline }) => timeline.kind === 'loaded');
      assert.ok(first.timeline.kind === 'loaded');
      const { readCount: read, totalCount: total = 0, isComplete: complete, points } = first.timeline.value;
      assert.deepEqual([read, complete, many.received(recipients)], [0, false, 0]);
      assert.ok(total > 5000 && points.some(({ clicks }) => clicks > 0));
      page.say({ type: 'readTimeline' });
      const { timeline } = await page.until(
        'timeline',
        (message) => message.timeline.kind === 'loaded' && message.timeline.value.isComplete,
      );
      assert.ok(timeline.kind === 'loaded');
      assert.deepEqual([timeline.value.readCount, timeline.value.totalCount], [total, total]);
      const [row] = await many.other.getCampaignStatistics(sent);
      assert.equal(
        timeline.value.points.reduce((sum, { opens }) => sum + opens, timeline.value.undated),
        row?.open_unique,
      );
    });

    it('keeps the last timeline when counting is canceled', async () => {
      const { page } = await openOn(many, sent);
      await page.until('timeline', ({ timeline }) => timeline.kind === 'loaded');
      const hang = many.sandbox.faults.add({ kind: 'hang', operation: recipients, skip: 3 });
      page.say({ type: 'readTimeline' });
      await eventually(() => assert.equal(hang.hits, 1));
      page.say({ type: 'cancel' });
      hang.remove();
      const { timeline } = page.last('timeline');
      assert.ok(timeline.kind === 'loaded' && timeline.value.readCount === 0);
    });

    it('returns requested pages, counts the rows, and cancels outdated requests', async () => {
      const { page } = await openOn(many, sent);
      await page.until('timeline', ({ timeline }) => timeline.kind === 'loaded');
      const reads = Promise.all([readPage('recipients', 0), readPage('recipients', 3)]);
      const count = await countRows('recipients');
      const [row] = await many.other.getCampaignStatistics(sent);
      assert.equal(count, row?.total_subscribers);
      assert.deepEqual(
        (await reads).map(({ rows, isLast }) => [rows.length, isLast]),
        [
          [500, false],
          [500, false],
        ],
      );
      const hang = many.sandbox.faults.add({ kind: 'hang', operation: recipients, times: 2 });
      const requestIds = [5, 6].map((each) => requestPage('recipients', each));
      await eventually(() => assert.equal(hang.hits, 2));
      page.say({ type: 'cancelRequest', requestId: requestIds[0] ?? 0 });
      await readPage('recipients', 7);
      assert.equal(hang.hits, 2);
      const last = Math.floor((row?.total_subscribers ?? 0) / 500);
      const { rows: tail, isLast } = await readPage('recipients', last);
      assert.deepEqual([tail.length, isLast], [(row?.total_subscribers ?? 0) % 500, true]);
      assert.ok(page.responses.every(({ requestId }) => !requestIds.includes(requestId)));
    });
  });

  describe('with several campaigns', () => {
    it('compares them', async () => {
      const { page, names } = await open(1, 2, 4);
      const { value } = await page.untilComparison('loaded');
      assert.deepEqual(value.columns, ['Monthly letter no. 36', 'Product update 4.2', 'Fortnightly digest (1)']);
      assert.deepEqual([page.last('figures').failures, names()], [[], value.columns]);
      assert.equal(suite.service.received(recipients), 0);
      page.say({ type: 'showCampaign', index: 1 });
      page.say({ type: 'showCampaign', index: 99 });
      assert.deepEqual(suite.opened.calls, [refs(2)]);
    });

    it('lists campaigns that can’t be read, with their last figures', async () => {
      const { page } = await open(1, 99, 2);
      const first = await page.untilComparison('loaded');
      const { failures } = page.last('figures');
      assert.equal(failures.length, 1);
      assert.match(failures[0] ?? '', /"Campaign 99".*deleted/u);
      assert.equal(page.last('cards').cards[1]?.isMissing, true);
      await suite.service.other.deleteCampaign(2);
      page.say({ type: 'refresh' });
      const second = await page.untilComparison('loaded', () => page.last('figures').failures.length === 2);
      assert.match(page.last('figures').failures[1] ?? '', /"Product update 4\.2".*The figures are from/u);
      assert.deepEqual(
        second.value.bars.map(({ values }) => values[2]),
        first.value.bars.map(({ values }) => values[2]),
      );
    });

    it('fails if none of them can be read', async () => {
      fails('getCampaignStatistics', 403);
      const { page } = await open(1, 2);
      assert.equal((await page.untilComparison('failed')).value, undefined);
    });

    it('shows loaded campaigns while others are slow', async () => {
      suite.service.sandbox.faults.add({ kind: 'hang', operation: 'getCampaignStatistics', times: 1 });
      const { page } = await open(1, 2);
      await page.untilComparison('loading', ({ value }) => value !== undefined);
      page.say({ type: 'cancel' });
      assert.equal(page.last('figures').figures.kind, 'failed');
    });
  });

  describe('without a campaign or connection', () => {
    it('shows nothing until campaigns are selected', async () => {
      const { page, session, names } = await open();
      assert.deepEqual(
        page.sent.map(({ type }) => type),
        ['show'],
      );
      assert.deepEqual([page.last('show').selection, names()], [[], []]);
      const { quickPick, accept, select } = fakePick();
      await withReplaced(vscode.window, 'createQuickPick', (() => quickPick) as never, async () => {
        page.say({ type: 'choose' });
        await eventually(() => assert.ok(quickPick.items.length > 0));
        select(quickPick.items.filter(({ id }) => id === 2));
        accept();
        await eventually(() => assert.deepEqual(suite.opened.calls, [refs(2)]));
      });
      session.show(refs(sent));
      await settled();
      assert.deepEqual(page.last('show').selection, refs(sent));
      session.show(refs(1, 2));
      await page.untilComparison('loaded');
      assert.equal(page.last('show').selection.length, 2);
    });

    it('reports a removed connection, and reads when it is added', async () => {
      const other = await connectService({});
      try {
        suite.opened = await openSession([{ connection: 'nowhere', id: 1 }], other);
        const { page } = suite.opened;
        assert.match((await page.untilOverview('failed')).message, /no connection "nowhere"/u);
        const [card] = page.last('show').cards;
        assert.deepEqual([card?.state, card?.service, card?.isMissing], ['connection removed', 'nowhere', true]);
        const registration = suite.opened.connections.register(
          { id: 'nowhere', name: 'Now here', baseUrl: other.sandbox.baseUrl, profile: 'documented' },
          async () => ({
            connection: { id: 'nowhere', name: 'Now here', baseUrl: other.sandbox.baseUrl, profile: 'documented' },
            apiKey: other.sandbox.apiKey,
          }),
        );
        await loaded();
        await page.until('cards', ({ cards: [shown] }) => shown?.name === 'Monthly letter no. 36');
        assert.equal(page.last('cards').cards[0]?.service, 'Now here');
        registration.dispose();
        await page.untilOverview('failed', ({ value }) => value !== undefined);
      } finally {
        await other.end();
      }
    });
  });
});
