import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Addresses found in a text. Each one is listed once, as first written. */
export interface ParsedAddresses {
  readonly addresses: readonly string[];
  /** Distinct entries that are not addresses. */
  readonly malformed: readonly string[];
  /** Number of repeated addresses, ignoring case. */
  readonly duplicates: number;
  /** The first line, if it is a column heading. */
  readonly heading?: string;
}

/** After so many entries, the parser yields to the event loop. */
const ENTRIES_PER_SLICE = 2000;

// Quoted parts and `<…>` may contain separators. An unpaired quote or bracket is an ordinary character.
const entryPattern = /(?:"[^"\r\n]*"|<[^<>\r\n]*>|[^,;\t|\r\n"<]+|["<])+/gu;
const unquotedEntryPattern = /[^,;\t|\r\n]+/gu;
const anglesPattern = /<([^<>]*)>/gu;
const invisibleCharacters = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;
const wrappingCharacters = /^[([{'"]+|[)\]}'"]+$/gu;
const headingPattern = /mail|addr|adress|correo|courriel|subscriber/iu;

const localPartPattern = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{}~-]+)*$/u;
const domainPattern =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+\p{L}[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}]$/u;

/** Returns whether a text is an email address. Allows international addresses, but no quoted parts and comments. */
export function isEmailAddress(text: string): boolean {
  if (text.length > 254) return false;
  const at = text.lastIndexOf('@');
  const [localPart, domain] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 &&
    at <= 64 &&
    localPartPattern.test(localPart) &&
    domainPattern.test(domain) &&
    domain.split('.').every((label) => label.length <= 63)
  );
}

/** Returns a key that is equal for all spellings of an address. */
export function normalizeAddress(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/**
 * Parses the addresses in free text: separated by commas, semicolons, tabs, bars, line breaks or spaces, quoted, or as `Name <a@b>`. Skips a
 * column heading in the first line. Yields to the event loop during large texts.
 */
export async function parseAddressText(text: string, signal?: AbortSignal): Promise<ParsedAddresses> {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const end = text.slice(start, start + 200).search(/[\r\n]/u);
  const first = end < 0 ? '' : text.slice(start, start + end).trim();
  const isHeading = first !== '' && !/[@,;\t|]/u.test(first) && headingPattern.test(first);
  const reading = await parseEntries(splitEntries(isHeading ? text.slice(start + end) : text.slice(start)), signal);
  return isHeading ? { ...reading, heading: first } : reading;
}

/** Parses the addresses in cells. A cell may be empty or contain several addresses. */
export function parseAddressCells(cells: Iterable<string>, signal?: AbortSignal): Promise<ParsedAddresses> {
  return parseEntries(splitCells(cells), signal);
}

async function parseEntries(entries: Iterable<string>, signal?: AbortSignal): Promise<ParsedAddresses> {
  const addresses = new Map<string, string>();
  const malformed = new Set<string>();
  let duplicates = 0;
  let count = 0;
  for (const entry of entries) {
    for (const candidate of extractCandidates(entry)) {
      const address = candidate.replace(invisibleCharacters, '').normalize('NFC');
      const key = normalizeAddress(address);
      if (!isEmailAddress(address)) malformed.add(candidate);
      else if (addresses.has(key)) duplicates += 1;
      else addresses.set(key, address);
    }
    count += 1;
    if (count % ENTRIES_PER_SLICE === 0) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }
  return { addresses: [...addresses.values()], malformed: [...malformed], duplicates };
}

function* splitEntries(text: string): Generator<string> {
  for (const [match] of text.matchAll(entryPattern)) yield match;
}

function* splitCells(cells: Iterable<string>): Generator<string> {
  for (const cell of cells) yield* splitEntries(cell);
}

/** Returns the parts of an entry that should be addresses: the contents of `<…>`, or the words with an @, or the whole entry. */
function extractCandidates(text: string): readonly string[] {
  const entryText = text.replace(invisibleCharacters, '').trim();
  if (entryText === '') return [];
  const addresses = [...entryText.matchAll(anglesPattern)].map(([, address = '']) => stripMailto(address.trim()));
  if (addresses.length > 0) return addresses.map((address) => (address === '' ? entryText : address));
  if (entryText.includes('"')) {
    const unquoted = entryText.replaceAll('"', ' ');
    return unquoted.trim() === ''
      ? []
      : [...unquoted.matchAll(unquotedEntryPattern)].flatMap(([part]) => extractCandidates(part));
  }
  const words = entryText.split(/\s+/u).filter((word) => word.includes('@'));
  return words.length === 0 ? [entryText] : words.map((word) => stripMailto(word.replace(wrappingCharacters, '')));
}

function stripMailto(text: string) {
  return text.replace(/^mailto:/iu, '');
}
