import * as v from 'valibot';
import * as vscode from 'vscode';
import type { MailingList } from '../../../service/client/index.ts';
import { paginate } from '../../../service/client/paginate.ts';
import { findLists, isTruncated, readAllLists, truncatedListsMessage } from '../../../service/client/allLists.ts';
import type { ServiceRef } from '../../../platform/connections/model.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { parseArgument, showMultiPick } from '../../../platform/documents/recordCommands.ts';
import { getFields, type CommandArgument } from '../../../ui/commands.ts';
import { formatList, plural, t } from '../../../l10n.ts';
import { confirm, withProgress } from '../../../ui/messages.ts';
import { escapeMessage } from '../../../service/text.ts';
import { collection, getListName, createListPickItem } from '../../lists/model.ts';
import { createMemberReader, membershipNames } from '../model.ts';
import type { ChangeKind } from './run.ts';
import { formatLists, type ChangeTexts } from './texts.ts';

const MAX_NAMED_ADDRESSES = 10;

/** Ignores a value of a wrong type, which is then asked for. */
const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.optional(schema), undefined);
const idsSchema = optional(v.pipe(v.array(v.pipe(v.number(), v.safeInteger())), v.minLength(1)));

/** The argument of a command that changes subscriptions. The command asks for missing values. */
const argumentSchema = v.object({
  kind: v.optional(v.unknown()),
  listIds: idsSchema,
  ids: idsSchema,
  emails: optional(v.array(v.string())),
  /** Text that contains addresses. */
  text: optional(v.string()),
  /** The document or file that contains the addresses. */
  uri: optional(v.custom<vscode.Uri>((value) => value instanceof vscode.Uri)),
  sendWelcomeEmail: optional(v.boolean()),
  sendUnsubscribeEmail: optional(v.boolean()),
  trigger: optional(v.boolean()),
});

export type ChangeArgument = ReturnType<typeof parseChangeArgument>;

/** Parses a tree node, `{ connection, id or ids or listIds, emails or text, … }`, or the URI of a file. */
export function parseChangeArgument(argument: CommandArgument, changeKind: ChangeKind) {
  const isFile = argument instanceof vscode.Uri;
  const { connection, baseUrl, id } = isFile ? {} : parseArgument(argument, collection);
  const fields = v.parse(argumentSchema, isFile ? { uri: argument } : getFields(argument));
  const isNode = fields.kind === 'record';
  return {
    ...fields,
    connection,
    baseUrl,
    listIds: fields.listIds ?? fields.ids ?? (id === undefined || isNode ? undefined : [id]),
    /** The list whose node was selected. It is preselected in the picker. */
    selectedListId: isNode ? id : undefined,
    sendEmail: changeKind === 'subscribe' ? fields.sendWelcomeEmail : fields.sendUnsubscribeEmail,
  };
}

/** Reads all lists of a connection, with progress. */
export function readLists(connections: Pick<Connections, 'run'>, service: ServiceRef): Promise<readonly MailingList[]> {
  return withProgress(t('Reading the lists'), (signal) =>
    connections.run(service, (client) => readAllLists(client, signal)),
  );
}

/** Throws if confirmed lists have other names now: an id may belong to another list after a backup was restored. */
export async function assertSameLists(
  connections: Pick<Connections, 'run'>,
  service: ServiceRef,
  confirmed: readonly MailingList[],
): Promise<void> {
  const ids = confirmed.map(({ id }) => id);
  const { found, missing, isCertain } = await withProgress(t('Reading the lists'), (signal) =>
    connections.run(service, (client) => findLists(client, ids, signal)),
  );
  const names = new Map(found.map((list) => [list.id, getListName(list)]));
  const unknown = isCertain ? [] : missing;
  const isChanged = (list: MailingList) => !unknown.includes(list.id) && names.get(list.id) !== getListName(list);
  const changed = confirmed.filter(isChanged).map(getListName);
  if (changed.length > 0)
    throw new Error(
      t`These lists changed during the confirmation: ${formatLists(changed)}. Nothing was sent. Start again to select lists.`,
    );
}

/** Which emails a change sends. */
interface EmailOptions {
  /** The welcome or unsubscribe emails of the lists. */
  readonly sendEmail: boolean;
  /** Automations and follow-ups. */
  readonly trigger: boolean;
}

/**
 * Returns the lists in the argument, or asks for them; undefined if the user cancels.
 *
 * Throws if a list in the argument doesn't exist.
 */
export async function pickLists(
  lists: readonly MailingList[],
  { listIds, selectedListId: pointedAt }: ChangeArgument,
  texts: ChangeTexts,
): Promise<readonly MailingList[] | undefined> {
  if (listIds) {
    const missing = listIds.filter((id) => !lists.some((list) => list.id === id));
    const names = missing.map((id) => `#${id}`).join(', ');
    if (missing.length > 0 && isTruncated(lists)) {
      const sentences = [t`Lists not found: ${names}.`, truncatedListsMessage(), t('Nothing was sent.')];
      throw new Error(sentences.join(' '));
    }
    if (missing.length > 0)
      throw new Error(t`Lists not found on the service, possibly deleted: ${names}. Nothing was sent.`);
    return lists.filter(({ id }) => listIds.includes(id));
  }
  if (lists.length === 0) throw new Error(t('The service has no lists. Nothing was sent.'));
  const items = lists.map((list) => ({ ...createListPickItem(list), picked: list.id === pointedAt, list }));
  const picked = await showMultiPick(items, {
    title: texts.title,
    placeholder: isTruncated(lists) ? `${texts.pickLists} ${truncatedListsMessage()}` : texts.pickLists,
  });
  if (picked?.length === 0) throw new Error(t('No list selected. Nothing was sent.'));
  return picked?.map(({ list }) => list);
}

/** Returns the email options in the argument, or asks for them with none preselected; undefined if the user cancels. */
export async function pickEmailOptions(
  lists: readonly MailingList[],
  options: ChangeArgument,
  texts: ChangeTexts,
): Promise<EmailOptions | undefined> {
  const { sendEmail, trigger } = options;
  if (sendEmail !== undefined && trigger !== undefined) return { sendEmail, trigger };
  const mails = lists.filter((list) => texts.hasMail(list));
  const items = [
    {
      key: 'sendEmail',
      label: texts.sendMail,
      detail:
        mails.length === 0
          ? t('The service reports no such email for these lists.')
          : t`Sends real emails. Lists with this email: ${escapeMessage(formatList(mails.map(getListName)))}`,
      picked: sendEmail,
    },
    {
      key: 'trigger',
      label: t('Trigger automations and follow-ups'),
      detail: t('They may also send real emails.'),
      picked: trigger,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: texts.title,
    placeHolder: t('Select which emails to send'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return (
    picked && {
      sendEmail: picked.some(({ key }) => key === 'sendEmail'),
      trigger: picked.some(({ key }) => key === 'trigger'),
    }
  );
}

const MAX_SUBSCRIBERS_SEARCHED = 5000;
/** The URL of a request contains their ids, and servers limit its length to 8 KB. */
const MAX_LISTS_SEARCHED = 300;

/**
 * Returns the addresses that are on none of the lists, not even as unsubscribed, because the service may have no user with them. Undefined
 * if there are too many lists or subscribers to know, or they can't be read.
 * @param lists all lists of the service
 */
export async function findAddressesOnNoList(
  connections: Pick<Connections, 'run'>,
  service: ServiceRef,
  lists: readonly MailingList[],
  addresses: readonly string[],
): Promise<readonly string[] | undefined> {
  const isTooLarge = lists.some(({ subscribers }) => Number(subscribers ?? 0) > MAX_SUBSCRIBERS_SEARCHED);
  if (isTruncated(lists) || lists.length > MAX_LISTS_SEARCHED || isTooLarge) return undefined;
  const listIds = lists.map(({ id }) => id);
  const missing = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  let count = 0;
  return withProgress(t('Looking for the addresses on the lists'), (signal) =>
    connections.run(service, async (client) => {
      for (const membership of membershipNames)
        for await (const { email } of paginate(createMemberReader(client, membership, listIds), {
          pageSize: 500,
          signal,
        })) {
          if (missing.size === 0) return [];
          count += 1;
          if (count > MAX_SUBSCRIBERS_SEARCHED) return undefined;
          missing.delete(email?.toLowerCase() ?? '');
        }

      return [...missing.values()];
    }),
  ).catch(() => undefined);
}

/** Returns the line of a confirmation that names the addresses. */
export function describeAddressesOnNoList(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) return [];
  const text = plural(
    addresses.length,
    t("{0} address isn't on any list. The service ignores it unless a user has it: {1}"),
    t("{0} addresses aren't on any list. The service ignores them unless users have them: {1}"),
    formatList(addresses.slice(0, MAX_NAMED_ADDRESSES)),
  );
  return [addresses.length > MAX_NAMED_ADDRESSES ? `${text}…` : text];
}

/** The details of a change for its confirmation. */
interface ChangeSummary extends EmailOptions {
  readonly addresses: readonly string[];
  readonly lists: readonly string[];
  /** Name of the connection. */
  readonly service: string;
  readonly requests: number;
  /** Lines before all other details. */
  readonly notes?: readonly string[];
}

/** Asks for confirmation in a modal dialog. */
export function confirmChange(
  { addresses, lists, service, requests, sendEmail, trigger, notes = [] }: ChangeSummary,
  texts: ChangeTexts,
): Promise<boolean> {
  const sendsEmails = sendEmail || trigger;
  return confirm(
    texts.formatQuestion(addresses, formatLists(lists), service),
    [
      ...notes,
      t`Lists: ${lists.join(', ')}`,
      sendEmail ? texts.mailSent : texts.mailNotSent,
      trigger
        ? t('Automations and follow-ups are triggered, and may send real emails too.')
        : t('Automations and follow-ups are not triggered.'),
      ...(sendsEmails ? [t("You can't take back sent emails.")] : []),
      ...(requests > 1
        ? [
            plural(
              requests,
              t('This takes {0} request. You can cancel between requests and continue later.'),
              t('This takes {0} requests. You can cancel between requests and continue later.'),
            ),
          ]
        : []),
    ],
    texts.action,
  );
}
