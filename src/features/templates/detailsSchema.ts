import * as v from 'valibot';
import { createDetailsMessage, optionalTextFields, requiredText } from '../../platform/documents/fieldSchemas.ts';
import { textFields } from './model.ts';

/** The fields of `<name>.template.json`: what `updateTemplate` takes beside body and stylesheet. */
export const detailsSchema = v.strictObject(
  { ...optionalTextFields(textFields), name: requiredText('a template needs a name.') },
  createDetailsMessage('a template'),
);
