import * as vscode from 'vscode';
import { escapeMessage } from '../../platform/ui/text.ts';
import { errorText, MAX_SENTENCE_CHARS } from '../../platform/ui/errors.ts';
import { BuildFailedError } from './builds.ts';
import type { ProjectTemplate } from './project.ts';
import type { Staleness } from './staleness.ts';
import type { FolderTools } from './tools.ts';

const [buildAndPush, pushOld, showOutput] = ['Build and Push', 'Push the Old Output', 'Show Output'];

interface StaleOutput extends ProjectTemplate {
  readonly staleness: Staleness;
}

type BuildTools = Pick<FolderTools, 'builds' | 'folders'>;

/** Returns the templates whose output is missing or out of date. */
export async function findStaleOutputs(
  { builds }: BuildTools,
  templates: readonly ProjectTemplate[],
): Promise<readonly StaleOutput[]> {
  const found = await Promise.all(
    templates.map(async (one) => ({ ...one, staleness: await builds.getStaleness(one.project, one.template) })),
  );
  return found.flatMap(({ staleness, ...one }) => (staleness === undefined ? [] : [{ ...one, staleness }]));
}

/** If outputs are out of date, asks whether to build them first or push them anyway. Resolves with false if the user cancels. */
export async function ensureCurrentOutputs(tools: BuildTools, templates: readonly ProjectTemplate[]): Promise<boolean> {
  const stale = await findStaleOutputs(tools, templates);
  if (stale.length === 0) return true;
  const causes = [...new Set(stale.map(({ staleness: { cause } }) => escapeMessage(cause, MAX_SENTENCE_CHARS)))];
  const isMissing = stale.some((one) => one.staleness.isMissing);
  const canBuild = stale.every(({ template }) => template.task !== undefined);
  const buttons = [...(canBuild ? [buildAndPush] : []), ...(isMissing ? [] : [pushOld])];
  const options = { modal: true, detail: causes.join('\n') };
  const choice = await vscode.window.showWarningMessage(
    'Not pushed: the output is not up to date.',
    options,
    ...buttons,
  );
  if (choice === pushOld) return true;
  return choice === buildAndPush && (await buildTemplates(tools, stale)) && ensureCurrentOutputs(tools, templates);
}

/** Runs the build tasks of templates, each once. Resolves with false if one failed, after reporting it. */
export async function buildTemplates(
  { builds, folders }: BuildTools,
  templates: readonly ProjectTemplate[],
): Promise<boolean> {
  const tasks = new Map(
    templates.map((one) => [`${one.project.files.root.toString()} ${one.template.task ?? one.template.folder}`, one]),
  );
  try {
    for (const { project, template } of tasks.values()) await builds.run(project, template);
  } catch (error) {
    if (!(error instanceof BuildFailedError)) throw error;
    void showBuildError(error);
    return false;
  }
  for (const project of new Set(templates.map((one) => one.project))) {
    const built = templates.filter((one) => one.project === project).map(({ template }) => template.folder);
    await folders.refresh(
      project,
      project.targets.filter(({ template }) => built.includes(template.folder)),
    );
  }
  return true;
}

async function showBuildError(error: BuildFailedError): Promise<void> {
  if ((await vscode.window.showErrorMessage(errorText(error), showOutput)) !== showOutput) return;
  const terminal = vscode.window.terminals.find(({ name }) => error.task.endsWith(name) || name.endsWith(error.task));
  if (terminal === undefined) await vscode.commands.executeCommand('workbench.action.terminal.focus');
  else terminal.show();
}
