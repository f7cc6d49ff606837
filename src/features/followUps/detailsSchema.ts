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
/** Conditions stored on the service can have undocumented statuses. */
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
    // A number is an installation's own unit in seconds. It must be preserved.
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

/** Schema of `<name>.follow-up.json` by the API document. The fields required to create a follow-up are required. */
export const followUpDetailsSchema = details(documentedStatus);

/** Schema for saving an existing follow-up. Accepts undocumented statuses; `findFollowUpRefusal` checks the changed fields. */
export const followUpUpdateSchema = details(anyStatus);

/** Schema of `mails/<id>.json`: the documented fields of a follow-up's email except the body. */
export const mailSchema = v.strictObject(
  {
    ...textFieldsOrEmpty(mailTextFields),
    name: requiredText('a mail needs a name.'),
    subject: requiredText('a mail needs a subject.'),
  },
  createDetailsMessage('a mail'),
);

/** Returns the problems that prevent sending the details, each with its path. */
export function validateFollowUp(createDetailsSchema: unknown): readonly Problem[] {
  return findProblems(followUpDetailsSchema, createDetailsSchema);
}
