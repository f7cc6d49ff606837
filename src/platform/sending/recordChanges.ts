import * as vscode from 'vscode';
import { isApiError } from '../../service/client/errors.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { RecordRef } from '../connections/model.ts';
import { isSameValue } from '../documents/differences.ts';
import type { Fields } from '../documents/model.ts';
import type { FoundRecord, RecordCommands } from '../documents/recordCommands.ts';
import { toBaseName, buildUri } from '../documents/uri.ts';
import { errorText, isCanceled } from '../ui/errors.ts';
import { confirm, showInfo, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';

/** A change on the service that must not be repeated automatically. */
export interface ServiceChange<T> {
  /** The completed change as a clause: `the list "News" was made`. */
  readonly description: string;
  readonly repeatAction: string;
  /** Where the user can check for it: `the lists`. */
  readonly location: string;
  /** Checks the service; undefined if the change isn't there. Rejects if the check fails. */
  check(signal: AbortSignal): Promise<T | undefined>;
  /** Called if a later check by the user finds the change. */
  onConfirmed(result: T): unknown;
}

const CHECK_AGAIN = 'Check Again';

/**
 * Runs a change once. If the response is lost, checks the service instead of repeating the request, and reports the
 * result. A change that isn't found may still appear, so it is never reported as failed; the user can check again.
 * Resolves with undefined if the outcome is unknown.
 *
 * Throws `ApiError` if the service refused the change or the request never reached it.
 */
export async function changeOnce<T>(change: ServiceChange<T>, operation: () => Promise<T>): Promise<T | undefined> {
  try {
    return await operation();
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    const result = await checkChange(change).catch(() => undefined);
    if (result === undefined) void reportUnknownOutcome(change, errorText(error));
    else void showInfo(`The response was lost, but ${change.description}.`);
    return result;
  }
}

/**
 * Runs the steps after a successful change. If they fail, shows a warning without a Retry button, which would repeat
 * the change.
 */
export async function runAfterChange(what: string, task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!isCanceled(error))
      void showWarning(`${what.charAt(0).toUpperCase()}${what.slice(1)}, but it can't be shown: ${errorText(error)}`);
  }
}

/**
 * Returns the only id in `after` that is new; undefined if there is none. Services assign increasing ids, so a lower
 * id that is missing in `before` isn't new.
 *
 * Throws if there are several new ids.
 */
export function findNewId(before: Iterable<number>, after: readonly number[]): number | undefined {
  const last = Math.max(0, ...before);
  const [added, ...others] = new Set(after.filter((id) => id > last));
  if (others.length > 0)
    throw new Error(`The service has ${others.length + 1} new records, and any of them may be yours.`);
  return added;
}

/** Returns whether the service reports that a record doesn't exist. Rejects if the request fails. */
export async function isMissing(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (isApiError(error) && error.kind === 'notFound') return true;
    throw error;
  }
}

function checkChange<T>(change: ServiceChange<T>): Promise<T | undefined> {
  return withProgress(`Checking ${change.location}`, (signal) => change.check(signal));
}

/** Reports an unknown outcome until a check succeeds. */
async function reportUnknownOutcome<T>(change: ServiceChange<T>, firstCause: string): Promise<void> {
  const { description, location, repeatAction } = change;
  for (let cause = firstCause; ;) {
    const message =
      `Couldn't confirm whether ${description}: ${cause} Nothing was repeated, and the service may still be working on it. ` +
      `Check ${location} before you ${repeatAction}.`;
    if ((await showWarning(message, CHECK_AGAIN)) !== CHECK_AGAIN) return;
    try {
      const result = await checkChange(change);
      if (result !== undefined) {
        void showInfo(`Confirmed: ${description}.`);
        return await runAfterChange(description, async () => change.onConfirmed(result));
      }
      cause = "the service doesn't show it yet.";
    } catch (error) {
      cause = errorText(error);
    }
  }
}

export interface NewRecord {
  readonly connection: string;
  readonly name: string;
  /** The fields as sent to the service. */
  readonly fields: Fields;
  /** File name suffix of the document to open. */
  readonly suffix: string;
}

/**
 * Creates a record with an operation that returns its id. If the response is lost, searches for the record by name.
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
  const before = await withProgress(`Reading the ${collection}`, findIdsByName);
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
    if (lost.length > 0)
      void showWarning(`${made}, but the service stored these fields differently: ${lost.join(', ')}.`);
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
    [...consequences, 'Open tabs keep their text, so that you can save it elsewhere.'],
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
