import * as vscode from 'vscode';
import { composeMessage, readDocumentText } from '../../platform/sending/testMessage.ts';
import type { TestableSource } from '../../platform/sending/testSend/testableMails.ts';
import { mailFile } from './documents.ts';
import { mailName, type FollowUps } from './followUps.ts';
import { chooseMail } from './mails.ts';
import { picking, suffixes } from './model.ts';
import { isTextKnown } from './refusals.ts';
import { getFields } from '../../platform/ui/commands.ts';

/** The mails of follow-ups as emails that tests are sent of: the texts that this machine knows. */
export function testedMails(followUps: FollowUps): TestableSource {
  return {
    picking,
    open: async (ref, argument) => {
      const named = argument instanceof vscode.Uri ? argument : { ...ref, mailId: getFields(argument)['mailId'] };
      const chosen = await chooseMail(followUps, named, 'Send Test Email');
      if (chosen === undefined) return undefined;
      const { record, mailId } = chosen;
      const name = mailName(record, mailId);
      if (!isTextKnown(record, mailId))
        throw new Error(
          `This machine has no text of "${name}", and the service never returns it. "Edit Mail of Follow-up" lets you supply one. ` +
            'Nothing was sent.',
        );
      const body = followUps.mail(ref, mailId).uri;
      const details = body.with({
        path: body.path.slice(0, -mailFile(mailId, suffixes.body).length) + mailFile(mailId, suffixes.mail),
      });
      const message = composeMessage({
        name,
        body: await readDocumentText(body),
        details: await readDocumentText(details),
      });
      return { what: `${picking.collection}/${ref.id}/mails/${mailId}`, message };
    },
  };
}
