import * as vscode from 'vscode';
import type { Documents } from '../../platform/documents/documents.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import type { MappedTemplate } from './mapping.ts';
import type { FolderProject } from './project.ts';
import { getStaleness, type ModifiedFile, type BuildFailure, type Staleness } from './staleness.ts';

/** Folders of a source that are never part of it. */
const EXCLUDED_FOLDERS = new Set(['node_modules', '.git']);

/** A task that ended with another exit code than 0. */
export class BuildFailedError extends Error {
  readonly task: string;
  constructor(task: string, exitCode: number | undefined) {
    super(
      `The task "${task}" ${exitCode === undefined ? 'was ended before it was done' : `failed with exit code ${exitCode}`}.`,
    );
    this.task = task;
  }
}

/** The tasks that build outputs. VS Code runs them; we know how they ended. */
export class Builds implements vscode.Disposable {
  /** The last end of each task that failed, by its names. */
  readonly #failures = new Map<string, BuildFailure>();
  /** Runs that have a process: one that only starts other tasks has none. */
  readonly #processes = new WeakSet<vscode.TaskExecution>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #documents: Pick<Documents, 'prepareBuild'>;

  constructor(documents: Pick<Documents, 'prepareBuild'>) {
    this.#documents = documents;
    this.#subscriptions = [
      vscode.tasks.onDidStartTaskProcess(({ execution }) => this.#processes.add(execution)),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        for (const key of taskKeys(execution.task)) {
          if (exitCode === undefined || exitCode === 0) this.#failures.delete(key);
          else this.#failures.set(key, { exitCode, at: Date.now() });
        }
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Runs the task of a template, or waits for the end of one that runs already. @throws `BuildFailed`, and where there is no such task */
  async run(project: FolderProject, { folder, task: name }: MappedTemplate): Promise<void> {
    if (name === undefined) throw new Error(`mailing.json names no "task" that builds ${folder}.`);
    if (!vscode.workspace.isTrusted) throw new Error('No task is run in a workspace that is not trusted.');
    const { root } = project.files;
    const isRequested = (task: vscode.Task): boolean => taskNames(task).includes(name) && isInFolder(task, root);
    const running = vscode.tasks.taskExecutions.find(({ task }) => isRequested(task));
    const task = running?.task ?? (await findTasks(name)).find(isRequested);
    const where = 'Tasks are those of tasks.json, and scripts of package.json as "npm: build".';
    if (task === undefined) throw new Error(`There is no task "${name}" here. ${where}`);
    const saves = running === undefined ? await this.#documents.prepareBuild() : undefined;
    // VS Code has saved everything once a task starts: the build's own one, or one that it depends on.
    const started = vscode.tasks.onDidStartTask(() => saves?.dispose());
    try {
      await withProgress(`Building with ${name}`, async (signal) => {
        const exitCode = await this.#runToEnd(running ?? task, signal);
        if (signal.aborted) throw new vscode.CancellationError();
        if (exitCode !== 0) throw new BuildFailedError(name, exitCode);
      });
    } finally {
      started.dispose();
      saves?.dispose();
    }
  }

  /** Why the output of a template is not what its sources say; undefined where it is, and where nothing is built. */
  async getStaleness(project: FolderProject, template: MappedTemplate): Promise<Staleness | undefined> {
    const { output, source = [], task } = template;
    if (output === undefined) return undefined;
    return getStaleness(template, {
      builtAt: await getModifiedTime(project.files.uri(output)),
      newestSource: await findNewest(project, source, new Set(project.folder.paths(template))),
      lastFailure: task === undefined ? undefined : this.#failures.get(taskKey(project.files.root, task)),
    });
  }

  /** Starts a task, or takes one that runs, and waits for its end. Resolves with its exit code. Aborting ends the task. */
  async #runToEnd(task: vscode.Task | vscode.TaskExecution, signal: AbortSignal): Promise<number | undefined> {
    const ended = new Map<vscode.TaskExecution, number | undefined>();
    let wake = (): void => undefined;
    const end = (execution: vscode.TaskExecution, exitCode: number | undefined): void => {
      if (!ended.has(execution)) ended.set(execution, exitCode);
      wake();
    };
    const subscriptions = [
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => end(execution, exitCode)),
      // A process whose end was not told was killed.
      vscode.tasks.onDidEndTask(({ execution }) => end(execution, this.#processes.has(execution) ? undefined : 0)),
    ];
    try {
      const execution = 'terminate' in task ? task : await vscode.tasks.executeTask(task);
      signal.addEventListener('abort', () => execution.terminate());
      while (!ended.has(execution)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return ended.get(execution);
    } finally {
      for (const subscription of subscriptions) subscription.dispose();
    }
  }
}

/** What a task can be called in `mailing.json`: `build`, or `npm: build` as VS Code's lists have it. */
export function taskNames({ name, source }: Pick<vscode.Task, 'name' | 'source'>): readonly string[] {
  return [name, `${source}: ${name}`];
}

/** The tasks of this window that may have a name. Those of npm are asked for alone where they are meant. */
async function findTasks(name: string): Promise<readonly vscode.Task[]> {
  const some = name.startsWith('npm: ') ? await vscode.tasks.fetchTasks({ type: 'npm' }) : [];
  return some.some((task) => taskNames(task).includes(name)) ? some : vscode.tasks.fetchTasks();
}

/** A task of another folder of the window is not meant. */
function isInFolder({ scope }: vscode.Task, root: vscode.Uri): boolean {
  return typeof scope !== 'object' || scope.uri.toString() === root.toString();
}

function taskKeys(task: vscode.Task): readonly string[] {
  const roots =
    typeof task.scope === 'object' ? [task.scope.uri] : (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return roots.flatMap((root) => taskNames(task).map((name) => taskKey(root, name)));
}

function taskKey(root: vscode.Uri, name: string): string {
  return `${root.toString()} ${name}`;
}

/** The file of some paths that was changed last. What is not there was not changed. */
async function findNewest(
  project: FolderProject,
  paths: readonly string[],
  without: ReadonlySet<string>,
): Promise<ModifiedFile | undefined> {
  const files = (await Promise.all(paths.map((path) => listFiles(project, path)))).flat();
  const aged = files.filter(({ path }) => !without.has(path));
  return aged.reduce<ModifiedFile | undefined>(
    (newest, file) => (newest === undefined || file.at > newest.at ? file : newest),
    undefined,
  );
}

async function listFiles(project: FolderProject, path: string): Promise<readonly ModifiedFile[]> {
  const uri = project.files.uri(path);
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch {
    return [];
  }
  if ((stat.type & vscode.FileType.Directory) === 0) return [{ path, at: stat.mtime }];
  // A link to a folder may lead round in a circle.
  if ((stat.type & vscode.FileType.SymbolicLink) !== 0) return [];
  const entries = (await vscode.workspace.fs.readDirectory(uri)).filter(([name]) => !EXCLUDED_FOLDERS.has(name));
  return (await Promise.all(entries.map(([name]) => listFiles(project, `${path}/${name}`)))).flat();
}

async function getModifiedTime(uri: vscode.Uri): Promise<number | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
}
