import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import { showError } from '../../ui/messages.ts';
import type { Jobs } from './jobs.ts';
import { JobWorker } from './jobWorker.ts';

const getComposeTitle = (name: string | undefined) =>
  name ? t`Couldn't compose "${name}"` : t("Couldn't compose an email");

/** Titles of error messages. Without a name, they are about any email. */
const jobTitles: Readonly<Record<keyof Jobs, (name: string | undefined) => string>> = {
  check: (name) => (name ? t`Couldn't check "${name}"` : t("Couldn't check an email")),
  explain: () => t("Couldn't explain a finding"),
  addresses: (name) => (name ? t`Couldn't find the links in "${name}"` : t("Couldn't find the links in an email")),
  compose: getComposeTitle,
  review: getComposeTitle,
  images: (name) => (name ? t`Couldn't find the images in "${name}"` : t("Couldn't find the images in an email")),
  format: () => t("Couldn't format an email"),
  shrink: () => t("Couldn't shrink an email"),
  paste: () => t("Couldn't convert the clipboard's HTML"),
  received: () => t("Couldn't compare the received email"),
  search: () => t("Couldn't search"),
  parts: () => t("Couldn't check linked parts"),
  applyParts: () => t("Couldn't update linked parts"),
  extractPart: () => t("Couldn't find the code of a part"),
  merge: () => t("Couldn't merge two versions of a text"),
};

/** Creates the worker. Its thread starts with the first job. */
export function createWorker({ extensionUri, subscriptions }: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
  const worker = new JobWorker<Jobs>({
    script: vscode.Uri.joinPath(extensionUri, 'dist', 'chunks', 'worker.js').fsPath,
    onCrash: (job, error, about) => void showError(error, { title: jobTitles[job](about), log }),
  });
  subscriptions.push(worker);
  return worker;
}
