import * as vscode from 'vscode';
import { composeMessage, readDocumentText } from '../../platform/sending/testSend/testMessage.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { TestableMail } from '../../platform/records/model.ts';
import { getMailPath } from './documents.ts';
import { getMailName, type FollowUps } from './followUps.ts';
import { chooseMail } from './mails.ts';
import { followUpPicking, followUpSuffixes } from './model.ts';
import { hasMailText } from './refusals.ts';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';

/** Opens a mail of a follow-up for a test. Its text is the one stored on this machine. */
export async function openTestableMail(
  followUps: FollowUps,
  ref: RecordRef,
  argument: CommandArgument,
): Promise<TestableMail | undefined> {
  const mailArgument = argument instanceof vscode.Uri ? argument : { ...ref, mailId: getFields(argument)['mailId'] };
  const chosen = await chooseMail(followUps, mailArgument, 'Send Test Email');
  if (chosen === undefined) return undefined;
  const { record, mailId } = chosen;
  const name = getMailName(record, mailId);
  if (!hasMailText(record, mailId))
    throw new Error(
      `This machine has no text of "${name}", and the service never returns it. "Edit Mail of Follow-up" lets you supply one. ` +
        'Nothing was sent.',
    );
  const body = followUps.getMail(ref, mailId).uri;
  const details = body.with({
    path:
      body.path.slice(0, -getMailPath(mailId, followUpSuffixes.body).length) +
      getMailPath(mailId, followUpSuffixes.mail),
  });
  const message = composeMessage({
    name,
    body: await readDocumentText(body),
    details: await readDocumentText(details),
  });
  return { what: `${followUpPicking.collection}/${ref.id}/mails/${mailId}`, message };
}
