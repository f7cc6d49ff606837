import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.followUp.open', 'Open Follow-up', 'open'],
  ['mailing.followUp.openAsText', 'Open as Text', 'openAsText'],
  ['mailing.followUp.openAsForm', 'Open as Form', 'openAsForm'],
  ['mailing.followUp.create', 'New Follow-up', 'create'],
  ['mailing.followUp.duplicate', 'Duplicate Follow-up', 'duplicate'],
  ['mailing.followUp.delete', 'Delete Follow-up', 'delete'],
  ['mailing.followUp.attachMail', 'Attach Mail', 'attachMail'],
  ['mailing.followUp.editMail', 'Edit Mail', 'editMail'],
  ['mailing.followUp.deleteMail', 'Delete Mail', 'deleteMail'],
];
