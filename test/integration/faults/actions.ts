import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { createCampaignTree } from '../../../src/features/campaigns/tree.ts';
import { ExplorerTree } from '../../../src/platform/explorer/explorerTree.ts';
import { RecordNode } from '../../../src/platform/explorer/nodes.ts';
import { followUpTree } from '../../../src/features/followUps/tree.ts';
import { listTree } from '../../../src/features/lists/tree.ts';
import { templateTree } from '../../../src/features/templates/tree.ts';
import { eventually } from '../../support/eventually.ts';
import type { ActionName } from '../../support/interface.ts';
import { TestConnections } from '../explorer/source.ts';
import { type, type TestService } from '../service.ts';
import { openSession } from '../statistics/host.ts';
import type { RecordedWindow } from './window.ts';

/** Context of an action. */
export interface Stage {
  readonly service: TestService;
  /** URL of the service that the window uses. */
  readonly baseUrl: string;
  readonly window: RecordedWindow;
}

/** A prepared action that can be repeated. */
export interface Attempt {
  /** Performs the action. Returns whether the interface reports success. */
  act(): Promise<boolean>;
  /** Returns the texts of a failure, besides messages and Quick Picks. */
  readMessages?(): Promise<readonly string[]>;
  /** Throws if user input was lost. */
  assertInputKept?(): void;
  end?(): Promise<void>;
}

type Prepare = (stage: Stage) => Promise<Attempt>;

const TEST_LIST_ID = 8;
const editedText = 'typed by hand';
let counter = 0;
const uniqueName = (noun: string): string => `${noun} ${(counter += 1)}`;
const noNotifications = { sendWelcomeEmail: false, sendUnsubscribeEmail: false, trigger: false };

/** Creates an attempt that runs a command; its result determines success. */
function command(
  id: string,
  argument: object,
  isDone: (result?: object | null) => boolean = (result) => result !== undefined,
): Attempt {
  return {
    act: async () => isDone(await vscode.commands.executeCommand<object | null | undefined>(`mailing.${id}`, argument)),
  };
}

function browse(collection: string): Prepare {
  return async ({ service, baseUrl }) => {
    const connections = new TestConnections();
    const { apiKey, profile } = service.sandbox;
    const tree = new ExplorerTree(connections, [listTree, templateTree, followUpTree, createCampaignTree(() => false)]);
    const timeout = vscode.workspace.getConfiguration('mailing').get<number>('request.timeout', 30);
    connections.connect(
      'one',
      { baseUrl, apiKey, profile },
      { timeoutMs: timeout * 1000, wait: () => Promise.resolve() },
    );
    let texts: string[] = [];
    let isFirst = true;
    return {
      act: async () => {
        const [branch] = tree.branches({ connection: 'one', collection });
        assert.ok(branch);
        // Repeats by clicking the failure, otherwise by Refresh.
        const [first] = isFirst ? [] : await tree.getChildren(branch);
        if (first?.kind === 'notice') await first.parent.branch.retry();
        else if (!isFirst) tree.refresh();
        isFirst = false;
        const [node] = await tree.getChildren(branch);
        texts = [];
        if (node === undefined || node.kind === 'notice') {
          const item = node && tree.getTreeItem(node);
          texts =
            item === undefined
              ? ['nothing']
              : [
                  String(item.label),
                  typeof item.tooltip === 'string' ? item.tooltip : (item.tooltip?.value ?? ''),
                  item.command?.title ?? '',
                ];
        }
        return node instanceof RecordNode;
      },
      readMessages: () => Promise.resolve(texts),
      end: async () => {
        tree.dispose();
        await connections.end();
      },
    };
  };
}

/** Opens a document like an editor. Failed reads are discarded with the fault. */
function open(make: (stage: Stage) => Promise<string>): Prepare {
  return async (stage) => {
    const uri = stage.service.uri(await make(stage));
    let text = '';
    return {
      act: async () => {
        try {
          await vscode.workspace.openTextDocument(uri);
          return true;
        } catch (error) {
          text = error instanceof Error ? error.message : String(error);
          return false;
        }
      },
      readMessages: () => Promise.resolve([text]),
    };
  };
}

/** Edits a document; the attempt saves it. */
function save(make: (stage: Stage) => Promise<string>, edit: (text: string) => string): Prepare {
  return async (stage) => {
    const document = await vscode.workspace.openTextDocument(stage.service.uri(await make(stage)));
    await vscode.window.showTextDocument(document, { preview: false });
    const typed = edit(document.getText());
    await type(document, typed);
    return {
      act: async () => document.save(),
      // The workbench displays the error of the file system.
      readMessages: async () => {
        try {
          await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(typed));
          return ['it was stored'];
        } catch (error) {
          return [error instanceof Error ? error.message : String(error)];
        }
      },
      assertInputKept: () => assert.deepEqual([document.isDirty, document.getText()], [true, typed]),
    };
  };
}

const template = async ({ service }: Stage): Promise<number> =>
  (
    await service.other.createTemplate({
      name: uniqueName('Template'),
      subject: 'S',
      body: '<p>Body</p>',
      stylesheet: 'p {}',
    })
  ).templateId;
const campaign = async ({ service }: Stage): Promise<number> =>
  (
    await service.other.createOrUpdateCampaign({
      name: uniqueName('Campaign'),
      subject: 'S',
      body: '<p>Body</p>',
      listIds: [TEST_LIST_ID],
    })
  ).campaignId;
const followUp = async ({ service }: Stage): Promise<number> =>
  (
    await service.other.createOrUpdateFollowUp({
      name: uniqueName('Follow-up'),
      display_name: 'Shown',
      trigger: 'birthday',
    })
  ).followUpId;
/** A mail whose text is stored on this machine. */
const mail = async (stage: Stage): Promise<{ readonly followUpId: number; readonly mailId: number }> => {
  const followUpId = await followUp(stage);
  const found = await vscode.commands.executeCommand<{ readonly mailId: number } | undefined>(
    'mailing.followUp.attachMail',
    {
      connection: stage.service.connection,
      id: followUpId,
      delay: 2,
      delay_unit: 'days',
      mail: { name: 'M', subject: 'S', body: '<p>Mail</p>' },
    },
  );
  assert.ok(found);
  return { followUpId, mailId: found.mailId };
};
const json =
  (field: string) =>
  (text: string): string =>
    JSON.stringify({ ...JSON.parse(text), [field]: editedText }, null, 2);
const target = (stage: Stage, id: number): { readonly connection: string; readonly id: number } => ({
  connection: stage.service.connection,
  id,
});
const recordTarget = (stage: Stage, collection: string, id: number) => ({ ...target(stage, id), collection });
const wasSent = (result?: object | null): boolean =>
  typeof result === 'object' && result !== null && 'outcome' in result && result.outcome === 'sent';
const isCompleted = (result?: object | null): boolean =>
  typeof result === 'object' && result !== null && 'done' in result && result.done === 1;

/** Returns the address of a user who is or is not on the test list. */
async function findUser({ service }: Stage, subscribed: boolean): Promise<string> {
  const users = await service.other.getSubscribersFromLists([6], { limit: 1, offset: 10 + ((counter += 1) % 100) });
  const email = users[0]?.email ?? '';
  if (subscribed) await service.other.subscribeUsers({ emails: [email], listIds: [TEST_LIST_ID], ...noNotifications });
  return email;
}

/** Prepares each action. */
export const actions: Readonly<Record<ActionName, Prepare>> = {
  browseLists: browse('lists'),
  browseTemplates: browse('templates'),
  browseFollowUps: browse('follow-ups'),
  browseCampaigns: browse('campaigns'),
  openTemplate: open(async (stage) => `/templates/${await template(stage)}/T.html`),
  openCampaign: open(async (stage) => `/campaigns/${await campaign(stage)}/C.campaign.json`),
  openFollowUp: open(async (stage) => `/follow-ups/${await followUp(stage)}/F.follow-up.json`),
  saveBody: save(
    async (stage) => `/templates/${await template(stage)}/T.html`,
    () => `<p>${editedText}</p>`,
  ),
  saveStylesheet: save(
    async (stage) => `/templates/${await template(stage)}/T.css`,
    () => `p { content: "${editedText}" }`,
  ),
  saveDetails: save(async (stage) => `/templates/${await template(stage)}/T.template.json`, json('subject')),
  saveCampaign: save(async (stage) => `/campaigns/${await campaign(stage)}/C.campaign.json`, json('subject')),
  saveFollowUp: save(async (stage) => `/follow-ups/${await followUp(stage)}/F.follow-up.json`, json('display_name')),
  saveMail: save(
    async (stage) => {
      const { followUpId, mailId } = await mail(stage);
      return `/follow-ups/${followUpId}/mails/${mailId}.html`;
    },
    () => `<p>${editedText}</p>`,
  ),
  createTemplate: ({ service }) =>
    Promise.resolve(
      command('template.create', { connection: service.connection, name: uniqueName('New'), body: editedText }),
    ),
  duplicateTemplate: async (stage) =>
    command('record.duplicate', recordTarget(stage, 'templates', await template(stage))),
  deleteTemplate: async (stage) => command('record.delete', recordTarget(stage, 'templates', await template(stage))),
  createList: ({ service }) =>
    Promise.resolve(command('list.create', { connection: service.connection, name: uniqueName('New') })),
  deleteList: async (stage) =>
    command(
      'record.delete',
      recordTarget(stage, 'lists', (await stage.service.other.createList({ name: uniqueName('List') })).listId ?? 0),
    ),
  createCampaign: ({ service }) =>
    Promise.resolve(
      command('campaign.create', {
        connection: service.connection,
        name: uniqueName('New'),
        subject: editedText,
        listIds: [TEST_LIST_ID],
      }),
    ),
  duplicateCampaign: async (stage) =>
    command('record.duplicate', recordTarget(stage, 'campaigns', await campaign(stage))),
  deleteCampaign: async (stage) => command('record.delete', recordTarget(stage, 'campaigns', await campaign(stage))),
  createFollowUp: ({ service }) =>
    Promise.resolve(
      command('followUp.create', {
        connection: service.connection,
        name: uniqueName('New'),
        display_name: editedText,
        trigger: 'birthday',
      }),
    ),
  duplicateFollowUp: async (stage) =>
    command('record.duplicate', recordTarget(stage, 'follow-ups', await followUp(stage))),
  deleteFollowUp: async (stage) => command('record.delete', recordTarget(stage, 'follow-ups', await followUp(stage))),
  attachMail: async (stage) =>
    command('followUp.attachMail', {
      ...target(stage, await followUp(stage)),
      delay: 3,
      delay_unit: 'days',
      mail: { name: 'M', subject: 'S', body: editedText },
    }),
  deleteMail: async (stage) => {
    const { followUpId, mailId } = await mail(stage);
    return command('followUp.deleteMail', { ...target(stage, followUpId), mailId });
  },
  subscribe: async (stage) =>
    command(
      'list.subscribe',
      { ...target(stage, TEST_LIST_ID), emails: [await findUser(stage, false)], ...noNotifications },
      isCompleted,
    ),
  unsubscribe: async (stage) =>
    command(
      'list.unsubscribe',
      { ...target(stage, TEST_LIST_ID), emails: [await findUser(stage, true)], ...noNotifications },
      isCompleted,
    ),
  showSubscribers: (stage) => {
    const { service, window } = stage;
    let turn = 0;
    let texts: readonly string[] = [];
    return Promise.resolve({
      act: async () => {
        await vscode.commands.executeCommand('mailing.list.showSubscribers', target(stage, 1));
        const panel = await eventually(() => window.panels.at(-1) ?? assert.fail('no panel'));
        panel.sendMessage({ type: 'ready' });
        turn += 1;
        const from = panel.posted.length;
        panel.sendMessage({ type: 'requestPages', generation: turn, tab: 'subscribed', pages: [0] });
        const answer = await eventually(
          () => panel.posted.slice(from).find(isTableMessage) ?? assert.fail('no answer'),
        );
        texts = answer.type === 'failed' ? [answer.message] : [];
        if (answer.type === 'rows')
          assert.ok(answer.rows.length > 0 || service.received('getSubscribersFromLists') > 0);
        return answer.type === 'rows' && answer.rows.length > 0;
      },
      readMessages: () => Promise.resolve(texts),
    });
  },
  exportSubscribers: async (stage) => {
    const folder = makeScratch();
    const uri = vscode.Uri.file(join(folder, 'subscribers.csv'));
    const exported = (result?: object | null): boolean =>
      typeof result === 'object' && result !== null && 'count' in result && Number(result.count) > 0;
    return {
      ...command('list.exportSubscribers', { ...target(stage, 1), uri, status: 'subscribed' }, exported),
      end: async () => removeScratch(folder),
    };
  },
  sendTest: async (stage) =>
    command('sendTest', { ...target(stage, await campaign(stage)), collection: 'campaigns', to: 'list' }, wasSent),
  sendCampaign: async (stage) => command('campaign.send', target(stage, await campaign(stage)), wasSent),
  showStatistics: async (stage) => {
    const selection = [target(stage, await campaign(stage))];
    let texts: readonly string[] = [];
    return {
      act: async () => {
        const opened = await openSession(selection, stage.service);
        try {
          const { figures } = await opened.page.until('figures', (message) => message.figures.kind !== 'loading');
          texts = figures.kind === 'failed' ? [figures.message] : [];
          return figures.kind === 'loaded';
        } finally {
          opened.dispose();
        }
      },
      readMessages: () => Promise.resolve(texts),
    };
  },
  userSubscriptions: (stage) =>
    Promise.resolve(command('user.showSubscriptions', { ...target(stage, 4), email: 'someone@example.com' })),
  testConnection: ({ service }) =>
    Promise.resolve(
      command(
        'connection.test',
        { connection: service.connection },
        (result) => typeof result === 'object' && result !== null && 'ok' in result && result.ok === true,
      ),
    ),
  addConnection: ({ service, baseUrl }) => {
    const id = uniqueName('connection').replace(' ', '-');
    const argument = { id, name: id, baseUrl, apiKey: service.sandbox.apiKey };
    return Promise.resolve({
      ...command('connection.add', argument),
      end: async () => {
        const settings = vscode.workspace.getConfiguration('mailing');
        await settings.update(
          'connections',
          settings.get<{ id: string }[]>('connections', []).filter((other) => other.id !== id),
          vscode.ConfigurationTarget.Global,
        );
      },
    });
  },
};

type TableMessage =
  { readonly type: 'rows'; readonly rows: readonly object[] } | { readonly type: 'failed'; readonly message: string };

function isTableMessage(message: object): message is TableMessage {
  return 'type' in message && (message.type === 'rows' || message.type === 'failed');
}
