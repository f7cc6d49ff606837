import type { MailingList } from '../../../service/client/index.ts';
import type { ChangeKind } from './run.ts';

/** What is said of a kind of change, and what it does. */
export interface ChangeTexts {
  readonly kind: ChangeKind;
  readonly title: string;
  /** "Subscribe": the button that does it. */
  readonly action: string;
  /** "subscribed" */
  readonly participle: string;
  /** What is true of an address whose change was done: "on the lists". */
  readonly finalState: string;
  /** "Subscribing" */
  readonly gerund: string;
  /** "to": follows the addresses, and the lists follow it. */
  readonly preposition: string;
  /** "welcome email" */
  readonly mail: string;
  /** The field of the request that says whether it is sent. */
  readonly sendEmailField: 'sendWelcomeEmail' | 'sendUnsubscribeEmail';
  /** Whether a list has such a mail, as far as the service tells. */
  hasMail(list: MailingList): boolean;
}

export const changeTexts: Readonly<Record<ChangeKind, ChangeTexts>> = {
  subscribe: {
    kind: 'subscribe',
    title: 'Subscribe Addresses',
    action: 'Subscribe',
    participle: 'subscribed',
    finalState: 'on the lists',
    gerund: 'Subscribing',
    preposition: 'to',
    mail: 'welcome email',
    sendEmailField: 'sendWelcomeEmail',
    hasMail: ({ welcome_id }) => Boolean(welcome_id),
  },
  unsubscribe: {
    kind: 'unsubscribe',
    title: 'Unsubscribe Addresses',
    action: 'Unsubscribe',
    participle: 'unsubscribed',
    finalState: 'not on the lists',
    gerund: 'Unsubscribing',
    preposition: 'from',
    mail: 'unsubscribe email',
    sendEmailField: 'sendUnsubscribeEmail',
    hasMail: ({ unsubscribe_id }) => Boolean(unsubscribe_id),
  },
};
