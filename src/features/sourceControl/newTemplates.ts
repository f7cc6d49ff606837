import * as vscode from 'vscode';
import type { RecordRef } from '../../platform/connections/model.ts';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';
import { hasMarks } from '../../sync/merge/marks.ts';
import { promptForRequiredText, confirm, showInfo, showWarning } from '../../platform/ui/messages.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { errorText } from '../../platform/ui/errors.ts';
import { withId } from './editMapping.ts';
import type { FieldTexts } from './fields.ts';
import { mappingName } from './model.ts';
import { saveOpenFiles } from './openFiles.ts';
import { ensureCurrentOutputs } from './outputs.ts';
import type { ProjectTemplate } from './project.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';
import { protectedLines } from './transfers.ts';

/** A new template as the user confirmed it. */
export interface TemplateDraft {
  readonly connection: string;
  readonly name: string;
  readonly texts: FieldTexts;
}

/** A mapped template that doesn't exist on the given connection, or on any. */
export interface MissingTemplate extends ProjectTemplate {
  readonly connection?: string;
}

/** Returns the mapped templates of an argument that aren't on its connection. Without an argument, returns those on no connection. */
export function findMissing(
  { connections, folders }: FolderTools,
  argument: CommandArgument,
): readonly MissingTemplate[] {
  const { folder, connection } = getFields(argument);
  const named = typeof connection === 'string' && connections.get(connection) !== undefined ? connection : undefined;
  return folders.projects.flatMap((project) =>
    project.mapping.templates.flatMap((template): MissingTemplate[] => {
      const path = argument instanceof vscode.Uri ? project.files.relativePath(argument) : undefined;
      const isIncluded =
        argument === undefined ||
        (path === undefined ? template.folder === folder : project.folder.has(template, path));
      const ids = Object.keys(template.ids).filter((id) => connections.get(id) !== undefined);
      const isThere = named === undefined ? ids.length > 0 : template.ids[named] !== undefined;
      return isIncluded && !isThere ? [{ project, template, connection: named }] : [];
    }),
  );
}

/** Creates templates from folders, each after a confirmation. Resolves with the number of created templates. */
export async function createMissing(tools: FolderTools, missing: readonly MissingTemplate[]): Promise<number> {
  let count = 0;
  for (const { project, template, connection } of missing) {
    const service = await tools.targets.pickConnection({ connection }, `New Template of ${template.folder}`);
    if (service === undefined) break;
    if ((await createOnService(tools, { project, template }, service.id)) !== undefined) count += 1;
  }
  return count;
}

/** Creates a template from a folder after a confirmation. Resolves with undefined if the user cancels or the outcome is unknown. */
export async function createOnService(
  tools: FolderTools,
  one: ProjectTemplate,
  connection: string,
): Promise<ProjectTarget | undefined> {
  const draft = await confirmCreate(tools, one, connection);
  return draft && createFromDraft(tools, one, draft);
}

/** Prompts for the name of a new template and confirms its creation. */
export async function confirmCreate(
  tools: FolderTools,
  { project, template }: ProjectTemplate,
  connection: string,
  suggested?: unknown,
): Promise<TemplateDraft | undefined> {
  if (!vscode.workspace.isTrusted) throw new Error('Nothing is pushed from a workspace that is not trusted.');
  await project.checkPush();
  const target = { template, connection, id: 0 };
  await saveOpenFiles(tools, [{ project, target }]);
  if (!(await ensureCurrentOutputs(tools, [{ project, template }]))) return undefined;
  const texts = await project.folder.read(template);
  if (Object.values(texts).some((text) => hasMarks(text)))
    throw new Error(`Conflicts are not resolved in ${template.folder}.`);
  const service = tools.targets.getServiceName(connection);
  const value = template.folder.split('/').at(-1);
  const options = { title: 'New Template', prompt: `Name of the template on ${escapeMessage(service)}`, value };
  const existingName = texts['name']?.trim() || (typeof suggested === 'string' ? suggested.trim() : '');
  const name = existingName || (await promptForRequiredText(options, 'A template needs a name.'));
  if (name === undefined) return undefined;
  const fields = Object.keys(texts).filter((field) => texts[field] !== '');
  const localImages = await project.folder.findLocalImages(texts);
  const lines = [`${template.folder} → ${service}: ${[...new Set(['name', ...fields])].join(', ')}`];
  lines.push(...protectedLines(tools, [{ project, connection }]));
  if (localImages.length > 0)
    lines.push('', `No reader will see these images, which are files of this folder: ${localImages.join(', ')}`);
  return (await confirm(`Create the template "${name}" on ${service}?`, lines, 'Create'))
    ? { connection, name, texts }
    : undefined;
}

/** Creates a template and adds its id to `mailing.json`. Resolves with undefined if the outcome is unknown. */
export async function createFromDraft(
  tools: FolderTools,
  one: ProjectTemplate,
  draft: TemplateDraft,
): Promise<ProjectTarget | undefined> {
  const mapped = (ref: RecordRef): Promise<ProjectTarget> => saveNewId(tools, one, draft, ref);
  const ref = await tools.pushQueue.run(() => tools.mapped.create(draft.connection, draft.name, draft.texts, mapped));
  return ref && mapped(ref);
}

async function saveNewId(
  tools: FolderTools,
  { project, template }: ProjectTemplate,
  { name, texts }: TemplateDraft,
  { connection, id }: RecordRef,
): Promise<ProjectTarget> {
  const { files } = project;
  const service = tools.targets.getServiceName(connection);
  try {
    const text = await files.read(mappingName);
    await files.write(mappingName, withId(text ?? '', template.folder, connection, id), { text });
  } catch (error) {
    const nextStep = `Add "${connection}": ${id} to the "ids" of ${template.folder}.`;
    const outcome = `"${name}" was made on ${service}`;
    throw new Error(`${outcome}, but ${mappingName} could not be changed: ${errorText(error)} ${nextStep}`, {
      cause: error,
    });
  }
  await project.readMapping();
  const target = project.targets.find(
    (existingName) => existingName.template.folder === template.folder && existingName.connection === connection,
  );
  const projectTarget = { project, target: target ?? { template, connection, id } };
  const differentFields = await project.sync.recordCreated(projectTarget.target, { ...texts, name });
  await tools.folders.refresh(project, [projectTarget.target]);
  if (differentFields.length > 0)
    void showWarning(`"${name}" was made on ${service}, but it keeps in other words: ${differentFields.join(', ')}.`);
  else void showInfo(`"${name}" was made on ${service}.`);
  return projectTarget;
}
