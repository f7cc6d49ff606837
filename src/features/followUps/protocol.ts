export interface MailCard {
  readonly id: number;
  /** "Welcome 1", or "Mail #12" if this machine has no text. */
  readonly name: string;
  readonly subject?: string;
  /** "Last sent from this machine on Nov 20, 2026." Empty if the service returns the text. Undefined if there is no text. */
  readonly sentText?: string;
}

/** The choices and restrictions of the follow-up's service. */
export interface FollowUpFormOptions {
  readonly triggers: readonly { readonly value: string; readonly label: string }[];
  /** Why `active` and `send_once` can't be changed; undefined if they can. */
  readonly readOnlyReason?: string;
}

/** The messages to the page besides those of every form. */
export type FollowUpToPage =
  /** `isRecord` is false for a local file, which has no mails to open. */
  | { readonly type: 'options'; readonly isRecord: boolean; readonly options: FollowUpFormOptions }
  /** `isActive` and `statusText` show the state on the service: "Active · last triggered Nov 20, 2026". */
  | {
      readonly type: 'mails';
      readonly mails: readonly MailCard[];
      readonly isActive: boolean;
      readonly statusText: string;
    };

export type FollowUpFormCommand = 'attachMail' | 'editMail' | 'deleteMail' | 'duplicate';
