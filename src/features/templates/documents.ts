import { paginate } from '../../service/client/paginate.ts';
import type { Template } from '../../service/client/index.ts';
import { readJson, writeJson } from '../../sync/fields/jsonDocument.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import { templateKind, templateSuffixes } from './model.ts';
import { templateDetailFields } from '../../sync/fields/templateFields.ts';
import { getTemplateLockReason, templateDetailsSchema } from '../../sync/mapping/templateLayout.ts';

export const templateDocuments: DocumentKind<Template> = {
  ...templateKind,
  parts: [
    { suffix: templateSuffixes.body, render: (template) => template.body ?? '', parse: (body) => ({ body }) },
    {
      suffix: templateSuffixes.stylesheet,
      render: (template) => template.stylesheet ?? '',
      parse: (stylesheet) => ({ stylesheet }),
    },
    {
      suffix: templateSuffixes.details,
      render: (template) =>
        writeJson({
          ...Object.fromEntries(templateDetailFields.map((field) => [field, template[field] ?? ''])),
          ...(template.drag_editor === 1 && { settings: template.settings ?? '' }),
        }),
      parse: (text) => readJson(text, templateDetailsSchema),
    },
  ],
  getCreationDate: ({ creation_date }) => creation_date,
  list: (client, options) => paginate((page, { signal }) => client.getTemplates(page, { signal }), options),
  read: (client, id, options) => client.getOneTemplate(id, options),
  update: async (client, template, fields, options) => {
    await client.updateTemplate({ templateId: template.id, ...fields }, options);
  },
  getField: (template, name) => template[name as keyof Template],
  getReadOnlyReason: getTemplateLockReason,
};
