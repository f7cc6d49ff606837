/** Matches the links of an email with the addresses that clicks were counted for. */

import { decodeEntities } from '../../../email/html/entities.ts';

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

/** Normalizes percent-encoding: `%7e` equals `~`, and `%c3` equals `%C3`. */
function normalizeEscapes(text: string) {
  return text.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** Returns the keys of an absolute address, or undefined for a relative one or a merge tag alone. */
function getKeys(address: string): AddressKeys | undefined {
  const text = decodeEntities(address).trim();
  const absolute = text.startsWith('//') ? `https:${text}` : text;
  if (!URL.canParse(absolute)) return undefined;
  const { protocol, username, password, host, pathname, search, hash } = new URL(absolute);
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

/**
 * Returns a function that matches links with a fixed set of addresses. It takes the `href` of each link (entities decoded), and returns the indices of
 * the matching addresses, several if they are spellings of the same one. Tracking parameters are ignored only between links and addresses that nothing
 * matches exactly.
 */
export function createLinkMatcher(addresses: readonly string[]) {
  const keys = addresses.map(getKeys);
  const byExact = Map.groupBy(keys.keys(), (at) => keys[at]?.exact);
  return (hrefs: readonly string[]) => {
    const links = hrefs.map(getKeys);
    const exact = links.map((link) => (link ? (byExact.get(link.exact) ?? []) : []));
    const matched = new Set(exact.flat());
    const byLoose = Map.groupBy(keys.keys(), (at) => (matched.has(at) ? undefined : keys[at]?.loose));
    return exact.map((found, at) => {
      const key = links[at]?.loose;
      return found.length > 0 || key === undefined ? found : (byLoose.get(key) ?? []);
    });
  };
}
