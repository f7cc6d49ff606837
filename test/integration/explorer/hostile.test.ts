import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createCampaignTree } from '../../../src/features/campaigns/tree.ts';
import { ExplorerTree } from '../../../src/platform/explorer/explorerTree.ts';
import { RecordNode, type CollectionNode } from '../../../src/platform/explorer/nodes.ts';
import { followUpTree } from '../../../src/features/followUps/tree.ts';
import { listTree } from '../../../src/features/lists/tree.ts';
import { templateTree } from '../../../src/features/templates/tree.ts';
import { toSingleLine } from '../../../src/service/text.ts';
import { openRewritingProxy, type RewritingProxy } from '../../support/rewritingProxy.ts';
import { hostileLists, hostileService } from '../../support/hostile/service.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { extensionFile } from '../service.ts';
import { TestConnections } from './source.ts';

/** Forbidden in labels: control characters, line breaks, bidirectional marks, lone surrogates. */
const FORBIDDEN_CHARACTERS = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

describe('The tree of a hostile service', () => {
  let sandbox: Sandbox;
  let front: RewritingProxy;
  let connections: TestConnections;
  let tree: ExplorerTree;

  before(async () => {
    sandbox = await startSandbox({ assets: extensionFile('media/starters'), templates: 140 });
    front = await openRewritingProxy(sandbox.baseUrl, hostileService);
  });
  after(async () => {
    await front.close();
    await sandbox.close();
  });
  beforeEach(() => {
    connections = new TestConnections();
    connections.connect('hostile', { ...sandbox, baseUrl: front.baseUrl });
    tree = new ExplorerTree(connections, [listTree, templateTree, followUpTree, createCampaignTree(() => false)]);
  });
  afterEach(async () => {
    tree.dispose();
    await connections.end();
  });

  async function getRecordNodes(collection: string) {
    const [node] = tree.branches({ connection: 'hostile', collection }) as readonly CollectionNode[];
    assert.ok(node);
    for (let pages = 1; ; pages += 1) {
      const children = await tree.getChildren(node);
      const tail = children.at(-1);
      if (tail?.kind !== 'notice' || node.branch.isComplete)
        return children.filter((child) => child instanceof RecordNode);
      assert.ok(pages < 20, String(tree.getTreeItem(tail).label));
      await tail.parent.branch.loadMore();
    }
  }

  it('shows list names as text', async () => {
    const rows = await getRecordNodes('lists');
    const names = hostileLists.map(({ id, name }) => toSingleLine(String(name)).trim() || `List ${String(id)}`);
    assert.deepEqual(
      rows.map((row) => String(tree.getTreeItem(row).label).trim()),
      names,
    );
  });

  for (const collection of ['lists', 'templates', 'follow-ups', 'campaigns']) {
    it(`disables links, commands and bidirectional text in rows and tooltips: ${collection}`, async () => {
      const rows = await getRecordNodes(collection);
      assert.ok(rows.length > 2);
      for (const row of rows) {
        const { label, description, contextValue, accessibilityInformation, tooltip } = tree.getTreeItem(row);
        for (const text of [label, description, accessibilityInformation?.label])
          assert.doesNotMatch(String(text ?? ''), FORBIDDEN_CHARACTERS);
        assert.match(contextValue ?? '', /^mailing\.[a-zA-Z.]+$/u);
        assert.ok(tooltip instanceof vscode.MarkdownString);
        assert.deepEqual([tooltip.isTrusted, tooltip.supportHtml, tooltip.supportThemeIcons], [false, false, false]);
        // Besides character references, the tooltip contains only the extension's own markup.
        assert.doesNotMatch(
          tooltip.value.replace(/^\*\*(.*?)\*\*: /gmu, '$1').replace(/&#\d+;/gu, ''),
          /[!-/:-@[-`{-~]/u,
        );
      }
    });
  }
});
