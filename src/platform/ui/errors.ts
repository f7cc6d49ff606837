import { escapeMessage, toSingleLine } from './text.ts';

/** Longest sentence of a notification, in characters. */
export const MAX_SENTENCE_CHARS = 600;
/** Longest part of a sentence that is the service's own words: what to do comes after them, and must be seen too. */
const MAX_QUOTE_CHARS = 120;

/** What a user can do about an error, as a button of its notification. */
export type ErrorAction = 'retry' | 'setApiKey' | 'editConnection' | 'showLog';

export const errorActionLabels: Readonly<Record<ErrorAction, string>> = {
  retry: 'Retry',
  setApiKey: 'Set API Key',
  editConnection: 'Edit Connection',
  showLog: 'Show Log',
};

/** An error that knows what can be done about it, the likeliest first. */
interface DiagnosedError {
  readonly meaning: { readonly buttons: readonly ErrorAction[] };
}

const defaultErrorActions: readonly ErrorAction[] = ['retry', 'showLog'];

/** What can be offered where an error is shown. */
export interface AvailableActions {
  /** The operation can be run again. */
  readonly retry: boolean;
  /** The connection it happened on is known, and is not the sandbox. */
  readonly connection: boolean;
}

/** The buttons for an error, of those that are possible. */
export function getErrorActions(error: unknown, possible: AvailableActions): readonly ErrorAction[] {
  const needs: Readonly<Record<ErrorAction, boolean>> = {
    retry: possible.retry,
    setApiKey: possible.connection,
    editConnection: possible.connection,
    showLog: true,
  };
  return (isDiagnosedError(error) ? error.meaning.buttons : defaultErrorActions).filter((way) => needs[way]);
}

function isDiagnosedError(error: unknown): error is DiagnosedError {
  return error instanceof Error && 'meaning' in error;
}

/** True for errors that only say that the user stopped it: there is nothing to tell. */
export function isCancelled(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'AbortError' ||
    error.name === 'Canceled' ||
    error.name === 'CancellationError' ||
    ('kind' in error && error.kind === 'aborted')
  );
}

/** True for what the service, or the way to it, failed with: an `ApiError` says what came of the request. */
export function isServiceError(error: unknown): error is Error & { readonly outcome: unknown } {
  return error instanceof Error && 'outcome' in error;
}

/** Whether what failed may be done again without asking what came of it: not where the service may have done it, or may still do it. */
export function canRetry(error: unknown): boolean {
  return !(isServiceError(error) && error.outcome === 'unknown');
}

/** What an error says, as text that is safe to be shown. */
export function errorText(error: unknown): string {
  if (error instanceof Error)
    return escapeMessage(error.message === '' ? error.name : shortenQuotes(error), MAX_SENTENCE_CHARS);
  return escapeMessage(typeof error === 'string' ? error : 'An unknown error.', MAX_SENTENCE_CHARS);
}

/** The message of an error, with what the service said or where it redirects to cut short: all of it is in the log. */
function shortenQuotes(error: Error): string {
  const quotes = [getStringField(error, 'serverMessage'), getStringField(error, 'location')].filter(
    (quote) => quote.length > MAX_QUOTE_CHARS,
  );
  return quotes.reduce((text, quote) => text.replace(quote, () => toSingleLine(quote, MAX_QUOTE_CHARS)), error.message);
}

function getStringField(error: object, field: string): string {
  const value: unknown = Object.entries(error).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : '';
}
