import * as l10n from '@vscode/l10n';
import type { MailingList } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatServiceDateTime, joinParts } from '../../platform/ui/format.ts';
import { collection, getListMarks, getListName, formatListSize } from './model.ts';

export const listTree: TreeCollection<MailingList> = {
  id: collection,
  get label() {
    return l10n.t('Lists');
  },
  codicon: 'organization',
  pageSize: 100,
  get empty() {
    return {
      message: l10n.t('No lists yet'),
      command: { command: 'mailing.list.create', title: l10n.t('New List…') },
    };
  },
  get filters() {
    return [
      { key: 'name', label: l10n.t('Name') },
      {
        key: 'active',
        label: l10n.t('State'),
        choices: [
          { label: l10n.t({ message: 'Active', comment: 'State of a list' }), value: '1' },
          { label: l10n.t({ message: 'Inactive', comment: 'State of a list' }), value: '0' },
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
        [l10n.t('Name'), label],
        [l10n.t('Display name'), list.display_name ?? ''],
        [l10n.t('Subscribers'), subscribers ?? ''],
        [
          l10n.t('State'),
          joinParts([
            list.active === 0
              ? l10n.t({ message: 'inactive', comment: 'State of a list' })
              : l10n.t({ message: 'active', comment: 'State of a list' }),
            list.visible === 0
              ? l10n.t('hidden on subscription forms')
              : l10n.t({ message: 'visible', comment: 'State of a list' }),
          ]),
        ],
        [l10n.t('Description'), list.description ?? ''],
        [l10n.t('Color'), list.color ?? ''],
        [l10n.t('Created'), formatServiceDateTime(list.creation_date) ?? ''],
        [l10n.t('ID'), String(list.id)],
      ],
      contextValue: 'mailing.list',
      accessibleName: [l10n.t('List'), label, subscribers, ...marks].filter(Boolean).join(', '),
    };
  },
};
