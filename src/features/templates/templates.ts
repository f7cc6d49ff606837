import type { Template } from '../../service/client/index.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { templateDocuments } from './documents.ts';
import { templatePicking, templateSuffixes, type TemplateFields } from './model.ts';

/** What the commands on templates share. */
export class Templates extends RecordCommands<Template, ExtensionServices> {
  constructor(services: ExtensionServices) {
    super(services, templateDocuments, templatePicking);
  }

  /**
   * Makes a template and opens it. What the service did not keep as it was given is told. Undefined where it is not known whether it was
   * made.
   *
   * Throws `ApiError` where the service refused it.
   */
  async create(connection: string, fields: TemplateFields): Promise<FoundRecord | undefined> {
    const sent = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
    );
    const draft = { connection, name: fields.name, fields: sent, suffix: templateSuffixes.body };
    const ref = await createRecord(
      this,
      draft,
      async (client) => (await client.createTemplate({ ...sent, name: fields.name })).templateId,
    );
    return ref && openCreatedRecord(this, ref, draft);
  }
}
