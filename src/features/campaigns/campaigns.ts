import type { Campaign } from '../../service/client/index.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { campaignDocuments, createCampaignRequest } from './documents.ts';
import { emptyDetails, campaignSuffixes, type CampaignDraft } from './model.ts';
import { campaignPicking } from './picker.ts';

/** Operations that the campaign commands share. */
export class Campaigns extends RecordCommands<Campaign, ExtensionServices> {
  constructor(services: ExtensionServices) {
    super(services, campaignDocuments, campaignPicking);
  }

  /**
   * Creates a draft campaign, opens it and reports fields that the service stored differently. Returns undefined if the outcome is unknown.
   *
   * Throws `ApiError` if the service refuses the request.
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
