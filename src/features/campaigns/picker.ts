import { t } from '@vscode/l10n';
import { readNewestCampaigns } from '../../service/client/newestCampaigns.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import type { ServiceRef } from '../../platform/connections/model.ts';
import { localized, plural } from '../../l10n.ts';
import { joinParts } from '../../service/format.ts';
import { escapeMessage } from '../../service/text.ts';
import { collection } from './model.ts';
import { getCampaignState, type CampaignState } from './details.ts';
import { describeCampaignState, getCampaignName } from './wording.ts';
import { TEST_PREFIX } from '../sending/testSend/recipients.ts';
import { matchesAnyBody, type ReferenceProvider, type Reference } from '../../platform/documents/recordCollections.ts';

/** Group headings in the picker. */
const pickerGroups = localized(() => ({
  draft: t('Drafts'),
  scheduled: t({ message: 'Scheduled', comment: 'Heading of campaigns' }),
  auto: t({ message: 'Automatic', comment: 'Heading of campaigns' }),
  sent: t({ message: 'Sent', comment: 'Heading of campaigns' }),
  test: t({ message: 'Tests', comment: 'Heading of campaigns' }),
}));

/** Picks any campaign, grouped by state, the newest first. Sent tests come last. */
export const campaignPicking = createPicking(['draft', 'scheduled', 'auto', 'sent']);

/** Picks a campaign to send. */
export const unsentCampaignPicking = createPicking(['draft', 'scheduled', 'auto']);

/** Picks a campaign to send again. */
export const resendablePicking = createPicking(['sent']);

export const scheduledCampaignPicking = createPicking(['scheduled']);

/** Picks a campaign that has statistics. */
export const sentCampaignPicking = createPicking(['sent', 'auto']);

function createPicking(states: readonly CampaignState[]) {
  return {
    collection,
    get placeholder() {
      return t('Select a campaign. Type to search names on the service');
    },
    search: async (client: MailingClient, name: string, signal: AbortSignal) => {
      const all = await readNewestCampaigns(client, name, signal);
      const found = all
        .map((campaign) => ({ campaign, state: getCampaignState(campaign) }))
        .filter(({ state }) => states.includes(state))
        .map(({ campaign, state }) => ({
          campaign,
          group: state === 'sent' && campaign.name?.startsWith(TEST_PREFIX) ? ('test' as const) : state,
        }));
      const groups = [...states, 'test'];
      const offered = found.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
      return offered.map(({ campaign, group }) => ({
        id: campaign.id,
        name: campaign.name ?? null,
        label: escapeMessage(getCampaignName(campaign)),
        description: joinParts([`#${campaign.id}`, describeCampaignState(campaign)]),
        detail: escapeMessage(campaign.subject ?? '') || undefined,
        group: pickerGroups()[group],
      }));
    },
  };
}

/** Reading a body takes one request per campaign. */
const MAX_BODIES_READ = 30;

/** Finds campaigns created from a text. Compares only bodies of campaigns with the same name or subject. */
export const findCampaignReferences: ReferenceProvider = async (service, client, text, signal) => {
  const all = await readNewestCampaigns(client, '', signal);
  const candidates = all.filter(
    (campaign) => isSameName(campaign.name, text.name) || isSameName(campaign.subject, text.subject),
  );
  const references: Reference[] = [];
  for (const { id } of candidates.slice(0, MAX_BODIES_READ)) {
    const campaign = await client.getCampaignById(id, { signal });
    const isSame = matchesAnyBody(campaign.body ?? '', text.bodies);
    if (isSame || isSameName(campaign.name, text.name)) references.push(createReference(service, campaign, isSame));
  }
  const unreadCount = candidates.length - MAX_BODIES_READ;
  return {
    references,
    ...(unreadCount > 0 && {
      incompleteReason: plural(
        unreadCount,
        t('{0} older campaign with that name or subject was not checked.'),
        t('{0} older campaigns with that name or subject were not checked.'),
      ),
    }),
  };
};

function isSameName(one: string | null | undefined, other: string) {
  return other.trim() !== '' && (one ?? '').trim() === other.trim();
}

function createReference(service: ServiceRef, campaign: Campaign, isSame: boolean): Reference {
  return {
    command: 'mailing.record.open',
    argument: { ...service, collection, id: campaign.id },
    label: t`Campaign "${getCampaignName(campaign)}" (${describeCampaignState(campaign)})`,
    reason: isSame ? t('has the same text') : t('has the same name but another text'),
  };
}
