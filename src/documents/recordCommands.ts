import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { MailingClient } from '../api/index.ts';
import type { DocumentKind } from './model.ts';
import { sameValue } from './text.ts';
import type { Rooms } from '../rooms.ts';
import { deleteOnce, isMissing } from '../sending/deleteOnce.ts';
import { confirm, showWarning } from '../ui/messages.ts';
import type { RecordRef } from '../connections/record.ts';
import { Targets, type RecordPick } from './targets.ts';

/** A record that a command opened, made or found, with the document that shows it. */
export interface FoundRecord extends RecordRef {
  readonly uri: vscode.Uri;
}

/** How records of a kind are picked, and what a picker says. */
export type Picking = Pick<RecordPick, 'placeholder' | 'search'>;

/** What the commands on records of one kind share: finding the one that is meant, opening it, and telling the window of changes. */
export class RecordCommands<R extends { readonly id: number }> {
  readonly rooms: Rooms;
  readonly targets: Targets;
  readonly #kind: DocumentKind<R>;
  readonly #picking: Picking;

  constructor(rooms: Rooms, kind: DocumentKind<R>, picking: Picking) {
    this.rooms = rooms;
    this.targets = new Targets(rooms.connections);
    this.#kind = kind;
    this.#picking = picking;
  }

  /** The record that is meant, from the argument, the active editor (unless it is to be asked for) or a quick pick. */
  choose(argument: unknown, title: string, { fromEditor = true }: { fromEditor?: boolean } = {}): Promise<RecordRef | undefined> {
    return this.targets.record(argument, { ...this.#picking, collection: this.#kind.collection, title, fromEditor });
  }

  run<T>({ connection }: RecordRef, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.rooms.connections.run(connection, operation);
  }

  read(ref: RecordRef): Promise<R> {
    return this.run(ref, (client) => this.#kind.read(client, ref.id, { connection: ref.connection }));
  }

  /** What the user calls the service of a record. */
  service({ connection }: RecordRef): string {
    return this.rooms.connections.get(connection)?.name ?? connection;
  }

  async open(ref: RecordRef, suffix: string): Promise<FoundRecord> {
    const uri = await this.rooms.documents.uri(this.#kind.collection, ref, suffix);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
    return { ...ref, uri };
  }

  /** Runs an operation that makes a record. Where its answer is lost, the tree shows what came of it. */
  async make<T>(connection: string, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    try {
      return await this.rooms.connections.run(connection, operation);
    } catch (error) {
      if (isApiError(error) && error.outcome === 'unknown') this.#redraw({ connection });
      throw error;
    }
  }

  /** Shows a record that was just made in the tree, and tells what the service did not keep as it was sent. */
  async made(ref: RecordRef, sent: Readonly<Record<string, unknown>>): Promise<void> {
    this.#redraw(ref);
    const record = await this.read(ref);
    const lost = Object.entries(sent)
      .filter(([name, value]) => !sameValue(value, this.#kind.field(record, name)))
      .map(([name]) => name);
    if (lost.length > 0)
      void showWarning(`"${this.#kind.name(record)}" was made, but the service did not keep as sent: ${lost.join(', ')}.`);
  }

  /** Shows in the tree and in open documents what has changed on the service. */
  async changed(ref: RecordRef): Promise<void> {
    this.#redraw(ref);
    await this.rooms.documents.refresh(this.#kind.collection, ref);
  }

  /**
   * Deletes a record after a modal question. Its open tabs say that it is gone, and keep their text. Undefined where the user cancels, and
   * where it is not known whether it is gone.
   */
  async remove(
    ref: RecordRef,
    lost: readonly string[],
    operation: (client: MailingClient) => Promise<unknown>,
  ): Promise<RecordRef | undefined> {
    const record = await this.read(ref);
    const { noun, collection } = this.#kind;
    const what = `the ${noun} "${this.#kind.name(record) || ref.id}"`;
    const agreed = await confirm(
      `Delete ${what} on ${this.service(ref)}?`,
      [...lost, 'Open tabs keep their text, so that it can be saved elsewhere.'],
      'Delete',
    );
    if (!agreed) return undefined;
    const isGone = await deleteOnce(
      { what, place: `the ${collection}` },
      () => this.run(ref, operation),
      () => isMissing(() => this.read(ref)),
    );
    this.#redraw(ref);
    if (!isGone) return undefined;
    this.rooms.documents.gone(collection, ref);
    return { connection: ref.connection, id: ref.id };
  }

  #redraw({ connection }: Pick<RecordRef, 'connection'>): void {
    this.rooms.explorer.refresh({ connection, collection: this.#kind.collection });
  }
}
