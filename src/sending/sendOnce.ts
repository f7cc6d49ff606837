import { isApiError } from '../api/errors.ts';
import type { Campaign, MailingClient } from '../api/index.ts';

/** What is known after a campaign was told to go out. `unknown`: the answer was lost, and the campaign's record does not tell either. */
export type SendOutcome = 'sent' | 'notSent' | 'unknown';

/** How often the record is looked at after a lost answer, and the pause between in ms. */
const looks = 3;
const pause = 1000;

/** What of a record changes when a campaign goes out, or begins to wait for its date. */
type Marks = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

/**
 * Sends a campaign once. Where the answer is lost nothing is sent again: the campaign's record is read and compared with what it was
 * before. Whatever the answer was, the service got one request to send.
 *
 * Throws `ApiError` where the service refused it.
 */
export async function sendOnce(client: MailingClient, before: Campaign): Promise<SendOutcome> {
  try {
    await client.sendCampaign(before.id);
    return 'sent';
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    return outcomeOf(client, before);
  }
}

/** A service whose answer was lost may still be at it: that nothing happened is believed only when it is seen again and again. */
async function outcomeOf(client: MailingClient, before: Campaign): Promise<SendOutcome> {
  let outcome: SendOutcome = 'unknown';
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const after = await client.getCampaignById(before.id).catch(() => undefined);
    outcome = after === undefined ? 'unknown' : compare(before, after);
    if (outcome === 'sent') return outcome;
  }
  return outcome;
}

function compare(before: Marks, after: Marks): SendOutcome {
  const started =
    (after.sent === 1 && before.sent !== 1) || (after.active === 1 && before.active !== 1) || (after.draft === 0 && before.draft === 1);
  if (started) return 'sent';
  // One that was sent before looks the same after a second sending, but for its date.
  if (before.sent === 1) return after.sending_date !== before.sending_date ? 'sent' : 'unknown';
  return after.sent === 0 && after.draft === 1 ? 'notSent' : 'unknown';
}
