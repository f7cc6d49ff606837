import { t } from '@vscode/l10n';
import type { MailingClient, Template } from '../../service/client/index.ts';
import { templateDetailFields, type TemplateDetailField } from '../../sync/fields/templateFields.ts';
import { escapeMessage, toSingleLine } from '../../service/text.ts';

export const collection = 'templates';

/** File suffixes of a template's documents. */
export const templateSuffixes = { body: '.html', stylesheet: '.css', details: '.template.json' } as const;

/** The properties of the documents that are needed before their code is loaded. */
export const templateKind = {
  collection,
  noun: 'template',
  name: (template: Template) => template.name ?? '',
  readOnlyCommand: 'mailing.record.duplicate',
  suffixes: Object.values(templateSuffixes),
};

export const templateFields: readonly (TemplateDetailField | 'body' | 'stylesheet')[] = [
  ...templateDetailFields,
  'body',
  'stylesheet',
];

/** The fields of a new template by their API names. */
export type TemplateFields = Partial<Pick<Template, (typeof templateFields)[number]>> & { readonly name: string };

/** Returns a template's name as plain text, or its id if it has no name. */
export function getTemplateName({ id, name }: Pick<Template, 'id' | 'name'>): string {
  return toSingleLine(name ?? '') || t`Template ${id}`;
}

export const templatePicking = {
  collection,
  get placeholder() {
    return t('Select a template. Type to search names and subjects on the service');
  },
  search: async (client: MailingClient, text: string, signal: AbortSignal) => {
    const templates = await client.getTemplates({ search: text || undefined, limit: 50 }, { signal });
    return templates.toSorted(newestFirst).map((template) => ({
      id: template.id,
      name: template.name,
      label: escapeMessage(getTemplateName(template)),
      description: `#${template.id}`,
      detail: escapeMessage(template.subject ?? '') || undefined,
    }));
  },
};

/** Sorts by creation date, as services report no modification date. Templates without a date come last. */
function newestFirst(one: Template, other: Template) {
  return (other.creation_date ?? '').localeCompare(one.creation_date ?? '') || other.id - one.id;
}
