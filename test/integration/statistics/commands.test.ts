import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { sentCampaignPicking } from '../../../src/features/campaigns/picker.ts';
import { pickComparedCampaigns } from '../../../src/features/statistics/selection.ts';
import { Statistics } from '../../../src/features/statistics/statistics.ts';
import type { CampaignSelection } from '../../../src/features/statistics/model.ts';
import { TargetPicker } from '../../../src/platform/documents/recordCommands.ts';
import { eventually } from '../../support/eventually.ts';
import { answering } from '../answers.ts';
import { connectService, useService, type TestService } from '../service.ts';
import { createConnections, createServices, createView, fakePick, FakeWebview, withReplaced } from './host.ts';
import { memoryMemento } from '../../support/memento.ts';
import type { Json } from '../../../src/service/client/shapes.ts';

interface Exported {
  readonly count: number;
}

const run = <T = object>(command: string, ...parts: readonly (string | number | object | undefined)[]) =>
  vscode.commands.executeCommand<T | undefined>(`mailing.${command}`, ...parts);
const [sent, other, versions] = [1, 2, 3];
const tabs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('mailing.statisticsPanel'),
    )
    .map(({ label }) => label);

/** Accepts the open Quick Pick as soon as it has items. */
async function acceptFirst<T>(prompt: Thenable<T>) {
  let done = false;
  void prompt.then(() => {
    done = true;
  });
  await eventually(async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    assert.ok(done);
  });
  return prompt;
}

describe('statistics commands', () => {
  let service: TestService;
  let folder: string;

  const ref = (id: number) => ({ connection: service.connection, id });

  const shared = useService('sample');
  beforeEach(() => {
    service = shared();
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  /** Items that a search moves or replaces would get lost, or another record would be taken. */
  const assertItemsStay = async ({ quickPick, type }: ReturnType<typeof fakePick>) => {
    const before = quickPick.items;
    const searches = service.received('getCampaigns');
    type('Product');
    await eventually(() => assert.ok(service.received('getCampaigns') > searches));
    await eventually(() => assert.equal(quickPick.busy, false));
    assert.equal(quickPick.items, before);
  };

  describe('show', () => {
    for (const command of ['campaign.showStatistics', 'statistics.show']) {
      it(`shows the campaign of the argument: ${command}`, async () => {
        assert.deepEqual(await run(command, ref(sent)), ref(sent));
        // Tree nodes have additional fields. A single connection is the default.
        assert.deepEqual(
          await run(command, { ...ref(other), collection: 'campaigns', treeId: 'x', kind: 'record' }),
          ref(other),
        );
        assert.deepEqual(await run(command, { id: sent }), ref(sent));
        await eventually(() => assert.ok(service.received('getCampaignStatistics') >= 1));
      });
    }

    it('asks for a campaign without an argument', async () => {
      const shown = await acceptFirst(run<{ readonly id: number }>('statistics.show'));
      assert.ok(Number.isSafeInteger(shown?.id), JSON.stringify(shown));
      assert.ok(service.received('getCampaigns') >= 1);
    });

    it('compares several campaigns', async () => {
      assert.deepEqual(await run('statistics.show', { connection: service.connection, ids: [sent, other] }), [
        ref(sent),
        ref(other),
      ]);
      assert.deepEqual(await run('statistics.show', [ref(other), ref(versions)]), [ref(other), ref(versions)]);
      assert.deepEqual(
        await run('statistics.show', ref(sent), [ref(sent), ref(other), { ...ref(4), collection: 'lists' }]),
        [ref(sent), ref(other)],
      );
    });

    it('rejects more than five campaigns and missing connections', async () => {
      const many = await answering(undefined, () =>
        run('statistics.show', { connection: service.connection, ids: [1, 2, 3, 4, 5, 6] }),
      );
      assert.match(many.shown[0]?.text ?? '', /2 to 5 campaigns can be compared/u);
      const missing = await answering(undefined, () => run('statistics.show', { connection: 'nowhere', id: 1 }));
      assert.match(missing.shown[0]?.text ?? '', /no connection "nowhere"/u);
      assert.deepEqual([many.result, missing.result], [undefined, undefined]);
    });

    it('refreshes the view', async () => {
      // A comparison in an active editor would be refreshed instead.
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await run('statistics.show', ref(other));
      assert.deepEqual(await run('statistics.refresh'), ref(other));
    });
  });

  describe('editor tabs', () => {
    let statistics: Statistics;
    let connections: vscode.Disposable;
    beforeEach(async () => {
      const created = await createConnections(service);
      connections = created;
      statistics = new Statistics(createServices(created));
    });
    afterEach(() => {
      statistics.dispose();
      connections.dispose();
    });

    it('show one selection each', async () => {
      await statistics.openInEditor([ref(sent)]);
      await statistics.openInEditor([ref(sent), ref(other)]);
      await statistics.openInEditor([ref(sent)]);
      await eventually(() =>
        assert.deepEqual(tabs().sort(), [
          'Statistics: Monthly letter no. 36',
          'Statistics: Monthly letter no. 36 and 1 more',
        ]),
      );
    });

    it('show comparisons that are too wide for the view', async () => {
      const page = new FakeWebview();
      statistics.resolveView(createView(page));
      page.say({ type: 'ready' });
      await statistics.show(ref(sent));
      assert.deepEqual(await statistics.show([ref(sent), ref(other)]), [ref(sent), ref(other)]);
      await eventually(() => assert.deepEqual(tabs(), ['Statistics: Monthly letter no. 36 and 1 more']));
      assert.equal(page.last('show').selection.length, 1);
      page.say({ type: 'width', isNarrow: false });
      await statistics.show([ref(sent), ref(other)]);
      assert.equal(page.last('show').selection.length, 2);
    });

    it('are refreshed while active', async () => {
      await statistics.show(ref(other));
      await statistics.openInEditor([ref(sent)]);
      await eventually(() => assert.deepEqual(tabs(), ['Statistics: Monthly letter no. 36']));
      service.forget();
      assert.deepEqual(await statistics.refresh(), ref(sent));
      assert.ok(service.received('getCampaignStatistics') >= 1);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      assert.deepEqual(await statistics.refresh(), ref(other));
    });
  });

  describe('a picker', () => {
    it('keeps its items during a search, so that Enter takes the focused one', async () => {
      const connections = await createConnections(service);
      const pick = fakePick();
      try {
        const picked = withReplaced(vscode.window, 'createQuickPick', (() => pick.quickPick) as never, () =>
          new TargetPicker(connections).pickRecord({}, { ...sentCampaignPicking, title: 'Select' }),
        );
        await eventually(() => assert.ok(pick.quickPick.items.length > 5));
        await assertItemsStay(pick);
        pick.quickPick.activeItems = pick.quickPick.items.filter(({ id }) => id === other);
        pick.accept();
        assert.equal((await picked)?.id, other);
      } finally {
        connections.dispose();
      }
    });
  });

  describe('compare', () => {
    it('asks for two to five campaigns and keeps checked ones during a search', async () => {
      const connections = await createConnections(service);
      const pick = fakePick();
      try {
        const selection = withReplaced(vscode.window, 'createQuickPick', (() => pick.quickPick) as never, () =>
          pickComparedCampaigns(new TargetPicker(connections), [ref(sent)]),
        );
        await eventually(() => assert.ok(pick.quickPick.items.length > 5));
        const find = (id: number) =>
          pick.quickPick.items.find((item) => item.id === id) ?? assert.fail(`no item ${id}`);
        assert.deepEqual(
          pick.quickPick.selectedItems.map(({ label, description }) => [label, description?.startsWith('#1 · sent')]),
          [['Monthly letter no. 36', true]],
        );
        pick.accept();
        assert.match(pick.quickPick.title ?? '', /1 campaign selected\. Select 2 to 5/u);
        pick.select([find(1), find(2), find(3), find(4), find(5), find(6)]);
        pick.accept();
        assert.match(pick.quickPick.title ?? '', /6 campaigns selected/u);
        pick.select([find(1), find(6)]);
        await assertItemsStay(pick);
        pick.select([]);
        pick.accept();
        assert.match(pick.quickPick.title ?? '', /0 campaigns selected/u);
        pick.select([find(1), find(6), find(2)]);
        pick.accept();
        assert.deepEqual(await selection, [ref(1), ref(6), ref(2)]);
      } finally {
        connections.dispose();
      }
    });
  });

  describe('restore', () => {
    it('restores the selection after a restart, and reports a removed connection', async () => {
      // The test ends this service itself.
      service = await connectService();
      const connections = await createConnections(service);
      const stored = new Map<string, Json>([['mailing.statistics.choice', 'nonsense']]);
      const memento = memoryMemento(stored);
      const start = () => new Statistics(createServices(connections, memento));
      const showView = (statistics: Statistics) => {
        const page = new FakeWebview();
        const webviewView = createView(page);
        statistics.resolveView(webviewView);
        page.say({ type: 'ready' });
        return { page, webviewView };
      };
      try {
        const first = start();
        assert.deepEqual(showView(first).page.last('show').selection, []);
        const selection: CampaignSelection = [ref(sent)];
        await first.select(selection);
        first.dispose();
        const second = start();
        const { page, webviewView } = showView(second);
        assert.deepEqual(page.last('show').selection, selection);
        await eventually(() => assert.equal(webviewView.description, 'Monthly letter no. 36'));
        await second.select([ref(sent), ref(other)]);
        await page.untilComparison('loaded');
        second.dispose();
        await service.end();
        const third = start();
        const { page: lost } = showView(third);
        await lost.untilComparison('failed');
        assert.equal(lost.last('show').selection.length, 2);
        assert.deepEqual(
          lost.last('show').cards.map(({ state }) => state),
          ['connection removed', 'connection removed'],
        );
        third.dispose();
      } finally {
        connections.dispose();
      }
    });
  });

  describe('export', () => {
    const exportTo = (name: string, fields: object = {}) =>
      run<Exported>('statistics.export', { ...ref(sent), uri: vscode.Uri.file(join(folder, name)), ...fields });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');

    it('writes each complete table as CSV and JSON', async () => {
      const expected = {
        recipients: await service.other.getCampaignStatisticsDetailed(versions, { limit: 500 }),
        clicks: await service.other.getCampaignStatisticsClicks(versions),
        links: await service.other.getCampaignStatisticsLinks(versions),
      };
      const firstColumns = {
        recipients: /^\uFEFF[^\r]*\bemail\b/u,
        clicks: /^\uFEFF[^\r]*\burl\b/u,
        links: /^\uFEFF[^\r]*\btotal_click\b/u,
      };
      for (const table of ['recipients', 'clicks', 'links'] as const) {
        const all: readonly object[] = expected[table];
        assert.ok(all.length > 1);
        const csv = await exportTo(`${table}.csv`, { id: versions, table });
        assert.equal(csv?.count, all.length);
        assert.match(read(`${table}.csv`), firstColumns[table]);
        assert.equal(read(`${table}.csv`).split('\r\n').length, all.length + 2);
        await exportTo(`${table}.json`, { id: versions, table });
        assert.deepEqual(JSON.parse(read(`${table}.json`)), JSON.parse(JSON.stringify(all)));
      }
    });

    it('reports unsupported tables, missing campaigns and failures, and leaves no file behind', async () => {
      const wrong = await answering(undefined, () => exportTo('none.csv', { table: 'overview' }));
      assert.match(wrong.shown[0]?.text ?? '', /"table" must be/u);
      const missing = await answering(undefined, () => exportTo('none.csv', { id: 99, table: 'links' }));
      assert.match(missing.shown[0]?.text ?? '', /can't find this campaign/u);
      service.sandbox.faults.add({
        kind: 'status',
        status: 500,
        message: 'It is broken.',
        operation: 'getCampaignStatisticsDetailed',
        times: 99,
      });
      const broken = await answering(undefined, () => exportTo('none.csv', { table: 'recipients' }));
      assert.match(broken.shown[0]?.text ?? '', /It is broken/u);
      assert.deepEqual(readdirSync(folder), []);
    });
  });
});
