import { plural, t } from '../../l10n.ts';
import { matchesAnyBody, type ReferenceProvider, type Reference } from '../../platform/documents/recordCollections.ts';
import { toSingleLine } from '../../service/text.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import { getFollowUpName } from './model.ts';
import type { FollowUpRecord } from './record.ts';

const MAX_FOLLOW_UPS = 100;

/** Creates a provider that finds follow-up mails with the same text. Checks only mails whose text is stored on this machine. */
export function createMailReferenceProvider({
  list,
  read,
}: Pick<DocumentKind<FollowUpRecord>, 'list' | 'read'>): ReferenceProvider {
  return async (service, client, text, signal) => {
    const references: Reference[] = [];
    let missingTexts = 0;
    let checkedCount = 0;
    for await (const { id } of list(client, { signal })) {
      if (checkedCount === MAX_FOLLOW_UPS) break;
      checkedCount += 1;
      const record = await read(client, id, { ...service, signal });
      for (const { mail_id: mailId } of record.mails) {
        const mail = record.mailTexts[mailId];
        if (!mail) missingTexts += 1;
        else if (matchesAnyBody(mail.body, text.bodies))
          references.push({
            command: 'mailing.followUp.editMail',
            argument: { ...service, id, mailId },
            label: t`Email "${toSingleLine(mail.name) || `#${mailId}`}" of the follow-up "${getFollowUpName(record)}"`,
            reason: t('has the same text'),
          });
      }
    }
    const incompleteReason = plural(
      missingTexts,
      t("{0} email of a follow-up couldn't be compared, because services never return its text."),
      t("{0} emails of follow-ups couldn't be compared, because services never return their texts."),
    );
    return { references, ...(missingTexts > 0 && { incompleteReason }) };
  };
}
