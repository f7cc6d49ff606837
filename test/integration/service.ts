import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MailingClient } from '../../src/service/client/index.ts';
import { eventually } from '../support/eventually.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../support/sandbox/index.ts';

/** A service of the test's own, connected to this window, and somebody else's client to it. */
export interface TestService {
  readonly connection: string;
  readonly sandbox: Sandbox;
  /** Another user of the same service. */
  readonly other: MailingClient;
  /** Number of requests of an operation since the last call of `forget`. */
  received(operation: string): number;
  forget(): void;
  /** The newest request of the service, by its number. */
  mark(): number;
  uri(path: string): vscode.Uri;
  end(): Promise<void>;
}

export const extensionId = 'mailing-studio.mailing-studio';

/** Path of a file of the extension under test. */
export function extensionFile(path: string): string {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) throw new Error('The extension under test is not there.');
  return vscode.Uri.joinPath(extension.extensionUri, path).fsPath;
}

let count = 0;

/**
 * Starts a service and connects the window to it, as the wizard would.
 * @param reachedAt the address that the window knows, where it is another than the service's own
 */
export async function connectService(
  options: Omit<SandboxOptions, 'assets'> = {},
  reachedAt?: (sandbox: Sandbox) => Promise<string>,
): Promise<TestService> {
  const sandbox = await startSandbox({ ...options, assets: extensionFile('media/starters') });
  count += 1;
  const connection = `test-${count}`;
  const { baseUrl, apiKey, profile } = sandbox;
  const address = (await reachedAt?.(sandbox)) ?? baseUrl;
  await vscode.commands.executeCommand('mailing.connection.add', {
    id: connection,
    name: `Test ${count}`,
    baseUrl: address,
    apiKey,
    profile,
  });
  const other = new MailingClient({ baseUrl, apiKey, profile });
  const mark = (): number => sandbox.requests.at(-1)?.number ?? 0;
  let from = mark();
  return {
    connection,
    sandbox,
    other,
    received: (operation) =>
      sandbox.requests.filter((request) => request.number > from && request.operation === operation).length,
    forget: () => {
      from = mark();
    },
    mark,
    uri: (path) => vscode.Uri.from({ scheme: 'mailing', authority: connection, path }),
    end: async () => {
      // Other files of the same window may save everything.
      sandbox.faults.clear();
      for (const document of vscode.workspace.textDocuments)
        if (document.isDirty && document.uri.authority === connection) await revert(document);
      await closeEditors();
      const settings = vscode.workspace.getConfiguration('mailing');
      const others = settings.get<{ id: string }[]>('connections', []).filter(({ id }) => id !== connection);
      await settings.update('connections', others, vscode.ConfigurationTarget.Global);
      await other.close();
      await sandbox.close();
    },
  };
}

/**
 * One service for the tests of the `describe` it is called in, without the faults of those before.
 * @param records `sample`: as new for each test; what the window keeps of a record stays, so this is for tests that edit no documents.
 *   `grown`: those of earlier tests stay, and each test makes its own
 */
export function useService(records: 'sample' | 'grown', options?: Omit<SandboxOptions, 'assets'>): () => TestService {
  let service: TestService | undefined;
  const opened = (): TestService => {
    if (service === undefined) throw new Error('The service is there while a test runs.');
    return service;
  };
  before(async () => {
    service = await connectService(options);
  });
  beforeEach(() => {
    if (records === 'sample') opened().sandbox.reset();
    opened().sandbox.faults.clear();
    opened().forget();
  });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments) if (document.isDirty) await revert(document);
    await closeEditors();
  });
  after(() => service?.end());
  return opened;
}

/** Closes all editors; asks the workbench for nothing where none is open. */
export async function closeEditors(): Promise<void> {
  if (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Replaces the whole text of a document, as typing would: the document is dirty afterwards. */
export async function type(document: vscode.TextDocument, text: string): Promise<void> {
  const isChanged = document.getText() !== text;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)),
    text,
  );
  let isSaved = false;
  const saving = vscode.workspace.onDidSaveTextDocument((saved) => {
    isSaved ||= saved === document;
  });
  try {
    if (!(await vscode.workspace.applyEdit(edit))) throw new Error('The edit was not applied.');
    // VS Code reports that the document is dirty in a message of its own, after the edit. Auto Save may be faster.
    if (isChanged) await eventually(() => assert.ok(isSaved || document.isDirty, `${document.uri.path} is not dirty.`));
  } finally {
    saving.dispose();
  }
}

/** Reverts a document, so that a test leaves nothing dirty behind. */
export async function revert(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
}
