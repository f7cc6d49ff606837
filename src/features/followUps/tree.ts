import type { FollowUp } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatAmount, formatServiceDateTime, formatTimestamp, joinParts } from '../../platform/ui/format.ts';
import { collection, getFollowUpName, triggerLabels, formatTrigger } from './model.ts';

const followUpStateIcons = {
  active: { codicon: 'zap', color: 'charts.green' },
  inactive: { codicon: 'circle-slash', color: 'disabledForeground' },
} as const;

export const followUpTree: TreeCollection<FollowUp> = {
  id: collection,
  label: 'Follow-ups',
  codicon: 'zap',
  pageSize: 100,
  empty: { message: 'No follow-ups yet', command: { command: 'mailing.followUp.create', title: 'New Follow-up…' } },
  filters: [
    { key: 'name', label: 'Name' },
    { key: 'display_name', label: 'Display name' },
    {
      key: 'active',
      label: 'Active',
      choices: [
        { label: 'Active', value: '1' },
        { label: 'Inactive', value: '0' },
      ],
    },
    {
      key: 'send_once',
      label: 'Send once',
      choices: [
        { label: 'Once for each user', value: '1' },
        { label: 'Again and again', value: '0' },
      ],
    },
    {
      key: 'trigger',
      label: 'Trigger',
      choices: Object.entries(triggerLabels.documented).map(([value, label]) => ({ label, value })),
    },
  ],
  fetch: (client, page, { name, display_name, active, send_once, trigger }, options) => {
    const toFlag = (value: string | undefined): number | undefined => (value ? Number(value) : undefined);
    const filters = { name, display_name, active: toFlag(active), send_once: toFlag(send_once), trigger };
    return client.getFollowUps({ ...page, filters }, options);
  },
  item: (followUp) => {
    const state = followUp.active === 1 ? 'active' : 'inactive';
    const label = getFollowUpName(followUp);
    const trigger = formatTrigger(followUp.trigger);
    // Only some installations include the mails in a list of follow-ups.
    const mails = Array.isArray(followUp.mails) ? formatAmount(followUp.mails.length, 'email') : undefined;
    return {
      label,
      description: joinParts([state === 'inactive' && state, trigger, mails]),
      icon: followUpStateIcons[state],
      tooltip: [
        ['Name', label],
        ['Shown as', followUp.display_name ?? ''],
        ['State', state],
        ['Starts', trigger ?? ''],
        ['Emails', mails ?? ''],
        [
          'Sent',
          followUp.send_once === 1 ? 'once for each user' : followUp.send_once === 0 ? 'whenever it is triggered' : '',
        ],
        ['Loop', followUp.loop === 1 ? 'starts again after the last email' : ''],
        ['Last triggered', formatTimestamp(followUp.last_trigger) ?? ''],
        ['Created', formatServiceDateTime(followUp.creation_date) ?? ''],
        ['ID', String(followUp.id)],
      ],
      contextValue: `mailing.followUp.${state}`,
      accessibleName: ['Follow-up', label, state, trigger, mails].filter(Boolean).join(', '),
    };
  },
};
