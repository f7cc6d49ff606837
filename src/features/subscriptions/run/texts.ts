import type { MailingList } from '../../../service/client/index.ts';
import { formatAmount, formatCount, joinParts } from '../../../platform/ui/format.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import { tallyAddresses, type AddressTally, type ChangeKind, type Run, type RunEnding } from './run.ts';

/** Texts of each kind of change. `finalState`: the state of an address after it. `mail`: the email of a list that it may send. */
export const changeTexts = {
  subscribe: {
    title: 'Subscribe Addresses',
    action: 'Subscribe',
    participle: 'subscribed',
    finalState: 'on the lists',
    gerund: 'Subscribing',
    preposition: 'to',
    mail: 'welcome email',
    hasMail: ({ welcome_id }: MailingList) => Boolean(welcome_id),
  },
  unsubscribe: {
    title: 'Unsubscribe Addresses',
    action: 'Unsubscribe',
    participle: 'unsubscribed',
    finalState: 'not on the lists',
    gerund: 'Unsubscribing',
    preposition: 'from',
    mail: 'unsubscribe email',
    hasMail: ({ unsubscribe_id }: MailingList) => Boolean(unsubscribe_id),
  },
} satisfies Readonly<Record<ChangeKind, object>>;

export type ChangeTexts = (typeof changeTexts)[ChangeKind];

/** Summarizes a run on one line: "1,200 subscribed · 12 not found · 200 not known · 2,588 left". */
export function formatSummary(run: Run, addressTally: AddressTally = tallyAddresses(run)): string {
  const { done: participle, notFound, unknown, left, leftOut } = addressTally;
  return joinParts([
    `${formatCount(participle.length)} ${changeTexts[run.plan.kind].participle}`,
    notFound.length > 0 && `${formatCount(notFound.length)} not found`,
    unknown.length > 0 && `${formatCount(unknown.length)} unconfirmed`,
    left.length > 0 && `${formatCount(left.length)} left`,
    leftOut.length > 0 && `${formatCount(leftOut.length)} left out`,
  ]);
}

/** Describes in a sentence why a run ended; empty if it finished. */
export function formatEndReason(ending: RunEnding): string {
  switch (ending.kind) {
    case 'finished':
      return '';
    case 'canceled':
      return 'It was canceled.';
    case 'problem':
      return `The service says: ${ending.message}.`;
    case 'notStored':
      return `Its results can’t be stored on this machine, so it was stopped: ${errorText(ending.error)}`;
    default:
      return errorText(ending.error);
  }
}

/** Formats the results of a run as the lines of a document. */
export function formatReport(run: Run, service: string): string[] {
  const addressTally = tallyAddresses(run);
  const { plan } = run;
  const { action, participle, preposition } = changeTexts[plan.kind];
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['The service has no user with these addresses', addressTally.notFound],
    ['Unconfirmed: the response of the service was lost', addressTally.unknown],
    ['Left: not sent yet', addressTally.left],
    ['Left out', addressTally.leftOut],
    [`${participle.charAt(0).toUpperCase()}${participle.slice(1)}`, addressTally.done],
  ];
  return [
    `${action} ${preposition} ${plan.lists.map(({ name }) => name).join(', ')} on ${service}, begun ${plan.startedAt}`,
    formatSummary(run, addressTally),
    ...sections
      .filter(([, emails]) => emails.length > 0)
      .flatMap(([heading, emails]) => [
        '',
        `# ${heading}: ${formatAmount(emails.length, 'address', 'addresses')}`,
        ...emails,
      ]),
  ];
}
