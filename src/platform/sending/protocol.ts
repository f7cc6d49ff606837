import type { Envelope } from '../../email/compose/compose.ts';
import type { MessageShapes } from '../webview/messages.ts';

/** A list that a campaign goes to. */
export interface ReviewList {
  readonly name: string;
  /** `#rrggbb`. */
  readonly color?: string;
  /** "1,204 subscribers". */
  readonly subscriberCount?: string;
}

export interface ReviewFinding {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** A tag that has no value for some people. */
export interface EmptyTag {
  readonly tag: string;
  /** "empty for 12 of 100". */
  readonly summary: string;
}

/** Everything that goes out, for the last look before it does. Names and texts are the service's: hostile. */
export interface SendReview {
  readonly name: string;
  readonly service: string;
  /** Of the button that goes on to the question: "Send…". */
  readonly action: string;
  /** When it goes out and what is to be known of that: a sentence each. */
  readonly schedule: readonly string[];
  readonly envelope: Envelope;
  /** The HTML as the service sends it, with the tags as one person gets them. */
  readonly html: string;
  /** Who that person is. */
  readonly personName: string;
  /** The text part; undefined where nothing is known of it. */
  readonly text?: string;
  /** Undefined where the service does not tell them. */
  readonly lists?: readonly ReviewList[];
  /** "1,204 recipients". */
  readonly audience: string;
  readonly findings: readonly ReviewFinding[];
  /** Why it was not checked; undefined where it was. */
  readonly uncheckedReason?: string;
  readonly emptyTags: readonly EmptyTag[];
  /** Of whom the tags were counted: "the first 100 subscribers of its lists". */
  readonly sampleDescription: string;
  /** What is known of its last test. */
  readonly testStatus: string;
  /** Whether a test of this very text went out. */
  readonly isTested: boolean;
}

export type ToPage = { readonly type: 'review'; readonly review: SendReview };

export type FromPage =
  | { readonly type: 'ready' }
  /** The user has looked, and wants to be asked. */
  | { readonly type: 'continue' }
  | { readonly type: 'cancel' };

export const fromPage: MessageShapes<FromPage> = { ready: {}, continue: {}, cancel: {} };
