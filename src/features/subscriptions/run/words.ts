import type { MailingList } from '../../../service/client/index.ts';
import type { ChangeKind } from './run.ts';

/** What is said of a kind of change, and what it does. */
export interface Kind {
  readonly kind: ChangeKind;
  readonly title: string;
  /** "Subscribe": the button that does it. */
  readonly action: string;
  /** "subscribed" */
  readonly done: string;
  /** What is true of an address whose change was done: "on the lists". */
  readonly settled: string;
  /** "Subscribing" */
  readonly doing: string;
  /** "to": follows the addresses, and the lists follow it. */
  readonly preposition: string;
  /** "welcome email" */
  readonly mail: string;
  /** The field of the request that says whether it is sent. */
  readonly mailSwitch: 'sendWelcomeEmail' | 'sendUnsubscribeEmail';
  /** Whether a list has such a mail, as far as the service tells. */
  hasMail(list: MailingList): boolean;
}

export const kinds: Readonly<Record<ChangeKind, Kind>> = {
  subscribe: {
    kind: 'subscribe',
    title: 'Subscribe Addresses',
    action: 'Subscribe',
    done: 'subscribed',
    settled: 'on the lists',
    doing: 'Subscribing',
    preposition: 'to',
    mail: 'welcome email',
    mailSwitch: 'sendWelcomeEmail',
    hasMail: ({ welcome_id }) => Boolean(welcome_id),
  },
  unsubscribe: {
    kind: 'unsubscribe',
    title: 'Unsubscribe Addresses',
    action: 'Unsubscribe',
    done: 'unsubscribed',
    settled: 'not on the lists',
    doing: 'Unsubscribing',
    preposition: 'from',
    mail: 'unsubscribe email',
    mailSwitch: 'sendUnsubscribeEmail',
    hasMail: ({ unsubscribe_id }) => Boolean(unsubscribe_id),
  },
};
