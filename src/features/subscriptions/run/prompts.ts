import * as vscode from 'vscode';
import type { MailingList } from '../../../service/client/index.ts';
import { isTruncated, truncatedListsMessage } from '../../../service/client/allLists.ts';
import { formatAmount, formatCount } from '../../../platform/ui/format.ts';
import { confirm } from '../../../platform/ui/messages.ts';
import { escapeMessage } from '../../../platform/ui/text.ts';
import { nameOf, pickItem } from '../../lists/model.ts';
import type { ChangeArgument } from './parseArgument.ts';
import type { ChangeTexts } from './changeTexts.ts';

/** Whether emails go out with a change. */
interface EmailOptions {
  /** The lists' welcome or unsubscribe mail. */
  readonly sendEmail: boolean;
  /** Automations and follow-ups. */
  readonly trigger: boolean;
}

/**
 * The lists that are meant: those given, or those picked by name. Undefined where the user cancels. Throws where one that is given does not
 * exist.
 */
export async function pickLists(
  lists: readonly MailingList[],
  { listIds, selectedListId: pointedAt }: ChangeArgument,
  kind: ChangeTexts,
): Promise<readonly MailingList[] | undefined> {
  if (listIds !== undefined) {
    const missing = listIds.filter((id) => !lists.some((list) => list.id === id));
    const names = missing.map((id) => `#${id}`).join(', ');
    if (missing.length > 0 && isTruncated(lists))
      throw new Error(`List ${names} can't be looked up. ${truncatedListsMessage} Nothing was sent.`);
    if (missing.length > 0)
      throw new Error(`The service has no list ${names}. It may have been deleted. Nothing was sent.`);
    return lists.filter(({ id }) => listIds.includes(id));
  }
  if (lists.length === 0) throw new Error('The service has no lists. Nothing was sent.');
  const items = lists.map((list) => ({ ...pickItem(list), picked: list.id === pointedAt, list }));
  const picked = await vscode.window.showQuickPick(items, {
    title: kind.title,
    placeHolder: `${kind.action} ${kind.preposition} which lists?${isTruncated(lists) ? ` ${truncatedListsMessage}` : ''}`,
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked?.length === 0) throw new Error('No list was chosen. Nothing was sent.');
  return picked?.map(({ list }) => list);
}

/** Asks which emails go out, both being on from the start, unless it is given. Undefined where the user cancels. */
export async function pickEmailOptions(
  lists: readonly MailingList[],
  named: ChangeArgument,
  kind: ChangeTexts,
): Promise<EmailOptions | undefined> {
  const { sendEmail, trigger } = named;
  if (sendEmail !== undefined && trigger !== undefined) return { sendEmail, trigger };
  const mails = lists.filter((list) => kind.hasMail(list));
  const items = [
    {
      key: 'sendEmail',
      label: `Send the ${kind.mail}`,
      detail:
        mails.length === 0
          ? 'None of the lists has one, as far as the service tells.'
          : `Real emails go out: ${escapeMessage(mails.map(nameOf).join(', '))} ${mails.length === 1 ? 'has' : 'have'} one.`,
      picked: sendEmail ?? true,
    },
    {
      key: 'trigger',
      label: 'Trigger automations and follow-ups',
      detail: 'They may send real emails as well.',
      picked: trigger ?? true,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: kind.title,
    placeHolder: 'Real emails go out for what is ticked',
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

/** What the question before a change is made of. */
interface ChangeSummary extends EmailOptions {
  /** Addresses that are to be sent. */
  readonly addresses: readonly string[];
  readonly lists: readonly string[];
  /** What the user calls the service. */
  readonly service: string;
  readonly requests: number;
  /** Said before the rest: what is special about this time. */
  readonly notes?: readonly string[];
}

/** The question that can't be skipped. */
export function confirmChange(
  { addresses, lists, service, requests, sendEmail, trigger, notes = [] }: ChangeSummary,
  kind: ChangeTexts,
): Promise<boolean> {
  const [only] = addresses;
  const who =
    addresses.length === 1 && only !== undefined ? only : formatAmount(addresses.length, 'address', 'addresses');
  const where = lists.length === 1 ? `"${lists[0] ?? ''}"` : formatAmount(lists.length, 'list');
  const mailsGoOut = sendEmail || trigger;
  return confirm(
    `${kind.action} ${who} ${kind.preposition} ${where} on ${service}?`,
    [
      ...notes,
      `Lists: ${lists.join(', ')}`,
      sendEmail
        ? `The ${kind.mail} goes out to everybody whose subscription changes, where a list has one: real emails.`
        : `The ${kind.mail} is not sent.`,
      trigger
        ? 'Automations and follow-ups are triggered, and may send real emails too.'
        : 'Automations and follow-ups are not triggered.',
      ...(mailsGoOut ? ["An email that went out can't be taken back."] : []),
      ...(requests > 1
        ? [`It takes ${formatCount(requests)} requests. It can be cancelled between them, and continued later.`]
        : []),
    ],
    kind.action,
  );
}
