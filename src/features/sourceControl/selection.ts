import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatList } from '../../l10n.ts';
import { showMultiPick, type TargetPicker } from '../../platform/documents/recordCommands.ts';
import { getFields, type CommandArgument, type CommandArguments } from '../../ui/commands.ts';
import { showInfo } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import type { FieldState } from '../../sync/fields/fields.ts';
import type { SerialQueue } from '../../sync/exclusive.ts';
import { targetKey } from '../../sync/push/sync.ts';
import type { Builds } from './builds.ts';
import { refreshProjects, type Folders } from './folders.ts';
import type { FolderDependencies, ProjectTarget, ProjectTemplate } from './project.ts';
import { findChangedFiles, getProjectPath, type ChangedFile } from './sourceControls.ts';

/** Shared dependencies of the commands on mapped folders. */
export interface FolderTools extends FolderDependencies {
  readonly folders: Folders;
  readonly targets: TargetPicker;
  readonly builds: Builds;
  /** Runs one push at a time, because each compares with the texts that the previous one stored. */
  readonly pushQueue: SerialQueue;
  /** Documents that a command is saving, whose save must not trigger a push. */
  readonly savingUris: Set<string>;
}

/** Saves the unsaved files and sources of templates before a command uses them. */
export async function saveOpenFiles(
  { savingUris }: FolderTools,
  templates: readonly ProjectTemplate[],
  isIncluded = ({ project, template }: ProjectTemplate, path: string) => project.folder.has(template, path),
): Promise<void> {
  for (const one of templates) {
    for (const document of vscode.workspace.textDocuments) {
      const path = one.project.files.relativePath(document.uri);
      if (!document.isDirty || path === undefined || !isIncluded(one, path)) continue;
      const key = document.uri.toString();
      savingUris.add(key);
      try {
        if (!(await document.save())) throw new Error(t`Couldn't save ${path}. Save it and try again.`);
      } finally {
        savingUris.delete(key);
      }
    }
  }
}

/** A mapped template that doesn't exist on the given connection, or on any. */
export interface MissingTemplate extends ProjectTemplate {
  readonly connection?: string;
}

interface TemplateItem extends vscode.QuickPickItem {
  readonly target?: ProjectTarget;
  readonly missing?: MissingTemplate;
}

/** Returns the mapped templates of an argument that aren't on its connection. Without an argument, returns those on no connection. */
function findMissing({ connections, folders }: FolderTools, argument: CommandArgument): readonly MissingTemplate[] {
  const { folder, connection } = getFields(argument);
  const isThere = (id: string) => connections.get(id) !== undefined;
  const named = typeof connection === 'string' && isThere(connection) ? connection : undefined;
  const templates =
    argument instanceof vscode.Uri
      ? folders.findTemplates(argument)
      : folders.templates.filter(({ template }) => argument === undefined || template.folder === folder);
  return templates
    .filter(({ template: { ids } }) =>
      named === undefined ? !Object.keys(ids).some(isThere) : ids[named] === undefined,
    )
    .map((one) => ({ ...one, connection: named }));
}

/**
 * Resolves a command's arguments: files or a group of the Source Control view, a URI, or `{ folder, connection }`. Without any of these,
 * prompts for the targets with changes in one of the states, and for missing templates if `offersMissing` is set.
 */
export async function selectTargets(
  tools: FolderTools,
  [argument, selected]: CommandArguments,
  title: string,
  { states, offersMissing = false }: { readonly states: readonly FieldState[]; readonly offersMissing?: boolean },
) {
  const { folders, targets } = tools;
  await folders.updateProjects();
  const missing = offersMissing ? findMissing(tools, argument) : [];
  if (argument !== undefined && missing.length > 0) return { targets: [], missing };
  const selection: readonly CommandArgument[] = Array.isArray(selected) && selected.length > 0 ? selected : [argument];
  const files = selection.flatMap((one) => {
    const { resourceStates } = getFields(one);
    return Array.isArray(resourceStates) ? resourceStates.filter(isChangedFile) : findTargets(folders, one);
  });
  if (files.length > 0) return { targets: deduplicate(files), missing: [] };
  const all = folders.targets;
  if (all.length === 0 && missing.length === 0) throw createNoMappingError();
  const { folder, connection } = getFields(argument);
  if (folder !== undefined) {
    const isNamed = (one: ProjectTarget) =>
      one.template.folder === folder && (connection === undefined || one.connection === connection);
    return { targets: all.filter(isNamed), missing: [] };
  }
  await refreshProjects(folders.projects);
  const changed = folders.targets.flatMap((target) => {
    // A push refuses older files, and says so.
    const base = Object.values(target.project.getComparison(target)?.base ?? {});
    const isOlder = states.includes('push') && base.some((field) => field.isOlder === true);
    const groups = findChangedFiles(target).filter(
      ({ group: { id } }) => isOlder || id === 'unsynced' || states.includes(id),
    );
    const detail = groups.map(({ fields, group }) => group.getTooltip(formatList(fields))).join(' · ');
    return groups.length === 0 ? [] : [{ target, detail: escapeMessage(detail, 300) }];
  });
  const items: readonly TemplateItem[] = [
    ...changed.map(({ target, detail }) => {
      const description = escapeMessage(`${targets.getServiceName(target.connection)} #${target.id}`);
      return { label: escapeMessage(target.template.folder), description, detail, picked: true, target };
    }),
    ...missing.map((one) => ({
      label: one.template.folder,
      description: t('not on a service yet'),
      missing: one,
    })),
  ];
  if (items.length === 0) void showInfo(t`${title}: No mapped template has changes.`);
  const options = { title, placeholder: t('Select templates') };
  const picked = items.length === 0 ? [] : ((await showMultiPick(items, options)) ?? []);
  return {
    targets: picked.flatMap((item) => item.target ?? []),
    missing: picked.flatMap((item) => item.missing ?? []),
  };
}

/** Resolves a command argument: a file, a row of the Source Control view, `{ folder }`, or nothing for the active editor. */
export async function selectTemplates(
  folders: Folders,
  argument: CommandArgument,
  title: string,
  isPossible: (template: ProjectTemplate['template']) => boolean = () => true,
): Promise<readonly ProjectTemplate[]> {
  await folders.updateProjects();
  const { folder, resourceUri } = getFields(argument);
  const possible = folders.templates.filter(({ template }) => isPossible(template));
  if (folder !== undefined) return possible.filter(({ template }) => template.folder === folder);
  const named = [argument, resourceUri].find((value) => value instanceof vscode.Uri);
  const uri = named ?? (argument === undefined ? vscode.window.activeTextEditor?.document.uri : undefined);
  const matches = uri ? folders.findTemplates(uri).filter(({ template }) => isPossible(template)) : [];
  if (matches.length > 0 || named !== undefined) return matches;
  const one = await pickTemplate(possible, title);
  return one === undefined ? [] : [one];
}

/** Resolves a command argument like `selectTemplates` to one template. Resolves with undefined if the user cancels. */
export async function selectTemplate(
  folders: Folders,
  argument: CommandArgument,
  title: string,
): Promise<ProjectTemplate | undefined> {
  const templates = await selectTemplates(folders, argument, title);
  if (templates.length === 0) throw createNotMappedError();
  return pickTemplate(templates, title);
}

/** Returns the only template, or prompts for one. */
async function pickTemplate(templates: readonly ProjectTemplate[], title: string) {
  if (templates.length <= 1) return templates[0];
  const items = templates.map((one) => ({ label: escapeMessage(one.template.folder), one }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t('Select a template') }))?.one;
}

/** Returns the templates of a row of the Source Control view, of a file, or of its version on a service, on all their connections. */
export function findTargets(folders: Folders, argument: CommandArgument): readonly ProjectTarget[] {
  if (isChangedFile(argument)) return [argument];
  if (!(argument instanceof vscode.Uri)) return [];
  return folders.targets.filter(({ project, template }) => {
    const path = getProjectPath(project, argument);
    return path !== undefined && project.folder.has(template, path);
  });
}

/** Returns each template on each connection once. */
export function deduplicate<T extends ProjectTarget>(targets: readonly T[]): readonly T[] {
  return [...new Map(targets.map((one) => [`${one.project.files.root.toString()} ${targetKey(one)}`, one])).values()];
}

function isChangedFile(value: CommandArgument): value is ChangedFile {
  const fields = getFields(value);
  return 'resourceUri' in fields && 'template' in fields && 'project' in fields;
}

export function createNoMappingError(): Error {
  return new Error(
    t('No workspace folder contains a mailing.json. Run "Mailing: Map Templates to a Folder…" to create one.'),
  );
}

export function createNotMappedError(): Error {
  return new Error(t("This file isn't part of a mapped template."));
}

export function createUntrustedError(): Error {
  return new Error(t("Couldn't push because this workspace isn't trusted. Trust it and try again."));
}
