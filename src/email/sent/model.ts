/** The stored fields of a template or campaign. */
export interface Email {
  readonly body: string;
  readonly stylesheet?: string;
  readonly subject?: string;
  readonly preheader?: string;
  /** Added to the `<head>` unchanged. */
  readonly headers?: string;
}

export interface SentOptions {
  readonly profile: 'documented' | 'acymailing';
  /** URL of the site that relative URLs are resolved against. Without it they stay relative. */
  readonly site?: string;
  /** Whether to add open and click tracking, as for every email but tests. Ids are placeholders, because they are assigned on sending. */
  readonly tracked?: boolean;
}

export interface Sent {
  /** The HTML part with unresolved tags. */
  readonly html: string;
  /** The text part, or '' if the service doesn't specify it. */
  readonly text: string;
  /** UTF-8 size of the HTML part. */
  readonly bytes: number;
}

/** Composing exceeds a limit; the message says which. Caught by `composeSent`. */
export class LimitExceeded extends Error {}
