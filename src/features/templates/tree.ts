import { t } from '@vscode/l10n';
import type { Template } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatServiceDateTime, joinParts } from '../../service/format.ts';
import { localized } from '../../l10n.ts';
import { collection, getTemplateName, templateSuffixes } from './model.ts';

/** Template types. Drag-and-drop templates are read-only here. */
const templateTypes = localized(() => ({
  standard: {
    codicon: 'file-code',
    mark: undefined,
    typeLabel: t({ message: 'standard', comment: 'Type of a template' }),
  },
  drag: { codicon: 'layout', mark: t('drag and drop'), typeLabel: t('drag and drop, read-only here') },
}));

/** The templates in the tree view. Dragging a template into an editor opens its body. */
export const templateTree: TreeCollection<Template> = {
  id: collection,
  get label() {
    return t('Templates');
  },
  codicon: 'file-code',
  pageSize: 20,
  get empty() {
    return {
      message: t('No templates yet'),
      command: { command: 'mailing.template.create', title: t('New Template…') },
    };
  },
  get filters() {
    return [
      { key: 'search', label: t('Name or subject') },
      {
        key: 'templateType',
        label: t('Type'),
        choices: [
          { label: t({ message: 'Standard', comment: 'Type of a template' }), value: 'standard' },
          { label: t('Drag and drop'), value: 'drag' },
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
        [t('Name'), label],
        [t('Subject'), template.subject ?? ''],
        [t('Preheader'), template.preheader ?? ''],
        [t({ message: 'From', comment: 'Sender of an email' }), joinParts([template.from_name, template.from_email])],
        [t('Type'), typeLabel],
        [t('Created'), formatServiceDateTime(template.creation_date) ?? ''],
        [t('ID'), String(template.id)],
      ],
      contextValue: `mailing.template.${type}`,
      accessibleName: [
        t('Template'),
        label,
        mark,
        template.subject &&
          t({
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
