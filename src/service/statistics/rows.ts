import { isApiError } from '../client/shapes.ts';
import type { MailingClient } from '../client/index.ts';

export function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notFound';
}

/**
 * Reads statistics of a campaign; empty if an existing campaign has none.
 * @throws `ApiError`, with kind `notFound` only if the campaign was deleted
 */
export async function readCampaignRows<R>(
  client: MailingClient,
  id: number,
  signal: AbortSignal,
  read: (client: MailingClient) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  try {
    return await read(client);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // Services also report "not found" if nothing was sent or clicked yet ("No variations found").
    await client.getCampaignById(id, { signal });
    return [];
  }
}
