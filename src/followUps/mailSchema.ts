import * as v from 'valibot';

const textMessage = 'must be text in quotes.';
const text = v.optional(v.string(textMessage), '');
const addressPattern = /^[^\s@<>",;]+@[^\s@<>",;]+$/u;
const address = v.optional(v.pipe(v.string(textMessage), v.check((value) => value === '' || addressPattern.test(value), 'must be one e-mail address, or empty.')), '');
const addresses = v.optional(
  v.pipe(
    v.string(textMessage),
    v.check((value) => value.trim() === '' || value.split(',').every((part) => addressPattern.test(part.trim())), 'must be e-mail addresses separated by commas, or empty.'),
  ),
  '',
);

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
