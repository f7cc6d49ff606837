import { t } from '../../l10n.ts';

/** A normalized base URL, or a sentence that says why the input is invalid. */
type ParsedBaseUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly problem: string };

const invalid = (problem: string): ParsedBaseUrl => ({ ok: false, problem });

/** Servers reject longer URLs. */
const MAX_URL_LENGTH_CHARS = 2000;

// The URL parser silently drops some of these characters, so the parsed URL would differ from the visible one.
const invisibleCharacter = /[\s\p{Cc}\p{Cf}]/u;

/**
 * Normalizes the URL of a service to the form `https://host/site`: lowercase host without a trailing dot, no default port, no dot segments,
 * no trailing slash, no `index.php`, uppercase percent-escapes. The path keeps its case.
 *
 * Equal normal forms identify the same service and may share a key. Normalizing twice changes nothing. `problem` never repeats the input,
 * because a pasted URL may contain a password.
 */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  if (text === '') return invalid(t('The address is empty.'));
  if (text.length > MAX_URL_LENGTH_CHARS) return invalid(t('The address is too long.'));
  if (invisibleCharacter.test(text)) return invalid(t('The address contains a space or an invisible character.'));
  if (!/^https?:\/\/[^/\\]/i.test(text)) return invalid(t('The URL must begin with https:// or http://.'));
  if (!URL.canParse(text)) return invalid(t('This is not a URL, such as https://example.com/site.'));
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2)))
    return invalid(t('The URL must not contain a user name or password.'));

  if (text.includes('?')) return invalid(t('The URL must not contain a query (the part after "?").'));
  if (text.includes('#')) return invalid(t('The URL must not contain a fragment (the part after "#").'));
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return invalid(t('The address has no host name.'));
  const port = url.port === '' ? '' : `:${url.port}`;
  // Without the trailing dot, the parser may rewrite the host (for example a hexadecimal IPv4 address).
  if (host !== url.hostname) return parseBaseUrl(`${url.protocol}//${host}${port}${url.pathname}`);
  const path = trimToSitePath(url.pathname).replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  return { ok: true, url: `${url.protocol}//${host}${port}${path}` };
}

/** Removes `index.php` and trailing slashes from the path of a page to get the path of its site. */
export function trimToSitePath(path: string): string {
  const parts = path.split('/');
  while (parts.length > 1 && ['', 'index.php'].includes(parts.at(-1) ?? '')) parts.pop();
  return parts.join('/');
}

/**
 * Returns a text that is equal for two base URLs of one service: with or without `www.`, `http` or `https`, and any name
 * of this machine. Another port is another service.
 *
 * @param baseUrl normalized
 */
export function getServiceIdentity(baseUrl: string): string {
  const { hostname, port, pathname } = new URL(baseUrl);
  const host =
    hostname.includes('.localhost') || !isThisMachine(baseUrl) ? hostname.replace(/^www\./, '') : 'localhost';
  return `${host}${port && `:${port}`}${pathname.replace(/\/$/, '')}`;
}

/** Returns whether a URL points to this machine. */
export function isThisMachine(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.toLowerCase().replace(/\.+$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]';
}

/** Returns whether the key would be sent over the network without encryption. */
export function sendsKeyUnencrypted(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === 'http:' && !isThisMachine(baseUrl);
}
