import type { MailingClient, Template } from '../../service/client/index.ts';
import type { ServiceRef } from '../../platform/connections/model.ts';
import type { AnyKind } from '../../platform/documents/model.ts';
import { RecordCommands, type FoundRecord } from '../../platform/documents/recordCommands.ts';
import { createAndOpenRecord, createRecord, type NewRecord } from '../sending/recordChanges.ts';
import type { ExtensionServices } from '../services.ts';
import { readTemplateTexts } from '../../sync/mapping/templateLayout.ts';
import type { MappedKind } from '../sourceControl/model.ts';
import { templateDocuments } from './documents.ts';
import { templatePicking, templateSuffixes, type TemplateFields } from './model.ts';

/** Shared operations of the template commands. */
export class Templates extends RecordCommands<Template, ExtensionServices> {
  constructor(services: ExtensionServices) {
    super(services, templateDocuments, templatePicking);
  }

  /**
   * Creates a template and opens it. Reports fields that the service stored differently.
   * @returns undefined if the outcome is unconfirmed
   * @throws `ApiError` if the service refused the request
   */
  create(service: ServiceRef, fields: TemplateFields): Promise<FoundRecord | undefined> {
    return createAndOpenRecord(this, createTemplateDraft(service, fields));
  }
}

function createTemplateDraft(service: ServiceRef, { name, ...others }: TemplateFields): NewRecord {
  const filled = Object.entries(others).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const fields = { ...Object.fromEntries(filled), name };
  const create = async (client: MailingClient) => (await client.createTemplate(fields)).templateId;
  return { service, name, fields, suffix: templateSuffixes.body, create };
}

/** Makes templates available to mapped folders. */
export function mappedTemplates(services: ExtensionServices): MappedKind {
  const kind: AnyKind = templateDocuments;
  return {
    kind,
    picking: templatePicking,
    readTexts: readTemplateTexts,
    create: async (service, name, texts, onFound) => {
      const templates = new Templates(services);
      const { settings: _, ...fields } = texts;
      const draft = createTemplateDraft(service, { ...fields, name });
      const ref = await createRecord(templates, draft, async (made, isLate) => {
        if (isLate) await onFound(made);
        return made;
      });
      templates.refreshTree(service);
      return ref;
    },
  };
}
