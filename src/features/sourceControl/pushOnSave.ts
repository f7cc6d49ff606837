import * as vscode from 'vscode';
import { showError, showWarning } from '../../platform/ui/messages.ts';
import { findStaleOutputs } from './outputs.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';
import { push, pushSaved } from './transfers.ts';

const PUSH_DEBOUNCE_MS = 300;

type PushOnSaveSetting = 'off' | 'ask' | 'on';

/** Pushes templates when their files are saved, as configured in `mailing.sync.pushOnSave`. */
export class PushOnSave implements vscode.Disposable {
  readonly #tools: FolderTools;
  /** Documents that VS Code is saving automatically. These saves push nothing. */
  readonly #autoSaved = new Set<string>();
  /** Saved documents waiting for a push. */
  readonly #pending = new Map<string, vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;
  #isPushing = false;

  constructor(tools: FolderTools) {
    this.#tools = tools;
    this.#subscriptions = [
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.Manual) this.#autoSaved.delete(document.uri.toString());
        else this.#autoSaved.add(document.uri.toString());
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        const key = uri.toString();
        if (
          this.#autoSaved.delete(key) ||
          tools.savingUris.has(key) ||
          readSetting(uri) === 'off' ||
          this.#targetsAt(uri).length === 0
        )
          return;
        this.#pending.set(key, uri);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#push(), PUSH_DEBOUNCE_MS);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Files saved during a push are pushed after it. */
  async #push(): Promise<void> {
    if (this.#isPushing) return;
    this.#isPushing = true;
    try {
      while (this.#pending.size > 0) {
        const uris = [...this.#pending.values()];
        this.#pending.clear();
        await this.#pushAt(uris).catch((error: unknown) => void showError(error, { title: 'Push' }));
      }
    } finally {
      this.#isPushing = false;
    }
  }

  async #pushAt(uris: readonly vscode.Uri[]): Promise<void> {
    // The settings of an untrusted workspace are ignored, and nothing of it is pushed.
    if (!vscode.workspace.isTrusted) return;
    const wanted = new Map<string, ProjectTarget & { readonly isAsked: boolean }>();
    for (const uri of uris) {
      for (const { project, target } of this.#targetsAt(uri)) {
        const isAsked = readSetting(uri) === 'ask' || project.isProtected(target.connection);
        wanted.set(`${project.files.root.toString()} ${JSON.stringify(target)}`, { project, target, isAsked });
      }
    }
    const current = await this.#withCurrentOutput([...wanted.values()]);
    await pushSaved(
      this.#tools,
      current.filter(({ isAsked }) => !isAsked),
      'on',
    );
    await pushSaved(
      this.#tools,
      current.filter(({ isAsked }) => isAsked),
      'ask',
    );
  }

  /** Returns the templates with a current output and reports the others. */
  async #withCurrentOutput<T extends ProjectTarget>(items: readonly T[]): Promise<readonly T[]> {
    const stale = await findStaleOutputs(
      this.#tools,
      items.map(({ project, target }) => ({ project, template: target.template })),
    );
    const isStale = ({ target }: ProjectTarget): boolean => stale.some(({ template }) => template === target.template);
    const skipped = items.filter(isStale);
    if (skipped.length > 0) {
      const causes = [...new Set(stale.map((one) => one.staleness.cause))];
      void this.#reportStale(skipped, causes);
    }
    return items.filter((one) => !isStale(one));
  }

  async #reportStale(skipped: readonly ProjectTarget[], causes: readonly string[]): Promise<void> {
    const again = 'Push';
    try {
      if ((await showWarning(`Not pushed: ${causes.join(' ')}`, again)) === again) await push(this.#tools, skipped);
    } catch (error) {
      await showError(error, { title: again });
    }
  }

  #targetsAt(uri: vscode.Uri): readonly ProjectTarget[] {
    return this.#tools.folders.projects.flatMap((project) => {
      const path = project.files.relativePath(uri);
      if (path === undefined) return [];
      const targets = project.targets.filter(({ template }) => project.folder.fieldsIn(template, path).length > 0);
      return targets.map((target) => ({ project, target }));
    });
  }
}

function readSetting(uri: vscode.Uri): PushOnSaveSetting {
  return vscode.workspace.getConfiguration('mailing.sync', uri).get<PushOnSaveSetting>('pushOnSave', 'off');
}
