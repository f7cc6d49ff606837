import * as v from 'valibot';
import { detailsMessage } from '../documents/fieldSchemas.ts';

const text = v.optional(v.string('must be text in quotes.'));
const address = v.optional(
  v.pipe(v.string('must be text in quotes.'), v.regex(/^$|^[^\s@<>",;]+@[^\s@<>",;]+$/u, 'must be one e-mail address, or empty.')),
);

/** The fields of `<name>.template.json`: what `updateTemplate` takes beside body and stylesheet. */
export const detailsSchema = v.strictObject(
  {
    name: v.pipe(v.string('must be text in quotes.'), v.regex(/\S/u, 'a template needs a name.')),
    subject: text,
    preheader: text,
    from_name: text,
    from_email: address,
    reply_to_name: text,
    reply_to_email: address,
    headers: text,
  },
  detailsMessage('a template'),
);
