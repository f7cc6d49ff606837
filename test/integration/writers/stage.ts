import * as vscode from 'vscode';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { MailingClient } from '../../../src/service/client/index.ts';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { closeEditors, extensionFile, revert, type } from '../service.ts';
import { idOf, type Target, type Written } from './records.ts';
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

/** The value of a new record. */
export const first = '<p>00000</p>';

/** A value of a record, and the document in which a window shows it. */
export interface Opened {
  readonly folder: string;
  readonly id: number;
  readonly target: Target;
  readonly document: vscode.TextDocument;
  /** Whether the document has edits, and the value in it. */
  shown(): readonly [isUnsaved: boolean, value: string];
  type(value: string): Promise<void>;
  /** What the service holds. */
  held(): Promise<string>;
  websiteWrites(value: string): Promise<object | void>;
}

/** Opens a value of a new record in the first window, or of the record in `folder`. */
export async function openValue(
  { a, website }: Stage,
  record: Written,
  {
    target = record.same,
    window = a,
    folder,
  }: Readonly<{ target?: Target; window?: TestWindow; folder?: string }> = {},
): Promise<Opened> {
  const path = folder ?? (await record.make(website, first));
  const document = await window.open(`${path}/${target.file}`);
  const id = idOf(path);
  return {
    folder: path,
    id,
    target,
    document,
    shown: () => [isUnsaved(document), target.find(document.getText())],
    type: (value) => type(document, target.edit(document.getText(), value)),
    held: () => target.read(website, id),
    websiteWrites: (value) => target.write(website, id, value),
  };
}

/** Code lenses above read-only documents read records. */
const setCodeLenses = (value: false | undefined) =>
  vscode.workspace.getConfiguration().update('editor.codeLens', value, vscode.ConfigurationTarget.Global);

let count = 0;

export async function openStage(options: { readonly timeoutMs?: number } = {}): Promise<Stage> {
  const sandbox = await startSandbox({ assets: extensionFile('media/starters'), templates: 3, subscribers: 20 });
  const machine = machineFolder();
  count += 1;
  const [a, b] = ['a', 'b'].map((name) => new TestWindow(`${name}${count}`, sandbox, machine.path, options.timeoutMs));
  if (a === undefined || b === undefined) throw new Error('There are two windows.');
  const website = new MailingClient(sandbox);
  const screen = new Screen();
  await setCodeLenses(false);
  const clear = async () => {
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
      await setCodeLenses(undefined);
    },
  };
}

/** One stage for the tests of the `describe` it is called in, cleared after each. It is there while they run. */
export function useStage(): () => Stage {
  let stage: Stage | undefined;
  const opened = () => {
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
