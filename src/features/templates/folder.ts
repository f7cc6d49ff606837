import type { MappedKind } from '../sourceControl/model.ts';
import { createRecord } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { templateLayout } from './layout.ts';
import { templatePicking, templateSuffixes } from './model.ts';
import { Templates } from './templates.ts';

/** Templates as folders that are mapped to them. */
export const mappedTemplates = (services: ExtensionServices): MappedKind => ({
  ...templateLayout,
  picking: templatePicking,
  create: async (connection, name, texts, found) => {
    const templates = new Templates(services);
    const sent = { ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')), name };
    const draft = { connection, name, fields: sent, suffix: templateSuffixes.body };
    const ref = await createRecord(
      templates,
      draft,
      async (client) => (await client.createTemplate(sent)).templateId,
      found,
    );
    templates.refreshTree({ connection });
    return ref;
  },
});
