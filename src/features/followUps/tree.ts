import { plural, t } from '../../l10n.ts';
import type { FollowUp } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatServiceDateTime, formatTimestamp, joinParts } from '../../service/format.ts';
import { getFollowUpName, triggerLabels, formatTrigger } from './model.ts';
import { collection } from './kind.ts';

const followUpStateIcons = {
  active: { codicon: 'zap', color: 'charts.green' },
  inactive: { codicon: 'circle-slash', color: 'disabledForeground' },
} as const;

export const followUpTree: TreeCollection<FollowUp> = {
  id: collection,
  get label() {
    return t('Follow-ups');
  },
  codicon: 'zap',
  pageSize: 100,
  get empty() {
    return {
      message: t('No follow-ups yet'),
      command: { command: 'mailing.followUp.create', title: t('New Follow-up…') },
    };
  },
  get filters() {
    return [
      { key: 'name', label: t('Name') },
      { key: 'display_name', label: t('Display name') },
      {
        key: 'active',
        label: t({ message: 'Active', comment: 'State of a follow-up' }),
        choices: [
          { label: t({ message: 'Active', comment: 'State of a follow-up' }), value: '1' },
          { label: t({ message: 'Inactive', comment: 'State of a follow-up' }), value: '0' },
        ],
      },
      {
        key: 'send_once',
        label: t('Send once'),
        choices: [
          { label: t('Once per user'), value: '1' },
          { label: t('Each time it is triggered'), value: '0' },
        ],
      },
      {
        key: 'trigger',
        label: t('Trigger'),
        choices: Object.entries(triggerLabels().documented).map(([value, label]) => ({ label, value })),
      },
    ];
  },
  fetch: (client, page, { name, display_name, active, send_once, trigger }, options) => {
    const toFlag = (value: string | undefined) => (value ? Number(value) : undefined);
    const filters = { name, display_name, active: toFlag(active), send_once: toFlag(send_once), trigger };
    return client.getFollowUps({ ...page, filters }, options);
  },
  item: (followUp) => {
    const state = followUp.active === 1 ? 'active' : 'inactive';
    const stateText =
      state === 'active'
        ? t({ message: 'active', comment: 'State of a follow-up' })
        : t({ message: 'inactive', comment: 'State of a follow-up' });
    const label = getFollowUpName(followUp);
    const trigger = formatTrigger(followUp.trigger);
    // Only some installations include the mails in a list of follow-ups.
    const mails = Array.isArray(followUp.mails)
      ? plural(followUp.mails.length, t('{0} email'), t('{0} emails'))
      : undefined;
    return {
      label,
      description: joinParts([state === 'inactive' && stateText, trigger, mails]),
      icon: followUpStateIcons[state],
      tooltip: [
        [t('Name'), label],
        [t('Display name'), followUp.display_name ?? ''],
        [t('State'), stateText],
        [t('Trigger'), trigger ?? ''],
        [t('Emails'), mails ?? ''],
        [
          t({ message: 'Sent', comment: 'How often a follow-up is sent to each user' }),
          followUp.send_once === 1
            ? t('once per user')
            : followUp.send_once === 0
              ? t('each time it is triggered')
              : '',
        ],
        [
          t({
            message: 'Loop',
            comment: 'Heading: whether a follow-up starts again after its last mail',
          }),
          followUp.loop === 1 ? t('starts again after the last email') : '',
        ],
        [t('Last triggered'), formatTimestamp(followUp.last_trigger) ?? ''],
        [
          t({ message: 'Created', comment: 'Date when the follow-up was created' }),
          formatServiceDateTime(followUp.creation_date) ?? '',
        ],
        [t('ID'), String(followUp.id)],
      ],
      contextValue: `mailing.followUp.${state}`,
      accessibleName: [t('Follow-up'), label, stateText, trigger, mails].filter(Boolean).join(', '),
    };
  },
};
