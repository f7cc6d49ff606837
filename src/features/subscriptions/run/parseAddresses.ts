/** What was found in a text: addresses as they were first written, each once, and what is none. */
export interface ParsedAddresses {
  readonly addresses: readonly string[];
  /** What stands where an address should, each once. */
  readonly malformed: readonly string[];
  /** How often an address came again, in whatever case. */
  readonly duplicates: number;
  /** The first line, where it was taken for the heading of a column. */
  readonly heading?: string;
}

/** How many entries are read before others get their turn. */
const ENTRIES_PER_SLICE = 2000;

// Between separators: quoted parts and `<…>` may hold separators, an unpaired sign is a letter like any other.
const entryPattern = /(?:"[^"\r\n]*"|<[^<>\r\n]*>|[^,;\t|\r\n"<]+|["<])+/gu;
const unquotedEntryPattern = /[^,;\t|\r\n]+/gu;
const anglesPattern = /<([^<>]*)>/gu;
const invisibleCharacters = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;
const wrappingCharacters = /^[([{'"]+|[)\]}'"]+$/gu;
const headingPattern = /mail|addr|adress|correo|courriel|subscriber/iu;

const localPartPattern = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{}~-]+)*$/u;
const domainPattern =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+\p{L}[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}]$/u;

/** Whether a text has the form of an email address: international ones too, without quoted parts and comments. */
export function isEmailAddress(text: string): boolean {
  if (text.length > 254) return false;
  const at = text.lastIndexOf('@');
  return (
    at > 0 &&
    at <= 64 &&
    localPartPattern.test(text.slice(0, at)) &&
    domainPattern.test(text.slice(at + 1)) &&
    text
      .slice(at + 1)
      .split('.')
      .every((label) => label.length <= 63)
  );
}

/** What two spellings of one address have in common. */
export function normalizeAddress(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/**
 * Reads the addresses of loosely written text: separated by commas, semicolons, tabs, bars, line breaks or spaces, quoted, or as
 * `Name <a@b>`. A first line that can only be the heading of a column is no address. Large texts are read in slices.
 */
export async function parseAddressText(text: string, signal?: AbortSignal): Promise<ParsedAddresses> {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const end = text.slice(start, start + 200).search(/[\r\n]/u);
  const first = end < 0 ? '' : text.slice(start, start + end).trim();
  const isHeading = first !== '' && !/[@,;\t|]/u.test(first) && headingPattern.test(first);
  const reading = await parseEntries(splitEntries(isHeading ? text.slice(start + end) : text.slice(start)), signal);
  return isHeading ? { ...reading, heading: first } : reading;
}

/** Reads the addresses of cells: each may hold several, and be empty. */
export function parseAddressCells(cells: Iterable<string>, signal?: AbortSignal): Promise<ParsedAddresses> {
  return parseEntries(splitCells(cells), signal);
}

/** Lets others have their turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function parseEntries(entries: Iterable<string>, signal?: AbortSignal): Promise<ParsedAddresses> {
  const addresses = new Map<string, string>();
  const malformed = new Set<string>();
  let duplicates = 0;
  let count = 0;
  for (const each of entries) {
    for (const candidate of extractCandidates(each)) {
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
  for (const [found] of text.matchAll(entryPattern)) yield found;
}

function* splitCells(cells: Iterable<string>): Generator<string> {
  for (const cell of cells) yield* splitEntries(cell);
}

/** What of one entry should be addresses: what stands in `<…>`, else the words with an @, else all of it. */
function extractCandidates(text: string): readonly string[] {
  const entryText = text.replace(invisibleCharacters, '').trim();
  if (entryText === '') return [];
  const named = [...entryText.matchAll(anglesPattern)].map(([, inner = '']) => stripMailto(inner.trim()));
  if (named.length > 0) return named.map((inner) => (inner === '' ? entryText : inner));
  if (entryText.includes('"')) {
    const unquoted = entryText.replaceAll('"', ' ');
    return unquoted.trim() === ''
      ? []
      : [...unquoted.matchAll(unquotedEntryPattern)].flatMap(([part]) => extractCandidates(part));
  }
  const words = entryText.split(/\s+/u).filter((word) => word.includes('@'));
  return words.length === 0 ? [entryText] : words.map((word) => stripMailto(word.replace(wrappingCharacters, '')));
}

function stripMailto(text: string): string {
  return text.replace(/^mailto:/iu, '');
}
