import * as vscode from 'vscode';
import { showWarning } from '../ui/messages.ts';
import type { SettingsProblem } from './model.ts';

/** Names the entries of the settings that can't be used. The rest works, so it is a warning. */
export async function noticeProblems(problems: readonly SettingsProblem[], log: vscode.LogOutputChannel): Promise<void> {
  const [first, ...others] = problems;
  if (!first) return;
  for (const { entry, message } of problems) log.warn(`Settings, mailing.connections: ${entry}: ${message}`);
  const more =
    others.length === 0 ? '' : ` And ${others.length} more: ${others.map(({ entry, message }) => `${entry}: ${message}`).join(' ')}`;
  const open = 'Open Settings';
  const chosen = await showWarning(`A connection in your settings needs correcting: ${first.entry}: ${first.message}${more}`, open);
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'mailing.connections');
}
