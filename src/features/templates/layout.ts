import { readJson } from '../../platform/documents/json.ts';
import type { AnyKind } from '../../platform/documents/model.ts';
import type { MappedKind } from '../sourceControl/model.ts';
import { templateDocuments } from './documents.ts';
import { templateDetailFields } from './model.ts';

/** The files of a mapped folder and the template fields in them. */
export const templateLayout: Pick<MappedKind, 'kind' | 'layout'> = {
  // Safe because records of this kind are only passed back to it.
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
