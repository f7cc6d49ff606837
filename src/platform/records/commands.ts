import type { CommandRow } from '../ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.preview', 'Open Preview', 'preview'],
  ['mailing.record.open', 'Open', 'open'],
  ['mailing.record.duplicate', 'Duplicate', 'duplicate'],
  ['mailing.record.delete', 'Delete', 'delete'],
];
