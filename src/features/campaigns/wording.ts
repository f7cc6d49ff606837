import type { Campaign } from '../../service/client/index.ts';
import { formatServiceDateTime, joinParts } from '../../platform/ui/format.ts';
import { toSingleLine } from '../../platform/ui/text.ts';
import { getCampaignState, isSendingType, readSchedule, type CampaignDetails, type CampaignState } from './details.ts';

/** Returns the display name as plain text. Falls back to the subject, then the id. */
export function getCampaignName({ id, name, subject }: Pick<Campaign, 'id' | 'name' | 'subject'>): string {
  return toSingleLine(name ?? '') || toSingleLine(subject ?? '') || `Campaign ${id}`;
}

/** Describes how often an automatic campaign is sent: "every 2 days". Undefined if the schedule doesn't contain it. */
export function describeFrequency({
  frequency,
  frequency_options: every,
}: Pick<CampaignDetails, 'frequency' | 'frequency_options'>): string | undefined {
  if (frequency === 'cron') return 'each time the service runs its tasks';
  if (frequency !== 'every' || every === undefined || every.value < 1) return undefined;
  return every.value === 1 ? `every ${every.unit}` : `every ${every.value} ${every.unit}s`;
}

const stateDescriptions: Readonly<Record<CampaignState, (campaign: Campaign) => string>> = {
  draft: (campaign) =>
    joinParts([
      'draft',
      campaign.sending_type === 'scheduled' && `to be sent ${formatSendingDate(campaign) ?? 'at a date'}`,
    ]),
  scheduled: (campaign) => `scheduled ${formatSendingDate(campaign) ?? ''}`.trim(),
  auto: (campaign) =>
    joinParts([describeAutomatic(campaign), campaign.draft === 1 ? 'draft' : campaign.active === 0 && 'inactive']),
  sent: (campaign) => `sent ${formatSendingDate(campaign) ?? ''}`.trim(),
};

/** Describes the state and its date: "scheduled Jan 31, 2027". */
export function describeCampaignState(campaign: Campaign): string {
  return stateDescriptions[getCampaignState(campaign)](campaign);
}

/** Formats the date when a campaign was or will be sent. Undefined if the record has none. */
export function formatSendingDate({ sending_date }: Pick<Campaign, 'sending_date'>): string | undefined {
  return formatServiceDateTime(sending_date);
}

/** Returns "automatic every 2 days", or the name of an installation-specific sending type. */
function describeAutomatic(campaign: Campaign): string {
  const { sending_type: type } = campaign;
  return !type || isSendingType(type)
    ? `automatic ${describeFrequency(readSchedule(campaign)) ?? ''}`.trim()
    : `active, of the type “${toSingleLine(type, 40)}”`;
}
