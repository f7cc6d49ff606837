import { t } from '@vscode/l10n';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { getRequestTimeoutMs } from '../../platform/connections/open.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import type { Explorer } from '../../platform/explorer/explorer.ts';
import type { Previews } from '../preview/activeEditorPreviews.ts';
import type { CommandServices } from '../../ui/commands.ts';
import { confirm, showError, showWarning, withProgress } from '../../ui/messages.ts';
import type { RecordCollection } from '../../platform/documents/recordCollections.ts';
import type { RecentChoices } from '../../ui/recent.ts';
import { CampaignSender } from './campaignSender.ts';
import { isSameService, Journal } from '../../sync/requests/journal.ts';
import { sendKind, testKind } from '../../sync/requests/kinds.ts';
import { StateFiles } from '../../sync/stateFiles.ts';
import { showSettledSend } from './sendOutcomes.ts';
import { getMaxRecipients } from './testSend/recipientPick.ts';
import { TestRecords } from './testSend/testRecords.ts';
import { TestSender } from './testSend/testSender.ts';

export { sendTest, sendTestRequest } from './testSend/command.ts';

export interface SendingServices extends CommandServices {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly explorer: Explorer;
  readonly previews: Previews;
  readonly recent: RecentChoices;
  /** What commands for several types of records apply to. Features add theirs. */
  readonly records: RecordCollection[];
}

/** Creates what sends campaigns and tests, once per window. */
export async function loadSending({ context, connections, explorer }: SendingServices) {
  const open = (name: string) => new StateFiles(vscode.Uri.joinPath(context.globalStorageUri, name).fsPath);
  const options = { getTimeoutMs: getRequestTimeoutMs };
  const refresh = (connection: string) => explorer.refresh({ connection, collection: 'campaigns' });
  const campaignSender = new CampaignSender(new Journal(open('sendings'), sendKind, options), connections, {
    wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
    onChanged: ({ baseUrl }) => {
      for (const connection of connections.all) if (isSameService(connection, { baseUrl })) refresh(connection.id);
    },
    onSettled: (entry, outcome) =>
      void showSettledSend({ connections, getCampaignSender: async () => campaignSender }, entry, outcome),
  });
  context.subscriptions.push(campaignSender);
  const records = new TestRecords(new Journal(open('tests'), testKind, options), connections, campaignSender);
  const testSender = new TestSender(connections, campaignSender, records, {
    confirm,
    progress: withProgress,
    getMaxRecipients,
  });
  // If the folder can't be read, the tree still works, and the next send reports the error.
  await campaignSender.resume(true).catch(() => undefined);
  return {
    campaignSender,
    testSender,
    /** Resumes what other windows left: watches campaigns, deletes templates and offers to delete campaigns of tests. */
    resume: async () => {
      await campaignSender.resume(false);
      await records.deleteTemplates();
      await records.offerLeftovers({
        warn: showWarning,
        showError: (error) => void showError(error, { title: t("Couldn't delete the test campaign") }),
        onDeleted: refresh,
      });
    },
  };
}
