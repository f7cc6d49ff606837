// The measured service, in its own process, with a campaign that was sent to all subscribers three days ago.
import { MailingClient } from '../../src/service/client/index.ts';
import { startSandbox } from '../../test/support/sandbox/index.ts';
import { root } from '../support.mjs';

/** The list with all subscribers. */
const list = 6;
const threeDays = 3 * 24 * 3600 * 1000;

const sandbox = await startSandbox({ assets: `${root}/media/starters`, subscribers: Number(process.argv[2]) });
const { baseUrl, apiKey, profile } = sandbox;
const client = new MailingClient({ baseUrl, apiKey, profile });
const body = Array.from({ length: 12 }, (_, at) => `<p><a href="https://shop.example/${at}">Offer ${at}</a></p>`).join(
  '',
);
const { campaignId } = await client.createOrUpdateCampaign({
  name: 'To everybody',
  subject: 'Hello',
  body,
  listIds: [list],
  sending_type: 'now',
});
await client.sendCampaign(campaignId);
await client.close();
sandbox.clock.advance(threeDays);
process.send?.({ baseUrl, apiKey, campaignId });
process.on('disconnect', () => process.exit());
