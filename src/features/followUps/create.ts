import * as vscode from 'vscode';
import type { FollowUpInput } from '../../service/client/index.ts';
import type { Connection, RecordRef } from '../../platform/connections/model.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord } from '../../platform/sending/recordChanges.ts';
import { type CommandArgument, pickFields } from '../../platform/ui/commands.ts';
import { promptForRequiredText, showWarning } from '../../platform/ui/messages.ts';
import type { FollowUps } from './followUps.ts';
import {
  normalizeCondition,
  followUpDetailFields,
  followUpSuffixes,
  triggerLabels,
  formatDelay,
  isDelayUnit,
  getFollowUpDetails,
  type MailDelay,
} from './model.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { errorText } from '../../platform/ui/errors.ts';
import { attach } from './mails.ts';
import { getMailName, getMailText, hasMailText, type FollowUpRecord } from './record.ts';
import { isEditable } from './validation.ts';

const NEW_FOLLOW_UP_TITLE = 'New Follow-up';

/**
 * Creates a follow-up; services create it inactive. The argument may contain fields by their API names. Prompts for the name, trigger
 * and display name if they are missing. Returns undefined if the user cancels.
 */
export async function createFollowUp(
  followUps: FollowUps,
  argument: CommandArgument,
): Promise<FoundRecord | undefined> {
  const connection = await followUps.targets.pickConnection(argument, NEW_FOLLOW_UP_TITLE);
  if (connection === undefined) return undefined;
  const fields = readFollowUpFields(argument);
  const promptForField = (prompt: string, value: string, complaint: string) =>
    promptForRequiredText({ title: NEW_FOLLOW_UP_TITLE, prompt, value }, complaint);
  const name =
    fields.name ??
    (await promptForField('Name of the follow-up, for you and your team', '', 'A follow-up needs a name.'));
  if (name === undefined) return undefined;
  const trigger = fields.trigger ?? (await pickTrigger(connection));
  if (trigger === undefined) return undefined;
  const display_name =
    fields.display_name ??
    (await promptForField('Display name, shown on the unsubscribe page', name, 'A follow-up needs a display name.'));
  if (display_name === undefined) return undefined;
  const values = { ...fields, name, trigger, display_name };
  return followUps.withRetry(
    'mailing.followUp.create',
    `Couldn't create "${name}"`,
    { ...values, connection: connection.id },
    () => create(followUps, connection.id, values),
  );
}

type NamedInput = FollowUpInput & { readonly name: string };

/**
 * Creates a follow-up and opens it. Returns undefined if the outcome is unknown.
 *
 * Throws `ApiError` if the service refused the request.
 */
async function create(followUps: FollowUps, connection: string, fields: NamedInput): Promise<FoundRecord | undefined> {
  const normalizedFields = { ...fields, ...(fields.condition && { condition: normalizeCondition(fields.condition) }) };
  const draft = { connection, name: fields.name, fields: normalizedFields, suffix: followUpSuffixes.details };
  const ref = await createRecord(
    followUps,
    draft,
    async (client) => (await client.createOrUpdateFollowUp(fields)).followUpId,
  );
  return ref && openCreatedRecord(followUps, ref, draft);
}

/** Reads a follow-up's fields from a command argument. Excludes its mails, which need separate requests. */
function readFollowUpFields(argument: CommandArgument): FollowUpInput {
  // The service validates the values.
  return pickFields(
    argument,
    followUpDetailFields.filter((name) => name !== 'mails'),
  );
}

async function pickTrigger({ profile }: Connection): Promise<string | undefined> {
  const choices = Object.entries(triggerLabels[profile]).map(([trigger, label]) => ({
    label: label.charAt(0).toUpperCase() + label.slice(1),
    description: trigger,
    trigger,
  }));
  return (
    await vscode.window.showQuickPick(choices, {
      title: NEW_FOLLOW_UP_TITLE,
      placeHolder: 'What starts it?',
      matchOnDescription: true,
    })
  )?.trigger;
}

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
