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
const uniqueName = (noun: string) => `${noun} ${(counter += 1)}`;
const noNotifications = { sendWelcomeEmail: false, sendUnsubscribeEmail: false, trigger: false };

type Result = Readonly<Record<string, unknown>> | null | undefined;

/** Runs a command; its result determines success. */
function command(
  id: string,
  makeArgument: (stage: Stage) => object | Promise<object>,
  isDone: (result: Result) => boolean = (result) => result !== undefined,
): Prepare {
  return async (stage) => {
    const argument = await makeArgument(stage);
    return { act: async () => isDone(await vscode.commands.executeCommand<Result>(`mailing.${id}`, argument)) };
  };
}

/** Runs a command on a new record. */
const onRecord = (id: string, collection: string, make: (stage: Stage) => Promise<number>): Prepare =>
  command(`record.${id}`, async (stage) => ({ ...target(stage, await make(stage)), collection }));

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
        if (node?.kind === 'notice') {
          const { label, tooltip, command } = tree.getTreeItem(node);
          texts = [String(label), typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? ''), command?.title ?? ''];
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

const template = async ({ service }: Stage) => {
  const fields = { name: uniqueName('Template'), subject: 'S', body: '<p>Body</p>', stylesheet: 'p {}' };
  return (await service.other.createTemplate(fields)).templateId;
};
const campaign = async ({ service }: Stage) => {
  const fields = { name: uniqueName('Campaign'), subject: 'S', body: '<p>Body</p>', listIds: [TEST_LIST_ID] };
  return (await service.other.createOrUpdateCampaign(fields)).campaignId;
};
const followUp = async ({ service }: Stage) => {
  const fields = { name: uniqueName('Follow-up'), display_name: 'Shown', trigger: 'birthday' } as const;
  return (await service.other.createOrUpdateFollowUp(fields)).followUpId;
};
/** A mail whose text is stored on this computer. */
const mail = async (stage: Stage) => {
  const id = await followUp(stage);
  const found = await vscode.commands.executeCommand<{ readonly mailId: number } | undefined>(
    'mailing.followUp.attachMail',
    { ...target(stage, id), delay: 2, delay_unit: 'days', mail: { name: 'M', subject: 'S', body: '<p>Mail</p>' } },
  );
  assert.ok(found);
  return { id, mailId: found.mailId };
};
const json = (field: string) => (text: string) => JSON.stringify({ ...JSON.parse(text), [field]: editedText }, null, 2);
const target = (stage: Stage, id: number) => ({ connection: stage.service.connection, id });
const wasSent = (result: Result) => result?.['outcome'] === 'sent';
const isCompleted = (result: Result) => result?.['done'] === 1;

/** Returns the address of a user who is or is not on the test list. */
async function findUser({ service }: Stage, subscribed: boolean) {
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
      const { id, mailId } = await mail(stage);
      return `/follow-ups/${id}/mails/${mailId}.html`;
    },
    () => `<p>${editedText}</p>`,
  ),
  createTemplate: command('template.create', ({ service: { connection } }) => ({
    connection,
    name: uniqueName('New'),
    body: editedText,
  })),
  duplicateTemplate: onRecord('duplicate', 'templates', template),
  deleteTemplate: onRecord('delete', 'templates', template),
  createList: command('list.create', ({ service: { connection } }) => ({ connection, name: uniqueName('New') })),
  deleteList: onRecord(
    'delete',
    'lists',
    async ({ service }) => (await service.other.createList({ name: uniqueName('List') })).listId ?? 0,
  ),
  createCampaign: command('campaign.create', ({ service: { connection } }) => ({
    connection,
    name: uniqueName('New'),
    subject: editedText,
    listIds: [TEST_LIST_ID],
  })),
  duplicateCampaign: onRecord('duplicate', 'campaigns', campaign),
  deleteCampaign: onRecord('delete', 'campaigns', campaign),
  createFollowUp: command('followUp.create', ({ service: { connection } }) => ({
    connection,
    name: uniqueName('New'),
    display_name: editedText,
    trigger: 'birthday',
  })),
  duplicateFollowUp: onRecord('duplicate', 'follow-ups', followUp),
  deleteFollowUp: onRecord('delete', 'follow-ups', followUp),
  attachMail: command('followUp.attachMail', async (stage) => ({
    ...target(stage, await followUp(stage)),
    delay: 3,
    delay_unit: 'days',
    mail: { name: 'M', subject: 'S', body: editedText },
  })),
  deleteMail: command('followUp.deleteMail', async (stage) => ({ ...target(stage, 0), ...(await mail(stage)) })),
  subscribe: command(
    'list.subscribe',
    async (stage) => ({
      ...target(stage, TEST_LIST_ID),
      emails: [await findUser(stage, false)],
      ...noNotifications,
    }),
    isCompleted,
  ),
  unsubscribe: command(
    'list.unsubscribe',
    async (stage) => ({ ...target(stage, TEST_LIST_ID), emails: [await findUser(stage, true)], ...noNotifications }),
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
        panel.sendMessage({ type: 'rows', requestId: turn, tab: 'subscribed', page: 0 });
        const answer = await eventually(
          () => panel.posted.slice(from).find(isTableResponse) ?? assert.fail('no answer'),
        );
        texts = answer.error === undefined ? [] : [answer.error];
        const { rows = [] } = answer.result ?? {};
        if (answer.result) assert.ok(rows.length > 0 || service.received('getSubscribersFromLists') > 0);
        return rows.length > 0;
      },
      readMessages: () => Promise.resolve(texts),
    });
  },
  exportSubscribers: async (stage) => {
    const folder = makeScratch();
    const uri = vscode.Uri.file(join(folder, 'subscribers.csv'));
    const prepare = command(
      'list.exportSubscribers',
      () => ({ ...target(stage, 1), uri, status: 'subscribed' }),
      (result) => Number(result?.['count']) > 0,
    );
    return { ...(await prepare(stage)), end: async () => removeScratch(folder) };
  },
  sendTest: command(
    'sendTest',
    async (stage) => ({ ...target(stage, await campaign(stage)), collection: 'campaigns', to: 'list' }),
    wasSent,
  ),
  sendCampaign: command('campaign.send', async (stage) => target(stage, await campaign(stage)), wasSent),
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
  userSubscriptions: command('user.showSubscriptions', (stage) => ({
    ...target(stage, 4),
    email: 'someone@example.com',
  })),
  testConnection: command(
    'connection.test',
    ({ service: { connection } }) => ({ connection }),
    (result) => result?.['ok'] === true,
  ),
  addConnection: async (stage) => {
    const id = uniqueName('connection').replace(' ', '-');
    const { service, baseUrl } = stage;
    const argument = { id, name: id, baseUrl, apiKey: service.sandbox.apiKey };
    return {
      ...(await command('connection.add', () => argument)(stage)),
      end: async () => {
        const settings = vscode.workspace.getConfiguration('mailing');
        const others = settings.get<{ id: string }[]>('connections', []).filter((other) => other.id !== id);
        await settings.update('connections', others, vscode.ConfigurationTarget.Global);
      },
    };
  },
};

interface TableResponse {
  readonly result?: { readonly rows: readonly object[] };
  readonly error?: string;
}

function isTableResponse(message: object): message is TableResponse {
  return 'type' in message && message.type === 'response';
}
