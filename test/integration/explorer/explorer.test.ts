import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createCampaignTree } from '../../../src/features/campaigns/tree.ts';
import { ExplorerTree } from '../../../src/platform/explorer/explorerTree.ts';
import { RecordNode, setDragData, type Node } from '../../../src/platform/explorer/nodes.ts';
import { followUpTree } from '../../../src/features/followUps/tree.ts';
import { listTree } from '../../../src/features/lists/tree.ts';
import type { Sandbox } from '../../support/sandbox/index.ts';
import { templateTree } from '../../../src/features/templates/tree.ts';
import { eventually } from '../../support/eventually.ts';
import { WireServer, json } from '../../support/wire.ts';
import { connectService, type TestService } from '../service.ts';
import { TestConnections } from './source.ts';

function requests(sandbox: Sandbox, operation: string) {
  return sandbox.requests.filter((request) => request.operation === operation).length;
}

describe('the explorer tree', () => {
  let connections: TestConnections;
  let tree: ExplorerTree;

  const branch = (connection: string, collection: string) => {
    const [node] = tree.branches({ connection, collection });
    assert.ok(node);
    return node;
  };
  /** Returns the texts of nodes as shown in the tree. */
  const shown = (...nodes: readonly Node[]) =>
    nodes.map((node) => {
      const { label, description } = tree.getTreeItem(node);
      return description ? `${String(label)} | ${String(description)}` : String(label);
    });
  const watchChanges = () => {
    const changed: (Node | readonly Node[] | undefined)[] = [];
    tree.onDidChangeTreeData((node) => changed.push(node));
    return changed;
  };

  beforeEach(async () => {
    connections = new TestConnections();
    tree = new ExplorerTree(connections, [listTree, templateTree, followUpTree, createCampaignTree(() => false)]);
  });

  afterEach(async () => {
    tree.dispose();
    await connections.end();
  });

  it('shows connections, collections and records, and reads nothing before a collection is expanded', async () => {
    const sandbox = await connections.start('one');
    const [connection] = await tree.getChildren();
    assert.ok(connection);
    assert.deepEqual(shown(...(await tree.getChildren(connection))), ['Lists', 'Templates', 'Follow-ups', 'Campaigns']);
    assert.equal(sandbox.requests.length, 0);
    for (const collection of await tree.getChildren(connection)) {
      const records = await tree.getChildren(collection);
      assert.ok(records.length > 2);
      for (const record of records) {
        assert.ok(record instanceof RecordNode);
        assert.equal(record.connection, 'one');
        const { label, iconPath, contextValue, accessibilityInformation } = tree.getTreeItem(record);
        assert.ok(label && iconPath && contextValue?.startsWith('mailing.') && accessibilityInformation?.label);
        assert.equal(tree.getParent(record), collection);
      }
    }
    assert.equal(tree.getTreeItem(connection).contextValue, 'mailing.connection.connected');
  });

  it('gives every node a unique id that survives a refresh', async () => {
    await connections.start('one');
    const ids = async () => {
      const nodes: Node[] = await tree.getChildren();
      for (const node of nodes) nodes.push(...(await tree.getChildren(node)));
      return nodes.map((node) => tree.getTreeItem(node).id);
    };
    const before = await ids();
    tree.refresh();
    assert.deepEqual(await ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  it('opens 5,000 templates with one request, loads more on request, and shows why that failed', async () => {
    const sandbox = await connections.start('one', { templates: 5000 });
    const templates = branch('one', 'templates');
    const [first, again] = await Promise.all([tree.getChildren(templates), tree.getChildren(templates)]);
    assert.deepEqual([requests(sandbox, 'getTemplates'), first.length, again.length], [1, 21, 21]);
    const tail = first.at(-1);
    assert.ok(tail?.kind === 'notice');
    assert.equal(tree.getTreeItem(tail).command?.command, 'mailing.explorer.loadMore');
    assert.equal(tree.getTreeItem(templates).description, '20+');
    const fault = sandbox.faults.add({ kind: 'html' });
    await tail.parent.branch.loadMore();
    assert.deepEqual(await tree.getChildren(templates), first, 'the same nodes, so that the focus stays on them');
    assert.match(shown(tail)[0] ?? '', /^Couldn't load more: /);
    fault.remove();
    const loading = tail.parent.branch.retry();
    assert.deepEqual(shown(tail), ['Loading more…']);
    await loading;
    const second = await tree.getChildren(templates);
    assert.deepEqual([second.length, second.at(-1)], [41, tail]);
    assert.deepEqual(second.slice(0, 20), first.slice(0, 20));
  });

  for (const [fault, label] of [
    [{ kind: 'status', status: 500, message: 'Error getting [the](command:evil) collection' }, /Error getting/],
    [{ kind: 'resetBeforeRead' }, /Can't reach the service/],
  ] as const) {
    it(`shows why a collection could not be read, and retries on request: ${fault.kind}`, async () => {
      const sandbox = await connections.start('one');
      sandbox.faults.add(fault);
      const templates = branch('one', 'templates');
      const [failure, ...others] = await tree.getChildren(templates);
      assert.ok(failure?.kind === 'notice');
      assert.deepEqual(others, []);
      const item = tree.getTreeItem(failure);
      assert.match(String(item.label), label);
      assert.deepEqual([item.command?.command, item.contextValue], ['mailing.explorer.retry', 'mailing.error']);
      sandbox.faults.clear();
      await failure.parent.branch.retry();
      assert.ok((await tree.getChildren(templates))[0] instanceof RecordNode);
    });
  }

  it('reloads expanded collections when a connection recovers', async () => {
    await connections.start('one');
    connections.setState('one', { kind: 'keyMissing' });
    const [root] = tree.roots;
    assert.ok(root);
    assert.equal(tree.getTreeItem(root).contextValue, 'mailing.connection.keyMissing');
    const lists = branch('one', 'lists');
    const [failure] = await tree.getChildren(lists);
    assert.ok(failure?.kind === 'notice');
    assert.equal(tree.getTreeItem(failure).contextValue, 'mailing.error.key');
    const changed = watchChanges();
    connections.setState('one', { kind: 'unknown' });
    await eventually(() => assert.deepEqual(changed, [root]));
    assert.ok((await tree.getChildren(lists))[0] instanceof RecordNode);
  });

  it('updates only changed rows, once', async () => {
    await connections.start('one');
    await connections.start('two');
    const [root, other] = await tree.getChildren();
    assert.ok(root && other);
    const [templates, lists] = [branch('one', 'templates'), branch('one', 'lists')];
    // Like VS Code, requests the items of visible rows after an event.
    const changed: Node[] = [];
    const draw = () => [root, templates, lists].forEach((node) => void tree.getTreeItem(node));
    draw();
    tree.onDidChangeTreeData((nodes) => {
      assert.ok(nodes);
      changed.push(...[nodes].flat());
      draw();
    });
    const takeChanged = async () => {
      await eventually(() =>
        assert.ok([templates, lists].every(({ branch: { wasOpened, isComplete } }) => !wasOpened || isComplete)),
      );
      // Changes wait until VS Code has rendered its rows, so this one arrives last.
      connections.setState('two', { kind: connections.state('two').kind === 'unknown' ? 'keyMissing' : 'unknown' });
      await eventually(() => assert.ok(changed.includes(other)));
      return changed.splice(0).filter((node) => node !== other);
    };
    const [row] = await tree.getChildren(templates);
    assert.ok(row instanceof RecordNode);
    assert.ok(!changed.includes(root), 'drawn anew before VS Code has the rows, they would be lost');
    assert.deepEqual((await takeChanged())[0], root, 'connected, and the branch has a count');
    await tree.getChildren(lists);
    assert.ok(!(await takeChanged()).includes(root));
    connections.setState('one', connections.state('one'));
    const record = (await connections.run(connections.getService('one'), (client) => client.getTemplates())).find(
      ({ id }) => id === row.id,
    );
    assert.ok(record);
    tree.updateRecord({ connection: 'one', collection: 'templates' }, record);
    assert.deepEqual(await takeChanged(), []);
    tree.updateRecord({ connection: 'one', collection: 'templates' }, Object.assign({}, record, { name: 'Another' }));
    assert.deepEqual(await takeChanged(), [row]);
    assert.equal(tree.getTreeItem(row).label, 'Another');
    tree.refresh({ connection: 'one', collection: 'templates' });
    assert.equal((await tree.getChildren(templates))[0], row, 'VS Code knows a row by its node');
  });

  it('defers change events until VS Code has rendered its rows, so that commands keep their argument', async () => {
    await connections.start('one');
    const templates = branch('one', 'templates');
    const [record] = await connections.run(connections.getService('one'), (client) => client.getTemplates());
    await tree.getChildren(templates);
    await eventually(() => assert.ok(templates.branch.isComplete));
    const changed = watchChanges();
    await tree.getChildren(templates);
    tree.updateRecord({ connection: 'one', collection: 'templates' }, Object.assign({}, record, { name: 'Another' }));
    assert.deepEqual(changed, []);
    await eventually(() => assert.ok(changed.length > 0));
  });

  it('filters on the service, shows the filter, and clears it', async () => {
    await connections.start('one');
    const templates = branch('one', 'templates');
    const all = await tree.getChildren(templates);
    assert.deepEqual(tree.setFilter(templates, { templateType: 'drag', search: ' ' }), { templateType: 'drag' });
    const filtered = await tree.getChildren(templates);
    assert.ok(filtered.length > 0 && filtered.length < all.length);
    assert.ok(filtered.every((node) => tree.getTreeItem(node).contextValue === 'mailing.template.drag'));
    assert.match(String(tree.getTreeItem(templates).description), /filtered: Type is Drag and drop/);
    assert.equal(tree.getTreeItem(templates).contextValue, 'mailing.collection.templates.filtered');
    tree.refresh();
    assert.equal((await tree.getChildren(templates)).length, filtered.length);
    tree.setFilter(templates, { search: 'no such text' });
    const [empty] = await tree.getChildren(templates);
    assert.ok(empty?.kind === 'notice');
    assert.equal(tree.getTreeItem(empty).command?.command, 'mailing.explorer.clearFilter');
    assert.deepEqual(shown(empty), ['Nothing matches the filter | Clear Filter']);
    tree.setFilter(templates, {});
    assert.equal((await tree.getChildren(templates)).length, all.length);
  });

  it('groups campaigns by state if enabled', async () => {
    await connections.start('one');
    const settings = vscode.workspace.getConfiguration('mailing.explorer');
    const campaigns = branch('one', 'campaigns');
    const flat = await tree.getChildren(campaigns);
    await settings.update('groupCampaigns', true, vscode.ConfigurationTarget.Global);
    try {
      const groups = (await tree.getChildren(campaigns)).filter(({ kind }) => kind === 'group');
      assert.deepEqual(
        groups.map((group) => tree.getTreeItem(group).label),
        ['Draft', 'Scheduled', 'Automatic', 'Sent'],
      );
      const records = (await Promise.all(groups.map((group) => tree.getChildren(group)))).flat();
      assert.deepEqual(new Set(records), new Set(flat.filter((node) => node instanceof RecordNode)));
      const [first] = records;
      assert.ok(first);
      assert.equal(tree.getParent(first), groups[0]);
    } finally {
      await settings.update('groupCampaigns', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.deepEqual(await tree.getChildren(campaigns), flat);
  });

  it('filters campaigns by every state', async () => {
    await connections.start('one');
    const campaigns = branch('one', 'campaigns');
    for (const state of ['draft', 'scheduled', 'auto', 'sent']) {
      tree.setFilter(campaigns, { state });
      const nodes = await tree.getChildren(campaigns);
      const contexts = nodes
        .filter((node) => node instanceof RecordNode)
        .map((node) => tree.getTreeItem(node).contextValue);
      assert.deepEqual([...new Set(contexts)], [`mailing.campaign.${state}`]);
    }
  });

  it('suggests the next step for an empty collection', async () => {
    await connections.start('one', { templates: 0 });
    const [empty] = await tree.getChildren(branch('one', 'templates'));
    assert.ok(empty?.kind === 'notice');
    const { command } = tree.getTreeItem(empty);
    assert.equal(command?.command, 'mailing.template.create');
    assert.deepEqual(command.arguments, [branch('one', 'templates')]);
  });

  it('refreshes one branch, a connection or everything, but only expanded nodes', async () => {
    const one = await connections.start('one');
    const two = await connections.start('two');
    const expanded = [branch('one', 'templates'), branch('one', 'lists'), branch('two', 'templates')];
    const reload = async () => void (await Promise.all(expanded.map((node) => tree.getChildren(node))));
    await reload();
    const wasRead = () => [requests(one, 'getTemplates'), requests(one, 'getLists'), requests(two, 'getTemplates')];
    for (const [target, expected] of [
      [{ connection: 'one', collection: 'templates' }, [1, 0, 0]],
      [{ connection: 'one' }, [1, 1, 0]],
      [{}, [1, 1, 1]],
    ] as const) {
      await eventually(() => assert.ok(expanded.every((node) => node.branch.isComplete)));
      for (const sandbox of [one, two]) sandbox.reset();
      tree.refresh(target);
      await reload();
      assert.deepEqual(wasRead().map(Math.sign), expected);
    }
    assert.equal(requests(one, 'getCampaigns'), 0);
  });

  it('shows all records of a collection even if one is invalid', async () => {
    const rows = [
      ['Spring', ''],
      ['Odd', { 'X-A': 1 }],
      ['Autumn', ''],
    ];
    const records = rows.map(([name, headers], index) => ({ id: index + 1, name, subject: 'S', headers }));
    const server = await WireServer.start(({ target }) => json(200, target.includes('offset=0') ? records : []));
    try {
      connections.connect('one', { baseUrl: server.url, apiKey: 'key', profile: 'documented' });
      const nodes = (await tree.getChildren(branch('one', 'templates'))).filter((node) => node instanceof RecordNode);
      assert.deepEqual(shown(...nodes), ['Spring | S', 'Odd | S · partly unreadable', 'Autumn | S']);
      const { tooltip } = tree.getTreeItem(nodes[1] ?? assert.fail());
      assert.match(
        tooltip instanceof vscode.MarkdownString ? tooltip.value : '',
        /Fields in an undocumented format&#58; headers/u,
      );
      assert.equal(connections.state('one').kind, 'connected');
    } finally {
      await server.close();
    }
  });

  it('shows invalid settings entries, and keeps the others', async () => {
    await connections.start('one');
    connections.report([{ entry: 'entry 2', message: 'The address is missing.' }]);
    const [problem, root] = await tree.getChildren();
    assert.ok(problem?.kind === 'problem' && root?.kind === 'connection');
    assert.deepEqual(shown(problem), ['entry 2: The address is missing. | Open Settings']);
  });

  it('discards the records of a connection whose address changed', async () => {
    await connections.start('one');
    const lists = branch('one', 'lists');
    await tree.getChildren(lists);
    assert.equal(lists.branch.wasOpened, true);
    connections.define(connections.all.map((connection) => ({ ...connection, name: 'Other' })));
    assert.equal(lists.branch.wasOpened, true);
    connections.define(connections.all.map((connection) => ({ ...connection, baseUrl: 'http://127.0.0.1:9' })));
    assert.equal(branch('one', 'lists'), lists);
    assert.equal(lists.branch.wasOpened, false);
    connections.define([]);
    assert.deepEqual(await tree.getChildren(), []);
  });

  it('allows dragging templates only', async () => {
    await connections.start('one');
    const [template] = await tree.getChildren(branch('one', 'templates'));
    const [list] = await tree.getChildren(branch('one', 'lists'));
    assert.ok(template instanceof RecordNode && list);
    const drag = (node: Node) => {
      const data = new vscode.DataTransfer();
      setDragData([node], data);
      return data.get('text/uri-list')?.asString();
    };
    assert.match((await drag(template)) ?? '', new RegExp(`^mailing://one/templates/${template.id}/.+\\.html$`));
    assert.equal(await drag(list), undefined);
  });
});

describe('the explorer view', () => {
  let service: TestService;

  before(async () => {
    service = await connectService();
  });
  after(() => service.end());

  it('reads a collection only when a command needs it', async () => {
    await vscode.commands.executeCommand('mailing.explorer.focus');
    assert.equal(service.received('getCampaigns'), 0);
    const target = { connection: service.connection, collection: 'campaigns' };
    // VS Code reports that the view is visible shortly after its command ended. Until then, filtering expands no
    // branch.
    await eventually(async () => {
      const filter = await vscode.commands.executeCommand('mailing.explorer.filter', target, { name: 'a' });
      assert.deepEqual(filter, { name: 'a' });
      assert.ok(service.received('getCampaigns') > 0, 'the branch opened');
    });
    assert.deepEqual(await vscode.commands.executeCommand('mailing.explorer.clearFilter', target), {});
    assert.equal(await vscode.commands.executeCommand('mailing.explorer.refresh', target), undefined);
  });

  it('copies the id of a record', async () => {
    assert.equal(
      await vscode.commands.executeCommand('mailing.explorer.copyId', { connection: service.connection, id: 4711 }),
      4711,
    );
    assert.equal(await vscode.env.clipboard.readText(), '4711');
  });
});
