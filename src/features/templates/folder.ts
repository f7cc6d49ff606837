import type { MappedKind } from '../sourceControl/model.ts';
import { createRecord } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { templateLayout } from './layout.ts';
import { templatePicking, templateSuffixes } from './model.ts';
import { Templates } from './templates.ts';

/** Makes templates available to mapped folders. */
export const mappedTemplates = (services: ExtensionServices): MappedKind => ({
  ...templateLayout,
  picking: templatePicking,
  create: async (connection, name, texts, onFound) => {
    const templates = new Templates(services);
    const sent = { ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')), name };
    const draft = { connection, name, fields: sent, suffix: templateSuffixes.body };
    const ref = await createRecord(
      templates,
      draft,
      async (client) => (await client.createTemplate(sent)).templateId,
      onFound,
    );
    templates.refreshTree({ connection });
    return ref;
  },
});
