import type { Campaign } from '../../service/client/index.ts';
import { matchesAnyBody, type ReferenceProvider, type Reference } from '../../platform/sending/referenceProviders.ts';
import { nameOf, newestCampaigns, stateWords } from './model.ts';

/** Campaigns whose texts are read, one request each. */
const mostRead = 30;

/** Campaigns made from a text: of those that have its name or its subject the texts are compared. */
export const usingCampaigns: ReferenceProvider = async (connection, client, text, signal) => {
  const all = await newestCampaigns(client, '', signal);
  const alike = all.filter((campaign) => isAlike(campaign.name, text.name) || isAlike(campaign.subject, text.subject));
  const found: Reference[] = [];
  for (const { id } of alike.slice(0, mostRead)) {
    const campaign = await client.getCampaignById(id, { signal });
    const isSame = matchesAnyBody(campaign.body ?? '', text.bodies);
    if (isSame || isAlike(campaign.name, text.name)) found.push(useOf(connection, campaign, isSame));
  }
  const unread = alike.length - mostRead;
  return {
    references: found,
    ...(unread > 0 && { incompleteReason: `${unread} older campaigns of that name or subject were not looked at.` }),
  };
};

function isAlike(one: string | null | undefined, other: string): boolean {
  return other.trim() !== '' && (one ?? '').trim() === other.trim();
}

function useOf(connection: string, campaign: Campaign, isSame: boolean): Reference {
  return {
    command: 'mailing.campaign.open',
    argument: { connection, id: campaign.id },
    label: `Campaign "${nameOf(campaign)}" (${stateWords(campaign)})`,
    reason: isSame ? 'has the same text' : 'has its name, and another text',
  };
}
