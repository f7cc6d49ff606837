import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { emptyScratch } from '../../../scripts/lib/scratch.mjs';
import { answering, type Answer, type Shown } from '../answers.ts';
import { revert, type, useService } from '../service.ts';
import { withReplaced } from '../statistics/host.ts';

/**
 * Returns the path of the test window's workspace folder.
 * @throws {AssertionError} while the window has no folder: an empty path would be the current directory
 */
function workspacePath() {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'The window has a workspace folder.');
  return first.uri.fsPath;
}

/** The workspace folder and user actions in it. */
export const folder = {
  path: (name: string) => join(workspacePath(), name),
  uri: (name: string) => vscode.Uri.file(folder.path(name)),
  read: (name: string) => readFileSync(folder.path(name), 'utf8'),
  has: (name: string) => existsSync(folder.path(name)),
  write: (name: string, text: string) => {
    mkdirSync(dirname(folder.path(name)), { recursive: true });
    writeFileSync(folder.path(name), text);
  },
  /** Writes `mailing.json` and refreshes, instead of waiting for the file watcher. */
  map: async (mapping: object) => {
    folder.write('mailing.json', JSON.stringify(mapping, null, 2));
    await vscode.commands.executeCommand('mailing.folders.refresh');
  },
  /** Types a text into an editor. */
  type: async (name: string, text: string) => {
    const document = await vscode.workspace.openTextDocument(folder.uri(name));
    // Without file watchers, the document may be older than the file.
    await revert(document);
    await type(document, text);
    return document;
  },
  /** Types a text into an editor and saves it, as a user does. */
  save: async (name: string, text: string) => {
    const document = await folder.type(name, text);
    assert.ok(await document.save(), `${name} is saved.`);
  },
  clear: async () => {
    emptyScratch(workspacePath());
    await vscode.commands.executeCommand('mailing.folders.refresh');
  },
};

/** Runs an act with the groups of the source controls that are created meanwhile. */
export async function observeGroups(
  act: (groups: readonly vscode.SourceControlResourceGroup[]) => Promise<void>,
): Promise<void> {
  const groups: vscode.SourceControlResourceGroup[] = [];
  const create = vscode.scm.createSourceControl.bind(vscode.scm);
  const observed: typeof create = (...parameters) => {
    const control = create(...parameters);
    const createGroup = control.createResourceGroup.bind(control);
    control.createResourceGroup = (id, label) => {
      const group = createGroup(id, label);
      groups.push(group);
      return group;
    };
    return control;
  };
  await withReplaced(vscode.scm, 'createSourceControl', observed, () => act(groups));
}

/** Provides the task "test: <name>". `work` runs it and returns its exit code. */
export function provideTask(name: string, work: () => number): vscode.Disposable {
  const execution = new vscode.CustomExecution(() => {
    const [written, closed] = [new vscode.EventEmitter<string>(), new vscode.EventEmitter<number>()];
    return Promise.resolve({
      onDidWrite: written.event,
      onDidClose: closed.event,
      open: () => closed.fire(work()),
      close: () => undefined,
    });
  });
  const task = new vscode.Task({ type: 'mailing-test' }, vscode.TaskScope.Workspace, name, 'test', execution);
  return vscode.tasks.registerTaskProvider('mailing-test', {
    provideTasks: () => [task],
    resolveTask: () => undefined,
  });
}

/** Runs a `mailing.folders` command and answers its messages. */
export async function run<T = number>(
  command: string,
  argument?: object,
  answer?: Answer,
): Promise<{ readonly result: T | undefined; readonly shown: readonly Shown[] }> {
  return answering(answer, () => vscode.commands.executeCommand<T | undefined>(`mailing.folders.${command}`, argument));
}

type Item = vscode.QuickPickItem;

/** Chooses among the items of each Quick Pick while a task runs. */
export function picking<T>(choose: (items: readonly Item[]) => Item | undefined, task: () => PromiseLike<T>) {
  const pick = async (items: readonly Item[] | PromiseLike<readonly Item[]>) => choose(await items);
  return withReplaced(vscode.window, 'showQuickPick', pick as never, task);
}

/** Returns all messages as one text. */
export function formatMessages(shown: readonly Shown[]): string {
  return shown.map(({ text, detail }) => [text, detail].filter(Boolean).join('\n')).join('\n');
}

/**
 * Provides a service for the tests of a `describe`, and for each test a template that can be mapped to a folder.
 * @param path the folder's path
 */
export function useMapped(
  path: string,
  fields: { readonly name: string; readonly body: string; readonly stylesheet?: string },
) {
  const service = useService('grown');
  let id = 0;
  beforeEach(async () => {
    id = (await service().other.createTemplate({ subject: 'Hello', ...fields })).templateId;
  });
  afterEach(() => folder.clear());
  return {
    service,
    getId: () => id,
    /** Returns the template's entry in `mailing.json`. */
    entry: (more: object = {}) => ({ folder: path, ids: { [service().connection]: id }, ...more }),
    /** Returns the argument of commands on the template. */
    mine: () => ({ folder: path, connection: service().connection }),
    stored: () => service().other.getOneTemplate(id),
    /** Changes the template as another user. */
    change: (changed: { readonly body?: string; readonly subject?: string }) =>
      service().other.updateTemplate({ templateId: id, ...changed }),
    /** Returns the number of updates. */
    updates: () => service().received('updateTemplate'),
  };
}

/** Runs a task with a git extension that has only texts in HEAD, by the paths of their files. */
export function withHead<T>(texts: Readonly<Record<string, string>>, task: () => PromiseLike<T>) {
  const show = async (_: string, path: string) => {
    const text = texts[path];
    if (text === undefined) throw new Error(`${path} isn't in HEAD.`);
    return text;
  };
  const git = { activate: async () => ({ getAPI: () => ({ getRepository: () => ({ show }) }) }) };
  return withReplaced(vscode.extensions, 'getExtension', () => git as never, task);
}
