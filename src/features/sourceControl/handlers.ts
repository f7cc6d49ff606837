import { join } from 'node:path';
import * as vscode from 'vscode';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { CommandArgument, CommandHandler } from '../../platform/ui/commands.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { Builds } from './builds.ts';
import { Folders } from './folders.ts';
import type { RevisionStore } from './revisionStore.ts';
import { MappingLenses } from './lenses.ts';
import type { FolderServices, MappedKind } from './model.ts';
import { createMissing, findMissing } from './newTemplates.ts';
import type { FolderDependencies } from './project.ts';
import { PushOnSave } from './pushOnSave.ts';
import { buildCommand, registerSourcePreviews, promoteCommand } from './sourceCommands.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';
import { getOriginalUri, ORIGINAL_SCHEME, type ChangedFile } from './sourceControls.ts';
import { push } from './transfers.ts';
import { SerialQueue } from './serialQueue.ts';

export type Handlers = Readonly<
  Record<
    | 'map'
    | 'mapFile'
    | 'refresh'
    | 'push'
    | 'pull'
    | 'compare'
    | 'discard'
    | 'overwrite'
    | 'reviewChanges'
    | 'compareEarlier'
    | 'restore'
    | 'build'
    | 'promote',
    CommandHandler
  >
>;

/** Opens the mapped folders of the window and returns them with the command handlers. */
export function openFolders(
  services: FolderServices,
  mapped: MappedKind,
  history: RevisionStore,
): { readonly folders: Folders; readonly handlers: Handlers } {
  const { context, connections, documents, previews, worker } = services;
  const locks = join(context.globalStorageUri.fsPath, 'locks');
  const parts: FolderDependencies = { connections, documents, revisions: history, mapped, worker, locksFolder: locks };
  const folders = new Folders(parts);
  context.subscriptions.push(folders);
  void folders.updateProjects();
  const targets = new TargetPicker(connections);
  const builds = new Builds(documents);
  const tools: FolderTools = {
    ...parts,
    folders,
    targets,
    previews,
    builds,
    pushQueue: new SerialQueue(),
    savingUris: new Set(),
  };
  context.subscriptions.push(builds, new PushOnSave(tools), new MappingLenses(folders), registerSourcePreviews(tools));
  const handlers: Handlers = {
    map: async (argument) => (await import('./mapTemplates.ts')).mapTemplates(tools, argument),
    refresh: (argument) => refresh(tools, argument),
    mapFile: async (argument) => (await import('./mapFile.ts')).mapFile(tools, argument),
    build: (argument) => buildCommand(tools, argument),
    promote: (argument) => promoteCommand(tools, argument),
    push: (argument, selected) => pushCommand(tools, argument, selected),
    pull: async (argument, selected) =>
      (await import('./transfers.ts')).pull(tools, await selectTargets(tools, argument, selected, 'Pull')),
    discard: async (argument, selected) =>
      (await import('./transfers.ts')).discard(
        tools,
        await selectTargets(tools, argument, selected, 'Discard Changes'),
      ),
    overwrite: async (argument, selected) =>
      (await import('./transfers.ts')).forcePush(tools, await selectTargets(tools, argument, selected, 'Push Mine')),
    compare: (argument) => compareWithService(tools, argument),
    reviewChanges: (argument) => reviewChanges(tools, argument),
    compareEarlier: async (argument) =>
      (await import('./revisionCommands.ts')).compareRevision(tools, resolveMappedFile(folders, argument)),
    restore: async (argument) =>
      (await import('./revisionCommands.ts')).restoreRevision(tools, resolveMappedFile(folders, argument)),
  };
  return { folders, handlers };
}

/** Pushes mapped templates and creates the ones that aren't on a service yet. */
async function pushCommand(
  tools: FolderTools,
  argument: CommandArgument,
  selected: CommandArgument,
): Promise<number | undefined> {
  await tools.folders.updateProjects();
  const missing = argument === undefined ? [] : findMissing(tools, argument);
  if (missing.length > 0) return createMissing(tools, missing);
  return push(tools, await selectTargets(tools, argument, selected, 'Push'));
}

async function refresh({ folders }: FolderTools, argument: CommandArgument): Promise<void> {
  await folders.updateProjects();
  const root = isSourceControl(argument) ? argument.rootUri?.toString() : undefined;
  const projects = folders.projects.filter(({ files }) => root === undefined || files.root.toString() === root);
  if (projects.length === 0) throw createNoMappingError();
  await withProgress('Reading mapped templates', async (signal) => {
    for (const project of projects) {
      await project.readMapping();
      await folders.refresh(project, project.targets, signal);
    }
  });
}

async function compareWithService({ folders, targets }: FolderTools, argument: CommandArgument): Promise<void> {
  const files = isChangedFile(argument)
    ? [argument]
    : argument instanceof vscode.Uri
      ? findFilesAt(folders, argument)
      : [];
  if (files.length === 0) throw new Error('This is no file of a mapped template.');
  const file = await pickChangedFile(targets, files);
  if (file === undefined) return;
  const { project, target, resourceUri } = file;
  const path = project.files.relativePath(resourceUri) ?? '';
  const service = escapeMessage(targets.getServiceName(target.connection));
  const title = `${path} (${service} ↔ folder)`;
  await vscode.commands.executeCommand('vscode.diff', getOriginalUri(project, target, path), resourceUri, title);
}

/** Returns the only file, or prompts for the service to compare with. */
async function pickChangedFile(targets: TargetPicker, files: readonly ChangedFile[]): Promise<ChangedFile | undefined> {
  if (files.length === 1) return files[0];
  const items = files.map((file) => ({
    label: escapeMessage(targets.getServiceName(file.target.connection)),
    description: escapeMessage(file.target.template.folder),
    file,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Compare with the Service',
    placeHolder: 'With which service?',
  });
  return picked?.file;
}

/** Shows all changed files in one editor. */
async function reviewChanges({ folders }: FolderTools, argument: CommandArgument): Promise<void> {
  const root = isSourceControl(argument) ? argument.rootUri?.toString() : undefined;
  const changes = folders.projects
    .filter(({ files }) => root === undefined || files.root.toString() === root)
    .flatMap((project) =>
      project.targets.flatMap((target) => {
        const status = project.getStatus(target);
        const fields = status?.kind === 'compared' ? [...status.comparison.changes.keys()] : [];
        const paths = [...new Set(fields.map((field) => project.folder.path(target.template, field)))];
        return paths.map((path) => [
          project.files.uri(path),
          getOriginalUri(project, target, path),
          project.files.uri(path),
        ]);
      }),
    );
  if (changes.length === 0) {
    void vscode.window.showInformationMessage('The mapped templates are the same here and on the service.');
    return;
  }
  await vscode.commands.executeCommand('vscode.changes', 'Mapped Templates: Service ↔ Folder', changes);
}

/**
 * Resolves a command's arguments: files or a group of the Source Control view, a URI, `{ folder, connection }`, or else a prompt.
 */
async function selectTargets(
  tools: FolderTools,
  argument: CommandArgument,
  selected: CommandArgument,
  title: string,
): Promise<readonly ProjectTarget[]> {
  const { folders, targets } = tools;
  await folders.updateProjects();
  const selection = Array.isArray(selected) && selected.length > 0 ? selected : [argument];
  const files = selection.flatMap((one: unknown): readonly ProjectTarget[] => {
    if (isChangedFile(one)) return [one];
    if (isResourceGroup(one)) return one.resourceStates.filter(isChangedFile);
    return one instanceof vscode.Uri ? findFilesAt(folders, one) : [];
  });
  if (files.length > 0) return deduplicate(files);
  const all = folders.projects.flatMap((project) => project.targets.map((target) => ({ project, target })));
  const missing = title === 'Push' && argument === undefined ? findMissing(tools, undefined) : [];
  if (all.length === 0 && missing.length === 0) throw createNoMappingError();
  const named = typeof argument === 'object' && argument !== null && 'folder' in argument ? argument : undefined;
  if (named !== undefined) {
    const connection = 'connection' in named ? named.connection : undefined;
    return all.filter(
      ({ target }) =>
        target.template.folder === named.folder && (connection === undefined || target.connection === connection),
    );
  }
  const items = all.map((one) => ({
    label: one.target.template.folder,
    description: `${targets.getServiceName(one.target.connection)} #${one.target.id}`,
    mapped: [one],
    missing: [],
  }));
  const others = missing.map((one) => ({
    label: one.template.folder,
    description: 'not on a service yet',
    mapped: [],
    missing: [one],
  }));
  const picked = await vscode.window.showQuickPick([...items, ...others], {
    title,
    placeHolder: 'Which templates?',
    canPickMany: true,
  });
  await createMissing(tools, picked?.flatMap((item) => item.missing) ?? []);
  return picked?.flatMap(({ mapped }) => mapped) ?? [];
}

/** Returns the template of a mapped file, or the argument itself if it is no mapped file. */
function resolveMappedFile(folders: Folders, argument: CommandArgument): unknown {
  return argument instanceof vscode.Uri ? (findFilesAt(folders, argument)[0] ?? argument) : argument;
}

function findFilesAt(folders: Folders, uri: vscode.Uri): readonly ChangedFile[] {
  return folders.projects.flatMap((project) => {
    const path = project.files.relativePath(
      uri.scheme === ORIGINAL_SCHEME ? uri.with({ scheme: project.files.root.scheme, query: '' }) : uri,
    );
    const targets =
      path === undefined ? [] : project.targets.filter(({ template }) => project.folder.has(template, path));
    return targets.map((target) => {
      const { template } = target;
      const fields = project.folder.fieldsIn(template, path ?? '');
      // A source file is represented by its output.
      return {
        project,
        target,
        fields,
        resourceUri: fields.length > 0 ? uri : project.files.uri(project.folder.bodyPath(template)),
      };
    });
  });
}

function deduplicate(files: readonly ProjectTarget[]): readonly ProjectTarget[] {
  const byKey = new Map(
    files.map(({ project, target }) => [
      `${project.files.root.toString()} ${JSON.stringify(target)}`,
      { project, target },
    ]),
  );
  return [...byKey.values()];
}

function isChangedFile(value: unknown): value is ChangedFile {
  return (
    typeof value === 'object' && value !== null && 'resourceUri' in value && 'target' in value && 'project' in value
  );
}

function isResourceGroup(value: unknown): value is vscode.SourceControlResourceGroup {
  return typeof value === 'object' && value !== null && 'resourceStates' in value;
}

function isSourceControl(value: unknown): value is vscode.SourceControl {
  return typeof value === 'object' && value !== null && 'rootUri' in value;
}

function createNoMappingError(): Error {
  return new Error('No folder of this window has a mailing.json. "Map Templates to a Folder" makes one.');
}
