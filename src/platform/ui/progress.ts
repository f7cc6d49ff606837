import * as vscode from 'vscode';
import { escapeMessage } from './text.ts';

/** Says how far a task is: a message, and by how many percent it got on. */
export type ReportProgress = (message: string, increment?: number) => void;

/** What is done sooner than this, in ms, shows no progress: a notification that only flashes disturbs. */
const SHOW_DELAY_MS = 500;
/** Longest title, in characters. */
const MAX_TITLE_CHARS = 200;

/**
 * Runs a task under a notification, with a Cancel button unless it can't be taken back. Cancelling aborts the signal; what the task
 * then throws (an `ApiError` of kind `aborted`) is thrown here, and `showError` keeps silent about it.
 */
export async function withProgress<T>(
  title: string,
  task: (signal: AbortSignal, report: ReportProgress) => Promise<T>,
  { cancellable = true } = {},
): Promise<T> {
  const controller = new AbortController();
  let shown: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  let latest: string | undefined;
  const running = task(controller.signal, (message, increment) => {
    latest = escapeMessage(message);
    shown?.report({ message: latest, increment });
  });
  const show = (): void => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: escapeMessage(title, MAX_TITLE_CHARS), cancellable },
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
  const timer = setTimeout(show, SHOW_DELAY_MS);
  try {
    return await running;
  } finally {
    clearTimeout(timer);
  }
}
