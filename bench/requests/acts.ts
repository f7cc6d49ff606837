import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../test/support/eventually.ts';
import { answering } from '../../test/integration/answers.ts';
import { type, type TestService } from '../../test/integration/service.ts';

/** A user action. */
export interface Act {
  readonly name: string;
  /** Target: the number of requests, and how many of them run one after another. */
  readonly goal: { readonly requests: number; readonly depth: number };
  /** Sets up a record and returns the measured act, from the user's action until it completes. */
  prepare(service: TestService): Promise<() => Promise<unknown>>;
}

/** The rows of the table. */
export const acts: readonly Act[] = [
  {
    name: 'open',
    goal: { requests: 1, depth: 1 },
    prepare: async (service) => {
      const target = await template(service);
      return () => run('record.open', target);
    },
  },
  {
    name: 'open, with stylesheet and details',
    goal: { requests: 1, depth: 1 },
    prepare: async (service) => {
      const target = await template(service);
      return async () => {
        for (const command of ['record.open', 'template.openStylesheet', 'template.openDetails'])
          await run(command, target);
      };
    },
  },
  {
    name: 'open with preview',
    goal: { requests: 1, depth: 1 },
    prepare: async (service) => {
      const target = await template(service);
      return async () => {
        await run('record.open', target);
        await run('preview', target);
      };
    },
  },
  {
    name: 'save',
    goal: { requests: 3, depth: 3 },
    prepare: async (service) => {
      const document = await edited(service, await template(service), '.html', '<p>Another text</p>');
      return () => saved(() => document.save(), [document]);
    },
  },
  {
    name: 'save of three documents',
    goal: { requests: 3, depth: 3 },
    prepare: async (service) => {
      const target = await template(service);
      const documents = [
        await edited(service, target, '.html', '<p>Another text</p>'),
        await edited(service, target, '.css', 'p { color: green }'),
        await edited(service, target, '.template.json', (text) => text.replace('"Hello"', '"Another subject"')),
      ];
      return () => saved(() => vscode.workspace.saveAll(), documents);
    },
  },
  {
    // Reads the campaign, its list, the subscribers of the list, and the campaign again before it sends.
    name: 'send',
    goal: { requests: 5, depth: 5 },
    prepare: async (service) => {
      const target = await campaign(service);
      return () => answering(['Send', 'Send With Errors'], () => run('campaign.send', target));
    },
  },
  {
    // Reads the list and its recipients, creates and reads back the test's campaign, reads the recipients again, and sends.
    name: 'test',
    goal: { requests: 6, depth: 5 },
    prepare: async (service) => {
      const target = await template(service);
      await vscode.workspace
        .getConfiguration('mailing')
        .update('testLists', { [service.connection]: testList }, vscode.ConfigurationTarget.Global);
      await run('record.open', target);
      return () => answering('Send Test', () => run('sendTest', { ...target, to: 'list' }));
    },
  },
  {
    // Reads the record and the figures at once, then the clicks and the recipients for the timeline.
    name: 'statistics',
    goal: { requests: 4, depth: 2 },
    prepare: async (service) => {
      const target = await campaign(service);
      await service.other.sendCampaign(target.id);
      return () => run('statistics.show', target);
    },
  },
];

/** A sample list with few addresses. */
const testList = 8;

interface Target {
  readonly connection: string;
  readonly collection: string;
  readonly id: number;
}

async function run(command: string, target: Target & { readonly to?: 'list' }): Promise<unknown> {
  const result = await vscode.commands.executeCommand(`mailing.${command}`, target);
  assert.ok(result, `mailing.${command} gave nothing.`);
  return result;
}

async function template({ other, connection }: TestService): Promise<Target> {
  const { templateId } = await other.createTemplate({
    name: 'Measured',
    subject: 'Hello',
    body: '<p>Hello</p>',
    stylesheet: 'p {}',
  });
  return { connection, collection: 'templates', id: templateId };
}

async function campaign({ other, connection }: TestService): Promise<Target> {
  const { campaignId } = await other.createOrUpdateCampaign({
    name: 'Measured',
    subject: 'Hello',
    body: '<p>Hello</p>',
    listIds: [testList],
  });
  return { connection, collection: 'campaigns', id: campaignId };
}

/** Opens a document in an editor and edits it. */
async function edited(
  service: TestService,
  { id }: Target,
  suffix: string,
  text: string | ((before: string) => string),
): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(service.uri(`/templates/${id}/Measured${suffix}`));
  await vscode.window.showTextDocument(document, { preview: false });
  await type(document, typeof text === 'string' ? text : text(document.getText()));
  await eventually(() => assert.ok(document.isDirty));
  return document;
}

async function saved(save: () => Thenable<boolean>, documents: readonly vscode.TextDocument[]): Promise<void> {
  assert.ok(await save(), 'It was not saved.');
  await eventually(() => assert.ok(documents.every(({ isDirty }) => !isDirty)));
}
