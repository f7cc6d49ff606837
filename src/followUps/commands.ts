import type * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { registerNounCommands } from '../ui/commands.ts';
import type { Handlers } from './handlers.ts';

/** All commands on follow-ups, with what their failures are told under. */
const titles: Readonly<Record<keyof Handlers, string>> = {
  open: 'Open Follow-up',
  create: 'New Follow-up',
  duplicate: 'Duplicate Follow-up',
  delete: 'Delete Follow-up',
  attachMail: 'Attach Mail',
  editMail: 'Edit Mail',
  deleteMail: 'Delete Mail',
};

/** Registers the commands. What they do is loaded when the first of them runs. */
export function registerCommands({ log }: Rooms, load: () => Promise<Handlers>): vscode.Disposable[] {
  return registerNounCommands(log, 'followUp', titles, load);
}
