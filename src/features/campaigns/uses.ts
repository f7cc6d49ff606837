import type { Campaign } from '../../service/client/index.ts';
import { matchesAnyBody, type ReferenceProvider, type Reference } from '../../platform/sending/referenceProviders.ts';
import { collection } from './kind.ts';
import { getCampaignName, describeCampaignState } from './wording.ts';
import { readNewestCampaigns } from './picker.ts';

/** Reading a body takes one request per campaign. */
const MAX_BODIES_READ = 30;

/** Finds campaigns created from a text. Compares only bodies of campaigns with the same name or subject. */
export const findCampaignReferences: ReferenceProvider = async (connection, client, text, signal) => {
  const all = await readNewestCampaigns(client, '', signal);
  const candidates = all.filter(
    (campaign) => isSameName(campaign.name, text.name) || isSameName(campaign.subject, text.subject),
  );
  const references: Reference[] = [];
  for (const { id } of candidates.slice(0, MAX_BODIES_READ)) {
    const campaign = await client.getCampaignById(id, { signal });
    const isSame = matchesAnyBody(campaign.body ?? '', text.bodies);
    if (isSame || isSameName(campaign.name, text.name)) references.push(createReference(connection, campaign, isSame));
  }
  const unreadCount = candidates.length - MAX_BODIES_READ;
  return {
    references,
    ...(unreadCount > 0 && {
      incompleteReason: `${unreadCount} older campaigns with that name or subject were not checked.`,
    }),
  };
};

function isSameName(one: string | null | undefined, other: string): boolean {
  return other.trim() !== '' && (one ?? '').trim() === other.trim();
}

function createReference(connection: string, campaign: Campaign, isSame: boolean): Reference {
  return {
    command: 'mailing.record.open',
    argument: { connection, collection, id: campaign.id },
    label: `Campaign "${getCampaignName(campaign)}" (${describeCampaignState(campaign)})`,
    reason: isSame ? 'has the same text' : 'has the same name but another text',
  };
}
