import type { CommandRow } from '../ui/commands.ts';
import type { Handlers } from './handlers.ts';

/** Sending commands that belong to no single record type. */
export const commands: readonly CommandRow<keyof Handlers>[] = [['mailing.sendTest', 'Send Test Email', 'sendTest']];
