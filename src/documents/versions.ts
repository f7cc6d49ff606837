import type * as vscode from 'vscode';
import { fingerprint } from './text.ts';

/** One state of a document's content. */
export interface Version {
  readonly fingerprint: string;
  /** When this content was first seen, in ms since the epoch: the document's `mtime`. */
  readonly mtime: number;
  /** Bytes of UTF-8. */
  readonly size: number;
}

const historyLength = 8;
const stateKey = 'mailing.documents.bases';
const maxStored = 200;

/**
 * Remembers, for each document, the content last seen on the service and the content that an open editor was opened on.
 *
 * `mtime` moves only when content did. What a dirty editor is based on outlives the window (workspace state), so that an
 * editor restored from a backup still notices that somebody else wrote meanwhile.
 */
export class Versions {
  readonly #state: vscode.Memento;
  readonly #history = new Map<string, Version[]>();
  readonly #bases = new Map<string, Version>();

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Notes what the service holds now. Returns the version, and whether content known before has changed. */
  see(uri: string, text: string): { version: Version; changed: boolean } {
    const print = fingerprint(text);
    const history = this.#history.get(uri) ?? [];
    const last = history.at(-1);
    const size = Buffer.byteLength(text);
    if (last?.fingerprint === print && last.size === size) return { version: last, changed: false };
    const stored = last === undefined ? this.#stored()[uri] : undefined;
    const version: Version =
      stored?.fingerprint === print && stored.size === size
        ? stored
        : { fingerprint: print, mtime: Math.max(Date.now(), (last?.mtime ?? 0) + 1), size };
    history.push(version);
    this.#history.set(uri, history.slice(-historyLength));
    return { version, changed: last !== undefined };
  }

  /** The content last seen on the service. */
  latest(uri: string): Version | undefined {
    return this.#history.get(uri)?.at(-1);
  }

  /** What an open editor is based on; undefined where that is not known. */
  base(uri: string): Version | undefined {
    return this.#bases.get(uri) ?? this.#stored()[uri];
  }

  /**
   * An editor shows this text unedited: from here on its edits are based on it. A text that the service was not seen to
   * hold changes nothing: the event of an editor's first edit comes before the editor counts as dirty.
   * @returns whether it is such a text
   */
  rebase(uri: string, text: string): boolean {
    const print = fingerprint(text);
    const known = this.#history.get(uri)?.findLast((version) => version.fingerprint === print);
    if (known === undefined) return false;
    this.#bases.set(uri, known);
    void this.#store(uri, undefined);
    return true;
  }

  /**
   * Edits are based on a text that the service was not seen to hold: one that was sent and is held differently, or that a run before this
   * one has read.
   */
  rebaseOnUnseen(uri: string, text: string): void {
    const latest = this.latest(uri)?.mtime ?? Date.now();
    // Older than what the service holds, so that an editor that shows it reads again.
    this.#bases.set(uri, { fingerprint: fingerprint(text), mtime: latest - 1, size: Buffer.byteLength(text) });
    void this.#store(uri, undefined);
  }

  /** An editor has become dirty: keeps its base beyond this window. */
  keepBase(uri: string): void {
    const base = this.#bases.get(uri);
    if (base !== undefined && this.#stored()[uri]?.fingerprint !== base.fingerprint) void this.#store(uri, base);
  }

  /** The editor was closed, or its record is gone. */
  forgetBase(uri: string): void {
    this.#bases.delete(uri);
    void this.#store(uri, undefined);
  }

  #stored(): Record<string, Version> {
    return this.#state.get<Record<string, Version>>(stateKey, {});
  }

  async #store(uri: string, version: Version | undefined): Promise<void> {
    const { [uri]: previous, ...others } = this.#stored();
    if (version === undefined && previous === undefined) return;
    const entries = Object.entries(others).slice(-maxStored);
    if (version !== undefined) entries.push([uri, version]);
    await this.#state.update(stateKey, Object.fromEntries(entries));
  }
}
