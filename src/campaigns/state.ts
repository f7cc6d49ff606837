import type { Campaign } from '../api/index.ts';

export type CampaignState = 'draft' | 'scheduled' | 'auto' | 'sent';

/**
 * What a campaign is waiting for. The API document doesn't show its records, so the fields are read by what installations answer: one
 * that is scheduled waits for its date only after it was sent off, and is a draft until then.
 */
export function stateOf(campaign: Campaign): CampaignState {
  if (campaign.sending_type === 'auto') return 'auto';
  if (campaign.sent === 1) return 'sent';
  if (campaign.draft === 1) return 'draft';
  return campaign.sending_type === 'scheduled' ? 'scheduled' : 'draft';
}

/** Units of a rhythm, as the API document names them and in seconds, as records were seen to hold them. */
const units = new Map<string, string>([
  ...['hour', 'day', 'week', 'month'].map((unit) => [unit, unit] as const),
  ['3600', 'hour'],
  ['86400', 'day'],
  ['604800', 'week'],
  ['2628000', 'month'],
]);

/** The rhythm of an automatic campaign in words: "every 2 days". Undefined where the record doesn't say it. */
export function rhythmOf(campaign: Campaign): string | undefined {
  const params = campaign.sending_params ?? {};
  const kind = params['trigger_type'] ?? campaign['frequency'];
  if (kind === 'asap' || kind === 'cron') return "at every run of the service's tasks";
  const every = asObject(params['every']) ?? asObject(campaign['frequency_options']);
  const unit = units.get(String(every?.['type'] ?? every?.['unit']));
  const value = Number(every?.['number'] ?? every?.['value']);
  if (unit === undefined || !Number.isInteger(value) || value < 1) return undefined;
  return value === 1 ? `every ${unit}` : `every ${value} ${unit}s`;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
