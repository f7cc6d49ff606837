import * as v from 'valibot';
import { createDetailsMessage, optionalTextFields, requiredText } from '../../platform/documents/fieldSchemas.ts';
import { templateTextFields } from './model.ts';

/** The fields of `<name>.template.json`: the fields of `updateTemplate` without body and stylesheet. */
export const templateDetailsSchema = v.strictObject(
  { ...optionalTextFields(templateTextFields), name: requiredText('a template needs a name.') },
  createDetailsMessage('a template'),
);
