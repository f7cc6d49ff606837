import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { formatList } from '../../l10n.ts';
import { isApiError, type ApiFailure } from '../../service/client/shapes.ts';
import { requestOnce } from '../../sync/requests/requestOnce.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { RecordRef, ServiceRef } from '../../platform/connections/model.ts';
import { isSameValue } from '../../platform/documents/differences.ts';
import type { Fields } from '../../platform/documents/model.ts';
import type { FoundRecord, RecordCommands } from '../../platform/documents/recordCommands.ts';
import { getTextColumn } from '../../platform/documents/unsaved.ts';
import { toBaseName, buildUri } from '../../platform/documents/uri.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';
import { confirm, showInfo, showWarning, withProgress } from '../../ui/messages.ts';

/** Sentences about a change. */
interface ChangeTexts {
  /** `"News" was created.` */
  readonly done: string;
  /** Says that the change may be done, why that is unknown, and what to check before repeating it. */
  formatUnknown(cause: string): string;
}

export function describeCreation(name: string): ChangeTexts {
  return {
    done: t`"${name}" was created.`,
    formatUnknown: (cause) =>
      t`"${name}" may have been created: ${cause} Check the service before you create it again.`,
  };
}

function describeDeletion(name: string): ChangeTexts {
  return {
    done: t`"${name}" was deleted.`,
    formatUnknown: (cause) =>
      t`"${name}" may have been deleted: ${cause} Check the service before you delete it again.`,
  };
}

/** A change on the service that must not be repeated automatically. */
interface ServiceChange<T, Result> {
  readonly texts: ChangeTexts;
  request(): Promise<T>;
  /** Checks the service; undefined if the change isn't there. Rejects if the check fails. */
  check(signal: AbortSignal): Promise<T | undefined>;
  /** Runs once after the change. `isLate`: a later check by the user found it. */
  finish(result: T, isLate: boolean): Promise<Result>;
}

/**
 * Runs a change once, and what follows it. If the response is lost, checks the service instead of repeating the
 * request, and reports the result. A change that isn't found may still appear, so it is never reported as failed; the
 * user can check again. Resolves with undefined if the outcome is unconfirmed.
 *
 * Throws `ApiError` if the service refused the change or the request never reached it.
 */
export async function changeOnce<T, Result>(change: ServiceChange<T, Result>): Promise<Result | undefined> {
  const done = await requestOnce<{ readonly result: T } | undefined>(
    async () => ({ result: await change.request() }),
    async (error) => {
      const result = await checkChange(change).catch(() => undefined);
      if (result === undefined) return void reportUnknownOutcome(change, formatUnknownCause(error));
      void showInfo(`${change.texts.done} ${t('The response was lost, but the service confirms it.')}`);
      return { result };
    },
  );
  return done && change.finish(done.result, false);
}

/**
 * Runs the steps after a successful change. If they fail, shows a warning without a Retry button, which would repeat
 * the change. `done`: the change as a sentence.
 */
export async function runAfterChange(done: string, task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!isCanceled(error)) void showWarning(`${done} ${t`Couldn't show the result: ${errorText(error)}`}`);
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
  if (others.length > 0) throw new Error(t('The service has several new ones, and any of them may be yours.'));
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

/** Returns what happened to the request, without the advice that the error's message contains. */
function formatUnknownCause({ info, status }: ApiFailure) {
  return status === undefined ? `${info.sentence}.` : `${info.sentence} (HTTP ${status}).`;
}

function checkChange<T>(change: ServiceChange<T, unknown>) {
  return withProgress(t('Checking the service'), (signal) => change.check(signal));
}

/** Reports an unknown outcome until a check succeeds. */
async function reportUnknownOutcome<T>(change: ServiceChange<T, unknown>, firstCause: string) {
  const { texts } = change;
  const checkAgain = t('Check Again');
  for (let cause = firstCause; ;) {
    if ((await showWarning(texts.formatUnknown(cause), checkAgain)) !== checkAgain) return;
    try {
      const result = await checkChange(change);
      if (result !== undefined) {
        void showInfo(texts.done);
        return await runAfterChange(texts.done, () => change.finish(result, true));
      }
      cause = t("The service doesn't show it yet.");
    } catch (error) {
      cause = errorText(error);
    }
  }
}

export interface NewRecord {
  readonly service: ServiceRef;
  readonly name: string;
  /** The fields as sent to the service. */
  readonly fields: Fields;
  /** File name suffix of the document to open. */
  readonly suffix: string;
  /** Creates the record and returns its id. */
  create(client: MailingClient): Promise<number>;
}

/**
 * Creates a record and passes it to `finish`. If the response is lost, searches for the record by name. Undefined if
 * it isn't there: the user is notified and can check again.
 *
 * Throws `ApiError` if the service refused the request, or can't list existing records of that name.
 */
export async function createRecord<R extends { readonly id: number }, Result>(
  commands: RecordCommands<R>,
  { service, name, create }: NewRecord,
  finish: (ref: RecordRef, isLate: boolean) => Promise<Result>,
): Promise<Result | undefined> {
  const findIdsByName = async (signal: AbortSignal) => {
    const found = await commands.run(service, (client) => commands.source.search(client, name, signal));
    return found.filter((each) => each.name === name).map(({ id }) => id);
  };
  const before = await withProgress(t`Creating "${name}"`, findIdsByName);
  return changeOnce({
    texts: describeCreation(name),
    request: () => commands.run(service, create),
    check: async (signal) => {
      commands.refreshTree(service);
      return findNewId(before, await findIdsByName(signal));
    },
    finish: (id, isLate) => finish({ ...service, id }, isLate),
  });
}

/** Creates a record like `createRecord`, and opens it. */
export function createAndOpenRecord<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  draft: NewRecord,
): Promise<FoundRecord | undefined> {
  return createRecord(commands, draft, (ref) => openCreatedRecord(commands, ref, draft));
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
  const { kind, services } = commands;
  commands.refreshTree(ref);
  let uri = buildUri(kind.collection, ref, toBaseName(name, `${kind.noun} ${ref.id}`) + suffix);
  await runAfterChange(describeCreation(name).done, async () => {
    const record = await commands.read(ref);
    const lost = Object.keys(fields).filter((field) => !isSameValue(fields[field], kind.getField(record, field)));
    if (lost.length > 0)
      void showWarning(
        t`"${kind.name(record)}" was created, but the service stored these fields differently: ${formatList(lost)}.`,
      );
    uri = services.documents.buildUri(kind.collection, ref, record, suffix);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false, viewColumn: getTextColumn() });
  });
  return { ...ref, uri };
}

/** What the user is about to delete, as last read. */
interface DeletionSubject {
  readonly name: string;
  readonly question: string;
  /** What the user loses, for the confirmation. */
  readonly consequences: readonly string[];
  /** The texts of its documents. */
  readonly content?: readonly string[];
}

interface Deletion {
  /** Reads it. Throws `ApiError`. */
  read(): Promise<DeletionSubject>;
  request(): Promise<unknown>;
  isDeleted(signal: AbortSignal): Promise<boolean>;
  finish(): unknown;
}

/**
 * Deletes something once, after a modal confirmation. Asks again if it changed while the confirmation was open. False if
 * the user cancels or the outcome is unconfirmed.
 */
export async function deleteOnce({ read, request, isDeleted, finish }: Deletion): Promise<boolean> {
  let subject = await read();
  for (let notes: readonly string[] = []; ; notes = [t('It changed while this question was open.')]) {
    if (!(await confirm(subject.question, [...notes, ...subject.consequences], t('Delete')))) return false;
    const confirmed = subject;
    subject = await read();
    if (isDeepStrictEqual(subject, confirmed)) break;
  }
  const texts = describeDeletion(subject.name);
  const result = await changeOnce<unknown, boolean>({
    texts,
    request,
    check: async (signal) => (await isDeleted(signal)) || undefined,
    finish: async () => {
      await runAfterChange(texts.done, async () => finish());
      return true;
    },
  });
  return result === true;
}

/**
 * Deletes a record after a modal confirmation. Its open tabs show that it was deleted and keep their text. Undefined
 * if the user cancels or the outcome is unconfirmed.
 */
export async function deleteRecord<R extends { readonly id: number }>(
  commands: RecordCommands<R>,
  ref: RecordRef,
  {
    formatQuestion,
    getConsequences,
    operation,
    deleteLocalData,
  }: {
    /** `Delete the campaign "Spring sale" on Production?` */
    formatQuestion(name: string, service: string): string;
    getConsequences(record: R): readonly string[];
    operation(client: MailingClient): Promise<unknown>;
    deleteLocalData?(): unknown;
  },
): Promise<RecordRef | undefined> {
  const { collection, parts } = commands.kind;
  const isDeleted = await deleteOnce({
    read: async () => {
      const record = await commands.read(ref);
      const name = commands.kind.name(record) || `#${ref.id}`;
      return {
        name,
        question: formatQuestion(name, commands.getServiceName(ref)),
        consequences: [...getConsequences(record), t('Open tabs keep their text, so that you can save it elsewhere.')],
        content: parts.map((part) => part.render(record)),
      };
    },
    request: () => commands.run(ref, operation),
    isDeleted: () => {
      commands.refreshTree(ref);
      return isMissing(() => commands.read(ref));
    },
    finish: async () => {
      commands.refreshTree(ref);
      (await commands.services.documents.getRecord(collection, ref)).markDeleted();
      await deleteLocalData?.();
    },
  });
  return isDeleted ? ref : undefined;
}
