/** A base URL in its normal form, or what is wrong with what was given. */
type ParsedBaseUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly problem: string };

const invalid = (problem: string): ParsedBaseUrl => ({ ok: false, problem });

/** Longer addresses lead nowhere: servers refuse them. Characters. */
const MAX_URL_LENGTH_CHARS = 2000;

// The URL parser would drop some of these silently, and so read another address than the eye does.
const invisibleCharacter = /[\s\p{Cc}\p{Cf}]/u;

/**
 * Reads the address of a service and gives its normal form: `https://host/site`. The host is in lower case without a trailing dot; there
 * is no default port, no dot segment, no trailing slash and no `index.php`; percent-escapes are in upper case. The path keeps its case.
 * Two addresses with one normal form are one service, and may share a key; a normal form is its own normal form. A problem is a sentence
 * that never repeats the address, as a pasted one may hold a password.
 */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  if (text === '') return invalid('The address is empty.');
  if (text.length > MAX_URL_LENGTH_CHARS) return invalid('The address is too long.');
  if (invisibleCharacter.test(text)) return invalid('The address contains a space or an invisible character.');
  if (!/^https?:\/\/[^/\\]/i.test(text)) return invalid('The address must begin with https:// or http://.');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return invalid('This is not a web address, such as https://example.com/site.');
  }
  if (url.username !== '' || url.password !== '' || /^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))) {
    return invalid('The address must not contain a user name or password.');
  }
  if (text.includes('?')) return invalid('The address must not contain a query (the part from “?” on).');
  if (text.includes('#')) return invalid('The address must not contain a fragment (the part from “#” on).');
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return invalid('The address has no host name.');
  const port = url.port === '' ? '' : `:${url.port}`;
  // The name without its dot may be written otherwise by the parser (an IPv4 address in hexadecimal, say).
  if (host !== url.hostname) return parseBaseUrl(`${url.protocol}//${host}${port}${url.pathname}`);
  const path = trimToSitePath(url.pathname).replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  return { ok: true, url: `${url.protocol}//${host}${port}${path}` };
}

/** The path of a site, of the path of a page of it: without the script that answers, and without slashes at the end. */
export function trimToSitePath(path: string): string {
  const parts = path.split('/');
  while (parts.length > 1 && ['', 'index.php'].includes(parts.at(-1) ?? '')) parts.pop();
  return parts.join('/');
}
