import type { MailingClient, Template } from '../../service/client/index.ts';
import type { AnyKind } from '../../platform/documents/model.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createRecord, openCreatedRecord, type NewRecord } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { readFieldTexts } from '../../sync/folder.ts';
import type { MappedKind } from '../sourceControl/model.ts';
import { templateDocuments, templateLayout } from './documents.ts';
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
    const draft = createTemplateDraft(connection, fields);
    const ref = await this.send(draft);
    return ref && openCreatedRecord(this, ref, draft);
  }

  /** Creates a template like `create`, without opening it. */
  send(draft: NewRecord, onFoundLater?: (ref: RecordRef) => unknown): Promise<RecordRef | undefined> {
    const { name, fields } = draft;
    const operation = async (client: MailingClient): Promise<number> =>
      (await client.createTemplate({ ...fields, name })).templateId;
    return createRecord(this, draft, operation, onFoundLater);
  }
}

function createTemplateDraft(connection: string, fields: TemplateFields): NewRecord {
  const sent = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return { connection, name: fields.name, fields: Object.fromEntries(sent), suffix: templateSuffixes.body };
}

/** Makes templates available to mapped folders. */
export function mappedTemplates(services: ExtensionServices): MappedKind {
  const kind: AnyKind = templateDocuments;
  return {
    kind,
    layout: templateLayout,
    picking: templatePicking,
    readTexts: (record) => readFieldTexts(templateLayout, (name) => kind.getField(record, name)),
    create: async (connection, name, texts, onFound) => {
      const templates = new Templates(services);
      const ref = await templates.send(createTemplateDraft(connection, { ...texts, name }), onFound);
      templates.refreshTree({ connection });
      return ref;
    },
  };
}
