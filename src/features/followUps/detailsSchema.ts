import * as v from 'valibot';
import {
  createDetailsMessage,
  textFieldsOrEmpty,
  idList,
  findProblems,
  requiredText,
  textMessage,
  wholeNumber,
  type Problem,
} from '../../platform/documents/fieldSchemas.ts';
import { mailTextFields } from './mailText.ts';
import { delayUnits, conditionStatuses } from './model.ts';

const optionalFlag = v.optional(v.picklist([0, 1], 'must be 0 or 1.'), 0);
const documentedStatus = v.optional(v.picklist(conditionStatuses, 'must be "is" or "is_not".'), 'is');
/** A condition that the service holds can have a status that no document names. */
const anyStatus = v.optional(v.string(textMessage), 'is');

const createConditionSchema = (status: typeof documentedStatus | typeof anyStatus) =>
  v.looseObject(
    {
      lists_status: status,
      lists: v.optional(idList('list'), []),
      segments_status: status,
      segments: v.optional(idList('segment'), []),
    },
    'must be an object with "lists_status", "lists", "segments_status" and "segments".',
  );

const mailDelaySchema = v.strictObject(
  {
    mail_id: wholeNumber('must be the id of a mail.', 1),
    delay: wholeNumber('must be a whole number, 0 or more.', 0),
    // A number stands for a unit of an installation's own: it stays as it is.
    delay_unit: v.union(
      [v.picklist(delayUnits), wholeNumber('', 1)],
      `must be ${delayUnits.map((unit) => `"${unit}"`).join(', ')}.`,
    ),
  },
  (issue) =>
    issue.expected === 'never'
      ? 'is not a field of a mail\u2019s delay.'
      : issue.received === 'undefined'
        ? 'is missing.'
        : 'must be an object with "mail_id", "delay" and "delay_unit".',
);

const details = (status: typeof documentedStatus | typeof anyStatus) =>
  v.strictObject(
    {
      name: requiredText('a follow-up needs a name.'),
      display_name: requiredText('a follow-up needs a display name: it is shown on the unsubscribe page.'),
      trigger: requiredText('a follow-up needs a trigger.'),
      condition: v.optional(createConditionSchema(status), {}),
      active: optionalFlag,
      send_once: optionalFlag,
      loop: optionalFlag,
      loop_delay: v.optional(wholeNumber('must be a whole number of seconds, 0 or more.', 0), 0),
      loop_mail_skip: v.optional(idList('mail'), []),
      mails: v.optional(v.array(mailDelaySchema, 'must be a list of mails.'), []),
    },
    createDetailsMessage('a follow-up'),
  );

/** The fields of `<name>.follow-up.json`, as the API document's tables have them; required are those that a creation needs. */
export const followUpDetailsSchema = details(documentedStatus);

/** The same for what is saved over a record: what it holds already may stay, and `refuse` looks at what was changed. */
export const followUpUpdateSchema = details(anyStatus);

/** The fields of `mails/<id>.json`: what the API document's table of a follow-up's email has beside the body. */
export const mailSchema = v.strictObject(
  {
    ...textFieldsOrEmpty(mailTextFields),
    name: requiredText('a mail needs a name.'),
    subject: requiredText('a mail needs a subject.'),
  },
  createDetailsMessage('a mail'),
);

/** Everything that the API document requires and these details lack, each at its place; empty where they can be sent. */
export function validateFollowUp(createDetailsSchema: unknown): readonly Problem[] {
  return findProblems(followUpDetailsSchema, createDetailsSchema);
}
