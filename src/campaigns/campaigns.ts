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
   * Makes a campaign as a draft and opens it. What the service did not keep as it was given is told. Undefined where it is not known
   * whether it was made.
   *
   * Throws `ApiError` where the service refused it.
   */
  async create(connection: string, { body = '', ...details }: CampaignDraft): Promise<FoundRecord | undefined> {
    const request = requestOf({ ...emptyDetails, ...details }, body);
    const draft = { connection, name: details.name, sent: { ...request }, suffix: suffixes.details };
    const ref = await this.make(draft, async (client) => (await client.createOrUpdateCampaign(request)).campaignId);
    return ref && this.showMade(ref, draft);
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
    return campaigns.map(({ id, name = null, subject }) => ({
      id,
      name,
      label: inMessage(name ?? '') || inMessage(subject ?? '') || `Campaign ${id}`,
      description: `#${id}`,
      ...(subject ? { detail: inMessage(subject) } : {}),
    }));
  },
};
