import { escapeMessage, toSingleLine } from './text.ts';

export const MAX_SENTENCE_CHARS = 600;
/** Maximum length of quoted service messages: the advice that follows them must stay visible. */
const MAX_QUOTE_CHARS = 120;

/** What the user can do about an error, as a button of its notification. */
export type ErrorAction = 'retry' | 'setApiKey' | 'editConnection' | 'showLog';

export const errorActionLabels: Readonly<Record<ErrorAction, string>> = {
  retry: 'Retry',
  setApiKey: 'Set API Key',
  editConnection: 'Edit Connection',
  showLog: 'Show Log',
};

/** An error with suggested actions, the most likely one first. */
interface DiagnosedError {
  readonly info: { readonly buttons: readonly ErrorAction[] };
}

const defaultErrorActions: readonly ErrorAction[] = ['retry', 'showLog'];

export interface AvailableActions {
  /** The operation can run again. */
  readonly retry: boolean;
  /** The connection is known and is not the sandbox. */
  readonly connection: boolean;
}

/** Returns the available actions for an error. */
export function getErrorActions(error: unknown, possible: AvailableActions): readonly ErrorAction[] {
  const needs: Readonly<Record<ErrorAction, boolean>> = {
    retry: possible.retry,
    setApiKey: possible.connection,
    editConnection: possible.connection,
    showLog: true,
  };
  return (isDiagnosedError(error) ? error.info.buttons : defaultErrorActions).filter((action) => needs[action]);
}

function isDiagnosedError(error: unknown): error is DiagnosedError {
  return error instanceof Error && 'info' in error;
}

/** Returns whether an error only reports a cancellation, which needs no message. */
export function isCanceled(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'AbortError' ||
    error.name === 'Canceled' ||
    error.name === 'CancellationError' ||
    ('kind' in error && error.kind === 'aborted')
  );
}

/** Returns whether the error is an `ApiError`, which reports the outcome of its request. */
export function isServiceError(error: unknown): error is Error & { readonly outcome: unknown } {
  return error instanceof Error && 'outcome' in error;
}

/**
 * Returns whether a failed operation can be repeated safely: not if the service may have executed it, or may still do
 * so.
 */
export function canRetry(error: unknown): boolean {
  return !(isServiceError(error) && error.outcome === 'unknown');
}

/** Returns an error's message as text that is safe to show. */
export function errorText(error: unknown): string {
  if (error instanceof Error)
    return escapeMessage(error.message === '' ? error.name : shortenQuotes(error), MAX_SENTENCE_CHARS);
  return escapeMessage(typeof error === 'string' ? error : 'An unknown error.', MAX_SENTENCE_CHARS);
}

/** Returns an error's message with long service texts and redirect targets truncated. The log has them in full. */
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
