import * as l10n from '@vscode/l10n';
import { paginate } from '../../service/client/paginate.ts';
import type { Template } from '../../service/client/index.ts';
import { readJson, writeJson } from '../../platform/documents/json.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import { templateDetailFields, templateKind, templateSuffixes, templateTextFields } from './model.ts';
import * as v from 'valibot';
import { getDetailsMessage, textFields, requiredText } from '../../platform/documents/fieldSchemas.ts';
import type { FolderLayout } from '../../sync/folder.ts';

/** The fields of `<name>.template.json`: the fields of `updateTemplate` without body and stylesheet. */
export const templateDetailsSchema = v.strictObject(
  { ...textFields(templateTextFields, undefined), name: requiredText(() => l10n.t('a template needs a name.')) },
  getDetailsMessage,
);

/** The files of a mapped folder and the template fields in them. */
export const templateLayout: FolderLayout = {
  texts: [
    { field: 'body', file: 'body.html', format: 'html' },
    { field: 'stylesheet', file: 'style.css', format: 'css' },
  ],
  details: {
    file: 'template.json',
    fields: templateDetailFields,
    parse: (text) => readJson(text, templateDetailsSchema),
  },
  builtField: 'body',
};

/** The service responds with 403 to changes of drag-and-drop templates. */
const getDragAndDropReason = (): string =>
  l10n.t('Made with the drag-and-drop editor, so only that editor can change it. Duplicate it to edit a copy here.');

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
        writeJson(Object.fromEntries(templateDetailFields.map((field) => [field, template[field] ?? '']))),
      parse: (text) => readJson(text, templateDetailsSchema),
    },
  ],
  getCreationDate: ({ creation_date }) => creation_date,
  list: (client, options) =>
    paginate((page, { signal }) => client.getTemplates(page, { signal }), { pageSize: 100, ...options }),
  read: (client, id, options) => client.getOneTemplate(id, options),
  update: async (client, template, fields, options) => {
    await client.updateTemplate({ templateId: template.id, ...fields }, options);
  },
  getField: (template, name) => template[name as keyof Template],
  getReadOnlyReason: (template) => (template.drag_editor === 1 ? getDragAndDropReason() : undefined),
};
