import type { StoredList } from '../records.ts';
import type { Population } from '../members.ts';
import { testers } from './people.ts';

/** A sample list. Ids start at 1 in this order. */
export interface SampleList extends Pick<
  StoredList,
  'name' | 'display_name' | 'description' | 'color' | 'active' | 'visible'
> {
  /** Age in days when the sandbox starts. */
  readonly ageDays: number;
  readonly population: Population;
  readonly hasMails?: boolean;
}

/** List that contains all subscribers. */
export const ALL_CONTACTS = 6;
/** List for test sends. */
export const TEST_LIST = 8;

export const sampleLists: readonly SampleList[] = [
  {
    name: 'Newsletter',
    display_name: 'The monthly letter',
    description: 'One letter a month: stories, recipes and what is new.',
    color: '#2f6feb',
    active: '1',
    visible: '1',
    ageDays: 912,
    population: { subscribed: 0.71, unsubscribed: 0.11 },
    hasMails: true,
  },
  {
    name: 'Product updates',
    display_name: null,
    description: 'New features and changes, as they are released.',
    color: '#1a7f5a',
    active: '1',
    visible: '1',
    ageDays: 733,
    population: { subscribed: 0.46, unsubscribed: 0.06 },
  },
  {
    name: 'Weekly digest',
    display_name: 'The week in ten links',
    description: 'Sent on Friday mornings.',
    color: '#c2700f',
    active: '1',
    visible: '1',
    ageDays: 540,
    population: { subscribed: 0.33, unsubscribed: 0.09 },
  },
  {
    name: 'Events & workshops',
    display_name: 'Events',
    description: 'Invitations to what happens near you. At most two a month.',
    color: '#8250df',
    active: '1',
    visible: '1',
    ageDays: 401,
    population: { subscribed: 0.24, unsubscribed: 0.03 },
  },
  {
    name: 'Customers',
    display_name: null,
    description: 'Everybody who ever ordered; offers and recalls.',
    color: '#bf3989',
    active: '1',
    visible: '1',
    ageDays: 880,
    population: { subscribed: 0.38, unsubscribed: 0.04 },
  },
  {
    name: 'All contacts',
    display_name: null,
    description: 'Management list: not shown on any form, never sent to.',
    color: '#57606a',
    active: '1',
    visible: '0',
    ageDays: 912,
    population: { subscribed: 1, unsubscribed: 0 },
  },
  {
    name: 'Blog readers (old site)',
    display_name: null,
    description: 'Kept for the records. Replaced by the weekly digest.',
    color: '#8c959f',
    active: '0',
    visible: '1',
    ageDays: 1490,
    population: { subscribed: 0.18, unsubscribed: 0.21 },
  },
  {
    name: 'Test',
    display_name: null,
    description: 'The inboxes of the team, for test sends.',
    color: '#cf222e',
    active: '1',
    visible: '0',
    ageDays: 700,
    population: { subscribed: 1, unsubscribed: 0, maxUserId: testers.length },
  },
];

/** Color and size of the list of a follow-up. */
export const followUpList = { color: '#3f7d8c', population: { subscribed: 0.14, unsubscribed: 0.02 } } as const;
