import * as vscode from 'vscode';
import type { MailingClient } from '../../service/client/index.ts';
import type { RecordRef } from '../connections/model.ts';
import { isSameValue } from '../documents/differences.ts';
import type { FoundRecord, RecordCommands } from '../documents/recordCommands.ts';
import { toBaseName, buildUri } from '../documents/uri.ts';
import { confirm, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { runAfterChange, changeOnce, isMissing, findNewId } from './changeOnce.ts';

export interface NewRecord {
  readonly connection: string;
  readonly name: string;
  /** The fields as sent to the service. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** File name suffix of the document to open. */
  readonly suffix: string;
}

/**
 * Creates a record with an operation that returns its id. If the response is lost, looks for the record by name.
 * Undefined if it isn't there: the user is notified and can check again, and `found` is called if a later check finds
 * it.
 *
 * Throws `ApiError` if the service refused the request, or can't list existing records of that name.
 */
export async function createRecord<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  draft: NewRecord,
  operation: (client: MailingClient) => Promise<number>,
  onFoundLater: (ref: RecordRef) => unknown = (ref) => openCreatedRecord(commands, ref, draft),
): Promise<RecordRef | undefined> {
  const { connection, name } = draft;
  const { noun, collection } = commands.kind;
  const findIdsByName = async (signal: AbortSignal): Promise<readonly number[]> => {
    const found = await commands.run({ connection }, (client) => commands.source.search(client, name, signal));
    return found.filter((each) => each.name === name).map(({ id }) => id);
  };
  const before = await withProgress(`Looking at the ${collection}`, findIdsByName);
  const id = await changeOnce(
    {
      description: `the ${noun} "${name}" was made`,
      repeatAction: 'make it again',
      location: `the ${collection}`,
      check: async (signal) => {
        commands.refreshTree({ connection });
        return findNewId(before, await findIdsByName(signal));
      },
      onConfirmed: (id) => onFoundLater({ connection, id }),
    },
    () => commands.run({ connection }, operation),
  );
  return id === undefined ? undefined : { connection, id };
}

/**
 * Opens a new record and reports fields that the service stored differently. Never fails: the record exists in any
 * case.
 */
export async function openCreatedRecord<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  ref: RecordRef,
  { name, fields, suffix }: NewRecord,
): Promise<FoundRecord> {
  const {
    kind,
    services: { documents },
  } = commands;
  commands.refreshTree(ref);
  let uri = buildUri(kind.collection, ref, toBaseName(name, `${kind.noun} ${ref.id}`) + suffix);
  await runAfterChange(`the ${kind.noun} "${name}" was made`, async () => {
    const record = await commands.read(ref);
    const lost = Object.keys(fields).filter((field) => !isSameValue(fields[field], kind.getField(record, field)));
    const made = `"${kind.name(record)}" was made`;
    if (lost.length > 0) void showWarning(`${made}, but the service did not keep as sent: ${lost.join(', ')}.`);
    uri = documents.buildUri(kind.collection, ref, record, suffix);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  });
  return { ...ref, uri };
}

export interface Deletion {
  /** What the user loses, for the confirmation. */
  readonly consequences: readonly string[];
  operation(client: MailingClient): Promise<unknown>;
  deleteLocalData?(): unknown;
}

/**
 * Deletes a record after a modal confirmation. Its open tabs show that it was deleted and keep their text. Undefined
 * if the user cancels or the outcome is unknown.
 */
export async function deleteRecord<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  ref: RecordRef,
  { consequences, operation, deleteLocalData }: Deletion,
): Promise<RecordRef | undefined> {
  const record = await commands.read(ref);
  const { noun, collection, name } = commands.kind;
  const what = `the ${noun} "${name(record) || ref.id}"`;
  const agreed = await confirm(
    `Delete ${what} on ${commands.getServiceName(ref)}?`,
    [...consequences, 'Open tabs keep their text, so that it can be saved elsewhere.'],
    'Delete',
  );
  if (!agreed) return undefined;
  const handleDeleted = (): Promise<void> =>
    runAfterChange(`${what} was deleted`, async () => {
      commands.refreshTree(ref);
      (await commands.services.documents.getRecord(collection, ref)).markDeleted();
      await deleteLocalData?.();
    });
  const isDeleted = await changeOnce(
    {
      description: `${what} was deleted`,
      repeatAction: 'delete it again',
      location: `the ${collection}`,
      check: async () => {
        commands.refreshTree(ref);
        return (await isMissing(() => commands.read(ref))) || undefined;
      },
      onConfirmed: handleDeleted,
    },
    async () => (await commands.run(ref, operation), true),
  );
  if (isDeleted === undefined) return undefined;
  await handleDeleted();
  return { connection: ref.connection, id: ref.id };
}
