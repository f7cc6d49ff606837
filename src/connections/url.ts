/** A base URL in its normal form, or what is wrong with what was typed. */
export type BaseUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly problem: string };

const refuse = (problem: string): BaseUrl => ({ ok: false, problem });

/** Longer addresses lead nowhere: servers refuse them. Characters. */
const longest = 2000;

// The URL parser would drop some of these silently, and so read another address than the eye does.
const invisible = /[\s\p{Cc}\p{Cf}]/u;

/**
 * Reads the address of a service and gives its normal form: lower-case host without a trailing dot, no default port, no dot
 * segments, no trailing slashes, percent-escapes in upper case. The path keeps its case. Two addresses with one normal form are one
 * service, and may share a key; a normal form is its own normal form.
 */
export function parseBaseUrl(text: string): BaseUrl {
  if (text === '') return refuse('The address is empty.');
  if (text.length > longest) return refuse('The address is too long.');
  if (invisible.test(text)) return refuse('The address contains a space or an invisible character.');
  if (!/^https?:\/\/[^/\\]/i.test(text)) return refuse('The address must begin with https:// or http://.');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse('This is not a web address. It looks like https://example.com/site.');
  }
  if (url.username !== '' || url.password !== '' || /^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))) {
    return refuse('The address must not contain a user name or password.');
  }
  if (text.includes('?')) return refuse('The address must not contain a query (the part from “?” on).');
  if (text.includes('#')) return refuse('The address must not contain a fragment (the part from “#” on).');
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return refuse('The address has no host name.');
  const port = url.port === '' ? '' : `:${url.port}`;
  // The name without its dot may be written otherwise by the parser (an IPv4 address in hexadecimal, say).
  if (host !== url.hostname) return parseBaseUrl(`${url.protocol}//${host}${port}${url.pathname}`);
  const path = url.pathname.replace(/\/+$/, '').replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  return { ok: true, url: `${url.protocol}//${host}${port}${path}` };
}

/**
 * What was probably meant by a typed or pasted address: adds the missing scheme (`http` only for this machine), and takes off
 * what a browser's address bar adds (`index.php`, query, fragment).
 */
export function tidyTypedUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `${localAuthority.test(trimmed) ? 'http' : 'https'}://${trimmed}`;
  return withScheme.replace(/[?#].*$/s, '').replace(/\/index\.php\/?$/i, '').replace(/\/+$/, '');
}

const localAuthority = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i;

/** True where a request to this address stays on this machine. */
export function isThisMachine(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.toLowerCase().replace(/\.+$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]';
}

/** True where the key would travel readable by everyone on the way. */
export function sendsKeyInTheClear(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === 'http:' && !isThisMachine(baseUrl);
}
