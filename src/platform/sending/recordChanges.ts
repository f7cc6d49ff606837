import * as vscode from 'vscode';
import type { MailingClient } from '../../service/client/index.ts';
import type { RecordRef } from '../connections/record.ts';
import { sameValue } from '../documents/model.ts';
import type { FoundRecord, RecordCommands } from '../documents/recordCommands.ts';
import { baseName, build } from '../documents/uri.ts';
import { confirm, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { afterwards, changeOnce, isMissing, newId } from './changeOnce.ts';

/** A record that is to be made. */
export interface Draft {
  readonly connection: string;
  readonly name: string;
  /** Its fields as they are sent. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Of the document that opens. */
  readonly suffix: string;
}

/**
 * Makes a record by an operation that gives its id. Where the answer is lost the record is looked for; undefined where it is not seen:
 * that is told, with a way to look again; `found` follows where it is seen then.
 *
 * Throws `ApiError` where the service refused it, or can't be asked for its records of that name before.
 */
export async function makeRecord<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  draft: Draft,
  operation: (client: MailingClient) => Promise<number>,
  found: (ref: RecordRef) => unknown = (ref) => showMade(commands, ref, draft),
): Promise<RecordRef | undefined> {
  const { connection, name } = draft;
  const { noun, collection } = commands.kind;
  const namesakes = async (signal: AbortSignal): Promise<readonly number[]> => {
    const found = await commands.run({ connection }, (client) => commands.picking.search(client, name, signal));
    return found.filter((each) => each.name === name).map(({ id }) => id);
  };
  const before = await withProgress(`Looking at the ${collection}`, namesakes);
  const id = await changeOnce(
    {
      what: `the ${noun} "${name}" was made`,
      again: 'make it again',
      place: `the ${collection}`,
      look: async (signal) => {
        commands.redraw({ connection });
        return newId(before, await namesakes(signal));
      },
      found: (seen) => found({ connection, id: seen }),
    },
    () => commands.run({ connection }, operation),
  );
  return id === undefined ? undefined : { connection, id };
}

/** Opens a record that was just made, and tells what the service did not keep as it was sent. Whatever fails here, it was made. */
export async function showMade<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  ref: RecordRef,
  { name, sent, suffix }: Draft,
): Promise<FoundRecord> {
  const {
    kind,
    services: { documents },
  } = commands;
  commands.redraw(ref);
  let uri = build(kind.collection, ref, baseName(name, `${kind.noun} ${ref.id}`) + suffix);
  await afterwards(`the ${kind.noun} "${name}" was made`, async () => {
    const record = await commands.read(ref);
    const lost = Object.keys(sent).filter((field) => !sameValue(sent[field], kind.field(record, field)));
    const made = `"${kind.name(record)}" was made`;
    if (lost.length > 0) void showWarning(`${made}, but the service did not keep as sent: ${lost.join(', ')}.`);
    uri = documents.uriOf(kind.collection, ref, record, suffix);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  });
  return { ...ref, uri };
}

/** How a record is deleted. */
export interface Deletion {
  /** What is lost with it, for the question before. */
  readonly lost: readonly string[];
  operation(client: MailingClient): Promise<unknown>;
  /** Drops what this machine keeps of it. */
  forget?(): unknown;
}

/**
 * Deletes a record after a modal question. Its open tabs say that it is gone, and keep their text. Undefined where the user cancels, and
 * where it is not known whether it is gone.
 */
export async function deleteRecord<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  ref: RecordRef,
  { lost, operation, forget }: Deletion,
): Promise<RecordRef | undefined> {
  const record = await commands.read(ref);
  const { noun, collection, name } = commands.kind;
  const what = `the ${noun} "${name(record) || ref.id}"`;
  const agreed = await confirm(
    `Delete ${what} on ${commands.service(ref)}?`,
    [...lost, 'Open tabs keep their text, so that it can be saved elsewhere.'],
    'Delete',
  );
  if (!agreed) return undefined;
  const gone = (): Promise<void> =>
    afterwards(`${what} was deleted`, async () => {
      commands.redraw(ref);
      commands.services.documents.gone(collection, ref);
      await forget?.();
    });
  const isGone = await changeOnce(
    {
      what: `${what} was deleted`,
      again: 'delete it again',
      place: `the ${collection}`,
      look: async () => {
        commands.redraw(ref);
        return (await isMissing(() => commands.read(ref))) || undefined;
      },
      found: gone,
    },
    async () => (await commands.run(ref, operation), true),
  );
  if (isGone === undefined) return undefined;
  await gone();
  return { connection: ref.connection, id: ref.id };
}
