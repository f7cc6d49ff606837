import { ApiError } from './errors.ts';

function refused(message: string): ApiError {
  return new ApiError({ kind: 'invalid', operation: 'connect', outcome: 'refused', message });
}

/**
 * The one form of a base URL: `https://host/site`, without trailing slashes or `index.php`, host in lower case, no default port.
 * Two addresses of the same service have equal forms. Throws an `ApiError` of kind `invalid`; its message never repeats the address, as a
 * pasted one may hold a password.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const text = baseUrl.trim();
  if (text === '') throw refused("The service's address is missing: enter one such as https://example.com/site.");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused("The service's address can't be read: enter one such as https://example.com/site.");
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused("The service's address must begin with https:// or http://: correct it.");
  }
  if (url.username !== '' || url.password !== '') throw refused("The service's address must hold no user name or password: remove them.");
  if (text.includes('?') || text.includes('#'))
    throw refused("The service's address must end before the “?” or “#”: remove what follows.");
  const path = url.pathname.replace(/\/+$/, '').replace(/\/index\.php$/, '').replace(/\/+$/, '');
  return url.origin + path;
}
