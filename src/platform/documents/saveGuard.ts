import { t } from '../../l10n.ts';
import type { ConflictPrompts, SaveAnswer } from './conflictPrompts.ts';
import { SaveError, type DocumentAddress } from './model.ts';
import type { DocumentRegistry } from './registry.ts';

/** How long a save waits for the other saves of one Save All. */
const SAVE_ALL_MS = 400;

/** What made VS Code save a document. `other`: another tab than the active one, or unknown, as when a window closes. */
export type SaveCause = 'activeEditor' | 'autoSave' | 'other';

interface WaitingSave {
  readonly address: DocumentAddress;
  readonly cause: SaveCause;
  readonly resolve: (isAllowed: boolean | Promise<boolean>) => void;
}

/**
 * Refuses saves that the user didn't ask for. VS Code saves all editors before a task or debugger starts, and doesn't say so: on a
 * protected connection, only a single save of the active editor passes without a question. Independent of VS Code.
 */
export class SaveGuard {
  readonly #registry: Pick<DocumentRegistry, 'isProtected' | 'findUnsaved'>;
  readonly #prompts: Pick<ConflictPrompts, 'confirmProtectedSave'>;
  readonly #causes = new Map<string, SaveCause>();
  readonly #answers = new Map<string, SaveAnswer>();
  #waiting: readonly WaitingSave[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    registry: Pick<DocumentRegistry, 'isProtected' | 'findUnsaved'>,
    prompts: Pick<ConflictPrompts, 'confirmProtectedSave'>,
  ) {
    this.#registry = registry;
    this.#prompts = prompts;
  }

  /** VS Code is about to save a document. */
  recordCause(uri: string, cause: SaveCause): void {
    this.#causes.set(uri, cause);
  }

  /** Applies an answer that the user already gave to all saves of some documents. Returns what ends that. */
  applyAnswer(uris: readonly string[], answer: SaveAnswer): () => void {
    for (const uri of uris) this.#answers.set(uri, answer);
    return () => {
      for (const uri of uris) this.#answers.delete(uri);
    };
  }

  /** @throws {SaveError} if a document must not be stored now */
  async check(address: DocumentAddress): Promise<void> {
    const uri = address.uri.toString();
    const cause = this.#causes.get(uri) ?? 'other';
    this.#causes.delete(uri);
    const answer = this.#answers.get(uri);
    if (answer === 'refuse')
      throw new SaveError(t('You chose to build without saving. Your changes are still in this tab.'));
    if (answer === 'store' || !(await this.#registry.isProtected(address.connection))) return;
    if (cause === 'autoSave')
      throw new SaveError(
        t('Auto Save is off for protected connections. Your changes are still in this tab. Save them yourself.'),
      );

    const isAllowed = await new Promise<boolean>((resolve) => this.#join({ address, cause, resolve }));
    if (!isAllowed)
      throw new SaveError(t('You chose not to save to a protected connection. Your changes are still in this tab.'));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { resolve } of this.#waiting) resolve(false);
  }

  /** Adds a save to those that are decided together: all documents of one Save All. */
  #join(save: WaitingSave) {
    clearTimeout(this.#timer);
    this.#waiting = [...this.#waiting, save];
    const waiting = new Set(this.#waiting.map(({ address }) => address.uri.toString()));
    if (this.#registry.findUnsaved().every((uri) => waiting.has(uri.toString()))) this.#decide();
    else this.#timer = setTimeout(() => this.#decide(), SAVE_ALL_MS);
  }

  #decide() {
    const saves = this.#waiting;
    this.#waiting = [];
    const isOwnSave = saves.length === 1 && saves[0]?.cause === 'activeEditor';
    const isAllowed = isOwnSave || this.#prompts.confirmProtectedSave(saves.map(({ address }) => address));
    for (const { resolve } of saves) resolve(isAllowed);
  }
}
