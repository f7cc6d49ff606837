import * as l10n from '@vscode/l10n';
import type { Template } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatServiceDateTime, joinParts } from '../../platform/ui/format.ts';
import { localized } from '../../l10n.ts';
import { collection, getTemplateName, templateSuffixes } from './model.ts';

/** Template types. Drag-and-drop templates are read-only here. */
const templateTypes = localized(() => ({
  standard: {
    codicon: 'file-code',
    mark: undefined,
    typeLabel: l10n.t({ message: 'standard', args: [], comment: 'Type of a template' }),
  },
  drag: { codicon: 'layout', mark: l10n.t('drag and drop'), typeLabel: l10n.t('drag and drop, read-only here') },
}));

/** The templates in the tree view. Dragging a template into an editor opens its body. */
export const templateTree: TreeCollection<Template> = {
  id: collection,
  get label() {
    return l10n.t('Templates');
  },
  codicon: 'file-code',
  pageSize: 20,
  get empty() {
    return {
      message: l10n.t('No templates yet'),
      command: { command: 'mailing.template.create', title: l10n.t('New Template…') },
    };
  },
  get filters() {
    return [
      { key: 'search', label: l10n.t('Name or subject') },
      {
        key: 'templateType',
        label: l10n.t('Type'),
        choices: [
          { label: l10n.t({ message: 'Standard', args: [], comment: 'Type of a template' }), value: 'standard' },
          { label: l10n.t('Drag and drop'), value: 'drag' },
        ],
      },
    ];
  },
  fetch: (client, page, { search, templateType: type }, options) => {
    const templateType = type === 'standard' || type === 'drag' ? type : undefined;
    return client.getTemplates({ ...page, search, templateType }, options);
  },
  item: (template) => {
    const type = template.drag_editor === 1 ? 'drag' : 'standard';
    const { codicon, mark, typeLabel } = templateTypes()[type];
    const label = getTemplateName(template);
    return {
      label,
      description: joinParts([mark, template.subject]),
      icon: { codicon },
      tooltip: [
        [l10n.t('Name'), label],
        [l10n.t('Subject'), template.subject ?? ''],
        [l10n.t('Preheader'), template.preheader ?? ''],
        [
          l10n.t({ message: 'From', args: [], comment: 'Sender of an email' }),
          joinParts([template.from_name, template.from_email]),
        ],
        [l10n.t('Type'), typeLabel],
        [l10n.t('Created'), formatServiceDateTime(template.creation_date) ?? ''],
        [l10n.t('ID'), String(template.id)],
      ],
      contextValue: `mailing.template.${type}`,
      accessibleName: [
        l10n.t('Template'),
        label,
        mark,
        template.subject &&
          l10n.t({
            message: 'subject {0}',
            args: [template.subject],
            comment: 'Subject of an email, for screen readers',
          }),
      ]
        .filter(Boolean)
        .join(', '),
      document: { name: template.name || `template ${template.id}`, suffix: templateSuffixes.body },
    };
  },
};
