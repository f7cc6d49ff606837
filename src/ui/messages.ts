import * as vscode from 'vscode';
import { formatPair, localized, t } from '../l10n.ts';
import { isApiError } from '../service/client/shapes.ts';
import { escapeMessage } from '../service/text.ts';
import { canRetry, type ErrorAction, errorText, getErrorActions, isCanceled, MAX_SENTENCE_CHARS } from './errors.ts';

/** The buttons of error notifications. The one without a command runs the operation again. */
const errorActions = localized(
  (): Readonly<Record<ErrorAction, { readonly title: string; readonly command?: string }>> => ({
    retry: { title: t('Retry') },
    setApiKey: { title: t('Set API Key'), command: 'mailing.connection.setApiKey' },
    editConnection: { title: t('Edit Connection'), command: 'mailing.connection.edit' },
    showLog: { title: t('Show Log'), command: 'mailing.showLog' },
  }),
);

interface ErrorContext {
  /** What failed: `Couldn't save "Newsletter"`. The cause follows it. */
  readonly title?: string;
  /** Runs the operation again. */
  readonly retry?: () => unknown;
  /** Log for the stack traces of internal errors. */
  readonly log?: vscode.LogOutputChannel;
}

/**
 * Shows an error with its cause and error actions. Resolves when the notification is closed and the chosen action is
 * done, so callers don't wait for it: `void showError(…)`. Ignores cancellation.
 */
export async function showError(error: unknown, context: ErrorContext): Promise<void> {
  if (isCanceled(error)) return;
  // API errors are logged with their request. Internal errors need their stack.
  if (!isApiError(error)) context.log?.error(error instanceof Error ? error : String(error));
  const text =
    context.title === undefined ? errorText(error) : formatPair(escapeMessage(context.title), errorText(error));
  const connection = isApiError(error) ? error.connection : undefined;
  const isStored = connection !== undefined && connection !== 'sandbox';
  const actions = getErrorActions(error, { retry: context.retry !== undefined, connection: isStored });
  const chosen = await vscode.window.showErrorMessage(text, ...actions.map((action) => errorActions()[action]));
  if (!chosen) return;
  try {
    if (chosen.command === undefined) await context.retry?.();
    else await vscode.commands.executeCommand(chosen.command, { connection });
  } catch (failure) {
    await showError(failure, context);
  }
}

/** Shows that a command failed, with its title from package.json. Offers `retry` only if it can't repeat a change. */
export async function showCommandError(error: unknown, id: string, context: ErrorContext): Promise<void> {
  const manifest = vscode.extensions.getExtension('mailing-studio.mailing-studio')?.packageJSON as Manifest | undefined;
  const title = manifest?.contributes.commands.find(({ command }) => command === id)?.title.replace(/…$/u, '');
  await showError(error, { ...context, title, retry: canRetry(error) ? context.retry : undefined });
}

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
}

/** Shows a warning. Resolves with the chosen button. */
export async function showWarning(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showWarningMessage(escapeMessage(message, MAX_SENTENCE_CHARS), ...buttons);
}

/** Shows an information message. Resolves with the chosen button. */
export async function showInfo(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showInformationMessage(escapeMessage(message, MAX_SENTENCE_CHARS), ...buttons);
}

/**
 * Shows a modal confirmation before an irreversible action, with one `detail` entry per line. Resolves with true if
 * the user chose `action`. `enter`: a harmless button that Enter chooses instead.
 */
export async function confirm(
  message: string,
  detail: readonly string[],
  action: string,
  ...enter: readonly string[]
): Promise<boolean> {
  const lines = detail.map((line) => escapeMessage(line, MAX_SENTENCE_CHARS)).join('\n');
  return (
    (await vscode.window.showWarningMessage(
      escapeMessage(message, MAX_SENTENCE_CHARS),
      { modal: true, detail: lines },
      ...enter,
      action,
    )) === action
  );
}

/** Prompts for a line of text and trims it; shows `complaint` if it is empty. Undefined if the user cancels. */
export async function promptForRequiredText(
  options: vscode.InputBoxOptions,
  complaint: string,
): Promise<string | undefined> {
  const validateInput = (text: string) => (text.trim() === '' ? complaint : undefined);
  return (await vscode.window.showInputBox({ ...options, validateInput }))?.trim();
}

/** Reports progress: a message, and the increment in percent. */
export type ReportProgress = (message: string, increment?: number) => void;

/** Shorter tasks show no progress: a notification that only flashes is a distraction. */
const SHOW_DELAY_MS = 500;
const STATUS_BAR_DELAY_MS = 1000;
const MAX_TITLE_CHARS = 200;

/**
 * Runs a task under a progress notification, with a Cancel button unless the task is irreversible. Canceling aborts
 * the signal. `inStatusBar` is for short tasks that a user may want to see. The task's resulting error (an `ApiError` of kind `aborted`) is rethrown, and ignored by `showError`.
 */
export async function withProgress<T>(
  title: string,
  task: (signal: AbortSignal, report: ReportProgress) => Promise<T>,
  { cancellable = true, inStatusBar = false } = {},
): Promise<T> {
  const controller = new AbortController();
  let shown: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  let latest: string | undefined;
  const running = task(controller.signal, (message, increment) => {
    latest = escapeMessage(message);
    shown?.report({ message: latest, increment });
  });
  const show = () => {
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation[inStatusBar ? 'Window' : 'Notification'],
        title: escapeMessage(title, MAX_TITLE_CHARS),
        cancellable,
      },
      async (progress, token) => {
        shown = progress;
        if (latest !== undefined) progress.report({ message: latest });
        const subscription = token.onCancellationRequested(() => controller.abort());
        await running.then(
          () => undefined,
          () => undefined,
        );
        subscription.dispose();
      },
    );
  };
  const timer = setTimeout(show, inStatusBar ? STATUS_BAR_DELAY_MS : SHOW_DELAY_MS);
  try {
    return await running;
  } finally {
    clearTimeout(timer);
  }
}
