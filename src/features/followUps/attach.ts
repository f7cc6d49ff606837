import { isApiError } from '../../service/client/errors.ts';
import type { DelayUnit, FollowUpMail, MailingClient } from '../../service/client/index.ts';
import { changeOnce, findNewId, type ServiceChange } from '../../platform/sending/changeOnce.ts';
import type { RecordRef } from '../../platform/connections/record.ts';
import { errorText } from '../../platform/ui/errors.ts';
import type { FollowUps } from './followUps.ts';
import { createMailRequest, type MailText } from './mailText.ts';

/** A mail that is sent to a follow-up, with the delay that it goes out after. */
interface AttachRequest {
  readonly delay: number;
  readonly delay_unit: DelayUnit;
  readonly text: MailText;
  /** Of the mail whose text it replaces; a new one is attached without. */
  readonly mailId?: number;
}

/**
 * Sends a mail to a follow-up once, and keeps its text on this machine. Where the answer to a new mail is lost, the follow-up itself is
 * read to find out whether it has one more; undefined where that is not seen: it is told, and `found` called should the user look again
 * and see it.
 *
 * Throws `ApiError` where the service refused it, another error where it is not known whether a text was replaced.
 */
export async function attach(
  followUps: FollowUps,
  ref: RecordRef,
  { delay, delay_unit, text, mailId }: AttachRequest,
  onConfirmed: (mailId: number) => unknown = () => undefined,
): Promise<number | undefined> {
  const { name, mails } = await followUps.read(ref);
  const request = { followUpId: ref.id, delay, delay_unit, mail: createMailRequest(text, mailId) };
  const send = async (client: MailingClient): Promise<number> => (await client.attachEmailToFollowUp(request)).mailId;
  const storeText = async (sent: number): Promise<void> => followUps.storeMail(ref, sent, text);
  const change: ServiceChange<number> = {
    description: `the mail "${text.name}" was attached to "${name ?? ref.id}"`,
    repeatAction: 'attach it again',
    location: 'the follow-up',
    check: async () => findNewId(getMailIds(mails), getMailIds((await followUps.read(ref)).mails)),
    onConfirmed: async (mailId) => {
      await storeText(mailId);
      await onConfirmed(mailId);
    },
  };
  const run = (): Promise<number> => followUps.run(ref, send);
  const sent = await (mailId === undefined ? changeOnce(change, run) : run()).catch(async (error: unknown) => {
    if (!isApiError(error)) throw error;
    if (mailId !== undefined && error.outcome === 'unknown')
      return reportUnconfirmedReplacement(followUps, ref, mailId, errorText(error));
    const hint =
      delay === 0 && error.kind === 'invalid'
        ? ' Some services take no delay of 0: one minute is the shortest there.'
        : '';
    throw hint === '' ? error : new Error(errorText(error) + hint);
  });
  if (sent !== undefined) await storeText(sent);
  return sent;
}

const getMailIds = (mails: readonly FollowUpMail[]): readonly number[] => mails.map(({ mail_id }) => mail_id);

/** The text of a mail can't be read: whether it was replaced stays unknown. */
async function reportUnconfirmedReplacement(
  followUps: FollowUps,
  ref: RecordRef,
  mailId: number,
  cause: string,
): Promise<never> {
  await followUps.sentMails.markUnconfirmed(followUps.getKey(ref), mailId, Date.now());
  throw new Error(
    `${cause} Whether mail #${mailId} was replaced can't be found out, because the service never returns a mail's text. ` +
      'To replace it again does no harm.',
  );
}
