import type { Campaign } from '../../service/client/index.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { campaignDocuments } from './documents.ts';
import { emptyDetails, campaignPicking, createCampaignRequest, campaignSuffixes, type CampaignDraft } from './model.ts';

/** What the commands on campaigns share. */
export class Campaigns extends RecordCommands<Campaign, ExtensionServices> {
  constructor(services: ExtensionServices) {
    super(services, campaignDocuments, campaignPicking);
  }

  /**
   * Makes a campaign as a draft and opens it. What the service did not keep as it was given is told. Undefined where it is not known
   * whether it was made.
   *
   * Throws `ApiError` where the service refused it.
   */
  async create(connection: string, { body = '', ...details }: CampaignDraft): Promise<FoundRecord | undefined> {
    const request = createCampaignRequest({ ...emptyDetails, ...details }, body);
    const draft = { connection, name: details.name, fields: { ...request }, suffix: campaignSuffixes.details };
    const ref = await createRecord(
      this,
      draft,
      async (client) => (await client.createOrUpdateCampaign(request)).campaignId,
    );
    return ref && openCreatedRecord(this, ref, draft);
  }
}
