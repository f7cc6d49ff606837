import * as vscode from 'vscode';
import { Debouncer } from '../../platform/ui/async.ts';
import { showError, showWarning } from '../../platform/ui/messages.ts';
import type { ProjectTarget } from './project.ts';
import { deduplicate, findTargets, type FolderTools } from './selection.ts';
import { push, pushSaved } from './transfers.ts';

const PUSH_DEBOUNCE_MS = 300;

/** Pushes templates when their files are saved, as configured in `mailing.sync.pushOnSave`. */
export class PushOnSave implements vscode.Disposable {
  readonly #tools: FolderTools;
  /** Documents that VS Code is saving automatically. These saves push nothing. */
  readonly #autoSaved = new Set<string>();
  /** Saved documents waiting for a push. */
  readonly #pending = new Map<string, vscode.Uri>();
  readonly #pushes = new Debouncer(PUSH_DEBOUNCE_MS);
  readonly #subscriptions: readonly vscode.Disposable[];
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
        this.#pushes.run(() => this.#push());
      }),
    ];
  }

  dispose(): void {
    this.#pushes.dispose();
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
    const saved = uris.flatMap((uri) =>
      this.#targetsAt(uri).map((target) => {
        const isAsked = readSetting(uri) === 'ask' || target.project.isProtected(target.connection);
        return { ...target, mode: isAsked ? ('ask' as const) : ('on' as const) };
      }),
    );
    const current = Map.groupBy(await this.#withCurrentOutput(deduplicate(saved)), ({ mode }) => mode);
    for (const mode of ['on', 'ask'] as const) await pushSaved(this.#tools, current.get(mode) ?? [], mode);
  }

  /** Returns the templates with a current output and reports the others. */
  async #withCurrentOutput<T extends ProjectTarget>(items: readonly T[]): Promise<readonly T[]> {
    const stale = await this.#tools.builds.findStaleOutputs(items);
    const isStale = (item: ProjectTarget): boolean => stale.some(({ template }) => template === item.template);
    const skipped = items.filter(isStale);
    if (skipped.length > 0) void this.#reportStale(skipped, [...new Set(stale.map((one) => one.staleness.cause))]);
    return items.filter((item) => !isStale(item));
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
    return findTargets(this.#tools.folders, uri).filter(
      ({ project, template }) => !project.folder.isSource(template, project.files.relativePath(uri) ?? ''),
    );
  }
}

function readSetting(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('mailing.sync', uri).get('pushOnSave', 'off');
}
