import { t } from '@vscode/l10n';
import type { Campaign } from '../../service/client/index.ts';
import { localized, plural } from '../../l10n.ts';
import { formatServiceDateTime, joinParts } from '../../service/format.ts';
import { toSingleLine } from '../../service/text.ts';
import {
  getCampaignState,
  isEmptyValue,
  isSendingType,
  readSchedule,
  type CampaignDetails,
  type CampaignState,
} from './details.ts';

/** Returns the display name as plain text. Falls back to the subject, then the id. */
export function getCampaignName({ id, name, subject }: Pick<Campaign, 'id' | 'name' | 'subject'>): string {
  return toSingleLine(name ?? '') || toSingleLine(subject ?? '') || t`Campaign ${id}`;
}

/** Describes how often an automatic campaign is sent: "every 2 days". Undefined if the schedule doesn't contain it. */
export function describeFrequency({
  frequency,
  frequency_options: every,
}: Pick<CampaignDetails, 'frequency' | 'frequency_options'>): string | undefined {
  if (frequency === 'cron') return t('each time the service runs its tasks');
  if (frequency !== 'every' || every === undefined || every.value < 1) return undefined;
  const [one, other] = intervals()[every.unit];
  return plural(every.value, one, other);
}

/** Describes the versions of the email, given their number. Undefined if there is only one. */
export function describeVersions({ siteParams }: Campaign, count: number): string | undefined {
  if (count < 2) return undefined;
  const versions = isEmptyValue(siteParams?.['abtest'])
    ? plural(count, t('{0} language version.'), t('{0} language versions.'))
    : count === 2
      ? plural(count, t('{0} A/B version.'), t('{0} A/B versions.'))
      : plural(count, t('{0} version.'), t('{0} versions.'));
  return `${versions} ${t("Saving changes the main version only. Change the others on the service's website.")}`;
}

const intervals = localized(() => ({
  hour: [t('every hour'), t('every {0} hours')] as const,
  day: [t('every day'), t('every {0} days')] as const,
  week: [t('every week'), t('every {0} weeks')] as const,
  month: [t('every month'), t('every {0} months')] as const,
}));

const stateDescriptions: Readonly<Record<CampaignState, (campaign: Campaign, date: string | undefined) => string>> = {
  draft: (campaign, date) =>
    joinParts([
      describeDraft(),
      campaign.sending_type === 'scheduled' && (date === undefined ? t('to be sent later') : t`to be sent ${date}`),
    ]),
  scheduled: (_, date) =>
    date === undefined
      ? t({ message: 'scheduled', comment: 'State of a campaign' })
      : t({ message: 'scheduled {0}', args: [date], comment: 'State of a campaign' }),
  auto: (campaign) =>
    joinParts([
      describeAutomatic(campaign),
      campaign.draft === 1
        ? describeDraft()
        : campaign.active === 0 && t({ message: 'inactive', comment: 'State of a campaign' }),
    ]),
  sent: (_, date) =>
    date === undefined
      ? t({ message: 'sent', comment: 'State of a campaign' })
      : t({ message: 'sent {0}', args: [date], comment: 'State of a campaign' }),
};

function describeDraft() {
  return t({ message: 'draft', comment: 'State of a campaign' });
}

/** Describes the state and its date: "scheduled Jan 31, 2027". */
export function describeCampaignState(campaign: Campaign): string {
  return stateDescriptions[getCampaignState(campaign)](campaign, formatSendingDate(campaign));
}

/** Formats the date when a campaign was or will be sent. Undefined if the record has none. */
export function formatSendingDate({ sending_date }: Pick<Campaign, 'sending_date'>): string | undefined {
  return formatServiceDateTime(sending_date);
}

/** Returns "automatic · every 2 days", or the name of an installation-specific sending type. */
function describeAutomatic(campaign: Campaign) {
  const { sending_type: type } = campaign;
  return !type || isSendingType(type)
    ? joinParts([
        t({ message: 'automatic', comment: 'State of a campaign' }),
        describeFrequency(readSchedule(campaign)),
      ])
    : t`active, of the type "${toSingleLine(type, 40)}"`;
}
