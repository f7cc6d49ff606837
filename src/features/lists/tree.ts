import { t } from '@vscode/l10n';
import type { MailingList } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatServiceDateTime, joinParts } from '../../service/format.ts';
import { collection, getListMarks, getListName, formatListSize } from './model.ts';

export const listTree: TreeCollection<MailingList> = {
  id: collection,
  get label() {
    return t('Lists');
  },
  codicon: 'organization',
  pageSize: 100,
  get empty() {
    return {
      message: t('No lists yet'),
      command: { command: 'mailing.list.create', title: t('New List…') },
    };
  },
  get filters() {
    return [
      { key: 'name', label: t('Name') },
      {
        key: 'active',
        label: t('State'),
        choices: [
          { label: t({ message: 'Active', comment: 'State of a list' }), value: '1' },
          { label: t({ message: 'Inactive', comment: 'State of a list' }), value: '0' },
        ],
      },
    ];
  },
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
        [t('Name'), label],
        [t('Display name'), list.display_name ?? ''],
        [t('Subscribers'), subscribers ?? ''],
        [
          t('State'),
          joinParts([
            list.active === 0
              ? t({ message: 'inactive', comment: 'State of a list' })
              : t({ message: 'active', comment: 'State of a list' }),
            list.visible === 0
              ? t('hidden on subscription forms')
              : t({ message: 'visible', comment: 'State of a list' }),
          ]),
        ],
        [t('Description'), list.description ?? ''],
        [t('Color'), list.color ?? ''],
        [t('Created'), formatServiceDateTime(list.creation_date) ?? ''],
        [t('ID'), String(list.id)],
      ],
      contextValue: 'mailing.list',
      accessibleName: [t('List'), label, subscribers, ...marks].filter(Boolean).join(', '),
    };
  },
};
