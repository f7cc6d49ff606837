import * as vscode from 'vscode';

/** Says how far a task is: a message, and by how many percent it got on. */
export type Report = (message: string, increment?: number) => void;

/**
 * Runs a task under a notification with a Cancel button. Cancelling aborts the signal; what the task then throws (an `ApiError`
 * of kind `aborted`) is thrown here, and `showError` keeps silent about it.
 */
export async function withProgress<T>(title: string, task: (signal: AbortSignal, report: Report) => Promise<T>): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      try {
        return await task(controller.signal, (message, increment) => progress.report({ message, ...(increment === undefined ? {} : { increment }) }));
      } finally {
        subscription.dispose();
      }
    },
  );
}
