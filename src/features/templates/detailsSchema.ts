import * as v from 'valibot';
import { detailsMessage, keptWhereAbsent, required } from '../../platform/documents/fieldSchemas.ts';
import { textFields } from './model.ts';

/** The fields of `<name>.template.json`: what `updateTemplate` takes beside body and stylesheet. */
export const detailsSchema = v.strictObject(
  { ...keptWhereAbsent(textFields), name: required('a template needs a name.') },
  detailsMessage('a template'),
);
