import * as vscode from 'vscode';
import type { Documents } from '../../platform/documents/documents.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import type { MappedTemplate } from './mapping.ts';
import type { FolderProject } from './project.ts';
import { staleness, type Aged, type Failure, type Stale } from './staleness.ts';

/** Folders of a source that are never part of it. */
const skipped = new Set(['node_modules', '.git']);

/** A task that ended with another exit code than 0. */
export class BuildFailed extends Error {
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
  readonly #failed = new Map<string, Failure>();
  /** Runs that have a process: one that only starts other tasks has none. */
  readonly #processes = new WeakSet<vscode.TaskExecution>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #documents: Pick<Documents, 'prepareBuild'>;

  constructor(documents: Pick<Documents, 'prepareBuild'>) {
    this.#documents = documents;
    this.#subscriptions = [
      vscode.tasks.onDidStartTaskProcess(({ execution }) => this.#processes.add(execution)),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        for (const key of keysOf(execution.task)) {
          if (exitCode === undefined || exitCode === 0) this.#failed.delete(key);
          else this.#failed.set(key, { exitCode, at: Date.now() });
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
    const isMeant = (task: vscode.Task): boolean => namesOf(task).includes(name) && isOf(task, root);
    const running = vscode.tasks.taskExecutions.find(({ task }) => isMeant(task));
    const task = running?.task ?? (await tasksNamed(name)).find(isMeant);
    const where = 'Tasks are those of tasks.json, and scripts of package.json as "npm: build".';
    if (task === undefined) throw new Error(`There is no task "${name}" here. ${where}`);
    const saves = running === undefined ? await this.#documents.prepareBuild() : undefined;
    // VS Code has saved everything once a task starts: the build's own one, or one that it depends on.
    const started = vscode.tasks.onDidStartTask(() => saves?.dispose());
    try {
      await withProgress(`Building with ${name}`, async (signal) => {
        const exitCode = await this.#end(running ?? task, signal);
        if (signal.aborted) throw new vscode.CancellationError();
        if (exitCode !== 0) throw new BuildFailed(name, exitCode);
      });
    } finally {
      started.dispose();
      saves?.dispose();
    }
  }

  /** Why the output of a template is not what its sources say; undefined where it is, and where nothing is built. */
  async stale(project: FolderProject, template: MappedTemplate): Promise<Stale | undefined> {
    const { output, source = [], task } = template;
    if (output === undefined) return undefined;
    return staleness(template, {
      built: await changedAt(project.files.uri(output)),
      newest: await newestOf(project, source, new Set(project.folder.paths(template))),
      failed: task === undefined ? undefined : this.#failed.get(keyOf(project.files.root, task)),
    });
  }

  /** Starts a task, or takes one that runs, and waits for its end. Resolves with its exit code. Aborting ends the task. */
  async #end(task: vscode.Task | vscode.TaskExecution, signal: AbortSignal): Promise<number | undefined> {
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
export function namesOf({ name, source }: Pick<vscode.Task, 'name' | 'source'>): readonly string[] {
  return [name, `${source}: ${name}`];
}

/** The tasks of this window that may have a name. Those of npm are asked for alone where they are meant. */
async function tasksNamed(name: string): Promise<readonly vscode.Task[]> {
  const some = name.startsWith('npm: ') ? await vscode.tasks.fetchTasks({ type: 'npm' }) : [];
  return some.some((task) => namesOf(task).includes(name)) ? some : vscode.tasks.fetchTasks();
}

/** A task of another folder of the window is not meant. */
function isOf({ scope }: vscode.Task, root: vscode.Uri): boolean {
  return typeof scope !== 'object' || scope.uri.toString() === root.toString();
}

function keysOf(task: vscode.Task): readonly string[] {
  const roots =
    typeof task.scope === 'object' ? [task.scope.uri] : (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return roots.flatMap((root) => namesOf(task).map((name) => keyOf(root, name)));
}

function keyOf(root: vscode.Uri, name: string): string {
  return `${root.toString()} ${name}`;
}

/** The file of some paths that was changed last. What is not there was not changed. */
async function newestOf(
  project: FolderProject,
  paths: readonly string[],
  without: ReadonlySet<string>,
): Promise<Aged | undefined> {
  const files = (await Promise.all(paths.map((path) => filesIn(project, path)))).flat();
  const aged = files.filter(({ path }) => !without.has(path));
  return aged.reduce<Aged | undefined>(
    (newest, file) => (newest === undefined || file.at > newest.at ? file : newest),
    undefined,
  );
}

async function filesIn(project: FolderProject, path: string): Promise<readonly Aged[]> {
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
  const entries = (await vscode.workspace.fs.readDirectory(uri)).filter(([name]) => !skipped.has(name));
  return (await Promise.all(entries.map(([name]) => filesIn(project, `${path}/${name}`)))).flat();
}

async function changedAt(uri: vscode.Uri): Promise<number | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
}
