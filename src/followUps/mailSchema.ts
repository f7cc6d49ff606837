import * as v from 'valibot';
import { address, addresses, detailsMessage, text, textMessage } from '../documents/fieldSchemas.ts';

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
  detailsMessage('a mail'),
);
