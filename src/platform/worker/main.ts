import * as vscode from 'vscode';
import { showError } from '../ui/messages.ts';
import type { Jobs } from './jobs.ts';
import { createJobWorker } from './jobWorker.ts';

/** Titles of error messages. */
const JOB_TITLES: Readonly<Record<keyof Jobs, (email: string) => string>> = {
  check: (email) => `Couldn't check ${email}`,
  explain: () => "Couldn't explain a finding",
  addresses: (email) => `Couldn't find the links of ${email}`,
  compose: (email) => `Couldn't compose ${email}`,
  images: (email) => `Couldn't find the images of ${email}`,
  merge: () => "Couldn't merge two versions of a text",
};

/** Creates the worker. Its thread starts with the first job. */
export function createWorker({ extensionUri, subscriptions }: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
  const worker = createJobWorker<Jobs>({
    script: vscode.Uri.joinPath(extensionUri, 'dist', 'chunks', 'worker.js').fsPath,
    onCrash: (job, error, about) =>
      void showError(error, { title: JOB_TITLES[job](about ? `“${about}”` : 'an email'), log }),
  });
  subscriptions.push(worker);
  return worker;
}
