import * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { findChangedFiles, changeGroups, type ChangedFields } from './changedFiles.ts';
import type { FolderProject } from './project.ts';

interface Difference extends Pick<ChangedFields, 'fields' | 'group'> {
  readonly service: string;
}

/** Decorates mapped files that differ from a service, as Git decorates changed files. */
export class Decorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #connections: Pick<Connections, 'get'>;
  /** By project, then by file URI. */
  readonly #decorations = new Map<FolderProject, ReadonlyMap<string, vscode.FileDecoration>>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #registration: vscode.Disposable;

  constructor(connections: Pick<Connections, 'get'>) {
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
    for (const decorations of this.#decorations.values()) {
      const decoration = decorations.get(key);
      if (decoration !== undefined) return decoration;
    }
    return undefined;
  }

  #show(project: FolderProject, decorations: ReadonlyMap<string, vscode.FileDecoration>): void {
    const before = this.#decorations.get(project) ?? new Map<string, vscode.FileDecoration>();
    this.#decorations.set(project, decorations);
    const isChanged = (key: string): boolean => before.get(key)?.tooltip !== decorations.get(key)?.tooltip;
    const changed = [...new Set([...before.keys(), ...decorations.keys()])].filter(isChanged);
    if (changed.length > 0) this.#changed.fire(changed.map((key) => vscode.Uri.parse(key)));
  }

  #createDecorations(project: FolderProject): ReadonlyMap<string, vscode.FileDecoration> {
    const files = new Map<string, Difference[]>();
    for (const target of project.targets) {
      const service = this.#connections.get(target.connection)?.name ?? target.connection;
      for (const { path, fields, group } of findChangedFiles(project, target)) {
        const key = project.files.uri(path).toString();
        files.set(key, [...(files.get(key) ?? []), { fields, group, service }]);
      }
    }
    return new Map([...files].map(([key, differences]) => [key, createDecoration(differences)]));
  }
}

/** Uses the badge of the most urgent change. The tooltip lists the changes of every service. */
function createDecoration(differences: readonly Difference[]): vscode.FileDecoration {
  const tooltips = differences.map(({ fields, group, service }) =>
    escapeMessage(`${service}: ${fields.join(', ')} ${group.tooltip}`),
  );
  const { badge, color } =
    changeGroups.find((group) => differences.some((one) => one.group === group)) ?? changeGroups[0];
  const decoration = new vscode.FileDecoration(badge, tooltips.join(' · '), new vscode.ThemeColor(color));
  decoration.propagate = true;
  return decoration;
}
