import { paginate } from '../../service/client/index.ts';
import { matchesAnyBody, type ReferenceProvider, type Reference } from '../../platform/sending/referenceProviders.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { toSingleLine } from '../../platform/ui/text.ts';
import { mailField } from './documents.ts';
import { nameOf } from './model.ts';
import type { Storage } from './storage.ts';

/** Follow-ups that are looked at, at most. */
const most = 100;

/** Mails of follow-ups made from a text, as far as this machine knows their texts: services never tell them. */
export function usingMails(storage: Pick<Storage, 'read'>): ReferenceProvider {
  return async (connection, client, text, signal) => {
    const found: Reference[] = [];
    let unknown = 0;
    let looked = 0;
    for await (const { id } of paginate((page, options) => client.getFollowUps(page, options), {
      pageSize: 100,
      signal,
    })) {
      if (looked === most) break;
      looked += 1;
      const record = await storage.read(client, id, { connection, signal });
      for (const { mail_id: mailId } of record.mails) {
        const body = record.view.values[mailField(mailId, 'body')];
        if (typeof body !== 'string') unknown += 1;
        else if (matchesAnyBody(body, text.bodies)) {
          const name = record.view.values[mailField(mailId, 'name')];
          const label = `Mail "${toSingleLine(typeof name === 'string' ? name : '') || `#${mailId}`}" of the follow-up "${nameOf(record)}"`;
          found.push({
            command: 'mailing.followUp.editMail',
            argument: { connection, id, mailId },
            label,
            reason: 'has the same text',
          });
        }
      }
    }
    const words = `The texts of ${formatAmount(unknown, 'mail')} of follow-ups are not known here: services never tell them.`;
    return { references: found, ...(unknown > 0 && { incompleteReason: words }) };
  };
}
