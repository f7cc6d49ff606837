import * as vscode from 'vscode';
import { once } from '../ui/async.ts';
import type { Jobs } from './jobs.ts';
import type { JobWorker } from './jobWorker.ts';

/** Runs checks, composing and merging in a worker thread, so that they never block typing. */
export type MailWorker = JobWorker<Jobs>;

/** Titles of error messages. */
const JOB_TITLES: Readonly<Record<keyof Jobs, (email: string) => string>> = {
  check: (email) => `Couldn't check ${email}`,
  explain: () => "Couldn't explain a finding",
  addresses: (email) => `Couldn't find the links of ${email}`,
  compose: (email) => `Couldn't compose ${email}`,
  images: (email) => `Couldn't find the images of ${email}`,
  merge: () => "Couldn't merge two versions of a text",
};

function formatJobTitle(job: string, about: string | undefined): string {
  const title = Object.entries(JOB_TITLES).find(([name]) => name === job)?.[1];
  return title?.(about ? `“${about}”` : 'an email') ?? job;
}

/** Returns a function that loads the worker on first use. */
export function register(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): () => Promise<MailWorker> {
  return once(async () => {
    const [{ JobWorker }, { showError }] = await Promise.all([import('./jobWorker.ts'), import('../ui/messages.ts')]);
    const worker: MailWorker = new JobWorker<Jobs>({
      script: vscode.Uri.joinPath(extensionUri, 'dist', 'chunks', 'worker.js').fsPath,
      onCrash: (job, error, about) => void showError(error, { title: formatJobTitle(job, about), log }),
    });
    subscriptions.push(worker);
    return worker;
  });
}
