import type { TextFields } from './fieldSchemas.ts';

/** The text fields that every email has. */
export const emailTextFields = {
  name: 'text',
  subject: 'text',
  preheader: 'text',
  from_name: 'text',
  from_email: 'address',
  reply_to_name: 'text',
  reply_to_email: 'address',
} as const satisfies TextFields;

/** The fields of the details document, in its order. A new field also needs an entry in `Template` and `NewTemplate`. */
export const templateTextFields = { ...emailTextFields, headers: 'text' } as const satisfies TextFields;

export type TemplateDetailField = keyof typeof templateTextFields;

export const templateDetailFields = Object.keys(templateTextFields) as readonly TemplateDetailField[];
