import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatPair } from '../../l10n.ts';
import type { RecordRef, ServiceRef } from '../../platform/connections/model.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';
import { errorText } from '../../ui/errors.ts';
import { confirm, promptForRequiredText, showInfo, showWarning } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import type { FieldTexts } from '../../sync/fields/fields.ts';
import { withId } from '../../sync/mapping/mapping.ts';
import { hasMarks } from '../../sync/merge/merge.ts';
import { mappingName } from '../../sync/paths.ts';
import { hashShownTexts } from '../../sync/push/plan.ts';
import type { ProjectTarget, ProjectTemplate } from './project.ts';
import {
  createUntrustedError,
  saveOpenFiles,
  selectTemplate,
  type FolderTools,
  type MissingTemplate,
} from './selection.ts';
import { findChangedFiles, showDifferences } from './sourceControls.ts';
import { describeLocalImages, describeProtected, push } from './transfers.ts';

const getPromoteTitle = () => t('Promote to Another Connection');

/** A new template as the user confirmed it. */
interface TemplateDraft extends ProjectTemplate, ServiceRef {
  readonly name: string;
  readonly texts: FieldTexts;
}

/** Creates templates from folders, each after a confirmation. Resolves with the number of created templates. */
export async function createMissing(tools: FolderTools, missing: readonly MissingTemplate[]): Promise<number> {
  let count = 0;
  for (const { project, template, connection } of missing) {
    const service = await tools.targets.pickConnection({ connection }, t`New Template from ${template.folder}`);
    if (service === undefined) break;
    count += (await createOnService(tools, { project, template }, service.id)) ?? 0;
  }
  return count;
}

/** Creates a template from a folder after a confirmation. Resolves with undefined if the user cancels or the outcome is unconfirmed. */
async function createOnService(tools: FolderTools, one: ProjectTemplate, connection: string) {
  const draft = await confirmCreate(tools, one, connection);
  return draft && (await createFromDraft(tools, draft)) && 1;
}

/** Prompts for the name of a new template and confirms its creation. */
export async function confirmCreate(
  tools: FolderTools,
  { project, template }: ProjectTemplate,
  connection: string,
  suggested?: string,
): Promise<TemplateDraft | undefined> {
  if (!vscode.workspace.isTrusted) throw createUntrustedError();
  await project.checkPush();
  await saveOpenFiles(tools, [{ project, template }]);
  if (!(await tools.builds.ensureCurrentOutputs([{ project, template }]))) return undefined;
  const texts = await project.folder.read(template);
  if (Object.values(texts).some((text) => hasMarks(text)))
    throw new Error(t`Couldn't push ${template.folder} because of conflicts. Resolve them first.`);
  const { baseUrl } = tools.connections.getService(connection);
  const service = tools.targets.getServiceName(connection);
  const value = template.folder.split('/').at(-1);
  const prompt = t`Name of the new template on ${escapeMessage(service)}`;
  const options = { title: t('New Template'), prompt, value };
  const name = texts['name']?.trim() || suggested?.trim() || (await promptForRequiredText(options, t('Enter a name.')));
  if (name === undefined) return undefined;
  const fields = Object.keys(texts).filter((field) => texts[field] !== '');
  const lines = [
    formatPair(`${template.folder} → ${service}`, [...new Set(['name', ...fields])].join(', ')),
    ...describeProtected(tools, [{ project, connection }]),
    ...describeLocalImages(await project.folder.findLocalImages(texts)),
  ];
  return (await confirm(t`Create the template "${name}" on ${service}?`, lines, t('Create')))
    ? { project, template, connection, baseUrl, name, texts }
    : undefined;
}

/** Creates a template and adds its id to `mailing.json`. Resolves with undefined if the outcome is unconfirmed. */
export async function createFromDraft(tools: FolderTools, draft: TemplateDraft): Promise<ProjectTarget | undefined> {
  const mapped = (ref: RecordRef) => saveNewId(tools, draft, ref);
  const { connection, baseUrl, name, texts } = draft;
  const ref = await tools.pushQueue.run(() => tools.mapped.create({ connection, baseUrl }, name, texts, mapped));
  return ref && mapped(ref);
}

async function saveNewId(
  tools: FolderTools,
  { project, template, name, texts }: TemplateDraft,
  { connection, id }: RecordRef,
) {
  const { files } = project;
  const service = tools.targets.getServiceName(connection);
  try {
    const text = await files.read(mappingName);
    await files.write(mappingName, withId(text ?? '', template.folder, connection, id), { text });
  } catch (error) {
    const outcome = t`Created "${name}" on ${service}, but couldn't change mailing.json: ${errorText(error)}`;
    const nextStep = t`Add "${connection}": ${id} to the "ids" of ${template.folder}.`;
    throw new Error(`${outcome} ${nextStep}`, { cause: error });
  }
  await project.readMapping();
  const target = project.targets.find(
    (one) => one.template.folder === template.folder && one.connection === connection,
  );
  const created = target ?? { project, template, connection, id };
  const differentFields = await project.sync.recordCreated(created, { ...texts, name });
  await project.refresh([created]);
  if (differentFields.length > 0)
    void showWarning(
      t`Created "${name}" on ${service}, but the service changed these fields: ${differentFields.join(', ')}.`,
    );
  else void showInfo(t`Created "${name}" on ${service}.`);
  return created;
}

/** Pushes a template to another connection, or creates it there. Resolves with the number of stored templates. */
export async function promote(tools: FolderTools, argument: CommandArgument): Promise<number | undefined> {
  const one = await selectTemplate(tools.folders, argument, getPromoteTitle());
  const connection = one && (await pickService(tools, one, getFields(argument)['to']));
  if (one === undefined || connection === undefined) return undefined;
  const { project, template } = one;
  const id = template.ids[connection];
  if (id === undefined) return createOnService(tools, one, connection);
  const target: ProjectTarget = { project, template, connection, id };
  await saveOpenFiles(tools, [target]);
  await project.refresh([target]);
  const status = project.sync.getStatus(target);
  const service = escapeMessage(tools.targets.getServiceName(connection));
  if (status?.kind === 'failed') throw status.error;
  if (status?.kind !== 'compared') throw new Error(t`There is no template ${id} on ${service}.`);
  const { comparison } = status;
  if (comparison.changes.size === 0) {
    void showInfo(t`${template.folder} is the same here and on ${service}.`);
    return 0;
  }
  const overwrite = hashShownTexts(comparison, true);
  const paths = findChangedFiles(target).map(({ path }) => path);
  await showDifferences(target, paths, t`${template.folder} (${service} ↔ folder)`);
  // A modal would cover the differences, so it opens only after the user continues.
  const go = t('Promote…');
  const message = t`The differences between ${template.folder} and ${service} are open. Promote them?`;
  return (await showInfo(message, go)) === go ? push(tools, [target], { kind: 'promote', overwrite }) : undefined;
}

/** Returns the given connection, or prompts for one. */
async function pickService(
  { connections, targets }: FolderTools,
  { project, template }: ProjectTemplate,
  to: CommandArgument,
) {
  if (typeof to === 'string' || connections.all.length === 0)
    return (await targets.pickConnection({ connection: to }, getPromoteTitle()))?.id;
  const items = connections.all.map(({ id, name }) => ({
    label: escapeMessage(name),
    description: [
      template.ids[id] === undefined ? t('creates a new template') : `#${template.ids[id]}`,
      ...(project.isProtected(id) ? [t('protected')] : []),
    ].join(' · '),
    id,
  }));
  const placeHolder = t`Select the connection to promote ${template.folder} to`;
  const options = { title: getPromoteTitle(), placeHolder };
  return (await vscode.window.showQuickPick(items, options))?.id;
}
