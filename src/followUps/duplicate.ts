import type { MailingClient } from '../api/index.ts';
import { showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import type { FoundRecord } from '../documents/recordCommands.ts';
import { errorText } from '../ui/words.ts';
import { attach } from './attach.ts';
import { delayWords, isDelayUnit } from './delays.ts';
import { mailField, suffixes, type FollowUpRecord } from './documents.ts';
import { detailsOf, type MailDelay } from './fields.ts';
import { mailName, type FollowUps } from './followUps.ts';
import { mailFields, mailTextOf } from './mailText.ts';
import { isEditable, isTextKnown } from './refusals.ts';

/** A copy of a follow-up, and the mails of the original that it is without. */
export interface Duplicate extends FoundRecord {
  readonly missing: readonly number[];
}

/** Makes a copy, inactive as every new one, with the mails whose text this machine knows. Those that it doesn't know are named. */
export async function duplicateFollowUp(followUps: FollowUps, argument: unknown): Promise<Duplicate | undefined> {
  const ref = await followUps.choose(argument, 'Duplicate Follow-up');
  if (ref === undefined) return undefined;
  const record = await followUps.read(ref);
  const { name, display_name, trigger, condition, send_once, loop, loop_delay, loop_mail_skip, mails } = detailsOf(record);
  const profile = followUps.rooms.connections.get(ref.connection)?.profile ?? 'documented';
  const head = { name: `${name} (copy)`.trim(), display_name, trigger };
  const fields = { ...head, condition, ...(isEditable('send_once', profile) ? { send_once } : {}), loop, loop_delay };

  const { copy, copied, failure } = await withProgress(`Duplicating "${record.name ?? ref.id}"`, async () => {
    const { followUpId } = await followUps.make(ref.connection, (client) => client.createOrUpdateFollowUp(fields));
    const target = { connection: ref.connection, id: followUpId };
    const made = new Map<number, number>();
    let stopped: unknown;
    for (const mail of mails) {
      if (!isTextKnown(record, mail.mail_id) || !isDelayUnit(mail.delay_unit)) continue;
      try {
        made.set(
          mail.mail_id,
          await attach(followUps, target, { delay: mail.delay, delay_unit: mail.delay_unit, text: textOf(record, mail.mail_id) }),
        );
      } catch (error) {
        // What comes after it would stand in another order: the copy ends here, and says so.
        stopped = error;
        break;
      }
    }
    const skipped = loop_mail_skip.flatMap((id) => made.get(id) ?? []);
    const skip = (client: MailingClient) => client.createOrUpdateFollowUp({ followUpId, ...head, loop_mail_skip: skipped });
    if (skipped.length > 0) await followUps.run(target, skip).catch((error: unknown) => (stopped ??= error));
    return { copy: target, copied: made, failure: stopped };
  }, { cancellable: false });

  await followUps.made(copy, fields);
  const missing = mails.filter(({ mail_id }) => !copied.has(mail_id));
  if (missing.length > 0 || failure !== undefined) void tell(record, head.name, missing, failure);
  return { ...(await followUps.open(copy, suffixes.details)), missing: missing.map(({ mail_id }) => mail_id) };
}

function textOf({ view }: FollowUpRecord, mailId: number) {
  return mailTextOf(Object.fromEntries(mailFields.map((field) => [field, view.values[mailField(mailId, field)]])));
}

async function tell(record: FollowUpRecord, copy: string, missing: readonly MailDelay[], failure: unknown): Promise<void> {
  const names = missing.map((mail) => `${mailName(record, mail.mail_id)} (${delayWords(mail)})`).join(', ');
  const cause = failure === undefined ? "The service never returns a mail's text, and this machine has not sent it" : errorText(failure);
  await showWarning(
    `"${copy}" was made${names === '' ? ', but not all of it' : ` without ${names}`}. ${cause}${/[.!?]$/u.test(cause) ? '' : '.'}`,
  );
}
