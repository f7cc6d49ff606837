import type { RecordRef } from '../../platform/connections/model.ts';
import { reopen } from '../../platform/documents/form/register.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { attachMail, deleteMail, editMail } from './mails.ts';
import { createFollowUp } from './create.ts';
import { deleteRecord } from '../../platform/sending/recordChanges.ts';
import { followUpFormEditor } from './documents.ts';
import { duplicateFollowUp } from './duplicate.ts';
import type { FollowUps, FoundMail } from './followUps.ts';
import { collection, followUpSuffixes } from './model.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

export interface Handlers {
  open(argument: CommandArgument): Promise<FoundRecord | undefined>;
  openAsText(argument: CommandArgument): Promise<void>;
  openAsForm(argument: CommandArgument): Promise<void>;
  create(argument: CommandArgument): Promise<FoundRecord | undefined>;
  duplicate(argument: CommandArgument): Promise<FoundRecord | undefined>;
  delete(argument: CommandArgument): Promise<RecordRef | undefined>;
  attachMail(argument: CommandArgument): Promise<FoundMail | undefined>;
  editMail(argument: CommandArgument): Promise<FoundMail | undefined>;
  deleteMail(argument: CommandArgument): Promise<(RecordRef & { readonly mailId: number }) | undefined>;
}

export function createHandlers(followUps: FollowUps): Handlers {
  return {
    open: (argument) => openFollowUp(followUps, argument),
    openAsText: (argument) => reopen(argument, 'default'),
    openAsForm: (argument) => reopen(argument, followUpFormEditor),
    create: (argument) => createFollowUp(followUps, argument),
    duplicate: (argument) => duplicateFollowUp(followUps, argument),
    delete: (argument) => deleteFollowUp(followUps, argument),
    attachMail: (argument) => attachMail(followUps, argument),
    editMail: (argument) => editMail(followUps, argument),
    deleteMail: (argument) => deleteMail(followUps, argument),
  };
}

async function openFollowUp(followUps: FollowUps, argument: CommandArgument): Promise<FoundRecord | undefined> {
  const ref = await followUps.choose(argument, 'Open Follow-up');
  return ref && followUps.open(ref, followUpSuffixes.details);
}

/** Deletes a follow-up and its mails after a confirmation. */
async function deleteFollowUp(followUps: FollowUps, argument: CommandArgument): Promise<RecordRef | undefined> {
  const ref = await followUps.choose(
    argument ?? followUps.services.explorer.selectedRecord(collection),
    'Delete Follow-up',
    {
      fromEditor: false,
    },
  );
  if (ref === undefined) return undefined;
  const { mails, active } = await followUps.read(ref);
  const mailPhrase = mails.length === 1 ? 'mail is' : `${mails.length} mails are`;
  const consequences = [
    'This can\u2019t be undone: the service keeps no copy.',
    ...(mails.length === 0 ? [] : [`Its ${mailPhrase} deleted with it, and what this machine keeps of their texts.`]),
    ...(active === 1 ? ['It is active: who is on the way through it gets no more mails of it.'] : []),
  ];
  const deleteLocalData = (): Promise<void> => followUps.sentMails.delete(followUps.getKey(ref));
  return deleteRecord(followUps, ref, {
    consequences,
    operation: (client) => client.deleteFollowUp(ref.id),
    deleteLocalData,
  });
}
