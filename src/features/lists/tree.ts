import type { MailingList } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatServiceDateTime, joinParts } from '../../platform/ui/format.ts';
import { collection, getListMarks, getListName, formatListSize } from './model.ts';

export const listTree: TreeCollection<MailingList> = {
  id: collection,
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
    client.getLists({ ...page, filters: { name, active: active ? Number(active) : undefined } }, options),
  item: (list) => {
    const label = getListName(list);
    const subscribers = formatListSize(list);
    const marks = getListMarks(list);
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
          joinParts([
            list.active === 0 ? 'inactive' : 'active',
            list.visible === 0 ? 'invisible: not on subscription forms' : 'visible',
          ]),
        ],
        ['Description', list.description ?? ''],
        ['Color', list.color ?? ''],
        ['Created', formatServiceDateTime(list.creation_date) ?? ''],
        ['ID', String(list.id)],
      ],
      contextValue: 'mailing.list',
      accessibleName: ['List', label, subscribers, ...marks].filter(Boolean).join(', '),
    };
  },
};
