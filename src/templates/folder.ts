import type { AnyKind } from '../documents/model.ts';
import type { MappedKind } from '../folders/model.ts';
import { readJson } from '../documents/json.ts';
import { makeRecord } from '../sending/recordChanges.ts';
import type { ExtensionServices } from '../services.ts';
import { templateDocuments } from './documents.ts';
import { detailFields, picking, suffixes } from './model.ts';
import { Templates } from './templates.ts';

/** How the fields of a template lie in a folder that is mapped to it. */
export const mappedTemplates = (services: ExtensionServices): MappedKind => ({
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
  create: async (connection, name, texts, found) => {
    const templates = new Templates(services);
    const sent = { ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')), name };
    const draft = { connection, name, sent, suffix: suffixes.body };
    const ref = await makeRecord(templates, draft, async (client) => (await client.createTemplate(sent)).templateId, found);
    templates.redraw({ connection });
    return ref;
  },
});
