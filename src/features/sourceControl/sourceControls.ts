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

/** Shows one source control per mapped connection of a folder. Returns what ends that. */
export function showSourceControls(project: FolderProject, connections: Connections): vscode.Disposable {
  const controls = new Map<string, ReturnType<typeof create>>();
  const subscription = project.onDidChange(() => {
    const targets = Map.groupBy(project.targets, ({ connection }) => connection);
    for (const [connection, { control }] of controls) {
      if (targets.has(connection)) continue;
      control.dispose();
      controls.delete(connection);
    }
    for (const [connection, some] of targets) updateConnection(connection, some);
  });

  function updateConnection(connection: string, targets: readonly ProjectTarget[]) {
    const shown = controls.get(connection) ?? create(connection);
    controls.set(connection, shown);
    const files = Map.groupBy(targets.flatMap(listRows), ({ group }) => group);
    for (const [id, group] of shown.groups) group.resourceStates = (files.get(id) ?? []).map(({ file }) => file);
    const count = (...ids: readonly GroupId[]) => ids.flatMap((id) => files.get(id) ?? []).length;
    const [push, pull] = [count('push', 'unsynced'), count('pull', 'both')];
    shown.control.count = push + pull;
    const failed = targets.filter((target) => project.sync.getStatus(target)?.kind === 'failed');
    const [title, tooltip] =
      failed.length > 0
        ? [
            '$(warning)',
            plural(
              failed.length,
              t("Couldn't read {0} template. Refresh to try again."),
              t("Couldn't read {0} templates. Refresh to try again."),
            ),
          ]
        : [
            `$(arrow-up)${push} $(arrow-down)${pull}`,
            [
              'Mailing Studio',
              plural(push, t('{0} file to push'), t('{0} files to push')),
              plural(pull, t('{0} file to pull'), t('{0} files to pull')),
              t('Refresh'),
            ].join(' · '),
          ];
    shown.control.statusBarCommands = [
      { command: 'mailing.folders.refresh', title, tooltip, arguments: [shown.control] },
    ];
  }

  function create(connection: string) {
    const name = toSingleLine(connections.get(connection)?.name ?? connection);
    const { root } = project.files;
    // VS Code registers a command per id with a quick diff, so ids must be unique.
    const index = vscode.workspace.getWorkspaceFolder(root)?.index ?? 0;
    const id = `mailing-${connection}${index === 0 ? '' : `-${index}`}`;
    const control = vscode.scm.createSourceControl(id, t`Mailing: ${name}`, root);
    control.inputBox.visible = false;
    control.quickDiffProvider = { provideOriginalResource: (uri) => findOriginalUri(connection, uri) };
    const rows = new Map(getChangeGroups().map((row) => [row.id, row]));
    const groups = [...rows.values()].map((row) => {
      const group = control.createResourceGroup(row.id, row.title);
      group.hideWhenEmpty = true;
      return [row.id, group] as const;
    });
    return { control, groups: new Map(groups) };
  }

  function findOriginalUri(connection: string, uri: vscode.Uri) {
    const { files, folder, targets } = project;
    const path = files.relativePath(uri);
    if (path === undefined) return undefined;
    const target = targets.find((one) => one.connection === connection && folder.paths(one.template).includes(path));
    return target && project.getComparison(target) && getOriginalUri(target, path);
  }

  return new vscode.Disposable(() => {
    subscription.dispose();
    for (const { control } of controls.values()) control.dispose();
  });
}

function listRows(target: ProjectTarget): readonly { readonly group: GroupId; readonly file: ChangedFile }[] {
  const create = (path: string, fields: readonly string[], contextValue: string, tooltip: string) => {
    const resourceUri = target.project.files.uri(path);
    const decorations = { tooltip: escapeMessage(tooltip) };
    const file = { ...target, fields, resourceUri, contextValue, decorations };
    const command = contextValue === 'deleted' ? 'vscode.open' : 'mailing.folders.compare';
    const argument = contextValue === 'deleted' ? resourceUri : file;
    return { ...file, command: { command, title: t('Compare with the Service'), arguments: [argument] } };
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
export function showServiceVersions(connections: Connections, listProjects: () => readonly FolderProject[]) {
  /** By file URI. */
  let decorations: ReadonlyMap<string, vscode.FileDecoration> = new Map();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const decorationsChanged = new vscode.EventEmitter<vscode.Uri[]>();
  const registration = vscode.Disposable.from(
    changed,
    decorationsChanged,
    vscode.workspace.registerTextDocumentContentProvider(ORIGINAL_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent,
    }),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: decorationsChanged.event,
      provideFileDecoration: (uri) => decorations.get(uri.toString()),
    }),
  );

  async function provideTextDocumentContent(uri: vscode.Uri) {
    for (const project of listProjects()) {
      const { folder, targets } = project;
      const target = targets.find((one) => targetKey(one) === uri.query);
      const path = getProjectPath(project, uri);
      const comparison = target && project.getComparison(target);
      if (comparison && path !== undefined && folder.paths(target.template).includes(path))
        return folder.renderFile(target.template, path, comparison.remote);
    }
    return '';
  }

  /** Reloads the open documents, and updates the decorations that have changed. */
  function refresh() {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === ORIGINAL_SCHEME) changed.fire(uri);
    const [before, after] = [decorations, createDecorations()];
    decorations = after;
    const keys = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key)?.tooltip !== after.get(key)?.tooltip,
    );
    if (keys.length > 0) decorationsChanged.fire(keys.map((key) => vscode.Uri.parse(key)));
  }

  function createDecorations() {
    const changes = listProjects()
      .flatMap(({ targets }) => targets)
      .flatMap((target) => {
        const service = connections.get(target.connection)?.name ?? target.connection;
        const key = (path: string) => target.project.files.uri(path).toString();
        return findChangedFiles(target).map((changed) => ({ ...changed, service, key: key(changed.path) }));
      });
    const byFile = Map.groupBy(changes, ({ key }) => key);
    return new Map([...byFile].map(([key, differences]) => [key, createDecoration(differences)]));
  }

  return { refresh, dispose: () => registration.dispose() };
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
