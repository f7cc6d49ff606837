import type * as vscode from 'vscode';
import { once } from '../../ui/async.ts';
import type { Jobs } from './jobs.ts';
import type { JobWorker } from './jobWorker.ts';

/** Runs checks, composing and merging in a worker thread, so that they never block typing. */
export type MailWorker = JobWorker<Jobs>;

/** Returns a function that loads the worker on first use. */
export function register(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): () => Promise<MailWorker> {
  return once(async () => (await import('./mailWorker.ts')).createWorker(context, log));
}
