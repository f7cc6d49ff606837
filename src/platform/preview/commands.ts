import type { CommandRow } from '../ui/commands.ts';
import type { Handlers } from './host/handlers.ts';

/** The commands of all previews. */
export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.preview.toggleLock', 'Toggle Preview Locking', 'toggleLock'],
  ['mailing.compareSent', 'Compare Authored with Sent', 'compareSent'],
];
