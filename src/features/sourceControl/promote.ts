import * as vscode from 'vscode';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';
import { showInfo } from '../../platform/ui/messages.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { createOnService } from './newTemplates.ts';
import { saveOpenFiles } from './openFiles.ts';
import type { ProjectTemplate } from './project.ts';
import { getOriginalUri } from './sourceControls.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';
import { preparePromotion } from './transfers.ts';

const PROMOTE_TITLE = 'Promote to Another Connection';

/** Pushes a template to another connection, or creates it there. Resolves with the number of stored templates. */
export async function promote(
  tools: FolderTools,
  one: ProjectTemplate,
  argument: CommandArgument,
): Promise<number | undefined> {
  const connection = await pickService(tools, one, getFields(argument)['to']);
  if (connection === undefined) return undefined;
  const id = one.template.ids[connection];
  if (id === undefined) return (await createOnService(tools, one, connection)) === undefined ? undefined : 1;
  const projectTarget: ProjectTarget = { project: one.project, target: { template: one.template, connection, id } };
  await saveOpenFiles(tools, [projectTarget]);
  await tools.folders.refresh(one.project, [projectTarget.target]);
  const status = one.project.getStatus(projectTarget.target);
  const service = escapeMessage(tools.targets.getServiceName(connection));
  if (status?.kind === 'failed') throw new Error(status.message);
  if (status?.kind !== 'compared') throw new Error(`There is no template ${id} on ${service}.`);
  if (status.comparison.changes.size === 0) {
    void showInfo(`${one.template.folder} is the same here and on ${service}.`);
    return 0;
  }
  const store = preparePromotion(tools, projectTarget);
  await showPromotionDiff(projectTarget, [...status.comparison.changes.keys()], service);
  // A modal would cover the differences, so it opens only after the user continues.
  const go = 'Promote…';
  if ((await showInfo(`${one.template.folder}: what differs from ${service} is shown.`, go)) !== go) return undefined;
  return store();
}

/** Returns the given connection, or prompts for one. */
async function pickService(
  { connections, targets }: FolderTools,
  { project, template }: ProjectTemplate,
  to: unknown,
): Promise<string | undefined> {
  const { all } = connections;
  if (typeof to === 'string') return (await targets.pickConnection({ connection: to }, PROMOTE_TITLE))?.id;
  const items = all.map(({ id, name }) => ({
    label: escapeMessage(name),
    description: [
      template.ids[id] === undefined ? 'makes a new template there' : `#${template.ids[id]}`,
      ...(project.isProtected(id) ? ['protected'] : []),
    ].join(', '),
    id,
  }));
  if (items.length === 0) return (await targets.pickConnection(undefined, PROMOTE_TITLE))?.id;
  return (
    await vscode.window.showQuickPick(items, { title: PROMOTE_TITLE, placeHolder: `Where does ${template.folder} go?` })
  )?.id;
}

/** Shows all changed files in one editor, or the diff of the only one. */
async function showPromotionDiff(
  { project, target }: ProjectTarget,
  fields: readonly string[],
  service: string,
): Promise<void> {
  const paths = [...new Set(fields.map((field) => project.folder.path(target.template, field)))];
  const changes = paths.map(
    (path) => [project.files.uri(path), getOriginalUri(project, target, path), project.files.uri(path)] as const,
  );
  const [only, ...others] = changes;
  const heading = `${target.template.folder}: ${service} ↔ folder`;
  if (only !== undefined && others.length === 0)
    await vscode.commands.executeCommand('vscode.diff', only[1], only[2], heading);
  else await vscode.commands.executeCommand('vscode.changes', heading, changes);
}
