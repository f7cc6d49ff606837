import * as v from 'valibot';
import { createDetailsMessage, optionalTextFields, requiredText } from '../../platform/documents/fieldSchemas.ts';
import { readJson } from '../../platform/documents/json.ts';
import type { FolderLayout } from '../../sync/folder.ts';
import { templateDetailFields, templateTextFields } from './model.ts';

/** The fields of `<name>.template.json`: the fields of `updateTemplate` without body and stylesheet. */
export const templateDetailsSchema = v.strictObject(
  { ...optionalTextFields(templateTextFields), name: requiredText('a template needs a name.') },
  createDetailsMessage('a template'),
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
