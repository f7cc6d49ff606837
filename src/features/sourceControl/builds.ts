import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Documents } from '../../platform/documents/documents.ts';
import { errorText, MAX_SENTENCE_CHARS } from '../../ui/errors.ts';
import { withProgress } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { findStaleness, type BuildFailure } from '../../sync/mapping/staleness.ts';
import type { ProjectTemplate } from './project.ts';

/** Runs the VS Code tasks that build outputs. Every task that ends is noted, so that a failed build keeps its output out of date. */
export class Builds implements vscode.Disposable {
  readonly #documents: Documents;
  /** The last failure of each task, by task key. Empty after a successful run. */
  readonly #failures = new Map<string, BuildFailure>();
  /** Executions that have a process. A task that only starts other tasks has none. */
  readonly #processes = new WeakSet<vscode.TaskExecution>();
  /** Exit codes of ended executions. */
  readonly #exitCodes = new WeakMap<vscode.TaskExecution, number | undefined>();
  readonly #ended = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;

  constructor(documents: Documents) {
    this.#documents = documents;
    this.#subscriptions = vscode.Disposable.from(
      this.#ended,
      vscode.tasks.onDidStartTaskProcess(({ execution }) => this.#processes.add(execution)),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        for (const key of taskKeys(execution.task)) {
          if (exitCode === undefined || exitCode === 0) this.#failures.delete(key);
          else this.#failures.set(key, { exitCode, at: Date.now() });
        }
        this.#end(execution, exitCode);
      }),
      // If the process end wasn't reported, the process was killed.
      vscode.tasks.onDidEndTask(({ execution }) =>
        this.#end(execution, this.#processes.has(execution) ? undefined : 0),
      ),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Returns the templates whose output is missing or out of date. */
  async findStaleOutputs<T extends ProjectTemplate>(templates: readonly T[]) {
    const found = templates.map(async (one) => {
      const { project, template } = one;
      const staleness = await findStaleness(
        template,
        project.folder.paths(template),
        (path) => inspect(project.files.uri(path)),
        this.#failures.get(taskKey(project.files.root, template.task ?? '')),
      );
      return staleness === undefined ? [] : [{ ...one, staleness }];
    });
    return (await Promise.all(found)).flat();
  }

  /** If outputs are out of date, asks whether to build them first or push them anyway. Resolves with false if the user cancels. */
  async ensureCurrentOutputs(templates: readonly ProjectTemplate[]): Promise<boolean> {
    const stale = await this.findStaleOutputs(templates);
    if (stale.length === 0) return true;
    const causes = [...new Set(stale.map(({ staleness: { cause } }) => escapeMessage(cause, MAX_SENTENCE_CHARS)))];
    const isMissing = stale.some((one) => one.staleness.isMissing);
    const canBuild = stale.every(({ template }) => template.task !== undefined);
    const [buildAndPush, pushOld] = [t('Build and Push'), t('Push Old Output')];
    const choice = await vscode.window.showWarningMessage(
      t('Not pushed: the output is out of date.'),
      { modal: true, detail: causes.join('\n') },
      ...(canBuild ? [buildAndPush] : []),
      ...(isMissing ? [] : [pushOld]),
    );
    if (choice === pushOld) return true;
    return choice === buildAndPush && (await this.buildTemplates(stale)) && this.ensureCurrentOutputs(templates);
  }

  /** Runs the build tasks of templates, each once. Resolves with false if one failed, after reporting it. */
  async buildTemplates(templates: readonly ProjectTemplate[]): Promise<boolean> {
    const tasks = new Map(
      templates.map((one) => [`${one.project.files.root.toString()} ${one.template.task ?? one.template.folder}`, one]),
    );
    for (const one of tasks.values()) if (!(await this.#run(one))) return false;
    const built = new Set(templates.map(({ template }) => template.folder));
    for (const project of new Set(templates.map((one) => one.project)))
      await project.refresh(project.targets.filter(({ template }) => built.has(template.folder)));
    return true;
  }

  /** Runs a template's task, or waits for it if it is already running. Resolves with false if it failed, after reporting it. @throws if there is no such task */
  async #run({ project, template: { folder, task: name } }: ProjectTemplate) {
    if (name === undefined) throw new Error(t`mailing.json has no "task" for ${folder}. Add the task that builds it.`);
    if (!vscode.workspace.isTrusted)
      throw new Error(t("Couldn't run the task because this workspace isn't trusted. Trust it and try again."));
    const { root } = project.files;
    const isRequested = (task: vscode.Task) => taskNames(task).includes(name) && isInFolder(task, root);
    const running = vscode.tasks.taskExecutions.find(({ task }) => isRequested(task));
    const task = running?.task ?? (await findTasks(name)).find(isRequested);
    if (task === undefined)
      throw new Error(
        t`There is no task "${name}" here. Use a task of tasks.json, or a script of package.json such as "npm: build".`,
      );
    const saves = running === undefined ? await this.#documents.prepareBuild() : undefined;
    // VS Code saves all files before the first task starts: the build task or one that it depends on.
    const started = vscode.tasks.onDidStartTask(() => saves?.dispose());
    try {
      const exitCode = await withProgress(t`Building with ${name}`, async (signal) => {
        const code = await this.#runToEnd(running ?? (await vscode.tasks.executeTask(task)), signal);
        if (signal.aborted) throw new vscode.CancellationError();
        return code;
      });
      if (exitCode !== 0) void showBuildError(name, exitCode);
      return exitCode === 0;
    } finally {
      started.dispose();
      saves?.dispose();
    }
  }

  /** Waits for a running task. Resolves with its exit code. Aborting terminates the task. */
  async #runToEnd(execution: vscode.TaskExecution, signal: AbortSignal) {
    signal.addEventListener('abort', () => execution.terminate());
    while (!this.#exitCodes.has(execution))
      await new Promise<void>((resolve) => {
        const subscription = this.#ended.event(() => {
          subscription.dispose();
          resolve();
        });
      });
    return this.#exitCodes.get(execution);
  }

  #end(execution: vscode.TaskExecution, exitCode: number | undefined) {
    if (!this.#exitCodes.has(execution)) this.#exitCodes.set(execution, exitCode);
    this.#ended.fire();
  }
}

async function showBuildError(task: string, exitCode: number | undefined) {
  const message =
    exitCode === undefined
      ? t`The task "${task}" was stopped before it finished.`
      : t`The task "${task}" failed with exit code ${exitCode}.`;
  const showOutput = t('Show Output');
  if ((await vscode.window.showErrorMessage(errorText(message), showOutput)) !== showOutput) return;
  const terminal = vscode.window.terminals.find(({ name }) => task.endsWith(name) || name.endsWith(task));
  if (terminal === undefined) await vscode.commands.executeCommand('workbench.action.terminal.focus');
  else terminal.show();
}

/** Returns the names of a task that `mailing.json` may use: `build` or `npm: build`. */
export function taskNames({ name, source }: Pick<vscode.Task, 'name' | 'source'>): readonly string[] {
  return [name, `${source}: ${name}`];
}

/** Returns the tasks that may have a name. Avoids fetching all providers for npm tasks. */
async function findTasks(name: string) {
  const some = name.startsWith('npm: ') ? await vscode.tasks.fetchTasks({ type: 'npm' }) : [];
  return some.some((task) => taskNames(task).includes(name)) ? some : vscode.tasks.fetchTasks();
}

export function isInFolder({ scope }: vscode.Task, root: vscode.Uri): boolean {
  return typeof scope !== 'object' || scope.uri.toString() === root.toString();
}

function taskKeys(task: vscode.Task) {
  const roots =
    typeof task.scope === 'object' ? [task.scope.uri] : (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return roots.flatMap((root) => taskNames(task).map((name) => taskKey(root, name)));
}

function taskKey(root: vscode.Uri, name: string) {
  return `${root.toString()} ${name}`;
}

async function inspect(uri: vscode.Uri) {
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
  if ((stat.type & vscode.FileType.Directory) === 0) return stat.mtime;
  if ((stat.type & vscode.FileType.SymbolicLink) !== 0) return undefined;
  return (await vscode.workspace.fs.readDirectory(uri)).map(([name]) => name);
}
