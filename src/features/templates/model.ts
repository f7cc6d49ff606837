import type { MailingClient, Template } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/record.ts';
import type { TextFields } from '../../platform/documents/fieldSchemas.ts';
import type { TypedCommand } from '../../platform/ui/commands.ts';
import { escapeMessage, toSingleLine } from '../../platform/ui/text.ts';

export const collection = 'templates';

/** The documents of a template, by what they end in. */
export const templateSuffixes = { body: '.html', stylesheet: '.css', details: '.template.json' } as const;

/** The fields of the details document, in their order there: a row for each, and one in `Template` and `NewTemplate`. */
export const templateTextFields = {
  name: 'text',
  subject: 'text',
  preheader: 'text',
  from_name: 'text',
  from_email: 'address',
  reply_to_name: 'text',
  reply_to_email: 'address',
  headers: 'text',
} as const satisfies TextFields;

type DetailField = keyof typeof templateTextFields;

export const templateDetailFields = Object.keys(templateTextFields) as readonly DetailField[];

/** Everything of a template that can be stored. */
export const templateFields: readonly (DetailField | 'body' | 'stylesheet')[] = [
  ...templateDetailFields,
  'body',
  'stylesheet',
];

/** What a new template is made of, by the API document's names. */
export type TemplateFields = Partial<Pick<Template, (typeof templateFields)[number]>> & { readonly name: string };

/** Makes a campaign of the template that is meant. Resolves with undefined where the user cancels. */
export const createCampaignCommand: TypedCommand<Partial<RecordRef>, RecordRef | undefined> = {
  id: 'mailing.template.createCampaign',
};

/** How a template is called, as plain text. */
export function getTemplateName({ id, name }: Pick<Template, 'id' | 'name'>): string {
  return toSingleLine(name ?? '') || `Template ${id}`;
}

/** The fields that make a copy of a template. */
export function copyTemplateFields(template: Template, name: string): TemplateFields {
  return { ...Object.fromEntries(templateFields.map((field) => [field, template[field]])), name };
}

/** How templates are picked. */
export const templatePicking = {
  collection,
  placeholder: 'Which template? Type to search names and subjects on the service',
  search: async (client: MailingClient, text: string, signal: AbortSignal) => {
    const templates = await client.getTemplates({ ...(text !== '' && { search: text }), limit: 50 }, { signal });
    return templates.toSorted(newestFirst).map((template) => ({
      id: template.id,
      name: template.name,
      label: escapeMessage(getTemplateName(template)),
      description: `#${template.id}`,
      detail: escapeMessage(template.subject ?? '') || undefined,
    }));
  },
};

/** By when they were made: services tell no other change. Those without a time come last. */
function newestFirst(one: Template, other: Template): number {
  return (other.creation_date ?? '').localeCompare(one.creation_date ?? '') || other.id - one.id;
}
