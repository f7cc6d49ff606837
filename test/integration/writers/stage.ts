import * as vscode from 'vscode';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { MailingClient } from '../../../src/service/client/index.ts';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { closeEditors, extensionFile, revert } from '../service.ts';
import { Screen } from './screen.ts';
import { machineFolder, TestWindow } from './window.ts';

/** A service, two windows on it, and the service's own website. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly a: TestWindow;
  readonly b: TestWindow;
  /** Writes to the service directly, without reading first. */
  readonly website: MailingClient;
  readonly screen: Screen;
  /** The newest request of the service. */
  mark(): number;
  /** Number of requests of an operation that came after a mark. */
  received(operation: string, mark: number): number;
  /** Ends all faults, closes all tabs and messages, and discards unsaved edits. */
  clear(): Promise<void>;
  end(): Promise<void>;
}

/** What the user of a window is asked after a conflict. */
export const question = (window: TestWindow): RegExp =>
  new RegExp(`changed on ${window.connection.name} after you opened it\\. Your changes are not saved yet`, 'u');

/** Turns off reads and saves that the test doesn't start: code lenses above read-only documents, and Auto Save. */
const quietSettings = { 'editor.codeLens': false } as const;
const update = async (value: (name: keyof typeof quietSettings) => false | undefined): Promise<void> => {
  for (const name of Object.keys(quietSettings) as (keyof typeof quietSettings)[])
    await vscode.workspace.getConfiguration().update(name, value(name), vscode.ConfigurationTarget.Global);
};
const quiet = { set: () => update((name) => quietSettings[name]), unset: () => update(() => undefined) };

let count = 0;

export async function openStage(options: { readonly timeoutMs?: number } = {}): Promise<Stage> {
  const sandbox = await startSandbox({ assets: extensionFile('media/starters'), templates: 3, subscribers: 20 });
  const machine = machineFolder();
  count += 1;
  const [a, b] = ['a', 'b'].map((name) => new TestWindow(`${name}${count}`, sandbox, machine.path, options.timeoutMs));
  if (a === undefined || b === undefined) throw new Error('There are two windows.');
  const website = new MailingClient(sandbox);
  const screen = new Screen();
  await quiet.set();
  const clear = async (): Promise<void> => {
    sandbox.faults.clear();
    for (const message of [...screen.messages]) message.answer();
    for (const { documents } of [a, b])
      for (const document of documents) if (isUnsaved(document)) await revert(document);
    await closeEditors();
  };
  return {
    sandbox,
    a,
    b,
    website,
    screen,
    mark: () => sandbox.requests.at(-1)?.number ?? 0,
    received: (operation, mark) =>
      sandbox.requests.filter((request) => request.number > mark && request.operation === operation).length,
    clear,
    end: async () => {
      await clear();
      screen.end();
      await a.end();
      await b.end();
      await website.close();
      await sandbox.close();
      await machine.end();
      await quiet.unset();
    },
  };
}

/** One stage for the tests of the `describe` it is called in, cleared after each. It is there while they run. */
export function useStage(): () => Stage {
  let stage: Stage | undefined;
  const opened = (): Stage => {
    if (stage === undefined) throw new Error('The stage is there while a test runs.');
    return stage;
  };
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.end());
  afterEach(() => opened().clear());
  return opened;
}
