import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MailingClient } from '../../src/service/client/index.ts';
import { eventually } from '../support/eventually.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../support/sandbox/index.ts';

/** A service for tests, connected to this window. */
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

/** Returns the path of a file in the extension. */
export function extensionFile(path: string): string {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) throw new Error('The extension under test is not installed.');
  return vscode.Uri.joinPath(extension.extensionUri, path).fsPath;
}

let count = 0;

/**
 * Starts a service and connects the window to it.
 * @param reachedAt returns the address to connect to, if it differs from the service's own
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
  const mark = () => sandbox.requests.at(-1)?.number ?? 0;
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
      // Later test files in this window may save all documents.
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
 * Starts a service for the tests of a `describe`, and clears its faults before each test.
 * @param records `sample`: reset before each test. The window caches records, so this is for tests that edit no documents. `grown`: records
 * of earlier tests stay, and each test creates its own
 */
export function useService(records: 'sample' | 'grown', options?: Omit<SandboxOptions, 'assets'>): () => TestService {
  let service: TestService | undefined;
  const getService = () => {
    if (service === undefined) throw new Error('The service exists only during tests.');
    return service;
  };
  before(async () => {
    service = await connectService(options);
  });
  beforeEach(() => {
    if (records === 'sample') getService().sandbox.reset();
    getService().sandbox.faults.clear();
    getService().forget();
  });
  afterEach(async () => {
    await revertAll();
    await closeEditors();
  });
  after(() => service?.end());
  return getService;
}

/** Discards the changes of all documents, but not those of the user settings, which VS Code changes and saves as a document. */
export async function revertAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments)
    if (document.isDirty && !document.uri.path.endsWith('/User/settings.json')) await revert(document);
}

/** Closes all editors. */
export async function closeEditors(): Promise<void> {
  if (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Replaces the text of a document and waits until it is dirty. */
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
    // VS Code reports the dirty state separately, after the edit. Auto Save may be faster.
    if (isChanged) await eventually(() => assert.ok(isSaved || document.isDirty, `${document.uri.path} is not dirty.`));
  } finally {
    saving.dispose();
  }
}

/** Reverts a document. */
export async function revert(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
}
