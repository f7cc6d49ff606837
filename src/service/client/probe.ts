import { Caller, type MailingClientOptions } from './caller.ts';
import type { MailingClient } from './client.ts';
import { isApiError, type ApiError } from './errors.ts';
import type { ProfileName } from './profiles.ts';
import type { CallOptions } from './requests.ts';

export type ProbeOptions = Omit<MailingClientOptions, 'profile'> & CallOptions;

export interface ProbeResult {
  readonly profile: ProfileName;
  /** Name of the site, if reported. Untrusted text. */
  readonly siteName?: string;
}

/**
 * Detects the profile of the service at an address, using only reads. Rejects with the most specific `ApiError`: no service (`notJson`,
 * `notFound`), not activated (`forbidden`), wrong key or expired license (`unauthorized`), `redirect` with its `location`, `tls`, `network`
 * or `timeout`.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  const errors: ApiError[] = [];
  for (const [profile, operation] of [
    ['documented', 'getLists'],
    ['acymailing', 'authenticate'],
  ] as const) {
    const caller = new Caller({ ...options, profile });
    try {
      return { profile, ...(await caller.probe(operation, options)) };
    } catch (error) {
      if (!isApiError(error) || error.info.specificity === Infinity) throw error;
      errors.push(error);
    } finally {
      await caller.close();
    }
  }
  // Messages of a service are more specific than hints about its address.
  throw errors.sort((a, b) => b.info.specificity - a.info.specificity)[0];
}

/**
 * Returns whether the service can send an email to a single user. Sends a request without an address, which a capable service rejects with
 * 422 before any other check; nothing is sent. Throws `ApiError` if the service failed or was not reached.
 */
export async function canSendToSingleUser(client: MailingClient, options?: CallOptions): Promise<boolean> {
  try {
    await client.sendEmailToSingleUser({ email: '', emailId: 0 }, options);
  } catch (error) {
    if (!isApiError(error) || (error.outcome === 'unknown' && error.status === undefined)) throw error;
    if (error.status === 422) return true;
    // The task or the operation does not exist.
    if (error.kind === 'forbidden' || error.kind === 'invalid' || error.kind === 'notFound') return false;
    throw error;
  }
  // A service that accepts a request without an address is not supported.
  return false;
}
