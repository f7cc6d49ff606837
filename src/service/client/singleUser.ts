import type { MailingClient } from './client.ts';
import { isApiError } from './errors.ts';
import type { CallOptions } from './requests.ts';

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
