import * as vscode from 'vscode';
import type { MailingClient } from '../api/index.ts';
import type { DocumentKind } from './model.ts';
import { sameValue } from './text.ts';
import { baseName, build } from './uri.ts';
import type { Rooms } from '../rooms.ts';
import { afterwards, changeOnce, isMissing, newId } from '../sending/changeOnce.ts';
import { confirm, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import type { RecordRef } from '../connections/record.ts';
import { Targets, type RecordChoice, type RecordPick } from './targets.ts';

/** A record that a command opened, made or found, with the document that shows it. */
export interface FoundRecord extends RecordRef {
  readonly uri: vscode.Uri;
}

/** A record in a picker, with its name as the service has it. */
export interface NamedChoice extends RecordChoice {
  readonly name: string | null;
}

/** How records of a kind are picked, and what a picker says. */
export interface Picking extends Pick<RecordPick, 'placeholder'> {
  search(client: MailingClient, text: string, signal: AbortSignal): Promise<readonly NamedChoice[]>;
}

/** A record that is to be made. */
export interface Draft {
  readonly connection: string;
  readonly name: string;
  /** Its fields as they are sent. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Of the document that opens. */
  readonly suffix: string;
}

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

  run<T>({ connection }: Pick<RecordRef, 'connection'>, operation: (client: MailingClient) => Promise<T>): Promise<T> {
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

  /**
   * Makes a record by an operation that gives its id. Where the answer is lost the record is looked for; undefined where it is not seen:
   * that is told, with a way to look again.
   *
   * Throws `ApiError` where the service refused it, or can't be asked for its records of that name before.
   */
  async make(draft: Draft, operation: (client: MailingClient) => Promise<number>): Promise<RecordRef | undefined> {
    const { connection, name } = draft;
    const { noun, collection } = this.#kind;
    const namesakes = async (signal: AbortSignal): Promise<readonly number[]> => {
      const found = await this.run({ connection }, (client) => this.#picking.search(client, name, signal));
      return found.filter((each) => each.name === name).map(({ id }) => id);
    };
    const before = await withProgress(`Looking at the ${collection}`, namesakes);
    const id = await changeOnce({
      what: `the ${noun} "${name}" was made`,
      again: 'make it again',
      place: `the ${collection}`,
      look: async (signal) => {
        this.#redraw({ connection });
        return newId(before, await namesakes(signal));
      },
      found: (seen) => this.showMade({ connection, id: seen }, draft),
    }, () => this.run({ connection }, operation));
    return id === undefined ? undefined : { connection, id };
  }

  /** Opens a record that was just made, and tells what the service did not keep as it was sent. Whatever fails here, it was made. */
  async showMade(ref: RecordRef, { name, sent, suffix }: Draft): Promise<FoundRecord> {
    const { noun, collection } = this.#kind;
    this.#redraw(ref);
    let uri = build(collection, ref, baseName(name, `${noun} ${ref.id}`) + suffix);
    await afterwards(`the ${noun} "${name}" was made`, async () => {
      const record = await this.read(ref);
      const lost = Object.keys(sent).filter((field) => !sameValue(sent[field], this.#kind.field(record, field)));
      const made = `"${this.#kind.name(record)}" was made`;
      if (lost.length > 0) void showWarning(`${made}, but the service did not keep as sent: ${lost.join(', ')}.`);
      uri = this.rooms.documents.uriOf(collection, ref, record, suffix);
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
    });
    return { ...ref, uri };
  }

  /** Shows in the tree and in open documents what has changed on the service. */
  async changed(ref: RecordRef): Promise<void> {
    this.#redraw(ref);
    await this.rooms.documents.refresh(this.#kind.collection, ref);
  }

  /**
   * Deletes a record after a modal question. Its open tabs say that it is gone, and keep their text. `forget`: drops what this
   * machine keeps of it. Undefined where the user cancels, and where it is not known whether it is gone.
   */
  async remove(
    ref: RecordRef,
    lost: readonly string[],
    operation: (client: MailingClient) => Promise<unknown>,
    forget: () => unknown = () => undefined,
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
    const gone = (): Promise<void> => afterwards(`${what} was deleted`, async () => {
      this.#redraw(ref);
      this.rooms.documents.gone(collection, ref);
      await forget();
    });
    const isGone = await changeOnce({
      what: `${what} was deleted`,
      again: 'delete it again',
      place: `the ${collection}`,
      look: async () => {
        this.#redraw(ref);
        return (await isMissing(() => this.read(ref))) || undefined;
      },
      found: gone,
    }, async () => (await this.run(ref, operation), true));
    if (isGone === undefined) return undefined;
    await gone();
    return { connection: ref.connection, id: ref.id };
  }

  #redraw({ connection }: Pick<RecordRef, 'connection'>): void {
    this.rooms.explorer.refresh({ connection, collection: this.#kind.collection });
  }
}
