import type { Campaign, CampaignsQuery } from '../api/index.ts';
import type { FilterValues, TreeCollection } from '../explorer/model.ts';
import { formatDateTime, joinParts } from '../ui/format.ts';
import type { RecordRef } from '../connections/record.ts';
import { plain } from '../ui/text.ts';
import { isSendingType } from './fields.ts';
import { rhythmOf, stateOf, type CampaignState } from './state.ts';

interface StateLook {
  readonly label: string;
  readonly codicon: string;
  readonly color?: string;
  /** Columns the service filters by that narrow the state down. `sending_type` and `draft` answer nothing on some installations. */
  readonly filters: CampaignsQuery['filters'];
  words(campaign: Campaign): string;
}

const states: Readonly<Record<CampaignState, StateLook>> = {
  draft: {
    label: 'Draft',
    codicon: 'edit',
    filters: { sent: 0 },
    words: (campaign) => joinParts(['draft', campaign.sending_type === 'scheduled' && `to be sent ${dateOf(campaign) ?? 'at a date'}`]),
  },
  scheduled: {
    label: 'Scheduled',
    codicon: 'calendar',
    color: 'charts.blue',
    filters: { sent: 0 },
    words: (campaign) => `scheduled ${dateOf(campaign) ?? ''}`.trim(),
  },
  auto: {
    label: 'Automatic',
    codicon: 'sync',
    color: 'charts.purple',
    filters: {},
    words: (campaign) => joinParts([automaticWords(campaign), campaign.draft === 1 ? 'draft' : campaign.active === 0 && 'inactive']),
  },
  sent: {
    label: 'Sent',
    codicon: 'pass',
    color: 'charts.green',
    filters: { sent: 1 },
    words: (campaign) => `sent ${dateOf(campaign) ?? ''}`.trim(),
  },
};

const sendingTypes: Readonly<Record<string, string>> = { now: 'at once', scheduled: 'at a date', auto: 'automatically' };

/** How a campaign looks of which it is not known whether it was sent. */
const lostLook = { codicon: 'question', color: 'charts.orange', words: (): string => 'sending, answer lost' };

/** Campaigns in the tree. `isLost`: whether the answer to sending one was lost, and it is not known what came of it. */
export const campaignTreeOf = (isLost: (ref: RecordRef) => boolean): TreeCollection<Campaign> => ({
  id: 'campaigns',
  label: 'Campaigns',
  codicon: 'megaphone',
  pageSize: 100,
  empty: { message: 'No campaigns yet', command: { command: 'mailing.campaign.create', title: 'New Campaign…' } },
  filters: [
    { key: 'name', label: 'Name' },
    { key: 'subject', label: 'Subject' },
    { key: 'state', label: 'State', choices: Object.entries(states).map(([value, { label }]) => ({ label, value })) },
    {
      key: 'sending_type',
      label: 'Sending type',
      choices: Object.entries(sendingTypes).map(([value, words]) => ({ label: `${value} (${words})`, value })),
    },
  ],
  groups: {
    setting: 'mailing.explorer.groupCampaigns',
    all: Object.entries(states).map(([key, { label, codicon, color }]) => ({ key, label, codicon, ...(color && { color }) })),
  },
  fetch: (client, page, filter, options) => {
    const { name, subject } = filter;
    const state = stateLook(filter);
    return client.getCampaigns({ ...page, filters: { ...(name && { name }), ...(subject && { subject }), ...state?.filters } }, options);
  },
  keep: (campaign, filter) =>
    (stateLook(filter) === undefined || stateOf(campaign) === filter['state']) &&
    (!filter['sending_type'] || (campaign.sending_type ?? 'now') === filter['sending_type']),
  item: (campaign, ref) => {
    const state = stateOf(campaign);
    const { codicon, color, words } = isLost(ref) ? lostLook : states[state];
    const label = campaign.name || campaign.subject || `Campaign ${campaign.id}`;
    const type = campaign.sending_type ?? '';
    return {
      label,
      description: words(campaign),
      icon: { codicon, ...(color && { color }) },
      tooltip: [
        ['Name', label],
        ['Subject', campaign.subject ?? ''],
        ['State', words(campaign)],
        ['Sending type', joinParts([type, sendingTypes[type]])],
        ['Date', dateOf(campaign) ?? ''],
        ['ID', String(campaign.id)],
      ],
      contextValue: `mailing.campaign.${state}`,
      group: state,
      accessibleName: ['Campaign', label, words(campaign)].join(', '),
      command: { command: 'mailing.campaign.open', title: 'Open Campaign', arguments: [{ connection: ref.connection, id: ref.id }] },
      deleteCommand: 'mailing.campaign.delete',
    };
  },
});

/** Campaigns in the tree, as their records alone show them. */
export const campaignTree = campaignTreeOf(() => false);

/** "automatic every 2 days"; of a sending type that only the installation knows, its name. */
function automaticWords(campaign: Campaign): string {
  const { sending_type: type } = campaign;
  return type && !isSendingType(type) ? `active, of the type “${plain(type, 40)}”` : `automatic ${rhythmOf(campaign) ?? ''}`.trim();
}

function dateOf(campaign: Campaign): string | undefined {
  return formatDateTime(campaign.sending_date);
}

function stateLook(filter: FilterValues): StateLook | undefined {
  const { state } = filter;
  return state === 'draft' || state === 'scheduled' || state === 'auto' || state === 'sent' ? states[state] : undefined;
}
