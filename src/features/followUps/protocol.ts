import type { FormFromPage, FormToPage } from '../../platform/webview/form/protocol.ts';

/** A mail of the sequence, as far as this machine knows it. */
export interface MailCard {
  readonly id: number;
  /** "Welcome 1", or "Mail #12" where its name is not known. */
  readonly name: string;
  readonly subject?: string;
  /** "sent by this machine Nov 20, 2026": when this machine sent its text last. Without it, the text is not known. */
  readonly sent?: string;
}

/** What can be chosen and changed on the follow-up's service. */
export interface Terms {
  /** Values and meanings of the triggers. */
  readonly triggers: readonly { readonly value: string; readonly label: string }[];
  /** Why `active` and `send_once` can't be changed; undefined where they can. */
  readonly fixed?: string;
}

/** What the follow-up's page is told beside its details. */
export type OwnToPage =
  /** `isRecord` is false for a file that belongs to no service: there are no mails to open. */
  | { readonly type: 'terms'; readonly isRecord: boolean; readonly terms: Terms }
  /** `stored` are the details as the service has them: of those, state and last trigger are said in `words`. */
  | { readonly type: 'mails'; readonly mails: readonly MailCard[]; readonly isActive: boolean; readonly words: string };

export type FormCommand = 'attachMail' | 'editMail' | 'deleteMail' | 'openAsText' | 'duplicate';

export type ToPage = FormToPage | OwnToPage;

export type FromPage = FormFromPage<FormCommand>;
