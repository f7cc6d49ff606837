/** Which links of an email are meant by the addresses that clicks were counted for. Pure: addresses in, places out. */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parameters that a service or a colleague adds to follow visitors: they don't change where a link leads. */
const tracking = /^(?:(?:utm|pk|mtm|hsa)_.*|gclid|fbclid|msclkid|mc_[ce]id|_hsenc|_hsmi|mkt_tok)$/i;

/** Tags that the service replaces for each recipient. */
const placeholder = /[{}]/;

interface Keys {
  /** Equal for two ways to write one address. */
  readonly exact: string;
  /** Equal for addresses that differ in tracking parameters alone. Absent where a tag makes the address another for everyone. */
  readonly loose?: string;
}

/** Addresses that were copied out of HTML as they stood there. */
function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,4}));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
    },
  );
}

/** `%7e` and `~` are the same, as `%c3` and `%C3` are. */
function evenEscapes(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (escape) => {
    const sign = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : escape.toUpperCase();
  });
}

function parse(address: string): URL | undefined {
  const text = decoded(address).trim();
  try {
    return new URL(text.startsWith('//') ? `https:${text}` : text);
  } catch {
    return undefined;
  }
}

/** Keys of an absolute address; nothing for a relative one, or a tag alone. */
function keysOf(address: string): Keys | undefined {
  const url = parse(address);
  if (!url) return undefined;
  const { protocol, username, password, host, pathname, search, hash } = url;
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  const start = evenEscapes(`${protocol}//${user}${host}${pathname.replace(/\/+$/, '')}`);
  const exact = start + evenEscapes(search + hash);
  if (placeholder.test(address)) return { exact };
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !tracking.test(pair.split('=', 1)[0] ?? ''));
  return { exact, loose: start + evenEscapes((kept.length > 0 ? `?${kept.join('&')}` : '') + hash) };
}

function add(map: Map<string, number[]>, key: string, at: number): void {
  const found = map.get(key);
  if (found) found.push(at);
  else map.set(key, [at]);
}

/** Matches the links of emails with a fixed set of addresses. */
export class LinkMatcher {
  readonly #keys: readonly (Keys | undefined)[];
  readonly #exact = new Map<string, number[]>();

  constructor(addresses: readonly string[]) {
    this.#keys = addresses.map(keysOf);
    for (const [at, keys] of this.#keys.entries()) if (keys) add(this.#exact, keys.exact, at);
  }

  /**
   * For each link of an email (its `href`, entities read), places of the addresses that are meant; several where they are ways to
   * write the same. Tracking parameters are overlooked only between a link and an address that nothing else fits.
   */
  match(hrefs: readonly string[]): readonly (readonly number[])[] {
    const links = hrefs.map(keysOf);
    const taken = new Set<number>();
    const found = links.map((keys) => (keys && this.#exact.get(keys.exact)) ?? []);
    for (const at of found.flat()) taken.add(at);
    const loose = new Map<string, number[]>();
    for (const [at, keys] of this.#keys.entries())
      if (keys?.loose !== undefined && !taken.has(at)) add(loose, keys.loose, at);
    return found.map((exact, at) => {
      const key = links[at]?.loose;
      return exact.length > 0 || key === undefined ? exact : (loose.get(key) ?? []);
    });
  }
}
