import type { FormFromPage, FormToPage } from '../../platform/webview/form/protocol.ts';

/** A mail of the sequence, as far as this machine knows it. */
export interface MailCard {
  readonly id: number;
  /** "Welcome 1", or "Mail #12" where its name is not known. */
  readonly name: string;
  readonly subject?: string;
  /** "sent by this machine Nov 20, 2026": when this machine sent its text last. Without it, the text is not known. */
  readonly sentText?: string;
}

/** What can be chosen and changed on the follow-up's service. */
export interface FollowUpFormOptions {
  /** Values and meanings of the triggers. */
  readonly triggers: readonly { readonly value: string; readonly label: string }[];
  /** Why `active` and `send_once` can't be changed; undefined where they can. */
  readonly readOnlyReason?: string;
}

/** What the follow-up's page is told beside its details. */
export type FollowUpToPage =
  /** `isRecord` is false for a file that belongs to no service: there are no mails to open. */
  | { readonly type: 'options'; readonly isRecord: boolean; readonly options: FollowUpFormOptions }
  /** `stored` are the details as the service has them: of those, state and last trigger are said in `words`. */
  | {
      readonly type: 'mails';
      readonly mails: readonly MailCard[];
      readonly isActive: boolean;
      readonly statusText: string;
    };

export type FollowUpFormCommand = 'attachMail' | 'editMail' | 'deleteMail' | 'openAsText' | 'duplicate';

export type ToPage = FormToPage | FollowUpToPage;

export type FromPage = FormFromPage<FollowUpFormCommand>;
