import type { RecordRef } from '../../platform/connections/model.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import type { RecordOperations } from '../../platform/records/model.ts';
import { attachMail, deleteMail, editMail } from './mails.ts';
import { createFollowUp } from './create.ts';
import { deleteRecord } from '../../platform/sending/recordChanges.ts';
import { duplicateFollowUp } from './duplicate.ts';
import type { FollowUps, FoundMail } from './followUps.ts';
import { followUpPicking, followUpSuffixes } from './model.ts';
import { openTestableMail } from './testableMails.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

export interface Handlers {
  create(argument: CommandArgument): Promise<FoundRecord | undefined>;
  attachMail(argument: CommandArgument): Promise<FoundMail | undefined>;
  editMail(argument: CommandArgument): Promise<FoundMail | undefined>;
  deleteMail(argument: CommandArgument): Promise<(RecordRef & { readonly mailId: number }) | undefined>;
}

export function createHandlers(followUps: FollowUps): Handlers {
  return {
    create: (argument) => createFollowUp(followUps, argument),
    attachMail: (argument) => attachMail(followUps, argument),
    editMail: (argument) => editMail(followUps, argument),
    deleteMail: (argument) => deleteMail(followUps, argument),
  };
}

/** Creates the operations of the commands for all types of records. */
export function createOperations(followUps: FollowUps): RecordOperations {
  return {
    picking: followUpPicking,
    open: (ref) => followUps.open(ref, followUpSuffixes.details),
    duplicate: (ref) => duplicateFollowUp(followUps, ref),
    delete: (ref) => deleteFollowUp(followUps, ref),
    openTestable: (ref, argument) => openTestableMail(followUps, ref, argument),
  };
}

/** Deletes a follow-up and its mails after a confirmation. */
async function deleteFollowUp(followUps: FollowUps, ref: RecordRef): Promise<RecordRef | undefined> {
  const { mails, active } = await followUps.read(ref);
  const mailPhrase = mails.length === 1 ? 'mail is' : `${mails.length} mails are`;
  const consequences = [
    'You can\u2019t undo this.',
    ...(mails.length === 0 ? [] : [`Its ${mailPhrase} deleted with it, and what this machine keeps of their texts.`]),
    ...(active === 1 ? ['It is active: subscribers in its sequence get no further emails.'] : []),
  ];
  const deleteLocalData = (): Promise<void> => followUps.sentMails.delete(followUps.getKey(ref));
  return deleteRecord(followUps, ref, {
    consequences,
    operation: (client) => client.deleteFollowUp(ref.id),
    deleteLocalData,
  });
}
