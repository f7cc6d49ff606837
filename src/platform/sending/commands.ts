import type { CommandRow } from '../ui/commands.ts';

/** Sending commands that belong to no single record type. */
export const commands: readonly CommandRow<'sendTest'>[] = [['mailing.sendTest', 'Send Test Email', 'sendTest']];
