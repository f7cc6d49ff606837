import type { CommandRow } from '../ui/commands.ts';
import type { Handlers } from './handlers.ts';

/** All commands of sending that are about no one noun. */
export const commands: readonly CommandRow<keyof Handlers>[] = [['mailing.sendTest', 'Send Test Email', 'sendTest']];
