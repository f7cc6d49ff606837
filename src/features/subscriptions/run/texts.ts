import { formatList, formatNumber, localized, plural, quote, t } from '../../../l10n.ts';
import type { MailingList } from '../../../service/client/index.ts';
import { formatTimestamp, joinParts } from '../../../service/format.ts';
import { errorText } from '../../../ui/errors.ts';
import { tallyAddresses, type AddressTally, type ChangeKind, type Run, type RunEnding } from './run.ts';

/** Maximum number of lists that a sentence names. */
const MAX_NAMED_LISTS = 3;

/** Texts of one kind of change. `lists`: as returned by `formatLists`. */
export interface ChangeTexts {
  readonly title: string;
  /** Button of the confirmation. */
  readonly action: string;
  readonly progress: string;
  readonly pickLists: string;
  /** Choice of the emails of the lists. */
  readonly sendMail: string;
  readonly mailSent: string;
  readonly mailNotSent: string;
  hasMail(list: MailingList): boolean;
  /** Describes the change: `Subscribe to "Newsletter"`. */
  describe(lists: string): string;
  formatQuestion(addresses: readonly string[], lists: string, service: string): string;
  /** For one address and for several. {1} names the lists, {2} the service. */
  readonly done: readonly [one: string, other: string];
  formatStopped(lists: string): string;
  formatInterrupted(lists: string, service: string): string;
  /** Asks about addresses whose outcome is unconfirmed, for one and for several. */
  readonly unconfirmed: readonly [one: string, other: string];
  /** Label for the number of addresses that have changed. */
  formatCount(count: string): string;
  /** Says how many addresses are in the final state now. */
  formatChanged(count: string): string;
}

export const changeTexts = localized((): Readonly<Record<ChangeKind, ChangeTexts>> => ({
  subscribe: {
    title: t('Subscribe Addresses'),
    action: t({
      message: 'Subscribe',

      comment: 'Button that changes the subscriptions of other people',
    }),
    progress: t('Subscribing addresses'),
    pickLists: t('Select the lists to subscribe to'),
    sendMail: t('Send the welcome email'),
    mailSent: t(
      'The welcome email is sent to everyone whose subscription changes, if a list has one. These are real emails.',
    ),
    mailNotSent: t('The welcome email is not sent.'),
    hasMail: ({ welcome_id }) => Boolean(welcome_id),
    describe: (lists) => t`Subscribe to ${lists}`,
    formatQuestion: ([first = '', ...others], lists, service) =>
      others.length === 0
        ? t({
            message: 'Subscribe {0} to {1} on {2}?',
            args: [first, lists, service],
            comment: '{0} is an email address, {1} names lists, {2} is a service',
          })
        : plural(
            others.length + 1,
            t('Subscribe {0} address to {1} on {2}?'),
            t('Subscribe {0} addresses to {1} on {2}?'),
            lists,
            service,
          ),
    done: [t('{0} address was subscribed to {1} on {2}.'), t('{0} addresses were subscribed to {1} on {2}.')],
    formatStopped: (lists) => t`Subscribing to ${lists} stopped.`,
    formatInterrupted: (lists, service) => t`Subscribing to ${lists} on ${service} was interrupted. Continue it?`,
    unconfirmed: [
      t('{0} address may or may not have been subscribed.'),
      t('{0} addresses may or may not have been subscribed.'),
    ],
    formatCount: (count) => t`Subscribed: ${count}`,
    formatChanged: (count) => t`On the lists now: ${count}.`,
  },
  unsubscribe: {
    title: t('Unsubscribe Addresses'),
    action: t({
      message: 'Unsubscribe',

      comment: 'Button that changes the subscriptions of other people',
    }),
    progress: t('Unsubscribing addresses'),
    pickLists: t('Select the lists to unsubscribe from'),
    sendMail: t('Send the unsubscribe email'),
    mailSent: t(
      'The unsubscribe email is sent to everyone whose subscription changes, if a list has one. These are real emails.',
    ),
    mailNotSent: t('The unsubscribe email is not sent.'),
    hasMail: ({ unsubscribe_id }) => Boolean(unsubscribe_id),
    describe: (lists) => t`Unsubscribe from ${lists}`,
    formatQuestion: ([first = '', ...others], lists, service) =>
      others.length === 0
        ? t({
            message: 'Unsubscribe {0} from {1} on {2}?',
            args: [first, lists, service],
            comment: '{0} is an email address, {1} names lists, {2} is a service',
          })
        : plural(
            others.length + 1,
            t('Unsubscribe {0} address from {1} on {2}?'),
            t('Unsubscribe {0} addresses from {1} on {2}?'),
            lists,
            service,
          ),
    done: [t('{0} address was unsubscribed from {1} on {2}.'), t('{0} addresses were unsubscribed from {1} on {2}.')],
    formatStopped: (lists) => t`Unsubscribing from ${lists} stopped.`,
    formatInterrupted: (lists, service) => t`Unsubscribing from ${lists} on ${service} was interrupted. Continue it?`,
    unconfirmed: [
      t('{0} address may or may not have been unsubscribed.'),
      t('{0} addresses may or may not have been unsubscribed.'),
    ],
    formatCount: (count) => t`Unsubscribed: ${count}`,
    formatChanged: (count) => t`No longer on the lists: ${count}.`,
  },
}));

/** Names lists for a sentence: `"News", "Events", "Sales", and 2 more`. */
export function formatLists(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED_LISTS).map(quote);
  const omitted = names.length - shown.length;
  return formatList(
    omitted > 0
      ? [
          ...shown,
          t({ message: '{0} more', args: [formatNumber(omitted)], comment: 'The last item in a list of names' }),
        ]
      : shown,
  );
}

/** Names the lists of a run for a sentence. */
export const formatRunLists = ({ lists }: Run): string => formatLists(lists.map(({ name }) => name));

/** Summarizes a run on one line: "Subscribed: 1,200 · Not found: 12 · Unconfirmed: 200 · Not sent: 2,588". */
export function formatSummary(run: Run, addressTally: AddressTally = tallyAddresses(run)): string {
  const { done, notFound, unknown, left, leftOut } = addressTally;
  return joinParts([
    changeTexts()[run.kind].formatCount(formatNumber(done.length)),
    notFound.length > 0 && t`Not found: ${formatNumber(notFound.length)}`,
    unknown.length > 0 && t`Unconfirmed: ${formatNumber(unknown.length)}`,
    left.length > 0 && t`Not sent: ${formatNumber(left.length)}`,
    leftOut.length > 0 && t`Left out: ${formatNumber(leftOut.length)}`,
  ]);
}

/** Describes in a sentence why a run ended; empty if it finished. */
export function formatEndReason(ending: RunEnding): string {
  switch (ending.kind) {
    case 'finished':
      return '';
    case 'canceled':
      return t('You canceled it.');
    case 'problem':
      return t`The service reported: ${ending.message}.`;
    case 'notStored':
      return t`Couldn't store the results on this computer, so nothing more was sent: ${errorText(ending.error)}`;
    default:
      return errorText(ending.error);
  }
}

/** Formats the results of a run as the lines of a document. */
export function formatReport(run: Run, service: string): string[] {
  const addressTally = tallyAddresses(run);
  const { done, notFound, unknown, left, leftOut } = addressTally;
  const texts = changeTexts()[run.kind];
  const count = (emails: readonly string[]) => formatNumber(emails.length);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [t`Not found on the service: ${count(notFound)}`, notFound],
    [t`Unconfirmed, because the response was lost: ${count(unknown)}`, unknown],
    [t`Not sent: ${count(left)}`, left],
    [t`Left out: ${count(leftOut)}`, leftOut],
    [texts.formatCount(count(done)), done],
  ];
  return [
    texts.describe(formatList(run.lists.map(({ name }) => name))),
    t`Service: ${service}`,
    t`Started: ${formatTimestamp(run.startedAt / 1000) ?? ''}`,
    formatSummary(run, addressTally),
    ...sections
      .filter(([, emails]) => emails.length > 0)
      .flatMap(([heading, emails]) => ['', `# ${heading}`, ...emails]),
  ];
}
