import type { droppedMessages } from './droppedMessages.ts';

/** What is handed to `composeSent`: the fields of a template or a campaign, as they are stored. */
export interface Email {
  readonly body: string;
  readonly stylesheet?: string;
  readonly subject?: string;
  readonly preheader?: string;
  /** What goes into the `<head>` as it is. */
  readonly headers?: string;
}

export interface SentOptions {
  readonly profile: 'documented' | 'acymailing';
  /** Address of the site, where relative addresses lead. Without it they stay relative. */
  readonly site?: string;
  /** Count opens and clicks, as the service does unless it is a test. Ids of mail, person and links are known only once it sends. */
  readonly tracked?: boolean;
}

export interface Sent {
  /** The HTML part, with its tags as they are: they are filled in for each person. */
  readonly html: string;
  /** The text part. Empty where nothing is known of it. */
  readonly text: string;
  /** Size of the HTML part in UTF-8. */
  readonly bytes: number;
  /** What the service leaves out or changes. */
  readonly dropped: readonly Dropped[];
}

export type DroppedKind = keyof typeof droppedMessages;

/** Something an author wrote that does not go out, or not as it was written. */
export interface Dropped {
  readonly kind: DroppedKind;
  readonly part: 'body' | 'stylesheet' | 'headers';
  /** UTF-16 offsets in the part's text. */
  readonly start: number;
  readonly end: number;
  /** What it is about: a selector, a name of an element, an attribute or a property. */
  readonly name: string;
}

/** The text can't be composed in bounded time: the message says why. Caught by `composeSent`. */
export class LimitExceeded extends Error {}
