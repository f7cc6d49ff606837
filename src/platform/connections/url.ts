import { trimToSitePath } from '../../service/client/address.ts';

export { parseBaseUrl } from '../../service/client/address.ts';

/**
 * What was probably meant by a typed or pasted address: adds the missing scheme (`http` only for this machine), and takes off
 * what a browser's address bar adds (`index.php`, query, fragment).
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

/** True where a request to this address stays on this machine. */
export function isThisMachine(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.toLowerCase().replace(/\.+$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]';
}

/** True where the key would travel readable by everyone on the way. */
export function sendsKeyUnencrypted(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === 'http:' && !isThisMachine(baseUrl);
}
