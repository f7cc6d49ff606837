import * as vscode from 'vscode';
import type { Campaign } from '../api/index.ts';
import { showWarning } from '../ui/messages.ts';

/** Says of a campaign that waited for its date or its rhythm that it is a draft again: an update makes one of it. */
export async function sayThatItIsADraft(connection: string, { id, name }: Campaign): Promise<void> {
  const send = 'Send…';
  const choice = await showWarning(
    `"${name ?? id}" was saved, and is a draft again: services stop what they were waiting for when a campaign changes. Send it to start it again.`,
    send,
  );
  if (choice === send) await vscode.commands.executeCommand('mailing.campaign.send', { connection, id });
}
