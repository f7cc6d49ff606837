import * as v from 'valibot';
import { address, addresses, detailsMessage, text, textMessage } from '../documents/fieldSchemas.ts';
import { readDateTime } from '../webviews/form/dateTime.ts';
import type { Problem } from './validation.ts';

const required = (message: string) => v.pipe(v.string(textMessage), v.regex(/\S/u, message));

/** A time is that of the service, in whichever zone it has it. */
const date = v.pipe(
  v.string('must be a date in quotes.'),
  v.check(
    (value) => readDateTime(value) !== undefined,
    'must be a date that exists, in the form YYYY-MM-DD, or with a time YYYY-MM-DD HH:MM:SS.',
  ),
);

const frequencyOptions = v.strictObject(
  {
    unit: v.picklist(['hour', 'day', 'week', 'month'], 'must be "hour", "day", "week" or "month".'),
    value: v.pipe(v.number('must be a whole number.'), v.integer('must be a whole number.'), v.minValue(1, 'must be 1 or more.')),
  },
  'must be an object with "unit" and "value".',
);

/** The fields of `<name>.campaign.json`, as the API document's campaign table requires them. */
export const detailsSchema = v.pipe(
  v.strictObject(
    {
      name: required('a campaign needs a name.'),
      subject: required('a campaign needs a subject.'),
      from_name: text,
      from_email: address,
      reply_to_name: text,
      reply_to_email: address,
      bounce_email: address,
      bcc: addresses,
      listIds: v.optional(
        v.array(
          v.pipe(v.number('must be the id of a list.'), v.integer('must be the id of a list.'), v.minValue(1, 'must be the id of a list.')),
          'must be a list of ids: [1, 2].',
        ),
      ),
      sending_type: v.optional(v.picklist(['now', 'scheduled', 'auto'], 'must be "now", "scheduled" or "auto".'), 'now'),
      sending_date: v.optional(date),
      frequency: v.optional(v.picklist(['every', 'cron'], 'must be "every" or "cron".')),
      frequency_options: v.optional(frequencyOptions),
      need_confirm: v.optional(v.picklist([0, 1], 'must be 0 or 1.')),
      start_date: v.optional(date),
    },
    detailsMessage('a campaign'),
  ),
  v.forward(
    v.partialCheck(
      [['sending_type'], ['sending_date']],
      ({ sending_type, sending_date }) => sending_type !== 'scheduled' || sending_date !== undefined,
      'a scheduled campaign needs a date.',
    ),
    ['sending_date'],
  ),
  v.forward(
    v.partialCheck(
      [['sending_type'], ['frequency']],
      ({ sending_type, frequency }) => sending_type !== 'auto' || frequency !== undefined,
      'an automatic campaign needs a frequency: "every" or "cron".',
    ),
    ['frequency'],
  ),
  v.forward(
    v.partialCheck(
      [['sending_type'], ['frequency'], ['frequency_options']],
      ({ sending_type, frequency, frequency_options }) =>
        sending_type !== 'auto' || frequency !== 'every' || frequency_options !== undefined,
      'the frequency "every" needs a unit and a value.',
    ),
    ['frequency_options'],
  ),
);

/** Everything that is wrong with a campaign's details, each at its place. */
export function problemsOf(details: unknown): readonly Problem[] {
  const result = v.safeParse(detailsSchema, details);
  if (result.success) return [];
  return result.issues.map(({ path, message }) => ({ path: (path ?? []).map(({ key }) => key as string | number), message }));
}
