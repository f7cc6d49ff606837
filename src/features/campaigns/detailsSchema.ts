import * as v from 'valibot';
import {
  createDetailsMessage,
  textFieldsOrEmpty,
  idList,
  findProblems,
  requiredText,
  type Problem,
} from '../../platform/documents/fieldSchemas.ts';
import { readDateTime } from '../../platform/webview/form/dateTime.ts';
import { campaignTextFields } from './model.ts';

/** Times without a zone are in the time zone of the service. */
const dateField = v.pipe(
  v.string('must be a date in quotes.'),
  v.check(
    (value) => readDateTime(value) !== undefined,
    'must be a date that exists, in the form YYYY-MM-DD, or with a time YYYY-MM-DD HH:MM:SS.',
  ),
);

const frequencyOptionsField = v.strictObject(
  {
    unit: v.picklist(['hour', 'day', 'week', 'month'], 'must be "hour", "day", "week" or "month".'),
    value: v.pipe(
      v.number('must be a whole number.'),
      v.integer('must be a whole number.'),
      v.minValue(1, 'must be 1 or more.'),
    ),
  },
  'must be an object with "unit" and "value".',
);

/** The fields of `<name>.campaign.json`, as the API document's campaign table requires them. */
export const campaignDetailsSchema = v.pipe(
  v.strictObject(
    {
      ...textFieldsOrEmpty(campaignTextFields),
      name: requiredText('a campaign needs a name.'),
      subject: requiredText('a campaign needs a subject.'),
      listIds: v.optional(idList('list')),
      sending_type: v.optional(
        v.picklist(['now', 'scheduled', 'auto'], 'must be "now", "scheduled" or "auto".'),
        'now',
      ),
      sending_date: v.optional(dateField),
      frequency: v.optional(v.picklist(['every', 'cron'], 'must be "every" or "cron".')),
      frequency_options: v.optional(frequencyOptionsField),
      need_confirm: v.optional(v.picklist([0, 1], 'must be 0 or 1.')),
      start_date: v.optional(dateField),
    },
    createDetailsMessage('a campaign'),
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

/** Returns each violation of the API document's rules with its path. Empty if the details can be sent. */
export function validateCampaignDetails(details: unknown): readonly Problem[] {
  return findProblems(campaignDetailsSchema, details);
}
