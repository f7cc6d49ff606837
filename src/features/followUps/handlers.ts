import * as vscode from 'vscode';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import type { RecordOperations } from '../../platform/records/model.ts';
import { attachMail, deleteMail, editMail } from './mails.ts';
import { createFollowUp } from './create.ts';
import { deleteRecord } from '../../platform/sending/recordChanges.ts';
import { duplicateFollowUp } from './duplicate.ts';
import type { FollowUpRecord } from './documents.ts';
import { FollowUps } from './followUps.ts';
import { FollowUpFormSession } from './host/session.ts';
import { createMailReferenceProvider } from './mailReferences.ts';
import { createNoticeLenses } from './notice.ts';
import { SentMailStore } from './sentMailStore.ts';
import { Storage } from './storage.ts';
import { followUpTree } from './tree.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { followUpPicking, followUpSuffixes } from './model.ts';
import { openTestableMail } from './testableMails.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

export type Handlers = ReturnType<typeof createHandlers>['commands'];

/** Creates everything that the feature registers. */
export function createHandlers(services: ExtensionServices, kind: DocumentKind<FollowUpRecord>) {
  const { connections, context } = services;
  const sentMails = new SentMailStore(vscode.Uri.joinPath(context.globalStorageUri, 'sent-mails').fsPath);
  const storage = new Storage(sentMails, (id) => connections.get(id));
  const followUps = new FollowUps(services, kind, sentMails);
  return {
    storage,
    tree: followUpTree,
    findReferences: createMailReferenceProvider(storage),
    provideCodeLenses: ({ uri }: vscode.TextDocument) => createNoticeLenses(uri, storage),
    openForm: (document: vscode.TextDocument, panel: vscode.WebviewPanel) =>
      new FollowUpFormSession(document, panel, services, storage),
    operations: createOperations(followUps),
    commands: {
      create: (argument: CommandArgument) => createFollowUp(followUps, argument),
      attachMail: (argument: CommandArgument) => attachMail(followUps, argument),
      editMail: (argument: CommandArgument) => editMail(followUps, argument),
      deleteMail: (argument: CommandArgument) => deleteMail(followUps, argument),
    },
  };
}

/** Creates the operations of the commands for all types of records. */
function createOperations(followUps: FollowUps): RecordOperations {
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
