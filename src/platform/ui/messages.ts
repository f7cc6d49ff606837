import * as vscode from 'vscode';
import { escapeMessage } from './text.ts';
import {
  errorText,
  isCancelled,
  isServiceError,
  MAX_SENTENCE_CHARS,
  errorActionLabels,
  getErrorActions,
  type ErrorAction,
} from './errors.ts';

/** What is known where an error is shown. */
export interface ErrorContext {
  /** What could not be done: "Couldn't save “Newsletter”". The cause follows it. */
  readonly title?: string;
  /** Id of the connection it happened on. */
  readonly connection?: string;
  /** Runs the operation again, when the user asks for it. */
  readonly retry?: () => unknown;
  /** Where details go that a notification is too small for: the stack of an error that is our own. */
  readonly log?: vscode.LogOutputChannel;
}

/**
 * Tells an error with its cause and a way out. Resolves when the notification is gone and what the user chose is done, so callers
 * don't wait for it: `void showError(…)`. Nothing is shown for what the user cancelled.
 */
export async function showError(error: unknown, context: ErrorContext = {}): Promise<void> {
  if (isCancelled(error)) return;
  // A service's refusal is logged where the request was made; of our own errors the stack is what helps.
  if (!isServiceError(error)) context.log?.error(error instanceof Error ? error : String(error));
  const text = context.title === undefined ? errorText(error) : `${escapeMessage(context.title)}: ${errorText(error)}`;
  const connection = context.connection !== undefined && context.connection !== 'sandbox';
  const ways = getErrorActions(error, { retry: context.retry !== undefined, connection });
  const chosen = await vscode.window.showErrorMessage(
    text,
    ...ways.map((way) => ({ title: errorActionLabels[way], way })),
  );
  if (chosen) await runAction(chosen.way, context);
}

/** Says what went well only in part. Resolves with the button chosen. */
export async function showWarning(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showWarningMessage(escapeMessage(message, MAX_SENTENCE_CHARS), ...buttons);
}

/** Says what went well. Resolves with the button chosen. */
export async function showInfo(message: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return vscode.window.showInformationMessage(escapeMessage(message, MAX_SENTENCE_CHARS), ...buttons);
}

/** Asks with a modal before something that can't be taken back. `detail` is a line each. True where the user chose `action`. */
export async function confirm(message: string, detail: readonly string[], action: string): Promise<boolean> {
  const lines = detail.map((line) => escapeMessage(line, MAX_SENTENCE_CHARS)).join('\n');
  return (
    (await vscode.window.showWarningMessage(
      escapeMessage(message, MAX_SENTENCE_CHARS),
      { modal: true, detail: lines },
      action,
    )) === action
  );
}

/** Asks for a line, without the spaces around it; `complaint` is said of an empty one. Undefined where the user cancels. */
export async function promptForText(options: vscode.InputBoxOptions, complaint: string): Promise<string | undefined> {
  const validateInput = (text: string): string | undefined => (text.trim() === '' ? complaint : undefined);
  return (await vscode.window.showInputBox({ ...options, validateInput }))?.trim();
}

async function runAction(way: ErrorAction, context: ErrorContext): Promise<void> {
  const target = { connection: context.connection };
  const actions: Readonly<Record<ErrorAction, () => unknown>> = {
    retry: () => context.retry?.(),
    setApiKey: () => vscode.commands.executeCommand('mailing.connection.setApiKey', target),
    editConnection: () => vscode.commands.executeCommand('mailing.connection.edit', target),
    showLog: () => vscode.commands.executeCommand('mailing.showLog'),
  };
  try {
    await actions[way]();
  } catch (error) {
    await showError(error, context);
  }
}
