import type { Campaign } from '../api/index.ts';
import type { Rooms } from '../rooms.ts';
import { RecordCommands, type FoundRecord, type Picking } from '../documents/recordCommands.ts';
import { inMessage } from '../ui/text.ts';
import { campaignDocuments, suffixes } from './documents.ts';
import { requestOf, type CampaignDetails } from './fields.ts';

/** What a new campaign is made of. */
export type CampaignDraft = Partial<CampaignDetails> & { readonly name: string; readonly subject: string; readonly body?: string };

/** What the commands on campaigns share. */
export class Campaigns extends RecordCommands<Campaign> {
  constructor(rooms: Rooms) {
    super(rooms, campaignDocuments, picking);
  }

  /**
   * Makes a campaign as a draft and opens it. What the service did not keep as it was given is told.
   *
   * Throws `ApiError`; of `outcome` `unknown` where it may have been made.
   */
  async create(connection: string, { body = '', ...details }: CampaignDraft): Promise<FoundRecord> {
    const request = requestOf({ ...emptyDetails, ...details }, body);
    const { campaignId } = await this.make(connection, (client) => client.createOrUpdateCampaign(request));
    const ref = { connection, id: campaignId };
    await this.made(ref, request as Readonly<Record<string, unknown>>);
    return this.open(ref, suffixes.details);
  }
}

const emptyDetails: CampaignDetails = {
  name: '',
  subject: '',
  from_name: '',
  from_email: '',
  reply_to_name: '',
  reply_to_email: '',
  bounce_email: '',
  bcc: '',
  sending_type: 'now',
};

const picking: Picking = {
  placeholder: 'Which campaign? Type to search names on the service',
  search: async (client, text, signal) => {
    const campaigns = await client.getCampaigns({ limit: 100, ...(text === '' ? {} : { filters: { name: text } }) }, { signal });
    return campaigns.map(({ id, name, subject }) => ({
      id,
      label: inMessage(name ?? '') || inMessage(subject ?? '') || `Campaign ${id}`,
      description: `#${id}`,
      ...(subject ? { detail: inMessage(subject) } : {}),
    }));
  },
};
