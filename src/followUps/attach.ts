import { isApiError } from '../api/errors.ts';
import type { DelayUnit, MailingClient } from '../api/index.ts';
import type { RecordRef } from '../connections/record.ts';
import { errorText } from '../ui/words.ts';
import type { FollowUps } from './followUps.ts';
import { mailRequest, type MailText } from './mailText.ts';

/** A mail that is sent to a follow-up, with the delay that it goes out after. */
export interface Attachment {
  readonly delay: number;
  readonly delay_unit: DelayUnit;
  readonly text: MailText;
  /** Of the mail whose text it replaces; a new one is attached without. */
  readonly mailId?: number;
}

/**
 * Sends a mail to a follow-up once, and keeps its text on this machine. Where the answer to a new mail is lost, the follow-up itself is
 * read to find out whether it has one more.
 *
 * Throws `ApiError` where the service refused it, another error where it is not known or was not done.
 */
export async function attach(followUps: FollowUps, ref: RecordRef, { delay, delay_unit, text, mailId }: Attachment): Promise<number> {
  const before = new Set((await followUps.read(ref)).mails.map(({ mail_id }) => mail_id));
  const request = { followUpId: ref.id, delay, delay_unit, mail: mailRequest(text, mailId) };
  const send = async (client: MailingClient): Promise<number> => (await client.attachEmailToFollowUp(request)).mailId;
  const sent = await followUps.run(ref, send).catch(async (error: unknown) => {
    if (!isApiError(error)) throw error;
    if (error.outcome === 'unknown')
      return mailId === undefined ? findNew(followUps, ref, before, errorText(error)) : doubt(followUps, ref, mailId, errorText(error));
    const hint = delay === 0 && error.kind === 'invalid' ? ' Some services take no delay of 0: one minute is the shortest there.' : '';
    throw hint === '' ? error : new Error(errorText(error) + hint);
  });
  await followUps.keep(ref, sent, text);
  return sent;
}

/** The mail that a follow-up has more than before. */
async function findNew(followUps: FollowUps, ref: RecordRef, before: ReadonlySet<number>, cause: string): Promise<number> {
  const after = await followUps.read(ref).catch(() => undefined);
  if (after === undefined)
    throw new Error(`${cause} It is not known whether the mail was attached: look at the follow-up before you attach it again.`);
  const [added, ...others] = after.mails.filter(({ mail_id }) => !before.has(mail_id));
  if (added === undefined) throw new Error(`${cause} The follow-up was read again, and has no new mail: nothing was attached.`);
  if (others.length > 0)
    throw new Error(`${cause} The follow-up was read again, and has ${others.length + 1} new mails: which of them is yours can't be told.`);
  return added.mail_id;
}

/** The text of a mail can't be read: whether it was replaced stays unknown. */
async function doubt(followUps: FollowUps, ref: RecordRef, mailId: number, cause: string): Promise<never> {
  await followUps.sent.doubt(followUps.place(ref), mailId, Date.now());
  throw new Error(
    `${cause} Whether mail #${mailId} was replaced can't be found out, because the service never returns a mail's text. To replace it again does no harm.`,
  );
}
