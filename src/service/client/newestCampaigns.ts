import type { MailingClient } from './client.ts';
import { paginate } from './paginate.ts';
import type { Campaign } from './records.ts';

/** Limits the search for the newest campaigns: services return the oldest first. */
const MAX_SCANNED_CAMPAIGNS = 500;

/** Returns the campaigns that match a name (all if it is empty), the newest first. @throws `ApiError` */
export async function readNewestCampaigns(
  client: MailingClient,
  name: string,
  signal: AbortSignal,
): Promise<readonly Campaign[]> {
  const campaigns: Campaign[] = [];
  const pages = paginate(
    (page, options) => client.getCampaigns({ ...page, filters: { name: name || undefined } }, options),
    {
      signal,
    },
  );
  for await (const campaign of pages) {
    campaigns.push(campaign);
    if (campaigns.length >= MAX_SCANNED_CAMPAIGNS) break;
  }
  return campaigns.toSorted((one, other) => other.id - one.id);
}
