import type { SendingType } from '../records.ts';

/** A sample campaign with the text of the starter file `starter`. Ids start at 1 in this order. */
export interface SampleCampaign {
  readonly name: string;
  readonly subject: string;
  readonly starter: string;
  /** Other versions, each sent to some of the recipients. */
  readonly versions?: readonly { readonly name: string; readonly subject: string }[];
  readonly type: SendingType;
  readonly listIds: readonly number[];
  /** Hours between the sending and the start of the sandbox. */
  readonly sentHoursAgo?: number;
  /** Hours from the start of the sandbox to the sending or to the next run. */
  readonly dueInHours?: number;
  readonly schedule?: { readonly unit: 'weeks' | 'cron'; readonly value: number; readonly confirm: 0 | 1 };
  /** Id of the automatic campaign that generated this one. */
  readonly parent?: number;
}

export const sampleCampaigns: readonly SampleCampaign[] = [
  {
    name: 'Monthly letter no. 36',
    subject: 'Notes from the test kitchen',
    starter: 'newsletter',
    type: 'now',
    listIds: [1],
    sentHoursAgo: 27 * 24 + 5,
  },
  {
    name: 'Product update 4.2',
    subject: 'Faster search, calmer notifications',
    starter: 'announcement',
    type: 'now',
    listIds: [2, 5],
    sentHoursAgo: 20 * 24 + 2,
  },
  {
    name: 'Season sale',
    subject: 'Up to a third off, until Sunday',
    starter: 'sale',
    type: 'scheduled',
    listIds: [1, 5],
    sentHoursAgo: 13 * 24 + 7,
    versions: [{ name: 'Season sale (B)', subject: 'Half-moon lamp and slat chair: now or never' }],
  },
  {
    name: 'Fortnightly digest (1)',
    subject: 'The fortnight in ten links',
    starter: 'digest',
    type: 'now',
    listIds: [3],
    sentHoursAgo: 5 * 24 + 3,
    parent: 9,
  },
  {
    name: 'Workshop invitation',
    subject: 'Six seats left: letterpress on Saturday',
    starter: 'event',
    type: 'now',
    listIds: [4],
    sentHoursAgo: 2 * 24 + 6,
  },
  {
    name: 'Monthly letter no. 37',
    subject: 'What we learned from 38 ovens',
    starter: 'newsletter',
    type: 'now',
    listIds: [1],
    sentHoursAgo: 7,
  },
  {
    name: 'Year in review',
    subject: 'Twelve months, twelve pictures',
    starter: 'letter',
    type: 'now',
    listIds: [1, 2],
  },
  {
    name: 'Winter sale',
    subject: 'The winter sale opens at nine',
    starter: 'sale',
    type: 'scheduled',
    listIds: [1, 5],
    dueInHours: 6 * 24,
  },
  {
    name: 'Fortnightly digest',
    subject: 'The fortnight in ten links',
    starter: 'digest',
    type: 'auto',
    listIds: [3],
    dueInHours: 9 * 24 - 3,
    schedule: { unit: 'weeks', value: 2, confirm: 0 },
  },
  {
    name: 'New on the blog',
    subject: 'Fresh from the blog',
    starter: 'letter',
    type: 'auto',
    listIds: [3],
    dueInHours: 1,
    schedule: { unit: 'cron', value: 1, confirm: 1 },
  },
  {
    name: 'Opening hours over the holidays',
    subject: 'When we are open',
    starter: 'announcement',
    type: 'now',
    listIds: [],
  },
];
