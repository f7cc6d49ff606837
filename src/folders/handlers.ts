import * as vscode from 'vscode';
import { Targets } from '../documents/recordCommands.ts';
import type { Handle } from '../ui/commands.ts';
import { withProgress } from '../ui/progress.ts';
import { inMessage } from '../ui/text.ts';
import { Folders } from './folders.ts';
import type { History } from './history.ts';
import type { FolderServices, MappedKind } from './model.ts';
import type { FolderParts } from './project.ts';
import type { Chosen, FolderTools } from './tools.ts';
import { originalOf, originalScheme, type ChangedFile } from './sourceControls.ts';

export type Handlers = Readonly<
  Record<'map' | 'refresh' | 'push' | 'pull' | 'compare' | 'discard' | 'overwrite' | 'reviewChanges' | 'compareEarlier' | 'restore', Handle>
>;

/** The folders of this window, and the commands on them. */
export function openFolders(
  services: FolderServices,
  mapped: MappedKind,
  history: History,
): { readonly folders: Folders; readonly handlers: Handlers } {
  const { context, connections, documents } = services;
  const parts: FolderParts = { connections, documents, history, mapped };
  const folders = new Folders(parts);
  context.subscriptions.push(folders);
  void folders.look();
  const tools: FolderTools = { ...parts, folders, targets: new Targets(connections) };
  const handlers: Handlers = {
    map: async (argument) => (await import('./mapTemplates.ts')).mapTemplates(tools, argument),
    refresh: (argument) => refresh(tools, argument),
    push: async (argument, selected) => (await import('./transfers.ts')).push(tools, await chosenOf(tools, argument, selected, 'Push')),
    pull: async (argument, selected) => (await import('./transfers.ts')).pull(tools, await chosenOf(tools, argument, selected, 'Pull')),
    discard: async (argument, selected) =>
      (await import('./transfers.ts')).discard(tools, await chosenOf(tools, argument, selected, 'Discard Changes')),
    overwrite: async (argument, selected) =>
      (await import('./transfers.ts')).overwrite(tools, await chosenOf(tools, argument, selected, 'Push Mine')),
    compare: (argument) => compare(tools, argument),
    reviewChanges: (argument) => reviewChanges(tools, argument),
    compareEarlier: async (argument) => (await import('./earlier.ts')).compareEarlier(tools, fileOr(folders, argument)),
    restore: async (argument) => (await import('./earlier.ts')).restore(tools, fileOr(folders, argument)),
  };
  return { folders, handlers };
}

async function refresh({ folders }: FolderTools, argument: unknown): Promise<void> {
  await folders.look();
  const root = isControl(argument) ? argument.rootUri?.toString() : undefined;
  const projects = folders.projects.filter(({ files }) => root === undefined || files.root.toString() === root);
  if (projects.length === 0) throw noMapping();
  await withProgress('Reading mapped templates', async (signal) => {
    for (const project of projects) {
      await project.readMapping();
      await folders.refresh(project, project.targets, signal);
    }
  });
}

async function compare({ folders, targets }: FolderTools, argument: unknown): Promise<void> {
  const files = isFile(argument) ? [argument] : argument instanceof vscode.Uri ? filesAt(folders, argument) : [];
  const [file] = files;
  if (file === undefined) throw new Error('This is no file of a mapped template.');
  const { project, target, resourceUri } = file;
  const path = project.files.pathOf(resourceUri) ?? '';
  const service = inMessage(targets.service(target.connection));
  const title = `${path} (${service} ↔ folder)`;
  await vscode.commands.executeCommand('vscode.diff', originalOf(project, target, path), resourceUri, title);
}

/** All files that differ, in one editor. */
async function reviewChanges({ folders }: FolderTools, argument: unknown): Promise<void> {
  const root = isControl(argument) ? argument.rootUri?.toString() : undefined;
  const changes = folders.projects.filter(({ files }) => root === undefined || files.root.toString() === root).flatMap((project) =>
    project.targets.flatMap((target) => {
      const known = project.known(target);
      const fields = known?.kind === 'looked' ? [...known.look.changes.keys()] : [];
      const paths = [...new Set(fields.map((field) => project.folder.path(target.template, field)))];
      return paths.map((path) => [project.files.uri(path), originalOf(project, target, path), project.files.uri(path)]);
    }));
  if (changes.length === 0) {
    void vscode.window.showInformationMessage('The mapped templates are the same here and on the service.');
    return;
  }
  await vscode.commands.executeCommand('vscode.changes', 'Mapped Templates: Service ↔ Folder', changes);
}

/**
 * The templates that a command is about: of files or a group of the Source Control view, of a URI, by reference, or those that are picked.
 */
async function chosenOf(
  { folders, targets }: FolderTools,
  argument: unknown,
  selected: unknown,
  title: string,
): Promise<readonly Chosen[]> {
  await folders.look();
  const given = Array.isArray(selected) && selected.length > 0 ? selected : [argument];
  const files = given.flatMap((one: unknown): readonly Chosen[] => {
    if (isFile(one)) return [one];
    if (isGroup(one)) return one.resourceStates.filter(isFile);
    return one instanceof vscode.Uri ? filesAt(folders, one) : [];
  });
  if (files.length > 0) return unique(files);
  const all = folders.projects.flatMap((project) => project.targets.map((target) => ({ project, target })));
  if (all.length === 0) throw noMapping();
  const named = typeof argument === 'object' && argument !== null && 'folder' in argument ? argument : undefined;
  if (named !== undefined) {
    const connection = 'connection' in named ? named.connection : undefined;
    return all.filter(
      ({ target }) => target.template.folder === named.folder && (connection === undefined || target.connection === connection),
    );
  }
  const items = all.map((one) => ({
    label: one.target.template.folder,
    description: `${targets.service(one.target.connection)} #${one.target.id}`,
    one,
  }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: 'Which templates?', canPickMany: true });
  return picked?.map(({ one }) => one) ?? [];
}

/** The template of a mapped file, where the argument is one. */
function fileOr(folders: Folders, argument: unknown): unknown {
  return argument instanceof vscode.Uri ? (filesAt(folders, argument)[0] ?? argument) : argument;
}

function filesAt(folders: Folders, uri: vscode.Uri): readonly ChangedFile[] {
  return folders.projects.flatMap((project) => {
    const path = project.files.pathOf(uri.scheme === originalScheme ? uri.with({ scheme: project.files.root.scheme, query: '' }) : uri);
    const targets = path === undefined ? [] : project.targets.filter(({ template }) => project.folder.fieldsOf(template, path).length > 0);
    return targets.map((target) => ({ project, target, fields: project.folder.fieldsOf(target.template, path ?? ''), resourceUri: uri }));
  });
}

function unique(files: readonly Chosen[]): readonly Chosen[] {
  const seen = new Map(
    files.map(({ project, target }) => [`${project.files.root.toString()} ${JSON.stringify(target)}`, { project, target }]),
  );
  return [...seen.values()];
}

function isFile(value: unknown): value is ChangedFile {
  return typeof value === 'object' && value !== null && 'resourceUri' in value && 'target' in value && 'project' in value;
}

function isGroup(value: unknown): value is vscode.SourceControlResourceGroup {
  return typeof value === 'object' && value !== null && 'resourceStates' in value;
}

function isControl(value: unknown): value is vscode.SourceControl {
  return typeof value === 'object' && value !== null && 'rootUri' in value;
}

function noMapping(): Error {
  return new Error('No folder of this window has a mailing.json. "Map Templates to a Folder" makes one.');
}
