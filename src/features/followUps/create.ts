import * as vscode from 'vscode';
import { formatList, t } from '../../l10n.ts';
import type { FollowUpInput } from '../../service/client/index.ts';
import { toServiceRef, type Connection, type RecordRef, type ServiceRef } from '../../platform/connections/model.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createAndOpenRecord, createRecord, openCreatedRecord, type NewRecord } from '../sending/recordChanges.ts';
import { type CommandArgument, pickFields } from '../../ui/commands.ts';
import { promptForRequiredText, showWarning, withProgress } from '../../ui/messages.ts';
import type { FollowUps } from './followUps.ts';
import {
  normalizeCondition,
  followUpDetailFields,
  createTriggerChoices,
  formatDelay,
  isDelayUnit,
  getFollowUpDetails,
} from './model.ts';
import { followUpSuffixes } from './kind.ts';
import { errorText } from '../../ui/errors.ts';
import { attach } from './mails.ts';
import { getMailName, getMailText, hasMailText, type FollowUpRecord } from './record.ts';
import { isEditable } from './validation.ts';

const getTitle = () => t('New Follow-up');

/**
 * Creates a follow-up; services create it inactive. The argument may contain fields by their API names. Prompts for the name, trigger
 * and display name if they are missing. Returns undefined if the user cancels.
 */
export async function createFollowUp(
  followUps: FollowUps,
  argument: CommandArgument,
): Promise<FoundRecord | undefined> {
  const connection = await followUps.targets.pickConnection(argument, getTitle());
  if (!connection) return undefined;
  // Mails need separate requests. The service validates the values.
  const names = followUpDetailFields.filter((name) => name !== 'mails');
  const fields: FollowUpInput = pickFields(argument, names);
  const promptForField = (prompt: string, value: string, complaint: string) =>
    promptForRequiredText({ title: getTitle(), prompt, value }, complaint);
  const name =
    fields.name ?? (await promptForField(t('Name of the follow-up, for you and your team'), '', t('Enter a name.')));
  if (name === undefined) return undefined;
  const trigger = fields.trigger ?? (await pickTrigger(connection));
  if (trigger === undefined) return undefined;
  const display_name =
    fields.display_name ??
    (await promptForField(t('Display name, shown on the unsubscribe page'), name, t('Enter a display name.')));
  if (display_name === undefined) return undefined;
  const values = { ...fields, name, trigger, display_name };
  return followUps.withRetry(
    'mailing.followUp.create',
    t`Couldn't create "${name}"`,
    { ...values, connection: connection.id },
    () => createAndOpenRecord(followUps, createDraft(toServiceRef(connection), values)),
  );
}

function createDraft(service: ServiceRef, fields: FollowUpInput & { readonly name: string }): NewRecord {
  return {
    service,
    name: fields.name,
    fields: { ...fields, ...(fields.condition && { condition: normalizeCondition(fields.condition) }) },
    suffix: followUpSuffixes.details,
    create: async (client) => (await client.createOrUpdateFollowUp(fields)).followUpId,
  };
}

async function pickTrigger({ profile }: Connection) {
  const choices = createTriggerChoices(profile).map(({ value, label }) => ({
    label,
    description: value,
    trigger: value,
  }));
  return (
    await vscode.window.showQuickPick(choices, {
      title: getTitle(),
      placeHolder: t('Select what starts the follow-up'),
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
 * Returns undefined if the outcome is unconfirmed.
 */
export async function duplicateFollowUp(followUps: FollowUps, ref: RecordRef): Promise<Duplicate | undefined> {
  const record = await followUps.read(ref);
  const { name, display_name, trigger, condition, send_once, loop, loop_delay } = getFollowUpDetails(record);
  const profile = followUps.services.connections.get(ref.connection)?.profile ?? 'documented';
  const draft = createDraft(ref, {
    name: t`${name} (copy)`.trim(),
    display_name,
    trigger,
    condition,
    ...(isEditable('send_once', profile) && { send_once }),
    loop,
    loop_delay,
  });
  return withProgress(
    t`Duplicating "${record.name ?? ref.id}"`,
    () => createRecord(followUps, draft, (copy) => completeCopy(followUps, record, copy, draft)),
    { cancellable: false },
  );
}

/** Copies the mails, opens the copy and names the mails that are missing in it. */
async function completeCopy(
  followUps: FollowUps,
  record: FollowUpRecord,
  copy: RecordRef,
  draft: NewRecord,
): Promise<Duplicate> {
  const { copiedIds, unconfirmedId, failure } = await copyMails(followUps, record, copy, draft.name);
  const found = await openCreatedRecord(followUps, copy, draft);
  const missing = getFollowUpDetails(record).mails.filter(
    ({ mail_id }) => !copiedIds.has(mail_id) && mail_id !== unconfirmedId,
  );
  if (missing.length > 0 || failure !== undefined) {
    const cause =
      unconfirmedId !== undefined
        ? t('Copying stopped because a response was lost.')
        : failure === undefined
          ? t("This computer hasn't sent their texts, and the service never returns them.")
          : errorText(failure);
    const names = missing.map((mail) => `${getMailName(record, mail.mail_id)} (${formatDelay(mail)})`);
    const result =
      names.length === 0
        ? t`"${draft.name}" was created, but is incomplete.`
        : t`"${draft.name}" was created without these emails: ${formatList(names)}.`;
    void showWarning(`${result} ${cause}`);
  }
  return { ...found, missing: missing.map(({ mail_id }) => mail_id) };
}

/**
 * Attaches the mails with a stored text to a copy. Stops at the first failure, so that the mails keep their order. Returns the new mail ids
 * by original ids, and the mail whose response was lost, or why copying stopped.
 */
async function copyMails(
  followUps: FollowUps,
  record: FollowUpRecord,
  copy: RecordRef,
  name: string,
): Promise<{ copiedIds: ReadonlyMap<number, number>; unconfirmedId?: number; failure?: unknown }> {
  const { mails, loop_mail_skip, display_name, trigger } = getFollowUpDetails(record);
  const copiedIds = new Map<number, number>();
  try {
    for (const { mail_id, delay, delay_unit } of mails) {
      if (!hasMailText(record, mail_id) || !isDelayUnit(delay_unit)) continue;
      const request = { delay: { delay, delay_unit }, text: getMailText(record, mail_id) };
      const attachedId = await attach(followUps, copy, request, async (id) => id);
      if (attachedId === undefined) return { copiedIds, unconfirmedId: mail_id };
      copiedIds.set(mail_id, attachedId);
    }
    const skipped = loop_mail_skip.flatMap((id) => copiedIds.get(id) ?? []);
    const update = { followUpId: copy.id, name, display_name, trigger, loop_mail_skip: skipped };
    if (skipped.length > 0) await followUps.run(copy, (client) => client.createOrUpdateFollowUp(update));
    return { copiedIds };
  } catch (failure) {
    return { copiedIds, failure };
  }
}
