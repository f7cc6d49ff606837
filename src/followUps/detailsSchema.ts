import * as v from 'valibot';
import { detailsMessage } from '../documents/fieldSchemas.ts';
import { delayUnits } from './delays.ts';
import { statuses } from './fields.ts';
import type { Problem } from './validation.ts';

const textMessage = 'must be text in quotes.';
const required = (message: string) => v.pipe(v.string(textMessage), v.regex(/\S/u, message));
const flag = v.optional(v.picklist([0, 1], 'must be 0 or 1.'), 0);
const whole = (message: string, minimum: number) => v.pipe(v.number(message), v.integer(message), v.minValue(minimum, message));
const ids = (noun: string) => v.array(whole(`must be the id of a ${noun}.`, 1), `must be a list of ids: [1, 2].`);
const documentedStatus = v.optional(v.picklist(statuses, 'must be "is" or "is_not".'), 'is');
/** A condition that the service holds can have a status that no document names. */
const anyStatus = v.optional(v.string(textMessage), 'is');

const condition = (status: typeof documentedStatus | typeof anyStatus) => v.looseObject(
  { lists_status: status, lists: v.optional(ids('list'), []), segments_status: status, segments: v.optional(ids('segment'), []) },
  'must be an object with "lists_status", "lists", "segments_status" and "segments".',
);

const mail = v.strictObject(
  {
    mail_id: whole('must be the id of a mail.', 1),
    delay: whole('must be a whole number, 0 or more.', 0),
    // A number stands for a unit of an installation's own: it stays as it is.
    delay_unit: v.union([v.picklist(delayUnits), whole('', 1)], `must be ${delayUnits.map((unit) => `"${unit}"`).join(', ')}.`),
  },
  (issue) =>
    issue.expected === 'never'
      ? 'is not a field of a mail\u2019s delay.'
      : issue.received === 'undefined'
        ? 'is missing.'
        : 'must be an object with "mail_id", "delay" and "delay_unit".',
);

const details = (status: typeof documentedStatus | typeof anyStatus) => v.strictObject(
  {
    name: required('a follow-up needs a name.'),
    display_name: required('a follow-up needs a display name: it is shown on the unsubscribe page.'),
    trigger: required('a follow-up needs a trigger.'),
    condition: v.optional(condition(status), {}),
    active: flag,
    send_once: flag,
    loop: flag,
    loop_delay: v.optional(whole('must be a whole number of seconds, 0 or more.', 0), 0),
    loop_mail_skip: v.optional(ids('mail'), []),
    mails: v.optional(v.array(mail, 'must be a list of mails.'), []),
  },
  detailsMessage('a follow-up'),
);

/** The fields of `<name>.follow-up.json`, as the API document's tables have them; required are those that a creation needs. */
export const detailsSchema = details(documentedStatus);

/** The same for what is saved over a record: what it holds already may stay, and `refuse` looks at what was changed. */
export const savedSchema = details(anyStatus);

/** What the schema says against a value, field by field. */
export function problemsOf(details: unknown): Problem[] {
  const result = v.safeParse(detailsSchema, details);
  if (result.success) return [];
  return result.issues.map(({ path, message }) => ({ path: (path ?? []).map(({ key }) => key as string | number), message }));
}
