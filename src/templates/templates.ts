import type { Template } from '../api/index.ts';
import type { Rooms } from '../rooms.ts';
import { RecordCommands, type FoundRecord, type Picking } from '../documents/recordCommands.ts';
import { inMessage } from '../ui/text.ts';
import { suffixes, templateDocuments } from './documents.ts';

/** What a new template is made of, by the API document's names. */
export type TemplateFields = Partial<
  Pick<
    Template,
    'subject' | 'body' | 'stylesheet' | 'preheader' | 'from_name' | 'from_email' | 'reply_to_name' | 'reply_to_email' | 'headers'
  >
> & { readonly name: string };

/** What the commands on templates share. */
export class Templates extends RecordCommands<Template> {
  constructor(rooms: Rooms) {
    super(rooms, templateDocuments, picking);
  }

  /**
   * Makes a template and opens it. What the service did not keep as it was given is told. Undefined where it is not known whether it was
   * made.
   *
   * Throws `ApiError` where the service refused it.
   */
  async create(connection: string, fields: TemplateFields): Promise<FoundRecord | undefined> {
    const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''));
    const draft = { connection, name: fields.name, sent, suffix: suffixes.body };
    const ref = await this.make(draft, async (client) => (await client.createTemplate({ ...sent, name: fields.name })).templateId);
    return ref && this.showMade(ref, draft);
  }
}

const picking: Picking = {
  placeholder: 'Which template? Type to search names and subjects on the service',
  search: async (client, text, signal) => {
    const templates = await client.getTemplates({ ...(text === '' ? {} : { search: text }), limit: 50 }, { signal });
    return templates.map((template) => ({
      id: template.id,
      name: template.name,
      label: inMessage(template.name ?? '') || `Template ${template.id}`,
      description: `#${template.id}`,
      ...(template.subject ? { detail: inMessage(template.subject) } : {}),
    }));
  },
};

/** The fields that make a copy of a template. */
export function copyOf(template: Template, name: string): TemplateFields {
  const { subject, body, stylesheet, preheader, from_name, from_email, reply_to_name, reply_to_email, headers } = template;
  return { name, subject, body, stylesheet, preheader, from_name, from_email, reply_to_name, reply_to_email, headers };
}
