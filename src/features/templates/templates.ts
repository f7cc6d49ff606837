import type { Template } from '../../service/client/index.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { templateDocuments } from './documents.ts';
import { templatePicking, templateSuffixes, type TemplateFields } from './model.ts';

/** Shared operations of the template commands. */
export class Templates extends RecordCommands<Template, ExtensionServices> {
  constructor(services: ExtensionServices) {
    super(services, templateDocuments, templatePicking);
  }

  /**
   * Creates a template and opens it. Reports fields that the service stored differently.
   * @returns undefined if the outcome is unknown
   * @throws `ApiError` if the service refused the request
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
