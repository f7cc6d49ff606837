/** Matches the links of an email with the addresses that clicks were counted for. */

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Tracking parameters. They don't change the target of a link. */
const trackingParameter = /^(?:(?:utm|pk|mtm|hsa)_.*|gclid|fbclid|msclkid|mc_[ce]id|_hsenc|_hsmi|mkt_tok)$/i;

/** Marks merge tags, which the service replaces for each recipient. */
const mergeTagCharacter = /[{}]/;

interface AddressKeys {
  /** Equal for different spellings of an address. */
  readonly exact: string;
  /** Equal for addresses that differ only in tracking parameters. Absent if a merge tag makes the address differ by recipient. */
  readonly loose?: string;
}

/** Decodes the HTML entities of an address. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,4}));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return namedEntities[name.toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
    },
  );
}

/** Normalizes percent-encoding: `%7e` equals `~`, and `%c3` equals `%C3`. */
function normalizeEscapes(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

function parseAddress(address: string): URL | undefined {
  const text = decodeEntities(address).trim();
  try {
    return new URL(text.startsWith('//') ? `https:${text}` : text);
  } catch {
    return undefined;
  }
}

/** Returns the keys of an absolute address, or undefined for a relative one or a merge tag alone. */
function getKeys(address: string): AddressKeys | undefined {
  const url = parseAddress(address);
  if (!url) return undefined;
  const { protocol, username, password, host, pathname, search, hash } = url;
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  const start = normalizeEscapes(`${protocol}//${user}${host}${pathname.replace(/\/+$/, '')}`);
  const exact = start + normalizeEscapes(search + hash);
  if (mergeTagCharacter.test(address)) return { exact };
  const parameters = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !trackingParameter.test(pair.split('=', 1)[0] ?? ''));
  return { exact, loose: start + normalizeEscapes((parameters.length > 0 ? `?${parameters.join('&')}` : '') + hash) };
}

function addIndex(map: Map<string, number[]>, key: string, at: number): void {
  const found = map.get(key);
  if (found) found.push(at);
  else map.set(key, [at]);
}

/** Matches links with a fixed set of addresses. */
export class LinkMatcher {
  readonly #keys: readonly (AddressKeys | undefined)[];
  readonly #exact = new Map<string, number[]>();

  constructor(addresses: readonly string[]) {
    this.#keys = addresses.map(getKeys);
    for (const [at, keys] of this.#keys.entries()) if (keys) addIndex(this.#exact, keys.exact, at);
  }

  /**
   * Returns for each `href` (entities decoded) the indices of the matching addresses, several if they are spellings of the same one. Tracking
   * parameters are ignored only between links and addresses that nothing matches exactly.
   */
  match(hrefs: readonly string[]): readonly (readonly number[])[] {
    const links = hrefs.map(getKeys);
    const matched = new Set<number>();
    const found = links.map((keys) => (keys && this.#exact.get(keys.exact)) ?? []);
    for (const at of found.flat()) matched.add(at);
    const loose = new Map<string, number[]>();
    for (const [at, keys] of this.#keys.entries())
      if (keys?.loose !== undefined && !matched.has(at)) addIndex(loose, keys.loose, at);
    return found.map((exact, at) => {
      const key = links[at]?.loose;
      return exact.length > 0 || key === undefined ? exact : (loose.get(key) ?? []);
    });
  }
}
