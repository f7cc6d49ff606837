import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatPair, localized, plural } from '../../l10n.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import { escapeMessage, toSingleLine } from '../../service/text.ts';
import { pickTexts, type FieldState } from '../../sync/fields/fields.ts';
import { mappingName } from '../../sync/paths.ts';
import { findUnresolved } from '../../sync/push/plan.ts';
import { targetKey } from '../../sync/push/sync.ts';
import type { FolderProject, ProjectTarget } from './project.ts';

/** URI scheme of the service's texts in diffs. */
const ORIGINAL_SCHEME = 'mailing-original';

/** A row of the Source Control view. */
export interface ChangedFile extends vscode.SourceControlResourceState, ProjectTarget {
  readonly fields: readonly string[];
}

/** A group of the Source Control view. `unsynced`: neither pushed nor pulled since it was mapped. */
type GroupId = FieldState | 'unsynced';

interface ChangeGroup {
  readonly id: GroupId;
  readonly title: string;
  readonly context: string;
  readonly getTooltip: (fields: string) => string;
  /** Shown next to the file's name in the Explorer and on its tab. */
  readonly badge: string;
  readonly color: string;
}

/** The groups of changed files, the most urgent first. A file belongs to the first group of any of its fields. */
const getChangeGroups = localized((): readonly ChangeGroup[] => [
  {
    id: 'both',
    title: t('Conflicts'),
    context: 'unresolved',
    getTooltip: (fields) => t`Contains conflict markers (${fields}). Resolve them, then push.`,
    badge: '!',
    color: 'gitDecoration.conflictingResourceForeground',
  },
  {
    id: 'unsynced',
    title: t('Not Yet Pushed'),
    context: 'unsynced',
    getTooltip: (fields) => t`Not pushed or pulled since it was mapped (${fields}). Overwrite the service or pull.`,
    badge: '↑',
    color: 'gitDecoration.untrackedResourceForeground',
  },
  {
    id: 'both',
    title: t('Conflicts'),
    context: 'conflict',
    getTooltip: (fields) => t`Changed here and on the service (${fields}). Pull to merge.`,
    badge: '!',
    color: 'gitDecoration.conflictingResourceForeground',
  },
  {
    id: 'pull',
    title: t('To Pull'),
    context: 'pull',
    getTooltip: (fields) => t`Changed on the service (${fields})`,
    badge: '↓',
    color: 'gitDecoration.renamedResourceForeground',
  },
  {
    id: 'push',
    title: t('To Push'),
    context: 'push',
    getTooltip: (fields) => t`Changed here (${fields})`,
    badge: '↑',
    color: 'gitDecoration.modifiedResourceForeground',
  },
]);

interface ChangedFields {
  /** Relative to the folder of `mailing.json`. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly group: ChangeGroup;
}

/** Returns the files of a template that differed from the service in the last comparison. */
export function findChangedFiles(target: ProjectTarget): readonly ChangedFields[] {
  const { project, template } = target;
  const comparison = project.getComparison(target);
  if (comparison === undefined) return [];
  const { base, changes, local, remote } = comparison;
  const byPath = Map.groupBy(changes, ([field]) => project.folder.path(template, field));
  return [...byPath].flatMap(([path, changed]) => {
    const fields = changed.map(([field]) => field);
    const isUnresolved = findUnresolved(pickTexts(local, fields), remote).length > 0;
    const states = new Set<GroupId>(changed.map(([, state]) => state));
    if (states.has('both') && Object.keys(base).length === 0) states.add('unsynced');
    const group = getChangeGroups().find(({ id, context }) =>
      context === 'unresolved' ? isUnresolved : states.has(id),
    );
    return group === undefined ? [] : [{ path, fields, group }];
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
function getOriginalUri(target: ProjectTarget, path: string) {
  return target.project.files.uri(path).with({ scheme: ORIGINAL_SCHEME, query: targetKey(target) });
}

/** Returns the path of a file or of its version on a service, relative to the project's folder; undefined if it is outside. */
export function getProjectPath({ files }: FolderProject, uri: vscode.Uri): string | undefined {
  return files.relativePath(uri.scheme === ORIGINAL_SCHEME ? uri.with({ scheme: files.root.scheme, query: '' }) : uri);
}

interface ShownControl {
  readonly control: vscode.SourceControl;
  readonly groups: ReadonlyMap<GroupId, vscode.SourceControlResourceGroup>;
}

/** The source controls of a folder: always one per mapped connection. */
export class SourceControls implements vscode.Disposable {
  readonly #project: FolderProject;
  readonly #connections: Connections;
  readonly #controls = new Map<string, ShownControl>();
  readonly #subscription: vscode.Disposable;

  constructor(project: FolderProject, connections: Connections) {
    this.#project = project;
    this.#connections = connections;
    this.#subscription = project.onDidChange(() => {
      const targets = Map.groupBy(project.targets, ({ connection }) => connection);
      for (const [connection, { control }] of this.#controls) {
        if (targets.has(connection)) continue;
        control.dispose();
        this.#controls.delete(connection);
      }
      for (const [connection, some] of targets) this.#update(connection, some);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const { control } of this.#controls.values()) control.dispose();
  }

  #update(connection: string, targets: readonly ProjectTarget[]) {
    const { control, groups } = this.#controls.get(connection) ?? this.#create(connection);
    const files = Map.groupBy(targets.flatMap(listRows), ({ group }) => group);
    for (const [id, group] of groups) group.resourceStates = (files.get(id) ?? []).map(({ file }) => file);
    const count = (...ids: readonly GroupId[]) => ids.flatMap((id) => files.get(id) ?? []).length;
    const [push, pull] = [count('push', 'unsynced'), count('pull', 'both')];
    control.count = push + pull;
    const failed = targets.filter((target) => this.#project.sync.getStatus(target)?.kind === 'failed').length;
    const counts = [
      'Mailing Studio',
      plural(push, t('{0} file to push'), t('{0} files to push')),
      plural(pull, t('{0} file to pull'), t('{0} files to pull')),
      t('Refresh'),
    ];
    const failure = plural(
      failed,
      t("Couldn't read {0} template. Refresh to try again."),
      t("Couldn't read {0} templates. Refresh to try again."),
    );
    control.statusBarCommands = [
      {
        command: 'mailing.folders.refresh',
        title: failed > 0 ? '$(warning)' : `$(arrow-up)${push} $(arrow-down)${pull}`,
        tooltip: failed > 0 ? failure : counts.join(' · '),
        arguments: [control],
      },
    ];
  }

  #create(connection: string) {
    const name = toSingleLine(this.#connections.get(connection)?.name ?? connection);
    const { root } = this.#project.files;
    // VS Code registers a command per id with a quick diff, so ids must be unique.
    const index = vscode.workspace.getWorkspaceFolder(root)?.index ?? 0;
    const id = `mailing-${connection}${index === 0 ? '' : `-${index}`}`;
    const control = vscode.scm.createSourceControl(id, t`Mailing: ${name}`, root);
    control.inputBox.visible = false;
    control.quickDiffProvider = { provideOriginalResource: (uri) => this.#findOriginalUri(connection, uri) };
    const groups = new Map<GroupId, vscode.SourceControlResourceGroup>();
    for (const row of new Map(getChangeGroups().map((one) => [one.id, one])).values()) {
      const group = control.createResourceGroup(row.id, row.title);
      group.hideWhenEmpty = true;
      groups.set(row.id, group);
    }
    const shown = { control, groups };
    this.#controls.set(connection, shown);
    return shown;
  }

  #findOriginalUri(connection: string, uri: vscode.Uri) {
    const { files, folder, targets } = this.#project;
    const path = files.relativePath(uri);
    if (path === undefined) return undefined;
    const target = targets.find((one) => one.connection === connection && folder.paths(one.template).includes(path));
    return target && this.#project.getComparison(target) && getOriginalUri(target, path);
  }
}

function listRows(target: ProjectTarget): readonly { readonly group: GroupId; readonly file: ChangedFile }[] {
  const create = (path: string, fields: readonly string[], contextValue: string, tooltip: string) => {
    const resourceUri = target.project.files.uri(path);
    const decorations = { tooltip: escapeMessage(tooltip) };
    const file = { ...target, fields, resourceUri, contextValue, decorations };
    // VS Code's buttons that accept a version aren't in diffs.
    const command = ['deleted', 'unresolved'].includes(contextValue)
      ? { command: 'vscode.open', title: t('Open File'), arguments: [resourceUri] }
      : { command: 'mailing.folders.compare', title: t('Compare with the Service'), arguments: [file] };
    return { ...file, command };
  };
  if (target.project.sync.getStatus(target)?.kind === 'deleted') {
    const tooltip = t`Template ${target.id} was deleted on the service.`;
    return [{ group: 'push', file: create(mappingName, [], 'deleted', tooltip) }];
  }
  return findChangedFiles(target).map(({ path, fields, group }) => ({
    group: group.id,
    file: create(path, fields, group.context, group.getTooltip(fields.join(', '))),
  }));
}

/** Shows the service's versions of files, as they were last read, and decorates files that differ, as Git decorates changed files. */
export class ServiceVersions implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #listProjects: () => readonly FolderProject[];
  /** By file URI. */
  #decorations: ReadonlyMap<string, vscode.FileDecoration> = new Map();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #decorationsChanged = new vscode.EventEmitter<vscode.Uri[]>();
  readonly #registration: vscode.Disposable;

  constructor(connections: Connections, listProjects: () => readonly FolderProject[]) {
    this.#connections = connections;
    this.#listProjects = listProjects;
    this.#registration = vscode.Disposable.from(
      this.#changed,
      this.#decorationsChanged,
      vscode.workspace.registerTextDocumentContentProvider(ORIGINAL_SCHEME, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#read(uri),
      }),
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.#decorationsChanged.event,
        provideFileDecoration: (uri) => this.#decorations.get(uri.toString()),
      }),
    );
  }

  dispose(): void {
    this.#registration.dispose();
  }

  /** Reloads the open documents, and updates the decorations that have changed. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === ORIGINAL_SCHEME) this.#changed.fire(uri);
    const [before, after] = [this.#decorations, this.#createDecorations()];
    this.#decorations = after;
    const keys = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key)?.tooltip !== after.get(key)?.tooltip,
    );
    if (keys.length > 0) this.#decorationsChanged.fire(keys.map((key) => vscode.Uri.parse(key)));
  }

  async #read(uri: vscode.Uri) {
    for (const project of this.#listProjects()) {
      const { folder, targets } = project;
      const target = targets.find((one) => targetKey(one) === uri.query);
      const path = getProjectPath(project, uri);
      const comparison = target && project.getComparison(target);
      if (comparison && path !== undefined && folder.paths(target.template).includes(path))
        return folder.renderFile(target.template, path, comparison.remote);
    }
    return '';
  }

  #createDecorations() {
    const changes = this.#listProjects()
      .flatMap(({ targets }) => targets)
      .flatMap((target) => {
        const service = this.#connections.get(target.connection)?.name ?? target.connection;
        const key = (path: string) => target.project.files.uri(path).toString();
        return findChangedFiles(target).map((changed) => ({ ...changed, service, key: key(changed.path) }));
      });
    const byFile = Map.groupBy(changes, ({ key }) => key);
    return new Map(Array.from(byFile, ([key, differences]) => [key, createDecoration(differences)]));
  }
}

/** Uses the badge of the most urgent change. The tooltip lists the changes of every service. */
function createDecoration(differences: readonly (ChangedFields & { readonly service: string })[]) {
  const tooltips = differences.map(({ fields, group, service }) =>
    escapeMessage(formatPair(service, group.getTooltip(fields.join(', ')))),
  );
  const group = getChangeGroups().find((one) => differences.some((difference) => difference.group === one));
  const color = group && new vscode.ThemeColor(group.color);
  const decoration = new vscode.FileDecoration(group?.badge, tooltips.join(' · '), color);
  decoration.propagate = true;
  return decoration;
}
