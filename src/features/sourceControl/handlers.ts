import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { ExtensionServices } from '../services.ts';
import {
  getFields,
  type CommandArgument,
  type CommandArguments,
  type CommandHandler,
  type CommandHandlers,
} from '../../ui/commands.ts';
import { showInfo } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { SerialQueue } from '../../sync/exclusive.ts';
import type { FieldState } from '../../sync/fields/fields.ts';
import type { RevisionStore } from '../../sync/push/revisions.ts';
import { Builds } from './builds.ts';
import { compareReceived, compareRendered } from './compareRendered.ts';
import { Folders, refreshProjects } from './folders.ts';
import { mapFile, mapTemplates } from './map.ts';
import type { MappedKind } from './model.ts';
import { createMissing, promote } from './newTemplates.ts';
import { findPreview, registerMappingLenses } from './previews.ts';
import type { FolderDependencies, FolderProject, ProjectTarget } from './project.ts';
import { registerPushOnSave } from './pushOnSave.ts';
import { showRevisions } from './revisions.ts';
import {
  createNoMappingError,
  createNotMappedError,
  createUntrustedError,
  findTargets,
  saveOpenFiles,
  selectTargets,
  selectTemplates,
  type FolderTools,
} from './selection.ts';
import { findChangedFiles, getProjectPath, showDifferences, toDifference } from './sourceControls.ts';
import { discard, forcePush, pull, push } from './transfers.ts';

export { createMappingOffer } from './mappingOffer.ts';

/** Opens the mapped folders of the window. Returns them, the commands on them, and the previews of mapped files. */
export function openFolders(services: ExtensionServices, mapped: MappedKind, revisions: RevisionStore) {
  const { context, connections, documents } = services;
  const dependencies: FolderDependencies = { ...services, revisions, mapped };
  const folders = new Folders(dependencies);
  void folders.updateProjects();
  const tools: FolderTools = {
    ...dependencies,
    folders,
    targets: new TargetPicker(connections),
    builds: new Builds(documents),
    pushQueue: new SerialQueue(),
    savingUris: new Set(),
  };
  context.subscriptions.push(folders, tools.builds, registerPushOnSave(tools), registerMappingLenses(folders));
  const transfer =
    (run: typeof push, title: string, ...states: readonly FieldState[]): CommandHandler =>
    async (...selection) =>
      run(tools, (await selectTargets(tools, selection, title, { states })).targets);
  return {
    folders,
    findPreview: (uri: vscode.Uri) => findPreview(folders, uri),
    handlers: {
      'mailing.folders.map': (argument) => mapTemplates(tools, argument),
      'mailing.folders.mapFile': (argument) => mapFile(tools, argument),
      'mailing.folders.build': (argument) => build(tools, argument),
      'mailing.folders.promote': (argument) => promote(tools, argument),
      'mailing.folders.refresh': (argument) => refresh(tools, argument),
      'mailing.folders.push': (...selection) => pushOrCreate(tools, ...selection),
      'mailing.folders.pull': transfer(pull, t('Pull'), 'pull', 'both'),
      'mailing.folders.discard': transfer(discard, t('Discard Changes'), 'push', 'both'),
      'mailing.folders.overwrite': transfer(forcePush, t('Overwrite Service Version'), 'pull', 'both'),
      'mailing.folders.compare': (argument) => compareWithService(tools, argument),
      'mailing.compareRendered': (argument) => compareRendered(tools, argument),
      'mailing.compareReceived': (argument) => compareReceived(tools, argument),
      'mailing.folders.earlierStates': (argument) => showRevisions(tools, argument),
    } satisfies CommandHandlers,
  };
}

/** Pushes mapped templates and creates the ones that aren't on a service yet. */
async function pushOrCreate(tools: FolderTools, ...selection: CommandArguments) {
  if (!vscode.workspace.isTrusted) throw createUntrustedError();
  const { targets, missing } = await selectTargets(tools, selection, t('Push'), {
    states: ['push', 'both'],
    offersMissing: true,
  });
  const created = await createMissing(tools, missing);
  return targets.length === 0 && missing.length > 0 ? created : push(tools, targets);
}

/** Runs the build tasks of an argument's templates. Resolves with their folders; undefined if a task failed. */
async function build(tools: FolderTools, argument: CommandArgument) {
  const { folders, builds } = tools;
  const templates = await selectTemplates(folders, argument, t('Build'), ({ task }) => task !== undefined);
  if (folders.projects.length === 0) throw createNoMappingError();
  if (templates.length === 0)
    throw new Error(t('mailing.json has no "task" for this file. Add the task that builds it.'));
  await saveOpenFiles(tools, templates, ({ project, template }, path) => project.folder.isSource(template, path));
  return (await builds.buildTemplates(templates)) ? templates.map(({ template }) => template.folder) : undefined;
}

async function refresh({ folders }: FolderTools, argument: CommandArgument) {
  await folders.updateProjects();
  const projects = findProjects(folders, argument);
  if (projects.length === 0) throw createNoMappingError();
  await refreshProjects(projects);
}

/** Compares a file with the service, or all changed files without an argument or with a source control as the argument. */
async function compareWithService({ folders, targets }: FolderTools, argument: CommandArgument) {
  const candidates = findTargets(folders, argument);
  if (candidates.length === 0) {
    if (argument instanceof vscode.Uri) throw createNotMappedError();
    return compareAll(findProjects(folders, argument));
  }
  const nameService = ({ connection }: ProjectTarget) => escapeMessage(targets.getServiceName(connection));
  const items = candidates.map((target) => ({
    label: nameService(target),
    description: escapeMessage(target.template.folder),
    target,
  }));
  const options = { title: t('Compare with the Service'), placeHolder: t('Select a service') };
  const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, options);
  if (picked === undefined) return;
  const { target } = picked;
  const { folder } = target.project;
  const uri = getFields(argument)['resourceUri'] ?? argument;
  const own = uri instanceof vscode.Uri && getProjectPath(target.project, uri);
  // A source file is represented by its output.
  const path = folder.paths(target.template).find((one) => one === own) ?? folder.bodyPath(target.template);
  await showDifferences(target, [path], t`${path} (${nameService(target)} ↔ folder)`);
}

/** Shows all changed files in one editor. */
async function compareAll(projects: readonly FolderProject[]) {
  if (projects.length === 0) throw createNoMappingError();
  const changes = projects
    .flatMap(({ targets }) => targets)
    .flatMap((target) => findChangedFiles(target).map(({ path }) => toDifference(target, path)));
  if (changes.length === 0) void showInfo(t('The mapped templates are the same here and on the service.'));
  else await vscode.commands.executeCommand('vscode.changes', t('Mapped Templates (Service ↔ Folder)'), changes);
}

/** Returns the project of a source control, or all projects. */
function findProjects(folders: Folders, argument: CommandArgument) {
  const { rootUri } = getFields(argument);
  const root = rootUri instanceof vscode.Uri ? rootUri.toString() : undefined;
  return folders.projects.filter(({ files }) => root === undefined || files.root.toString() === root);
}
