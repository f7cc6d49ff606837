import * as vscode from 'vscode';
import { once } from '../ui/once.ts';
import type { Jobs } from './jobs.ts';
import type { JobWorker } from './jobWorker.ts';

/** Runs the pure rooms in a thread of its own, so that nobody who types waits for them. */
export type MailWorker = JobWorker<Jobs>;

/** What the jobs do, as a title of a message. */
const titles: Readonly<Record<keyof Jobs, string>> = {
  check: 'The checks of an e-mail have failed',
  explain: 'The checks of an e-mail have failed',
  addresses: 'The links of an e-mail were not found',
  images: "Couldn't find the images of an email",
  compose: 'What is sent of an e-mail could not be worked out',
  merge: "Couldn't merge two versions of a text",
};

const titleOf = (job: string): string => Object.entries(titles).find(([name]) => name === job)?.[1] ?? job;

/** Loads what runs the worker; always the same one. */
export function register(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): () => Promise<MailWorker> {
  return once(async () => {
    const [{ JobWorker }, { showError }] = await Promise.all([import('./jobWorker.ts'), import('../ui/messages.ts')]);
    const worker: MailWorker = new JobWorker<Jobs>({
      script: vscode.Uri.joinPath(extensionUri, 'dist', 'chunks', 'worker.js').fsPath,
      crashed: (job, error) => void showError(error, { title: titleOf(job), log }),
    });
    subscriptions.push(worker);
    return worker;
  });
}
