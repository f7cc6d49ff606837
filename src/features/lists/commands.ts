import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './main.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [['mailing.list.create', 'New List', 'create']];
