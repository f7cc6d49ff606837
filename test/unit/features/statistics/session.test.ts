import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { commands, EventEmitter, StandInPanel, Uri, user } from '../../../support/vscodeStandIn.ts';

const { StatisticsSession } = await import('../../../../src/features/statistics/session.ts');

const { Statistics } = await import('../../../../src/features/statistics/statistics.ts');
const { formatReadTime } = await import('../../../../src/features/statistics/refresh.ts');

interface Posted {
  readonly type: string;
  readonly figures: { readonly kind: string; readonly value?: { readonly figures: readonly object[] } };
}

/** Opens campaign 1 of a service whose answers a test can change. */
function open() {
  const changes = new EventEmitter();
  const connection = { id: 'shop', name: 'Shop', baseUrl: 'https://shop.example', profile: 'documented' };
  const client = {
    getCampaignById: async (id: number) => ({ id, name: `Campaign ${id}` }),
    getCampaignStatistics: async (_id: number): Promise<object[]> => [{ sent: 100, open_unique: 10 }],
    getCampaignStatisticsClicks: async () => [],
    getCampaignStatisticsLinks: async (id: number): Promise<object[]> => [
      { name: `https://shop.example/${id}`, total_click: id },
    ],
    getCampaignStatisticsDetailed: async () => [],
  };
  const heats: [path: string, countedAt: string][] = [];
  const services = {
    connections: {
      all: [connection],
      get: () => connection,
      getService: () => connection,
      run: async (_: object, read: (of: typeof client) => Promise<unknown>) => read(client),
      onDidChange: changes.event,
    },
    context: {
      extensionUri: Uri.file('/'),
      workspaceState: { get: () => undefined, update: async () => undefined },
    },
    previews: {
      find: ({ path }: Uri) => ({
        showHeat: ({ countedAt }: { countedAt: string }) => heats.push([path, countedAt]),
      }),
    },
  };
  const panel = new StandInPanel();
  const session = new StatisticsSession(panel as never, services as never, [{ connection: 'shop', id: 1 }], () => {});
  panel.receive({ type: 'ready' });
  const untilFigures = (kind: string) =>
    eventually(() => {
      const last = (panel.posted as Posted[]).findLast(({ type }) => type === 'figures')?.figures;
      assert.equal(last?.kind, kind);
      return last;
    });
  return { services, session, panel, connection, client, changes, heats, untilFigures };
}

describe('a page of statistics', () => {
  const { executeCommand } = commands;
  before(() => {
    const open = async (_: string, { id }: { readonly id: number }) => ({ uri: Uri.file(`/${id}`) });
    commands.executeCommand = open as never;
  });
  after(() => {
    commands.executeCommand = executeCommand;
    user.reset();
    mock.timers.reset();
  });

  it('shows no figures and changes of another site once the connection has its address', async () => {
    const { connection, client, changes, untilFigures } = open();
    await untilFigures('loaded');
    client.getCampaignStatistics = async () => [{ sent: 20, open_unique: 1 }];
    connection.baseUrl = 'https://other.example';
    changes.fire({});
    await untilFigures('loading');
    const { value } = await untilFigures('loaded');
    assert.equal(
      value?.figures.some((figure) => 'change' in figure && figure.change !== undefined),
      false,
    );
    client.getCampaignStatistics = async () => {
      throw new Error('It is down.');
    };
    connection.baseUrl = 'https://third.example';
    changes.fire({});
    assert.equal((await untilFigures('failed')).value, undefined);
  });

  it('shows the clicks of a campaign in its own preview, even if another one is selected meanwhile', async () => {
    const { session, panel, client, heats, untilFigures } = open();
    await untilFigures('loaded');
    const { promise, resolve } = Promise.withResolvers<object[]>();
    client.getCampaignStatisticsLinks = () => promise;
    panel.receive({ type: 'heatMap' });
    await new Promise(setImmediate);
    session.show([{ connection: 'shop', id: 2 }]);
    resolve([{ name: 'https://shop.example/1', total_click: 1 }]);
    await untilFigures('loaded');
    for (const [path] of heats) assert.equal(path, '/1');
  });

  it('says when the clicks in the preview were read', async () => {
    const { panel, heats, untilFigures } = open();
    await untilFigures('loaded');
    const readAt = new Date(2026, 10, 20, 8);
    mock.timers.enable({ apis: ['Date'], now: readAt });
    for (const hours of [0, 2]) {
      mock.timers.setTime(readAt.getTime() + hours * 3_600_000);
      panel.receive({ type: 'heatMap' });
      await new Promise(setImmediate);
    }
    const time = formatReadTime(readAt, readAt);
    assert.deepEqual(
      heats.map(([, countedAt]) => countedAt),
      [time, time],
    );
  });

  it('is refreshed by the button of its view, also while an editor shows other statistics', async () => {
    const { services, client } = open();
    const statistics = new Statistics(services as never);
    const { webview } = new StandInPanel();
    const never = new EventEmitter().event;
    const view = { webview, visible: true, onDidChangeVisibility: never, onDidDispose: never };
    statistics.resolveView(view as never);
    await statistics.select([{ connection: 'shop', id: 1 }]);
    user.usePanel = (panel) => Object.assign(panel, { active: true });
    await statistics.openInEditor({ connection: 'shop', id: 2 });
    await new Promise(setImmediate);
    const read: number[] = [];
    client.getCampaignStatistics = async (id) => {
      read.push(id);
      return [];
    };
    assert.deepEqual(await statistics.refresh(), { connection: 'shop', id: 2 });
    assert.deepEqual(read.toSorted(), [1, 2]);
    view.visible = false;
    await statistics.refresh();
    assert.deepEqual(read.toSorted(), [1, 2, 2]);
  });
});
