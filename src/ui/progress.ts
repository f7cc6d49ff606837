import * as vscode from 'vscode';
import { escapeMessage } from '../service/text.ts';

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
