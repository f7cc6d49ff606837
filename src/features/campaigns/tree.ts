import type { Campaign, CampaignsQuery } from '../../service/client/index.ts';
import type { FilterValues, TreeCollection } from '../../platform/explorer/model.ts';
import { joinParts } from '../../platform/ui/format.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { getCampaignState, type CampaignState } from './details.ts';
import { collection } from './model.ts';
import { formatSendingDate, getCampaignName, describeCampaignState } from './wording.ts';

interface StateRow {
  readonly label: string;
  readonly codicon: string;
  readonly color?: string;
  /** Filters of the service that narrow down the state. On some installations, `sending_type` and `draft` match nothing. */
  readonly filters: CampaignsQuery['filters'];
}

const stateRows: Readonly<Record<CampaignState, StateRow>> = {
  draft: { label: 'Draft', codicon: 'edit', filters: { sent: 0 } },
  scheduled: { label: 'Scheduled', codicon: 'calendar', color: 'charts.blue', filters: { sent: 0 } },
  auto: { label: 'Automatic', codicon: 'sync', color: 'charts.purple', filters: {} },
  sent: { label: 'Sent', codicon: 'pass', color: 'charts.green', filters: { sent: 1 } },
};

const sendingTypeLabels: Readonly<Record<string, string>> = {
  now: 'at once',
  scheduled: 'at a date',
  auto: 'automatically',
};

/** Icon of a campaign whose send has an unknown outcome. */
const unconfirmedIcon = { codicon: 'question', color: 'charts.orange' };

/** Creates the tree of campaigns. `isUnconfirmed`: whether the response to sending a campaign was lost. */
export const createCampaignTree = (isUnconfirmed: (ref: RecordRef) => boolean): TreeCollection<Campaign> => ({
  id: collection,
  label: 'Campaigns',
  codicon: 'megaphone',
  pageSize: 100,
  empty: { message: 'No campaigns yet', command: { command: 'mailing.campaign.create', title: 'New Campaign…' } },
  filters: [
    { key: 'name', label: 'Name' },
    { key: 'subject', label: 'Subject' },
    {
      key: 'state',
      label: 'State',
      choices: Object.entries(stateRows).map(([value, { label }]) => ({ label, value })),
    },
    {
      key: 'sending_type',
      label: 'Sending type',
      choices: Object.entries(sendingTypeLabels).map(([value, label]) => ({ label: `${value} (${label})`, value })),
    },
  ],
  groups: {
    setting: 'mailing.explorer.groupCampaigns',
    all: Object.entries(stateRows).map(([key, { label, codicon, color }]) => ({ key, label, codicon, color })),
  },
  fetch: (client, page, filter, options) => {
    const { name, subject } = filter;
    return client.getCampaigns({ ...page, filters: { name, subject, ...getStateRow(filter)?.filters } }, options);
  },
  matchesFilter: (campaign, filter) =>
    (getStateRow(filter) === undefined || getCampaignState(campaign) === filter['state']) &&
    (!filter['sending_type'] || (campaign.sending_type ?? 'now') === filter['sending_type']),
  item: (campaign, ref) => {
    const state = getCampaignState(campaign);
    const { codicon, color } = isUnconfirmed(ref) ? unconfirmedIcon : stateRows[state];
    const stateText = isUnconfirmed(ref) ? 'sending, answer lost' : describeCampaignState(campaign);
    const label = getCampaignName(campaign);
    const type = campaign.sending_type ?? '';
    return {
      label,
      description: stateText,
      icon: { codicon, color },
      tooltip: [
        ['Name', label],
        ['Subject', campaign.subject ?? ''],
        ['State', stateText],
        ['Sending type', joinParts([type, sendingTypeLabels[type]])],
        ['Date', formatSendingDate(campaign) ?? ''],
        ['ID', String(campaign.id)],
      ],
      contextValue: `mailing.campaign.${state}`,
      group: state,
      accessibleName: ['Campaign', label, stateText].join(', '),
    };
  },
});

function getStateRow(filter: FilterValues): StateRow | undefined {
  const { state } = filter;
  return state === 'draft' || state === 'scheduled' || state === 'auto' || state === 'sent'
    ? stateRows[state]
    : undefined;
}
