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
   * Makes a template and opens it. What the service did not keep as it was given is told.
   *
   * Throws `ApiError`; of `outcome` `unknown` where it may have been made.
   */
  async create(connection: string, fields: TemplateFields): Promise<FoundRecord> {
    const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''));
    const { templateId } = await this.make(connection, (client) => client.createTemplate({ ...sent, name: fields.name }));
    const ref = { connection, id: templateId };
    await this.made(ref, sent);
    return this.open(ref, suffixes.body);
  }
}

const picking: Picking = {
  placeholder: 'Which template? Type to search names and subjects on the service',
  search: async (client, text, signal) => {
    const templates = await client.getTemplates({ ...(text === '' ? {} : { search: text }), limit: 50 }, { signal });
    return templates.map((template) => ({
      id: template.id,
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
