import { t } from '../l10n.ts';
import { isApiError, isUnconfirmed } from '../service/client/shapes.ts';
import { escapeMessage, toSingleLine } from '../service/text.ts';

export const MAX_SENTENCE_CHARS = 600;
/** Maximum length of quoted service messages: the advice that follows them must stay visible. */
const MAX_QUOTE_CHARS = 120;

/** What the user can do about an error, as a button of its notification. */
export type ErrorAction = 'retry' | 'setApiKey' | 'editConnection' | 'showLog';

const DEFAULT_ACTIONS: readonly ErrorAction[] = ['retry', 'showLog'];

/**
 * Returns the available actions for an error. `retry`: the operation can run again. `connection`: the settings contain
 * the connection, which isn't so for the sandbox.
 */
export function getErrorActions(
  error: unknown,
  { retry, connection }: { readonly retry: boolean; readonly connection: boolean },
): readonly ErrorAction[] {
  const actions = isApiError(error) ? error.info.buttons : DEFAULT_ACTIONS;
  return actions.filter((action) => action === 'showLog' || (action === 'retry' ? retry : connection));
}

/** Returns whether an error only reports a cancellation, which needs no message. */
export function isCanceled(error: unknown): boolean {
  if (isApiError(error)) return error.kind === 'aborted';
  return error instanceof Error && ['AbortError', 'Canceled', 'CancellationError'].includes(error.name);
}

/**
 * Returns whether a failed operation can be repeated safely: not if the service may have executed it, or may still do
 * so.
 */
export function canRetry(error: unknown): boolean {
  return !isUnconfirmed(error);
}

/** Returns an error's message as text that is safe to show. */
export function errorText(error: unknown): string {
  if (error instanceof Error)
    return escapeMessage(error.message === '' ? error.name : shortenQuotes(error), MAX_SENTENCE_CHARS);
  return escapeMessage(typeof error === 'string' ? error : t('Unexpected error.'), MAX_SENTENCE_CHARS);
}

/** Returns an error's message with long service texts and redirect targets truncated. The log has them in full. */
function shortenQuotes(error: Error) {
  const quotes = isApiError(error) ? [error.serverMessage ?? '', error.location ?? ''] : [];
  return quotes
    .filter((quote) => quote.length > MAX_QUOTE_CHARS)
    .reduce((text, quote) => text.replace(quote, () => toSingleLine(quote, MAX_QUOTE_CHARS)), error.message);
}
