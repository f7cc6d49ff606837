import * as v from 'valibot';
import { address, addresses, text, textMessage } from '../documents/fieldSchemas.ts';

/** The fields of `mails/<id>.json`: what the API document's table of a follow-up's e-mail has beside the body. */
export const mailSchema = v.strictObject(
  {
    name: v.pipe(v.string(textMessage), v.regex(/\S/u, 'a mail needs a name.')),
    subject: v.pipe(v.string(textMessage), v.regex(/\S/u, 'a mail needs a subject.')),
    preheader: text,
    from_name: text,
    from_email: address,
    reply_to_name: text,
    reply_to_email: address,
    bounce_email: address,
    bcc: addresses,
  },
  (issue) => (issue.expected === 'never' ? 'is not a field of a mail.' : issue.received === 'undefined' ? 'is missing.' : 'The details of a mail are one JSON object.'),
);
