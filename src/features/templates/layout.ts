import { readJson } from '../../platform/documents/json.ts';
import type { AnyKind } from '../../platform/documents/model.ts';
import type { MappedKind } from '../sourceControl/model.ts';
import { templateDocuments } from './documents.ts';
import { templateDetailFields } from './model.ts';

/** How the fields of a template lie in a folder that is mapped to it. */
export const templateLayout: Pick<MappedKind, 'kind' | 'layout'> = {
  // What is read of a service goes back to the kind that it came from.
  kind: templateDocuments as unknown as AnyKind,
  layout: {
    texts: [
      { field: 'body', file: 'body.html', format: 'html' },
      { field: 'stylesheet', file: 'style.css', format: 'css' },
    ],
    details: {
      file: 'template.json',
      fields: templateDetailFields,
      parse: (text) => readJson(text, async () => (await import('./detailsSchema.ts')).templateDetailsSchema),
    },
    builtField: 'body',
  },
};
