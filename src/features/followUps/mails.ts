import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { DelayUnit } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { showPick } from '../../platform/documents/recordCommands.ts';
import { changeOnce, deleteOnce, findNewId } from '../sending/recordChanges.ts';
import { type CommandArgument, getFields } from '../../ui/commands.ts';
import { promptForRequiredText, confirm } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { replaceMail } from './documents.ts';
import type { FollowUps, FoundMail } from './followUps.ts';
import {
  createMailRequest,
  getMailName,
  getMailText,
  hasMailText,
  mailFields,
  toMailText,
  type FollowUpRecord,
  type MailText,
} from './record.ts';
import { isSameValue } from '../../platform/documents/differences.ts';
import { toDelay, toSeconds, delayUnits, formatDelay, isDelayUnit, type Delay } from './model.ts';
import { collection, followUpSuffixes } from './kind.ts';
import { pickInitialMail } from './initialMail.ts';
import { isApiError } from '../../service/client/shapes.ts';
import { errorText } from '../../ui/errors.ts';
import { composeMessage, readDocumentText } from '../sending/testSend/testMessage.ts';
import type { TestableMail } from '../../platform/documents/recordCollections.ts';

interface MailArgument {
  readonly delay?: number;
  readonly delay_unit?: DelayUnit;
  readonly mail: Partial<MailText>;
  readonly mailId?: number;
}

/**
 * Attaches a new mail to a follow-up and opens it. The argument may contain the delay and the mail's fields as in the API document
 * (`{ delay, delay_unit, mail: { name, subject, body, … } }`). Prompts for missing values.
 */
export async function attachMail(followUps: FollowUps, argument: CommandArgument): Promise<FoundMail | undefined> {
  const title = t('Add Email');
  const ref = await followUps.choose(argument, title);
  if (!ref) return undefined;
  const { delay: requested, delay_unit: unit, mail } = parseMailArgument(argument);
  const text = await promptForMailText(followUps, ref, mail, title);
  if (!text) return undefined;
  const delay =
    requested === undefined || unit === undefined
      ? await pickDelay(title, requested)
      : { delay: requested, delay_unit: unit };
  if (!delay) return undefined;
  return followUps.withRetry(
    'mailing.followUp.attachMail',
    t`Couldn't attach "${text.name}"`,
    { ...ref, ...delay, mail: text },
    () => attach(followUps, ref, { delay, text }, (mailId, done) => followUps.showMail(ref, mailId, done)),
  );
}

/** Opens the text of a mail that this machine last sent. If there is none, the user must supply a text first. */
export async function editMail(followUps: FollowUps, argument: CommandArgument): Promise<FoundMail | undefined> {
  const title = t('Edit Email');
  const chosen = await chooseMail(followUps, argument, title);
  if (!chosen) return undefined;
  const { ref, record, mailId, delay } = chosen;
  if (hasMailText(record, mailId)) return followUps.openMail(ref, mailId);
  const { mail } = parseMailArgument(argument);
  const supplyAction = t('Supply Text…');
  const wantsToSupply =
    mail.body !== undefined ||
    (await vscode.window.showInformationMessage(
      t`This computer has no text of email #${mailId} (${formatDelay(delay)}).`,
      {
        modal: true,
        detail: t(
          'The service never returns the text of an email. To edit this email, replace its text with one from a template, an open editor or a file, or start from scratch.',
        ),
      },
      supplyAction,
    )) === supplyAction;
  if (!wantsToSupply) return undefined;
  const text = await promptForMailText(followUps, ref, mail, title);
  if (!text) return undefined;
  const { delay_unit } = delay;
  const newDelay = isDelayUnit(delay_unit) ? { ...delay, delay_unit } : await pickDelay(title, delay.delay);
  if (!newDelay) return undefined;
  const isConfirmed = await confirm(
    t`Replace the text of email #${mailId} of "${record.name ?? ref.id}" on ${followUps.getServiceName(ref)}?`,
    [
      t`New name: ${text.name}`,
      t`New subject: ${text.subject}`,
      t("The current text on the service is lost. It can't be read or restored."),
    ],
    t('Replace'),
  );
  if (!isConfirmed) return undefined;
  return followUps.withRetry(
    'mailing.followUp.editMail',
    t`Couldn't replace email #${mailId}`,
    { ...ref, mailId, mail: text },
    async () => {
      const current = (await followUps.read(ref)).mails.find(({ mail_id }) => mail_id === mailId);
      // Another user may have changed the delay meanwhile.
      const isSame = current === undefined || isSameValue(toDelay(current), delay);
      const replacement = { mailId, text, delay: isSame ? newDelay : toDelay(current) };
      await followUps.run(ref, (client) => replaceMail(client, followUps.sentMails, ref, replacement));
      return followUps.showMail(ref, mailId, t`Email #${mailId} was replaced.`);
    },
  );
}

/** Deletes a mail from a follow-up after a confirmation. */
export async function deleteMail(
  followUps: FollowUps,
  argument: CommandArgument,
): Promise<(RecordRef & { readonly mailId: number }) | undefined> {
  const chosen = await chooseMail(followUps, argument, t('Delete Email'), { fromEditor: false });
  if (!chosen) return undefined;
  const { ref, mailId } = chosen;
  const isDeleted = await deleteOnce({
    read: async () => {
      const record = await followUps.read(ref);
      const name = getMailName(record, mailId);
      const mail = record.mails.find(({ mail_id }) => mail_id === mailId);
      const delay = mail === undefined ? chosen.delay : toDelay(mail);
      return {
        name,
        question: t`Delete the email "${name}" (${formatDelay(delay)}) from the follow-up "${record.name ?? ref.id}" on ${followUps.getServiceName(ref)}?`,
        consequences: [
          t("You can't undo this. The text stored on this computer is deleted too."),
          t('Open tabs keep their text, so that you can save it elsewhere.'),
        ],
      };
    },
    request: () => followUps.run(ref, (client) => client.deleteEmailFromFollowUp(ref.id, mailId)),
    isDeleted: async () => !(await followUps.read(ref)).mails.some(({ mail_id }) => mail_id === mailId),
    finish: async () => {
      await followUps.sentMails.delete(ref, mailId);
      await followUps.refresh(ref);
    },
  });
  return isDeleted ? { ...ref, mailId } : undefined;
}

function parseMailArgument(argument: CommandArgument): MailArgument {
  const { delay, delay_unit, mail, mailId } = getFields(argument);
  const texts =
    typeof mail === 'object' && mail !== null
      ? Object.entries(mail).filter(
          ([field, value]) => (mailFields as readonly string[]).includes(field) && typeof value === 'string',
        )
      : [];
  return {
    delay: typeof delay === 'number' ? delay : undefined,
    delay_unit: isDelayUnit(delay_unit) ? delay_unit : undefined,
    mailId: typeof mailId === 'number' ? mailId : undefined,
    mail: Object.fromEntries(texts) as Partial<MailText>,
  };
}

interface ChosenMail {
  readonly ref: RecordRef;
  readonly record: FollowUpRecord;
  readonly mailId: number;
  readonly delay: Delay;
}

/**
 * Returns the mail from the argument or a picker. Undefined if the user cancels.
 *
 * Throws if the follow-up has no mails or not the requested one.
 */
async function chooseMail(
  followUps: FollowUps,
  argument: CommandArgument,
  title: string,
  options?: { fromEditor: boolean },
): Promise<ChosenMail | undefined> {
  const ref = await followUps.choose(argument ?? followUps.services.explorer.selectedRecord, title, options);
  if (!ref) return undefined;
  const record = await followUps.read(ref);
  const { mails } = record;
  if (mails.length === 0) throw new Error(t`"${record.name ?? ref.id}" has no emails. Add one first.`);
  const requestedId = parseMailArgument(argument).mailId ?? getMailIdFromUri(argument);
  const mailId = requestedId ?? (await pickMail(record, title));
  const mail = mails.find(({ mail_id }) => mail_id === mailId);
  if (mail === undefined && mailId !== undefined)
    throw new Error(t`"${record.name ?? ref.id}" has no email #${mailId}.`);
  return mail && { ref, record, mailId: mail.mail_id, delay: toDelay(mail) };
}

function getMailIdFromUri(argument: CommandArgument) {
  const id = argument instanceof vscode.Uri ? /\/mails\/(\d+)\.(?:html|json)$/u.exec(argument.path)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
}

async function pickMail(record: FollowUpRecord, title: string) {
  const choices = record.mails.map((mail) => {
    const { subject } = getMailText(record, mail.mail_id);
    return {
      label: getMailName(record, mail.mail_id),
      description: `#${mail.mail_id} · ${formatDelay(toDelay(mail))}`,
      detail: hasMailText(record, mail.mail_id) ? escapeMessage(subject) : t('No text on this computer'),
      mailId: mail.mail_id,
    };
  });
  return (
    await vscode.window.showQuickPick(choices, {
      title,
      placeHolder: t('Select an email'),
      matchOnDescription: true,
      matchOnDetail: true,
    })
  )?.mailId;
}

/** Returns a mail's text. Prompts for a missing body and subject. */
async function promptForMailText(
  followUps: FollowUps,
  { connection }: RecordRef,
  mail: Partial<MailText>,
  title: string,
): Promise<MailText | undefined> {
  const initial = mail.body === undefined ? await pickInitialMail(followUps, connection, title) : {};
  if (!initial) return undefined;
  const options = { title, prompt: t('Subject, shown to recipients'), value: initial.subject, ignoreFocusOut: true };
  const subject = mail.subject ?? (await promptForRequiredText(options, t('Enter a subject.')));
  return subject === undefined
    ? undefined
    : toMailText({ name: initial.name ?? subject, ...initial, ...mail, subject });
}

/** Lets the user type a number and select its unit. */
function pickDelay(title: string, requested = 1) {
  const quickPick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly delay: AttachRequest['delay'] }>();
  const showDelays = (text: string) => {
    const delay = text.trim() === '' ? requested : Number(text);
    const units = delay === 0 ? delayUnits.slice(0, 1) : delayUnits;
    const delays = units.map((delay_unit) => ({ delay, delay_unit }));
    const isValid = /^\s*\d{0,6}\s*$/u.test(text);
    quickPick.items = isValid
      ? delays.map((each) => ({ label: formatDelay(each), alwaysShow: true, delay: each }))
      : [];
  };
  quickPick.title = title;
  quickPick.placeholder = t(
    'Delay before sending: type a number and select its unit. Some services require at least 1.',
  );
  quickPick.ignoreFocusOut = true;
  quickPick.onDidChangeValue(showDelays);
  showDelays('');
  return showPick(quickPick, () => quickPick.activeItems[0]?.delay);
}

interface AttachRequest {
  readonly delay: { readonly delay: number; readonly delay_unit: DelayUnit };
  readonly text: MailText;
}

/**
 * Attaches a mail to a follow-up, stores its text on this machine, and passes the mail's id to `finish`, with
 * the change as a sentence.
 *
 * The request is sent only once. If the response is lost, compares the follow-up's mails before and after. If there is no new mail with this
 * delay, warns the user and returns undefined; a later check by the user may find the mail.
 *
 * Throws `ApiError` if the service refused the request.
 */
export async function attach<Result>(
  followUps: FollowUps,
  ref: RecordRef,
  { delay, text }: AttachRequest,
  finish: (mailId: number, done: string) => Promise<Result>,
): Promise<Result | undefined> {
  const getMailIds = (mails: FollowUpRecord['mails']) => mails.map(({ mail_id }) => mail_id);
  const before = await followUps.read(ref);
  const mail = { followUpId: ref.id, ...delay, mail: createMailRequest(text) };
  const [name, followUp] = [text.name, before.name ?? ref.id];
  const done = t`"${name}" was attached to "${followUp}".`;
  return changeOnce({
    texts: {
      done,
      formatUnknown: (cause) =>
        t`"${name}" may have been attached to "${followUp}": ${cause} Check the follow-up before you attach it again.`,
    },
    request: async () => {
      try {
        return await followUps.run(ref, async (client) => (await client.attachEmailToFollowUp(mail)).mailId);
      } catch (error) {
        if (!isApiError(error) || delay.delay !== 0 || error.kind !== 'invalid') throw error;
        throw new Error(`${errorText(error)} ${t('Some services require a delay of at least one minute.')}`);
      }
    },
    check: async () => {
      const { mails } = await followUps.read(ref);
      // Another user may have attached one too.
      const candidates = mails.filter((one) => toSeconds(toDelay(one)) === toSeconds(delay));
      return findNewId(getMailIds(before.mails), getMailIds(candidates));
    },
    finish: async (mailId) => {
      await followUps.storeMail(ref, mailId, text);
      return finish(mailId, done);
    },
  });
}

/** Completes an argument that may name one of the follow-up's mails. */
const toMailArgument = (ref: RecordRef, argument: CommandArgument): CommandArgument =>
  argument instanceof vscode.Uri ? argument : { ...ref, mailId: getFields(argument)['mailId'] };

/** Returns the body of a mail for its preview. */
export async function findMailBody(
  followUps: FollowUps,
  ref: RecordRef,
  argument: CommandArgument,
): Promise<vscode.Uri | undefined> {
  const chosen = await chooseMail(followUps, toMailArgument(ref, argument), t('Open Preview'));
  return chosen && followUps.getMailUri(ref, chosen.mailId);
}

/** Opens a mail of a follow-up for a test. Its text is the one stored on this machine. */
export async function openTestableMail(
  followUps: FollowUps,
  ref: RecordRef,
  argument: CommandArgument,
): Promise<TestableMail | undefined> {
  const chosen = await chooseMail(followUps, toMailArgument(ref, argument), t('Send Test Email'));
  if (!chosen) return undefined;
  const { record, mailId } = chosen;
  const name = getMailName(record, mailId);
  if (!hasMailText(record, mailId))
    throw new Error(
      t`This computer has no text of "${name}", and the service never returns it. Nothing was sent: supply the text with "Edit Follow-up Email" first.`,
    );
  const message = composeMessage({
    name,
    body: await readDocumentText(followUps.getMailUri(ref, mailId)),
    details: await readDocumentText(followUps.getMailUri(ref, mailId, followUpSuffixes.mail)),
  });
  return { what: `${collection}/${ref.id}/mails/${mailId}`, message };
}
