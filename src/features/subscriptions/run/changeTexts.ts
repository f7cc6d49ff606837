import type { MailingList } from '../../../service/client/index.ts';
import type { ChangeKind } from './run.ts';

/** Texts and properties of a kind of change. */
export interface ChangeTexts {
  readonly kind: ChangeKind;
  readonly title: string;
  /** Label of the button: "Subscribe". */
  readonly action: string;
  /** "subscribed" */
  readonly participle: string;
  /** State of an address after the change: "on the lists". */
  readonly finalState: string;
  /** "Subscribing" */
  readonly gerund: string;
  /** Word between addresses and lists: "to". */
  readonly preposition: string;
  /** "welcome email" */
  readonly mail: string;
  /** Request field that enables the email. */
  readonly sendEmailField: 'sendWelcomeEmail' | 'sendUnsubscribeEmail';
  /** Returns whether the service reports such an email for a list. */
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
