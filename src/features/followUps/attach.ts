import { isApiError } from '../../service/client/errors.ts';
import type { DelayUnit, FollowUpMail, MailingClient } from '../../service/client/index.ts';
import { changeOnce, findNewId, type ServiceChange } from '../../platform/sending/recordChanges.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { errorText } from '../../platform/ui/errors.ts';
import type { FollowUps } from './followUps.ts';
import { createMailRequest, type MailText } from './mailText.ts';

interface AttachRequest {
  readonly delay: number;
  readonly delay_unit: DelayUnit;
  readonly text: MailText;
  /** The mail to replace. Undefined to attach a new mail. */
  readonly mailId?: number;
}

/**
 * Attaches a mail to a follow-up or replaces its text, and stores the text on this machine. Returns the mail's id.
 *
 * The request is sent only once. If the response to a new mail is lost, compares the follow-up's mails before and after. If there is no
 * new mail, warns the user and returns undefined; `onConfirmed` is called if a later check by the user finds the mail.
 *
 * Throws `ApiError` if the service refused the request, another error if the outcome of a replacement is unknown.
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
  const storeText = async (id: number): Promise<void> => followUps.storeMail(ref, id, text);
  const change: ServiceChange<number> = {
    description: `the mail "${text.name}" was attached to "${name ?? ref.id}"`,
    repeatAction: 'attach it again',
    location: 'the follow-up',
    check: async () => findNewId(getMailIds(mails), getMailIds((await followUps.read(ref)).mails)),
    onConfirmed: async (newId) => {
      await storeText(newId);
      await onConfirmed(newId);
    },
  };
  const run = (): Promise<number> => followUps.run(ref, send);
  const attachedId = await (mailId === undefined ? changeOnce(change, run) : run()).catch(async (error: unknown) => {
    if (!isApiError(error)) throw error;
    if (mailId !== undefined && error.outcome === 'unknown')
      return reportUnconfirmedReplacement(followUps, ref, mailId, errorText(error));
    const hint =
      delay === 0 && error.kind === 'invalid'
        ? ' Some services take no delay of 0: one minute is the shortest there.'
        : '';
    throw hint === '' ? error : new Error(errorText(error) + hint);
  });
  if (attachedId !== undefined) await storeText(attachedId);
  return attachedId;
}

const getMailIds = (mails: readonly FollowUpMail[]): readonly number[] => mails.map(({ mail_id }) => mail_id);

/** Marks the stored text as unconfirmed and throws: services never return a mail's text, so no check is possible. */
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
