import * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { escapeMessage, toSingleLine } from '../../platform/ui/text.ts';
import { findChangedFiles, groupBy, changeGroups, type GroupName } from './changedFiles.ts';
import { mappingName } from './model.ts';
import type { FolderProject } from './project.ts';
import { targetKey } from './comparisons.ts';
import type { Target } from './sync.ts';

/** URI scheme of the service's texts in diffs. */
export const ORIGINAL_SCHEME = 'mailing-original';

export interface ChangedFile extends vscode.SourceControlResourceState {
  readonly project: FolderProject;
  readonly target: Target;
  readonly fields: readonly string[];
}

interface ShownControl {
  readonly control: vscode.SourceControl;
  readonly groups: Readonly<Record<GroupName, vscode.SourceControlResourceGroup>>;
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
    for (const [connection, shownControl] of this.#controls) {
      if (targets.has(connection)) continue;
      shownControl.control.dispose();
      this.#controls.delete(connection);
    }
    for (const [connection, some] of targets) this.#updateConnection(connection, some);
  }

  #updateConnection(connection: string, targets: readonly Target[]): void {
    const shownControl = this.#controls.get(connection) ?? this.#create(connection);
    this.#controls.set(connection, shownControl);
    const files = targets.flatMap((target) => this.#listChangedFiles(target));
    for (const { id } of changeGroups)
      shownControl.groups[id].resourceStates = files.filter(({ group }) => group === id).map(({ file }) => file);
    shownControl.control.count = files.length;
    const countOf = (name: GroupName): number => shownControl.groups[name].resourceStates.length;
    const counts = { push: countOf('push'), pull: countOf('pull') + countOf('both') };
    const failed = targets.filter((target) => this.#project.getStatus(target)?.kind === 'failed');
    const title = failed.length > 0 ? '$(warning)' : `$(arrow-up)${counts.push} $(arrow-down)${counts.pull}`;
    const tooltip =
      failed.length > 0
        ? `${formatAmount(failed.length, 'template')} could not be read. Refresh to try again.`
        : `Mailing Studio: ${formatAmount(counts.push, 'file')} to push, ${counts.pull} to pull. Refresh.`;
    shownControl.control.statusBarCommands = [
      { command: 'mailing.folders.refresh', title, tooltip, arguments: [shownControl.control] },
    ];
  }

  #create(connection: string): ShownControl {
    const name = toSingleLine(this.#connections.get(connection)?.name ?? connection);
    const { root } = this.#project.files;
    // VS Code registers a command per id with a quick diff, so ids must be unique.
    const index = vscode.workspace.getWorkspaceFolder(root)?.index ?? 0;
    const control = vscode.scm.createSourceControl(
      `mailing-${connection}${index === 0 ? '' : `-${index}`}`,
      `Mailing: ${name}`,
      root,
    );
    control.inputBox.visible = false;
    control.quickDiffProvider = { provideOriginalResource: (uri) => this.#findOriginalUri(connection, uri) };
    const entries = changeGroups.map(({ id, title }) => {
      const group = control.createResourceGroup(id, title);
      group.hideWhenEmpty = true;
      return [id, group] as const;
    });
    return { control, groups: Object.fromEntries(entries) as ShownControl['groups'] };
  }

  #listChangedFiles(target: Target): readonly { readonly group: GroupName; readonly file: ChangedFile }[] {
    const status = this.#project.getStatus(target);
    if (status?.kind === 'deleted') {
      const tooltip = `Template ${target.id} is not on the service any more.`;
      return [{ group: 'push', file: this.#createFile(target, mappingName, [], 'gone', tooltip) }];
    }
    return findChangedFiles(this.#project, target).map(({ path, fields, group }) => ({
      group: group.id,
      file: this.#createFile(target, path, fields, group.context, `${fields.join(', ')}: ${group.tooltip}`),
    }));
  }

  #createFile(
    target: Target,
    path: string,
    fields: readonly string[],
    contextValue: string,
    tooltip: string,
  ): ChangedFile {
    const resourceUri = this.#project.files.uri(path);
    const file = {
      project: this.#project,
      target,
      fields,
      resourceUri,
      contextValue,
      decorations: { tooltip: escapeMessage(tooltip) },
    };
    const command = {
      command: contextValue === 'gone' ? 'vscode.open' : 'mailing.folders.compare',
      title: 'Compare with the Service',
    };
    return { ...file, command: { ...command, arguments: [contextValue === 'gone' ? resourceUri : file] } };
  }

  #findOriginalUri(connection: string, uri: vscode.Uri): vscode.Uri | undefined {
    const path = this.#project.files.relativePath(uri);
    const target =
      path === undefined
        ? undefined
        : this.#project.targets.find(
            (one) => one.connection === connection && this.#project.folder.fieldsIn(one.template, path).length > 0,
          );
    if (path === undefined || target === undefined || this.#project.getStatus(target)?.kind !== 'compared')
      return undefined;
    return getOriginalUri(this.#project, target, path);
  }
}

/** Returns the URI of the service's version of a file. */
export function getOriginalUri(project: FolderProject, target: Target, path: string): vscode.Uri {
  return project.files.uri(path).with({ scheme: ORIGINAL_SCHEME, query: targetKey(target) });
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
