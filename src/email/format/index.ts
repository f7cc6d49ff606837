import { t } from '../../l10n.ts';
import { GMAIL_CLIP_BYTES, WARNING_SIZE_BYTES } from '../compose/compose.ts';
import { createPlaceholderGuard, findPlaceholders } from '../compose/placeholders.ts';
import { getDisplayRefusal } from '../html/limits.ts';
import { applyEdits, type Range } from '../html/text.ts';
import { composeSent, type SentOptions } from '../sent/index.ts';
import { layOut, type LayoutEdit } from './layout.ts';
import { readParts } from './parts.ts';
import { Proof } from './proof.ts';
import type { Layout } from './startTag.ts';
import { findComments, findIndentation, removeUnusedRules } from './shrink.ts';

interface FormatOptions {
  readonly indent?: string;
  readonly printWidth?: number;
  readonly profile?: SentOptions['profile'];
  /** The email's own stylesheet, beside those in the body. */
  readonly stylesheet?: string;
  /** Formats only this range. */
  readonly range?: Range;
}

type Formatted = { readonly text: string } | { readonly refused: string };

/** The share by which an email may grow as sent, unless it is short. */
const MAX_GROWTH = 0.25;
const MIN_LIMITED_BYTES = 4 * 1024;
/** The stylesheets of a shorter email don't make it that large. */
const MIN_STYLED_CHARS = 48 * 1024;

/**
 * Formats the HTML of an email so that recipients get the same: as sent, only invisible white space changes. Code for which that isn't
 * possible stays as it is. Never throws.
 */
export function formatEmail(body: string, options: FormatOptions = {}): Formatted {
  const { indent = '  ', printWidth = 120, profile = 'documented', stylesheet } = options;
  const { range = { start: 0, end: body.length } } = options;
  const refused = getDisplayRefusal(body);
  if (refused !== undefined) return { refused };
  const parts = readParts(body, 0, stylesheet);
  const proof = new Proof(body, parts, profile);
  const bytes = body.length < MIN_STYLED_CHARS ? proof.before.bytes : composeSent({ body }, { profile }).bytes;
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const touchesPlaceholder = createPlaceholderGuard(findPlaceholders(body));
  const getEdits = (layout: Omit<Layout, 'eol'>, max?: number): readonly LayoutEdit[] =>
    layOut(body, parts, { ...layout, eol }, undefined, max).filter(
      (edit) => edit.start >= range.start && edit.end <= range.end && !touchesPlaceholder(edit),
    );

  // A service that parses the body sends neither what is outside of it nor the line breaks in its tags.
  const isParsed = profile !== 'documented';
  const sent = isParsed ? parts.find(({ kind, name }) => kind === 'open' && name === 'body') : undefined;
  const countGrown = (edits: readonly LayoutEdit[]) =>
    edits
      .filter(
        ({ start, isInTag }) => !(isParsed && isInTag) && (!sent || (start >= sent.start && start < sent.elementEnd)),
      )
      .reduce((sum, { start, end, text }) => sum + text.length - (end - start), bytes);
  const isTooLong = (edits: readonly LayoutEdit[]) => {
    const grown = countGrown(edits);
    return (
      (bytes > MIN_LIMITED_BYTES && grown > (1 + MAX_GROWTH) * bytes) ||
      (bytes <= WARNING_SIZE_BYTES && grown > WARNING_SIZE_BYTES)
    );
  };

  let edits = getEdits({ indent, printWidth });
  const units = [indent, indent.slice(0, 1)];
  const widths = isParsed ? [printWidth] : [printWidth, Infinity];
  const shorter = units.flatMap((unit) => widths.map((width) => ({ indent: unit, printWidth: width }))).slice(1);
  const minBytes = bytes - (body.length - body.replace(/(?<![ \t])[ \t]*\n\s*/g, '').length);
  // The email may have been shorter, and have needed one of the shorter layouts.
  if (bytes > MIN_LIMITED_BYTES && countGrown(edits) > (1 + MAX_GROWTH) * minBytes)
    if (shorter.some((layout) => getEdits(layout, 1).length === 0)) return { text: body };
  for (const layout of shorter) if (isTooLong(edits)) edits = getEdits(layout);
  // Deeply nested elements need more indentation than a proof can compose.
  if (countGrown(edits) > 2 * bytes + MIN_LIMITED_BYTES)
    return { refused: t('The email is nested too deeply to be formatted: its size would double.') };
  edits = proof.filterEdits(edits);
  return bytes <= GMAIL_CLIP_BYTES && countGrown(edits) > GMAIL_CLIP_BYTES
    ? { refused: t('Formatted, the email would be larger than 102 KB, and Gmail would clip it.') }
    : { text: applyEdits(body, edits) };
}

interface Shrunk {
  readonly text: string;
  /** Size as sent. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Removes what no recipient gets to see: indentation, comments for authors, and rules for elements that the email doesn't have. Never throws. */
export function shrinkEmail(body: string, profile: SentOptions['profile'], stylesheet?: string): Shrunk {
  const count = (text: string) => composeSent({ body: text }, { profile }).bytes;
  let text = body;
  if (getDisplayRefusal(body) === undefined) {
    text = removeUnusedRules(text);
    for (const findEdits of [findComments, findIndentation]) {
      const parts = readParts(text, 0, stylesheet);
      const touchesPlaceholder = createPlaceholderGuard(findPlaceholders(text));
      const edits = findEdits(text, parts).filter((edit) => !touchesPlaceholder(edit));
      text = applyEdits(text, new Proof(text, parts, profile).filterEdits(edits));
    }
  }
  return { text, bytesBefore: count(body), bytesAfter: count(text) };
}
