import type { FollowUpInput } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord } from '../../platform/sending/recordChanges.ts';
import { showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { errorText } from '../../platform/ui/errors.ts';
import { attach } from './attach.ts';
import { getMailFieldName, type FollowUpRecord } from './documents.ts';
import { getMailName, type FollowUps } from './followUps.ts';
import { mailFields, toMailText } from './mailText.ts';
import { formatDelay, isDelayUnit, getFollowUpDetails, followUpSuffixes, type MailDelay } from './model.ts';
import { isEditable, hasMailText } from './refusals.ts';

interface Duplicate extends FoundRecord {
  /** Ids of the original's mails that were not copied. Excludes a mail with an unknown outcome. */
  readonly missing: readonly number[];
}

/**
 * Copies a follow-up with the mails whose text is stored on this machine, and names the other mails in a warning. The copy is inactive.
 * Returns undefined if the outcome is unknown.
 */
export async function duplicateFollowUp(followUps: FollowUps, ref: RecordRef): Promise<Duplicate | undefined> {
  const record = await followUps.read(ref);
  const { name, display_name, trigger, condition, send_once, loop, loop_delay, mails } = getFollowUpDetails(record);
  const profile = followUps.services.connections.get(ref.connection)?.profile ?? 'documented';
  const requiredFields = { name: `${name} (copy)`.trim(), display_name, trigger };
  const fields = {
    ...requiredFields,
    condition,
    ...(isEditable('send_once', profile) && { send_once }),
    loop,
    loop_delay,
  };

  const draft = { connection: ref.connection, name: requiredFields.name, fields, suffix: followUpSuffixes.details };
  const result = await withProgress(
    `Duplicating "${record.name ?? ref.id}"`,
    async () => {
      const copy = await createRecord(
        followUps,
        draft,
        async (client) => (await client.createOrUpdateFollowUp(fields)).followUpId,
      );
      return copy && { copy, ...(await copyMails(followUps, record, copy, requiredFields)) };
    },
    { cancellable: false },
  );
  if (result === undefined) return undefined;

  const { copy, copiedIds, unconfirmedId, failure } = result;
  const found = await openCreatedRecord(followUps, copy, draft);
  const missing = mails.filter(({ mail_id }) => !copiedIds.has(mail_id) && mail_id !== unconfirmedId);
  const cause = unconfirmedId === undefined ? failure : new Error('Copying stopped because a response was lost');
  if (missing.length > 0 || failure !== undefined) void reportMissingMails(record, requiredFields.name, missing, cause);
  return { ...found, missing: missing.map(({ mail_id }) => mail_id) };
}

interface CopyResult {
  /** New mail ids by original ids. */
  readonly copiedIds: ReadonlyMap<number, number>;
  /** The mail whose response was lost. Copying stops there. */
  readonly unconfirmedId?: number;
  /** Why copying stopped. */
  readonly failure?: unknown;
}

/** Attaches the mails with a stored text to a copy. Stops at the first failure, so that the mails keep their order. */
async function copyMails(
  followUps: FollowUps,
  record: FollowUpRecord,
  copy: RecordRef,
  requiredFields: FollowUpInput,
): Promise<CopyResult> {
  const { mails, loop_mail_skip } = getFollowUpDetails(record);
  const copiedIds = new Map<number, number>();
  try {
    for (const { mail_id, delay, delay_unit } of mails) {
      if (!hasMailText(record, mail_id) || !isDelayUnit(delay_unit)) continue;
      const attached = await attach(followUps, copy, { delay, delay_unit, text: getMailText(record, mail_id) });
      if (attached === undefined) return { copiedIds, unconfirmedId: mail_id };
      copiedIds.set(mail_id, attached);
    }
    const skipped = loop_mail_skip.flatMap((id) => copiedIds.get(id) ?? []);
    const update = { followUpId: copy.id, ...requiredFields, loop_mail_skip: skipped };
    if (skipped.length > 0) await followUps.run(copy, (client) => client.createOrUpdateFollowUp(update));
    return { copiedIds };
  } catch (failure) {
    return { copiedIds, failure };
  }
}

function getMailText({ view }: FollowUpRecord, mailId: number) {
  return toMailText(
    Object.fromEntries(mailFields.map((field) => [field, view.values[getMailFieldName(mailId, field)]])),
  );
}

async function reportMissingMails(
  record: FollowUpRecord,
  copy: string,
  missing: readonly MailDelay[],
  failure: unknown,
): Promise<void> {
  const names = missing.map((mail) => `${getMailName(record, mail.mail_id)} (${formatDelay(mail)})`).join(', ');
  const cause =
    failure === undefined
      ? "The service never returns a mail's text, and this machine has not sent it"
      : errorText(failure);
  await showWarning(
    `"${copy}" was created${names === '' ? ' incompletely' : ` without ${names}`}. ${cause}${/[.!?]$/u.test(cause) ? '' : '.'}`,
  );
}
