import { formatNumber, t } from '../../l10n.ts';

/** The stored fields of a template or campaign. */
export interface Email {
  readonly body: string;
  readonly stylesheet?: string;
  readonly subject?: string;
  readonly preheader?: string;
  /** Added to the `<head>` unchanged. */
  readonly headers?: string;
  /** Settings of the service's visual editor (JSON), which become styles. Absent if the service doesn't report them. */
  readonly settings?: string;
}

/** The content management systems of sites. */
export const cmsNames = ['wordpress', 'joomla'] as const;

export interface SentOptions {
  readonly profile: 'documented' | 'acymailing';
  /** URL of the site that relative URLs are resolved against. Without it they stay relative. */
  readonly site?: string;
  /** Whether to add open and click tracking, as for every email but tests. Ids are placeholders, because they are assigned on sending. */
  readonly tracked?: boolean;
  /** The site's own stylesheet for emails of its visual editor (`foundation_email.min.css`). */
  readonly editorStylesheet?: string;
  /** The site's content management system. WordPress treats its blocks and shortcodes. */
  readonly cms?: (typeof cmsNames)[number];
  /** The service's own footer, as `splitFooter` returned it, if it is to be included. */
  readonly footer?: string;
  /** Whether to leave out stylesheets, which take most of the time. */
  readonly isUnstyled?: boolean;
}

export interface Sent {
  /** The HTML part with unresolved tags. */
  readonly html: string;
  /** The text part, or '' if the service doesn't specify it. */
  readonly text: string;
  /** UTF-8 size of the HTML part. */
  readonly bytes: number;
  /** Styles that the service adds to an email of its visual editor, but that were not passed. Without them, HTML and size are wrong. */
  readonly missing?: readonly ('editorStylesheet' | 'settings')[];
}

// Limits that keep composing fast. Real emails stay far below them.

/** Composing exceeds a limit; the message says which. Caught by `composeSent`. */
export class LimitExceeded extends Error {}

/** All fields together: ten times what Gmail shows. */
const MAX_EMAIL_CHARS = 1024 * 1024;
/** A template of 177 KB has about 3,000 elements. */
export const MAX_TREE_ELEMENTS = 20_000;
/** Opening brackets without a closing one. Each costs a search up to the end. */
const MAX_UNCLOSED_BRACKETS = 500;
export const MAX_SELECTOR_CHARS = 2000;

// Budgets are proportional to the email's length, so that the run time stays linear.
/** Elements visited while matching selectors. */
export const getMatchingBudget = (length: number): number => 200_000 + 5 * length;
/** Declarations merged and written into style attributes. */
export const getStylingBudget = (length: number): number => 100_000 + length;

/** Throws if the fields are too large to compose in bounded time. */
export function assertWithinLimits(fields: readonly string[]): void {
  const length = fields.reduce((sum, field) => sum + field.length, 0);
  if (length > MAX_EMAIL_CHARS)
    throw new LimitExceeded(
      t`The email has ${formatNumber(length)} characters. The maximum is ${formatNumber(MAX_EMAIL_CHARS)}.`,
    );
  fields.forEach(assertFewUnclosed);
}

const bracketPairs = [
  ['<', '>'],
  ['{', '}'],
  ['[', ']'],
] as const;

/** Throws if too many brackets are unclosed. Removing text can leave more of them than before. */
export function assertFewUnclosed(text: string): void {
  for (const [open, close] of bracketPairs) {
    if (!hasManyUnclosed(text, open, close)) continue;
    throw new LimitExceeded(
      t`The email has more than ${MAX_UNCLOSED_BRACKETS} "${open}" without a "${close}". Is one missing?`,
    );
  }
}

function hasManyUnclosed(text: string, open: string, close: string) {
  for (let from = 0; from < text.length;) {
    const next = text.indexOf(close, from);
    const end = next < 0 ? text.length : next;
    // Most closing brackets follow too soon to count.
    if (end - from > MAX_UNCLOSED_BRACKETS) {
      const unclosed = text.slice(from, end);
      let count = 0;
      for (let at = unclosed.indexOf(open); at >= 0; at = unclosed.indexOf(open, at + 1))
        if ((count += 1) > MAX_UNCLOSED_BRACKETS) return true;
    }
    from = end + 1;
  }
  return false;
}
