import * as v from 'valibot';
import type { Envelope } from '../../../email/compose/compose.ts';
import type { getUnsubscribeHeader } from '../../../email/sent/unsubscribeHeader.ts';

interface ReviewList {
  readonly name: string;
  readonly color?: string;
  readonly subscriberCount?: string;
}

interface ReviewFinding {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** A tag that is empty for some subscribers, or whose content isn't known. */
export interface EmptyTag {
  readonly tag: string;
  readonly summary: string;
  readonly isNote?: boolean;
}

/** Everything that will be sent, for the review before it. Names and texts come from the service and are untrusted. */
export interface SendReview {
  readonly name: string;
  readonly service: string;
  /** Label of the button that continues: "Send…". */
  readonly action: string;
  /** Who may get it twice, if it was sent already or may have been. */
  readonly repetition?: string;
  /** When it will be sent, in sentences. */
  readonly schedule: readonly string[];
  readonly envelope: Envelope;
  /** The HTML as the service sends it, with the tags replaced for one person. */
  readonly html: string;
  /** Undefined for a typical subscriber. */
  readonly personName?: string;
  /** The plain-text part, if the service documents it. */
  readonly text?: string;
  /** Undefined if the service doesn't report them. */
  readonly lists?: readonly ReviewList[];
  readonly audience: string;
  readonly findings: readonly ReviewFinding[];
  /** Why the email wasn't checked. */
  readonly uncheckedReason?: string;
  readonly emptyTags: readonly EmptyTag[];
  /** Number of subscribers whose tag values were counted: the first ones of the lists. */
  readonly sampleSize: number;
  /** Undefined if the service doesn't document it. */
  readonly unsubscribeHeader?: ReturnType<typeof getUnsubscribeHeader>;
  readonly testStatus: string;
  /** Whether this exact text was sent as a test. */
  readonly isTested: boolean;
}

export type ToPage = { readonly type: 'review'; readonly review: SendReview };

/** `continue` opens the confirmation. */
export const fromPage = v.object({ type: v.picklist(['ready', 'continue', 'cancel']) });
export type FromPage = v.InferOutput<typeof fromPage>;
