import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import { showError, showInfo, showWarning } from '../ui/messages.ts';
import { escapeMessage } from '../ui/text.ts';
import type { CampaignSender, SendOutcome } from './campaignSender.ts';
import { formatRequestTime, type SendEntry } from './journal.ts';

/** What the user can do next, by what became of a send. */
const nextActions = {
  sent: ['Show Statistics'],
  unknown: ['Show Statistics', 'Open Campaign', 'Stop Watching'],
  /** A campaign whose response was lost is confirmed, or no longer watched. */
  settled: ['Show Statistics', 'Open Campaign'],
  testSent: ['Show Statistics', 'Delete Test Campaign'],
  /** Only its record can confirm the test, so deleting the campaign isn't offered. */
  testUnknown: ['Show Statistics', 'Stop Watching'],
} as const;

export interface SendNews {
  readonly connection: string;
  /** Undefined for a test without a campaign. */
  readonly campaignId: number | undefined;
  readonly state: keyof typeof nextActions;
  readonly message: string;
  readonly isWarning: boolean;
}

interface NewsServices {
  readonly connections: Connections;
  readonly getCampaignSender: () => Promise<CampaignSender>;
}

/** Notifies the user of the outcome of a send, with its next actions. Never fails. */
export async function showSendOutcome(
  { connections, getCampaignSender }: NewsServices,
  { connection, campaignId: id = 0, state, message, isWarning }: SendNews,
): Promise<void> {
  const hasOutbox = connections.get(connection)?.sandbox === true && state.startsWith('test');
  const actions = [...(hasOutbox ? ['Open Outbox'] : []), ...(id === 0 ? [] : nextActions[state])];
  const choice = await (isWarning ? showWarning : showInfo)(message, ...actions);
  const { executeCommand } = vscode.commands;
  try {
    if (choice === 'Open Outbox') await executeCommand('mailing.sandbox.openOutbox');
    if (choice === 'Show Statistics') await executeCommand('mailing.campaign.showStatistics', { connection, id });
    if (choice === 'Open Campaign')
      await executeCommand('mailing.record.open', { connection, collection: 'campaigns', id });
    if (choice === 'Stop Watching') await (await getCampaignSender()).stopWatching(connection, id);
    if (choice === 'Delete Test Campaign') await connections.run(connection, (client) => client.deleteCampaign(id));
  } catch (error) {
    void showError(error, { title: choice, connection });
  }
}

/** Notifies the user of what became of an unconfirmed send. */
export function showSettledSend(services: NewsServices, entry: SendEntry, outcome: SendOutcome): Promise<void> {
  const { connection, campaignId, name } = entry;
  const [title, time] = [escapeMessage(name), formatRequestTime(entry)];
  const message =
    outcome === 'sent'
      ? `"${title}" was sent. The response was lost at ${time}, and the service confirms it now.`
      : `"${title}" may have been sent at ${time}, but the service still doesn't show it. Check its website before you send it again.`;
  return showSendOutcome(services, {
    connection,
    campaignId,
    state: 'settled',
    message,
    isWarning: outcome === 'unknown',
  });
}
