import { trimToSitePath } from '../../service/client/address.ts';

export { parseBaseUrl } from '../../service/client/address.ts';

/**
 * Normalizes a typed or pasted URL: adds the missing scheme (`http` only for this machine) and removes what browsers add (`index.php`,
 * query, fragment).
 */
export function normalizeTypedUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `${localAuthority.test(trimmed) ? 'http' : 'https'}://${trimmed}`;
  return trimToSitePath(withScheme.replace(/[?#].*$/s, ''));
}

const localAuthority = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i;

/** Returns whether a URL points to this machine. */
export function isThisMachine(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.toLowerCase().replace(/\.+$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]';
}

/** Returns whether the key would be sent over the network without encryption. */
export function sendsKeyUnencrypted(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === 'http:' && !isThisMachine(baseUrl);
}
