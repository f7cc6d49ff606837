import type { Template } from '../../service/client/index.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import { formatServiceDateTime, joinParts } from '../../platform/ui/format.ts';
import { collection, getTemplateName, templateSuffixes } from './model.ts';

/** Template types. Drag-and-drop templates are read-only here. */
const templateTypes = {
  standard: { codicon: 'file-code', mark: undefined, typeLabel: 'standard' },
  drag: { codicon: 'layout', mark: 'drag and drop', typeLabel: 'drag and drop: read-only here' },
} as const;

/** The templates in the tree view. Dragging a template into an editor opens its body. */
export const templateTree: TreeCollection<Template> = {
  id: collection,
  label: 'Templates',
  codicon: 'file-code',
  pageSize: 20,
  empty: { message: 'No templates yet', command: { command: 'mailing.template.create', title: 'New Template…' } },
  filters: [
    { key: 'search', label: 'Name or subject' },
    {
      key: 'templateType',
      label: 'Type',
      choices: [
        { label: 'Standard', value: 'standard' },
        { label: 'Drag and drop', value: 'drag' },
      ],
    },
  ],
  fetch: (client, page, { search, templateType: type }, options) => {
    const templateType = type === 'standard' || type === 'drag' ? type : undefined;
    return client.getTemplates({ ...page, search, templateType }, options);
  },
  item: (template) => {
    const type = template.drag_editor === 1 ? 'drag' : 'standard';
    const { codicon, mark, typeLabel } = templateTypes[type];
    const label = getTemplateName(template);
    return {
      label,
      description: joinParts([mark, template.subject]),
      icon: { codicon },
      tooltip: [
        ['Name', label],
        ['Subject', template.subject ?? ''],
        ['Preheader', template.preheader ?? ''],
        ['From', joinParts([template.from_name, template.from_email])],
        ['Type', typeLabel],
        ['Created', formatServiceDateTime(template.creation_date) ?? ''],
        ['ID', String(template.id)],
      ],
      contextValue: `mailing.template.${type}`,
      accessibleName: ['Template', label, mark, template.subject && `subject ${template.subject}`]
        .filter(Boolean)
        .join(', '),
      document: { name: template.name || `template ${template.id}`, suffix: templateSuffixes.body },
    };
  },
};
