import type { TextFields } from './fieldSchemas.ts';

/** The fields of the details document, in its order. A new field also needs an entry in `Template` and `NewTemplate`. */
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

export type TemplateDetailField = keyof typeof templateTextFields;

export const templateDetailFields = Object.keys(templateTextFields) as readonly TemplateDetailField[];
