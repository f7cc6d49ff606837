import * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { escapeMessage, toSingleLine } from '../../platform/ui/text.ts';
import { targetKey } from '../../sync/comparisons.ts';
import type { FieldState } from '../../sync/fields.ts';
import { mappingName } from '../../sync/paths.ts';
import type { FolderProject, ProjectTarget } from './project.ts';

/** URI scheme of the service's texts in diffs. */
export const ORIGINAL_SCHEME = 'mailing-original';

/** A row of the Source Control view. */
export interface ChangedFile extends vscode.SourceControlResourceState, ProjectTarget {
  readonly fields: readonly string[];
}

interface ChangeGroup {
  readonly id: FieldState;
  readonly title: string;
  readonly context: string;
  readonly tooltip: string;
  /** Shown next to the file's name in the Explorer and on its tab. */
  readonly badge: string;
  readonly color: string;
}

/** The groups of changed files, the most urgent first. A file belongs to the first group of any of its fields. */
const changeGroups: readonly ChangeGroup[] = [
  {
    id: 'both',
    title: 'Conflicts',
    context: 'conflict',
    tooltip: 'changed here and on the service: pull to merge it',
    badge: '!',
    color: 'gitDecoration.conflictingResourceForeground',
  },
  {
    id: 'pull',
    title: 'To Pull',
    context: 'pull',
    tooltip: 'changed on the service',
    badge: '↓',
    color: 'gitDecoration.renamedResourceForeground',
  },
  {
    id: 'push',
    title: 'To Push',
    context: 'push',
    tooltip: 'changed here',
    badge: '↑',
    color: 'gitDecoration.modifiedResourceForeground',
  },
];

interface ChangedFields {
  /** Relative to the folder of `mailing.json`. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly group: ChangeGroup;
}

/** Returns the files of a template that differed from the service in the last comparison. */
function findChangedFiles(target: ProjectTarget): readonly ChangedFields[] {
  const changes = [...(target.project.getComparison(target)?.changes ?? [])];
  const byPath = groupBy(changes, ([field]) => target.project.folder.path(target.template, field));
  return [...byPath].flatMap(([path, changed]) => {
    const group = changeGroups.find(({ id }) => changed.some(([, state]) => state === id));
    return group === undefined ? [] : [{ path, fields: changed.map(([field]) => field), group }];
  });
}

/** Opens a diff of files between a service and their folder. */
export async function showDifferences(target: ProjectTarget, paths: readonly string[], title: string): Promise<void> {
  const changes = paths.map((path) => toDifference(target, path));
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0)
    await vscode.commands.executeCommand('vscode.diff', only[1], only[2], title);
  else await vscode.commands.executeCommand('vscode.changes', title, changes);
}

/** Returns the arguments of `vscode.changes` for a file. */
export function toDifference(
  target: ProjectTarget,
  path: string,
): readonly [label: vscode.Uri, service: vscode.Uri, file: vscode.Uri] {
  const uri = target.project.files.uri(path);
  return [uri, getOriginalUri(target, path), uri];
}

/** Returns the URI of the service's version of a file. */
function getOriginalUri(target: ProjectTarget, path: string): vscode.Uri {
  return target.project.files.uri(path).with({ scheme: ORIGINAL_SCHEME, query: targetKey(target) });
}

function groupBy<T, K>(items: readonly T[], getKey: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item]);
  return groups;
}

interface ShownControl {
  readonly control: vscode.SourceControl;
  readonly groups: ReadonlyMap<FieldState, vscode.SourceControlResourceGroup>;
}

/** Shows one source control per mapped connection of a folder. */
export class SourceControls implements vscode.Disposable {
  readonly #project: FolderProject;
  readonly #connections: Connections;
  readonly #controls = new Map<string, ShownControl>();
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(project: FolderProject, connections: Connections) {
    this.#project = project;
    this.#connections = connections;
    this.#subscriptions = [
      project.onDidChange(() => this.#update()),
      connections.onDidChange(({ id }) => id === undefined && this.#update()),
    ];
    this.#update();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const { control } of this.#controls.values()) control.dispose();
  }

  #update(): void {
    const targets = groupBy(this.#project.targets, ({ connection }) => connection);
    for (const [connection, { control }] of this.#controls) {
      if (targets.has(connection)) continue;
      control.dispose();
      this.#controls.delete(connection);
    }
    for (const [connection, some] of targets) this.#updateConnection(connection, some);
  }

  #updateConnection(connection: string, targets: readonly ProjectTarget[]): void {
    const shown = this.#controls.get(connection) ?? this.#create(connection);
    this.#controls.set(connection, shown);
    const files = groupBy(targets.flatMap(listRows), ({ group }) => group);
    for (const [id, group] of shown.groups) group.resourceStates = (files.get(id) ?? []).map(({ file }) => file);
    const count = (id: FieldState): number => files.get(id)?.length ?? 0;
    const [push, pull] = [count('push'), count('pull') + count('both')];
    shown.control.count = push + pull;
    const failed = targets.filter((target) => this.#project.getStatus(target)?.kind === 'failed');
    const title = failed.length > 0 ? '$(warning)' : `$(arrow-up)${push} $(arrow-down)${pull}`;
    const tooltip =
      failed.length > 0
        ? `${formatAmount(failed.length, 'template')} could not be read. Refresh to try again.`
        : `Mailing Studio: ${formatAmount(push, 'file')} to push, ${pull} to pull. Refresh.`;
    shown.control.statusBarCommands = [
      { command: 'mailing.folders.refresh', title, tooltip, arguments: [shown.control] },
    ];
  }

  #create(connection: string): ShownControl {
    const name = toSingleLine(this.#connections.get(connection)?.name ?? connection);
    const { root } = this.#project.files;
    // VS Code registers a command per id with a quick diff, so ids must be unique.
    const index = vscode.workspace.getWorkspaceFolder(root)?.index ?? 0;
    const id = `mailing-${connection}${index === 0 ? '' : `-${index}`}`;
    const control = vscode.scm.createSourceControl(id, `Mailing: ${name}`, root);
    control.inputBox.visible = false;
    control.quickDiffProvider = { provideOriginalResource: (uri) => this.#findOriginalUri(connection, uri) };
    const groups = changeGroups.map((row) => {
      const group = control.createResourceGroup(row.id, row.title);
      group.hideWhenEmpty = true;
      return [row.id, group] as const;
    });
    return { control, groups: new Map(groups) };
  }

  #findOriginalUri(connection: string, uri: vscode.Uri): vscode.Uri | undefined {
    const { files, folder, targets } = this.#project;
    const path = files.relativePath(uri);
    if (path === undefined) return undefined;
    const target = targets.find(
      (one) => one.connection === connection && folder.fieldsIn(one.template, path).length > 0,
    );
    return target && this.#project.getComparison(target) && getOriginalUri(target, path);
  }
}

function listRows(target: ProjectTarget): readonly { readonly group: FieldState; readonly file: ChangedFile }[] {
  const create = (path: string, fields: readonly string[], contextValue: string, tooltip: string): ChangedFile => {
    const resourceUri = target.project.files.uri(path);
    const decorations = { tooltip: escapeMessage(tooltip) };
    const file = { ...target, fields, resourceUri, contextValue, decorations };
    const command = contextValue === 'deleted' ? 'vscode.open' : 'mailing.folders.compare';
    const argument = contextValue === 'deleted' ? resourceUri : file;
    return { ...file, command: { command, title: 'Compare with the Service', arguments: [argument] } };
  };
  if (target.project.getStatus(target)?.kind === 'deleted') {
    const tooltip = `Template ${target.id} was deleted on the service.`;
    return [{ group: 'push', file: create(mappingName, [], 'deleted', tooltip) }];
  }
  return findChangedFiles(target).map(({ path, fields, group }) => ({
    group: group.id,
    file: create(path, fields, group.context, `${fields.join(', ')}: ${group.tooltip}`),
  }));
}

/** Provides the service's versions of files, as they were last read. */
export class OriginalContentProvider implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #projects: () => readonly FolderProject[];
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;

  constructor(projects: () => readonly FolderProject[]) {
    this.#projects = projects;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(ORIGINAL_SCHEME, this);
  }

  /** Reloads the open documents. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === ORIGINAL_SCHEME) this.#changed.fire(uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    for (const project of this.#projects()) {
      const target = project.targets.find((one) => targetKey(one) === uri.query);
      const path = target && project.files.relativePath(uri.with({ scheme: project.files.root.scheme, query: '' }));
      const [field] = target && path !== undefined ? project.folder.fieldsIn(target.template, path) : [];
      if (target !== undefined && field !== undefined) return project.getServiceText(target, field);
    }
    return '';
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

/** Decorates mapped files that differ from a service, as Git decorates changed files. */
export class Decorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #connections: Connections;
  /** By project, then by file URI. */
  readonly #decorations = new Map<FolderProject, ReadonlyMap<string, vscode.FileDecoration>>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #registration: vscode.Disposable;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#registration = vscode.window.registerFileDecorationProvider(this);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  /** Decorates the files of a project until the result is disposed. */
  follow(project: FolderProject): vscode.Disposable {
    const subscription = project.onDidChange(() => this.#show(project, this.#createDecorations(project)));
    return new vscode.Disposable(() => {
      subscription.dispose();
      this.#show(project, new Map());
      this.#decorations.delete(project);
    });
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const key = uri.toString();
    return [...this.#decorations.values()].find((decorations) => decorations.has(key))?.get(key);
  }

  #show(project: FolderProject, decorations: ReadonlyMap<string, vscode.FileDecoration>): void {
    const before = this.#decorations.get(project);
    this.#decorations.set(project, decorations);
    const isChanged = (key: string): boolean => before?.get(key)?.tooltip !== decorations.get(key)?.tooltip;
    const changed = [...new Set([...(before?.keys() ?? []), ...decorations.keys()])].filter(isChanged);
    if (changed.length > 0) this.#changed.fire(changed.map((key) => vscode.Uri.parse(key)));
  }

  #createDecorations(project: FolderProject): ReadonlyMap<string, vscode.FileDecoration> {
    const changes = project.targets.flatMap((target) => {
      const service = this.#connections.get(target.connection)?.name ?? target.connection;
      return findChangedFiles(target).map((changed) => ({ ...changed, service }));
    });
    const byFile = groupBy(changes, ({ path }) => project.files.uri(path).toString());
    return new Map([...byFile].map(([key, differences]) => [key, createDecoration(differences)]));
  }
}

/** Uses the badge of the most urgent change. The tooltip lists the changes of every service. */
function createDecoration(
  differences: readonly (ChangedFields & { readonly service: string })[],
): vscode.FileDecoration {
  const tooltips = differences.map(({ fields, group, service }) =>
    escapeMessage(`${service}: ${fields.join(', ')} ${group.tooltip}`),
  );
  const group = changeGroups.find((one) => differences.some((difference) => difference.group === one));
  const color = group && new vscode.ThemeColor(group.color);
  const decoration = new vscode.FileDecoration(group?.badge, tooltips.join(' · '), color);
  decoration.propagate = true;
  return decoration;
}
