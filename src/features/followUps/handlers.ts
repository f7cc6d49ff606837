import * as vscode from 'vscode';
import { plural, t } from '../../l10n.ts';
import { toServiceRef, type RecordRef } from '../../platform/connections/model.ts';
import { parseUri } from '../../platform/documents/uri.ts';
import type { RecordOperations } from '../../platform/documents/recordCollections.ts';
import { deleteRecord } from '../sending/recordChanges.ts';
import type { ExtensionServices } from '../services.ts';
import type { CommandHandlers } from '../../ui/commands.ts';
import { formatTimestamp } from '../../service/format.ts';
import { createFollowUp, duplicateFollowUp } from './create.ts';
import { FollowUps } from './followUps.ts';
import { FollowUpFormSession } from './session.ts';
import { createMailReferenceProvider } from './mailReferences.ts';
import { attachMail, deleteMail, editMail, findMailBody, openTestableMail } from './mails.ts';
import { followUpPicking } from './model.ts';
import { followUpSuffixes } from './kind.ts';
import { followUpTree } from './tree.ts';

/** Creates everything that the feature registers. */
export function createHandlers(services: ExtensionServices) {
  const followUps = new FollowUps(services);
  const operations: RecordOperations = {
    picking: followUpPicking,
    open: (ref, preview) => followUps.open(ref, followUpSuffixes.details, preview),
    duplicate: (ref) => duplicateFollowUp(followUps, ref),
    delete: (ref) => deleteFollowUp(followUps, ref),
    findBody: (ref, argument) => findMailBody(followUps, ref, argument),
    openTestable: (ref, argument) => openTestableMail(followUps, ref, argument),
  };
  return {
    kind: followUps.kind,
    tree: followUpTree,
    findReferences: createMailReferenceProvider(followUps.kind),
    provideCodeLenses: ({ uri }: vscode.TextDocument) => createNoticeLenses(followUps, uri),
    openForm: (document: vscode.TextDocument, panel: vscode.WebviewPanel) =>
      new FollowUpFormSession(document, panel, followUps),
    operations,
    commands: {
      'mailing.followUp.create': (argument) => createFollowUp(followUps, argument),
      'mailing.followUp.attachMail': (argument) => attachMail(followUps, argument),
      'mailing.followUp.editMail': (argument) => editMail(followUps, argument),
      'mailing.followUp.deleteMail': (argument) => deleteMail(followUps, argument),
    } satisfies CommandHandlers,
  };
}

/** Deletes a follow-up and its mails after a confirmation. */
async function deleteFollowUp(followUps: FollowUps, ref: RecordRef) {
  return deleteRecord(followUps, ref, {
    formatQuestion: (name, service) => t`Delete the follow-up "${name}" on ${service}?`,
    getConsequences: ({ mails, active }) => [
      t("You can't undo this."),
      ...(mails.length === 0
        ? []
        : [
            plural(
              mails.length,
              t('Its email is deleted too, with the text stored on this computer.'),
              t('Its {0} emails are deleted too, with the texts stored on this computer.'),
            ),
          ]),
      ...(active === 1 ? [t('It is active: subscribers who have started it get no further emails.')] : []),
    ],
    operation: (client) => client.deleteFollowUp(ref.id),
    deleteLocalData: () => followUps.sentMails.delete(ref),
  });
}

/** Returns code lenses for a mail's document. They say that the text comes from this machine, unless it is the sandbox's. */
async function createNoticeLenses(followUps: FollowUps, uri: vscode.Uri) {
  const { connection, id, file } = parseUri(uri) ?? {};
  const mailId = /^mails\/(\d+)\./u.exec(file ?? '')?.[1];
  if (connection === undefined || id === undefined || mailId === undefined) return [];
  const service = followUps.services.connections.get(connection);
  if (!service || service.sandbox) return [];
  const sentMail = (await followUps.sentMails.read({ ...toServiceRef(service), id })).get(Number(mailId));
  if (!sentMail) return [];
  const { sent, doubtful } = sentMail;
  const sentText = t`Last sent from this computer on ${formatTimestamp(sent / 1000) ?? ''}. The service never returns an email's text, so its text may be different.`;
  const titles = [
    `$(history) ${sentText}`,
    ...(doubtful === undefined
      ? []
      : [
          `$(warning) ${t`A different text was sent on ${formatTimestamp(doubtful / 1000) ?? ''}, but the response was lost. The service may have that text.`}`,
        ]),
  ];
  return titles.map((title) => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: '' }));
}
