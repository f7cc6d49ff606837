import type { MailingList } from '../api/index.ts';
import type { TreeCollection } from '../explorer/model.ts';
import { formatAmount, formatDateTime, joinParts } from '../ui/format.ts';

export const listTree: TreeCollection<MailingList> = {
  id: 'lists',
  label: 'Lists',
  codicon: 'organization',
  pageSize: 100,
  empty: { message: 'No lists yet', command: { command: 'mailing.list.create', title: 'New List…' } },
  filters: [
    { key: 'name', label: 'Name' },
    {
      key: 'active',
      label: 'Active',
      choices: [
        { label: 'Active', value: '1' },
        { label: 'Inactive', value: '0' },
      ],
    },
  ],
  fetch: (client, page, { name, active }, options) =>
    client.getLists({ ...page, filters: { ...(name && { name }), ...(active && { active: Number(active) }) } }, options),
  item: (list, ref) => {
    const label = list.name || list.display_name || `List ${list.id}`;
    const subscribers = typeof list.subscribers === 'number' ? formatAmount(list.subscribers, 'subscriber') : undefined;
    const marks = [list.active === 0 && 'inactive', list.visible === 0 && 'invisible', list.type === 'followup' && 'of a follow-up'];
    return {
      label,
      description: joinParts([subscribers, ...marks]),
      icon: list.color ? { swatch: list.color } : { codicon: 'organization' },
      tooltip: [
        ['Name', label],
        ['Shown as', list.display_name ?? ''],
        ['Subscribers', subscribers ?? ''],
        [
          'State',
          joinParts([list.active === 0 ? 'inactive' : 'active', list.visible === 0 ? 'invisible: not on subscription forms' : 'visible']),
        ],
        ['Description', list.description ?? ''],
        ['Color', list.color ?? ''],
        ['Created', formatDateTime(list.creation_date) ?? ''],
        ['ID', String(list.id)],
      ],
      contextValue: 'mailing.list',
      accessibleName: ['List', label, subscribers, ...marks].filter(Boolean).join(', '),
      command: {
        command: 'mailing.list.showSubscribers',
        title: 'Show Subscribers',
        arguments: [{ connection: ref.connection, id: ref.id }],
      },
      deleteCommand: 'mailing.list.delete',
    };
  },
};
