import * as vscode from 'vscode';
import { showError, showInfo, showWarning } from '../ui/messages.ts';
import { escapeMessage } from '../ui/text.ts';
import type { SendEntry } from './sendJournal.ts';
import type { SendOutcome } from './campaignSender.ts';
import { formatRequestTime } from './requestTime.ts';

const outcomeMessages: Readonly<Record<SendOutcome, (name: string, when: string) => string>> = {
  sent: (name, when) => `"${name}" was sent off: the service says so now. The answer was lost at ${when}.`,
  unknown: (name, when) =>
    `It is still not known whether "${name}" went out. The answer was lost at ${when}, and the service shows nothing of it. ` +
    'Look at its website before you send it again.',
};

/** Notifies the user of the outcome of an unconfirmed send. */
export async function notifySendOutcome(entry: SendEntry, outcome: SendOutcome): Promise<void> {
  const { connection, campaignId: id, name } = entry;
  const [statistics, open] = ['Show Statistics', 'Open Campaign'];
  try {
    const show = outcome === 'sent' ? showInfo : showWarning;
    const choice = await show(
      outcomeMessages[outcome](escapeMessage(name), formatRequestTime(entry)),
      statistics,
      open,
    );
    if (choice === statistics)
      await vscode.commands.executeCommand('mailing.campaign.showStatistics', { connection, id });
    if (choice === open) await vscode.commands.executeCommand('mailing.campaign.open', { connection, id });
  } catch (error) {
    void showError(error, { title: 'Send Campaign', connection });
  }
}
