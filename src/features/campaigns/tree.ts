import { t } from '@vscode/l10n';
import type { Campaign, CampaignsQuery } from '../../service/client/index.ts';
import { NewestCampaigns } from '../../service/client/newestCampaigns.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import type { FilterValues, TreeCollection } from '../../platform/explorer/model.ts';
import { localized } from '../../l10n.ts';
import type { RecordKey } from '../../platform/connections/model.ts';
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

const stateRows = localized((): Readonly<Record<CampaignState, StateRow>> => ({
  draft: {
    label: t({ message: 'Draft', comment: 'State of a campaign' }),
    codicon: 'edit',
    filters: { sent: 0 },
  },
  scheduled: {
    label: t({ message: 'Scheduled', comment: 'State of a campaign' }),
    codicon: 'calendar',
    color: 'charts.blue',
    filters: { sent: 0 },
  },
  auto: {
    label: t({ message: 'Automatic', comment: 'State of a campaign' }),
    codicon: 'sync',
    color: 'charts.purple',
    filters: {},
  },
  sent: {
    label: t({ message: 'Sent', comment: 'State of a campaign' }),
    codicon: 'pass',
    color: 'charts.green',
    filters: { sent: 1 },
  },
}));

const sendingTypes = localized(() => [
  { value: 'now', label: t({ message: 'Now', comment: 'Sending type of a campaign' }) },
  { value: 'scheduled', label: t({ message: 'Scheduled', comment: 'Sending type of a campaign' }) },
  { value: 'auto', label: t({ message: 'Automatic', comment: 'Sending type of a campaign' }) },
]);

/** Icon of a campaign whose send has an unknown outcome. */
const unconfirmedIcon = { codicon: 'question', color: 'charts.orange' };

const newest = new NewestCampaigns();

/** Creates the tree of campaigns, the newest first. `isUnconfirmed`: whether the response to sending a campaign was lost. */
export const createCampaignTree = (isUnconfirmed: (ref: RecordKey) => boolean): TreeCollection<Campaign> => ({
  id: collection,
  label: t('Campaigns'),
  codicon: 'megaphone',
  pageSize: MAX_PAGE_SIZE,
  empty: {
    message: t('No campaigns yet'),
    command: { command: 'mailing.campaign.create', title: t('New Campaign…') },
  },
  filters: [
    { key: 'name', label: t('Name') },
    { key: 'subject', label: t('Subject') },
    {
      key: 'state',
      label: t('State'),
      choices: Object.entries(stateRows()).map(([value, { label }]) => ({ label, value })),
    },
    {
      key: 'sending_type',
      label: t('Sending type'),
      choices: sendingTypes(),
    },
  ],
  groups: {
    setting: 'mailing.explorer.groupCampaigns',
    all: Object.entries(stateRows()).map(([key, { label, codicon, color }]) => ({ key, label, codicon, color })),
  },
  fetch: (client, page, filter, options) => {
    const { name, subject } = filter;
    return newest.read(client, page, { name, subject, ...getStateRow(filter)?.filters }, options);
  },
  matchesFilter: (campaign, filter) =>
    (getStateRow(filter) === undefined || getCampaignState(campaign) === filter['state']) &&
    (!filter['sending_type'] || (campaign.sending_type ?? 'now') === filter['sending_type']),
  item: (campaign, ref) => {
    const state = getCampaignState(campaign);
    const { codicon, color } = isUnconfirmed(ref) ? unconfirmedIcon : stateRows()[state];
    const stateText = isUnconfirmed(ref) ? t('sending, response lost') : describeCampaignState(campaign);
    const label = getCampaignName(campaign);
    const type = campaign.sending_type ?? '';
    return {
      label,
      description: stateText,
      icon: { codicon, color },
      tooltip: [
        [t('Name'), label],
        [t('Subject'), campaign.subject ?? ''],
        [t('State'), stateText],
        [t('Sending type'), sendingTypes().find(({ value }) => value === type)?.label ?? type],
        [t('Date'), formatSendingDate(campaign) ?? ''],
        [t('ID'), String(campaign.id)],
      ],
      contextValue: `mailing.campaign.${state}`,
      group: state,
      accessibleName: [t('Campaign'), label, stateText].join(', '),
    };
  },
});

function getStateRow(filter: FilterValues) {
  return Object.entries(stateRows()).find(([state]) => state === filter['state'])?.[1];
}
