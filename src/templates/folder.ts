import type { AnyKind } from '../documents/model.ts';
import type { MappedKind } from '../folders/model.ts';
import { readJson } from '../documents/json.ts';
import { templateDocuments } from './documents.ts';
import { detailFields, picking } from './model.ts';

/** How the fields of a template lie in a folder that is mapped to it. */
export const mappedTemplates: MappedKind = {
  // What is read of a service goes back to the kind that it came from.
  kind: templateDocuments as unknown as AnyKind,
  picking,
  layout: {
    texts: [
      { field: 'body', file: 'body.html', format: 'html' },
      { field: 'stylesheet', file: 'style.css', format: 'css' },
    ],
    details: {
      file: 'template.json',
      fields: detailFields,
      parse: (text) => readJson(text, async () => (await import('./detailsSchema.ts')).detailsSchema),
    },
    built: 'body',
  },
};
