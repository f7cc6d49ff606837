import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import '../../../support/vscodeStandIn.ts';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { ConnectionCore, type ConnectionsChange } from '../../../../src/platform/connections/core.ts';
import type { Connection } from '../../../../src/platform/connections/model.ts';
import type { AnyCollection } from '../../../../src/platform/explorer/nodes.ts';

const vscode = await import('vscode');
const { ExplorerTree } = await import('../../../../src/platform/explorer/explorerTree.ts');

const shop: Connection = { id: 'shop', name: 'Shop', baseUrl: 'https://shop.example', profile: 'documented' };

const templates: AnyCollection = {
  id: 'templates',
  label: 'Templates',
  codicon: 'file',
  pageSize: 10,
  empty: { message: 'No templates' },
  filters: [],
  fetch: async () => [{ id: 1 }],
  item: () => ({ label: 'Welcome', icon: { codicon: 'file' }, tooltip: [], contextValue: 'template' }),
};

/** One connection, whose key is read when the test says so. */
class Source extends ConnectionCore {
  readonly #changes = new vscode.EventEmitter<ConnectionsChange>();
  readonly onDidChange = this.#changes.event;
  readonly onDidAdd = new vscode.EventEmitter<string>().event;
  readonly onDidChangeProblems = new vscode.EventEmitter<never[]>().event;
  readonly problems = [];
  readonly keyReads: PromiseWithResolvers<string | undefined>[] = [];

  constructor() {
    super();
    this.setConnections([shop]);
  }

  protected override readKey = () => {
    const reading = Promise.withResolvers<string | undefined>();
    this.keyReads.push(reading);
    return reading.promise;
  };
  protected override handleChange = (change: ConnectionsChange) => this.#changes.fire(change);
  protected override openClient = async ({ baseUrl }: Connection, apiKey: () => Promise<string>) =>
    new MailingClient({ baseUrl, apiKey });
}

/** Answers the connection's nth read of its key. */
async function answerKeyRead({ keyReads }: Source, count: number, answer: () => string | undefined) {
  for (let turns = 0; turns < 1000 && keyReads.length < count; turns += 1) await nextTurn();
  const reading = keyReads[count - 1];
  assert.ok(reading, `The key is read ${count} times.`);
  reading.resolve(answer());
}

describe('ExplorerTree', () => {
  it('reads a branch again if the key is stored while the branch looks for it', async () => {
    const source = new Source();
    const tree = new ExplorerTree(source, [templates]);
    const [branch] = tree.branches();
    assert.ok(branch);
    const children = tree.getChildren(branch);
    await answerKeyRead(source, 1, () => {
      source.handleKeyChange(shop.id);
      return undefined;
    });
    await answerKeyRead(source, 2, () => 'key');
    assert.deepEqual(
      (await children).map((node) => (node.kind === 'record' ? node.item.label : node.kind)),
      ['Welcome'],
    );
    tree.dispose();
    source.dispose();
  });
});
