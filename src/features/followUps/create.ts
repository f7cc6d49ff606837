import * as vscode from 'vscode';
import type { FollowUpInput } from '../../service/client/index.ts';
import type { Connection } from '../../platform/connections/model.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord } from '../../platform/sending/recordChanges.ts';
import { type CommandArgument, pickFields } from '../../platform/ui/commands.ts';
import { promptForRequiredText } from '../../platform/ui/messages.ts';
import type { FollowUps } from './followUps.ts';
import { normalizeCondition, followUpDetailFields, followUpSuffixes } from './model.ts';
import { triggerLabels } from './triggers.ts';

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
