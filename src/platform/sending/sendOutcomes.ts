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

type NextAction = (typeof nextActions)[keyof typeof nextActions][number] | 'Open Outbox';

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
  { connection, campaignId: id, state, message, isWarning }: SendNews,
): Promise<void> {
  const hasOutbox = connections.get(connection)?.sandbox === true && state.startsWith('test');
  const actions: readonly NextAction[] = [
    ...(hasOutbox ? (['Open Outbox'] as const) : []),
    ...(id === undefined ? [] : nextActions[state]),
  ];
  const choice = await (isWarning ? showWarning : showInfo)(message, ...actions);
  const run: Readonly<Record<NextAction, (campaignId: number) => unknown>> = {
    'Open Outbox': () => vscode.commands.executeCommand('mailing.sandbox.openOutbox'),
    'Show Statistics': () => vscode.commands.executeCommand('mailing.campaign.showStatistics', { connection, id }),
    'Open Campaign': () =>
      vscode.commands.executeCommand('mailing.record.open', { connection, collection: 'campaigns', id }),
    'Stop Watching': async (campaignId) => (await getCampaignSender()).stopWatching(connection, campaignId),
    'Delete Test Campaign': (campaignId) => connections.run(connection, (client) => client.deleteCampaign(campaignId)),
  };
  try {
    const chosen = actions.find((action) => action === choice);
    if (chosen !== undefined) await run[chosen](id ?? 0);
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
