import type { MailingClient } from './client.ts';
import { isApiError } from './errors.ts';
import type { CallOptions } from './requests.ts';

/**
 * Whether a service can send an email to one user: asked for without an address, which one that can refuses (422) before it looks at
 * anything else. Nothing is sent. Throws `ApiError` where that can't be told: the service failed, or was not reached.
 */
export async function canSendToSingleUser(client: MailingClient, options?: CallOptions): Promise<boolean> {
  try {
    await client.sendEmailToSingleUser({ email: '', emailId: 0 }, options);
  } catch (error) {
    if (!isApiError(error) || (error.outcome === 'unknown' && error.status === undefined)) throw error;
    if (error.status === 422) return true;
    // No such task, or no such operation in this profile.
    if (error.kind === 'forbidden' || error.kind === 'invalid' || error.kind === 'notFound') return false;
    throw error;
  }
  // One that takes a request without an address is none that is known.
  return false;
}
