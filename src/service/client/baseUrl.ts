import { parseBaseUrl } from './address.ts';
import { ApiError } from './errors.ts';

/**
 * Normalizes a base URL (see `parseBaseUrl`). Trims surrounding spaces and escapes inner ones. Throws an `ApiError` of kind `invalid`; its
 * message never repeats the input.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl.trim().replaceAll(' ', '%20'));
  if (parsed.ok) return parsed.url;
  const message = `${parsed.problem.slice(0, -1)}: correct the address of this connection.`;
  throw new ApiError({ kind: 'invalid', reason: 'badSetting', operation: 'connect', outcome: 'refused', message });
}
