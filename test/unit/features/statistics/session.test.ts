import assert from 'node:assert/strict';
import { eventually } from '../../../support/eventually.ts';
import { commands, EventEmitter, StandInPanel, Uri } from '../../../support/vscodeStandIn.ts';

const { StatisticsSession } = await import('../../../../src/features/statistics/session.ts');

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
    getCampaignStatistics: async (): Promise<object[]> => [{ sent: 100, open_unique: 10 }],
    getCampaignStatisticsClicks: async () => [],
    getCampaignStatisticsLinks: async (id: number): Promise<object[]> => [
      { name: `https://shop.example/${id}`, total_click: id },
    ],
    getCampaignStatisticsDetailed: async () => [],
  };
  const heats: [path: string, links: readonly { address: string }[]][] = [];
  const services = {
    connections: {
      all: [connection],
      get: () => connection,
      getService: () => connection,
      run: async (_: object, read: (of: typeof client) => Promise<unknown>) => read(client),
      onDidChange: changes.event,
    },
    context: { extensionUri: Uri.file('/') },
    previews: {
      find: ({ path }: Uri) => ({
        showHeat: ({ links }: { links: readonly { address: string }[] }) => heats.push([path, links]),
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
  return { session, panel, connection, client, changes, heats, untilFigures };
}

describe('a page of statistics', () => {
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
    const { executeCommand } = commands;
    commands.executeCommand = (async (_: string, target: { id: number }) => ({
      uri: Uri.file(`/${target.id}`),
    })) as never;
    try {
      panel.receive({ type: 'heatMap' });
      await new Promise(setImmediate);
      session.show([{ connection: 'shop', id: 2 }]);
      resolve([{ name: 'https://shop.example/1', total_click: 1 }]);
      await untilFigures('loaded');
      for (const [path] of heats) assert.equal(path, '/1');
    } finally {
      commands.executeCommand = executeCommand;
    }
  });
});
