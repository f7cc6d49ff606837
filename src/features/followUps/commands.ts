import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.followUp.create', 'New Follow-up', 'create'],
  ['mailing.followUp.attachMail', 'Attach Mail', 'attachMail'],
  ['mailing.followUp.editMail', 'Edit Mail', 'editMail'],
  ['mailing.followUp.deleteMail', 'Delete Mail', 'deleteMail'],
];
