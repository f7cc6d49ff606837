import type { StoredFollowUp } from '../records.ts';

/** A mail of a sample follow-up with the text of the starter file `starter`. */
export interface SampleFollowUpMail {
  readonly name: string;
  readonly subject: string;
  readonly starter: string;
  readonly delay: number;
  readonly unit: 'minutes' | 'hours' | 'days' | 'weeks' | 'months';
}

/** A sample follow-up with a trigger of the documented profile. */
export interface SampleFollowUp extends Pick<
  StoredFollowUp,
  'name' | 'display_name' | 'trigger' | 'condition' | 'active' | 'send_once' | 'loop' | 'loop_delay'
> {
  readonly ageDays: number;
  readonly triggeredHoursAgo: number | null;
  readonly mails: readonly SampleFollowUpMail[];
}

export const sampleFollowUps: readonly SampleFollowUp[] = [
  {
    name: 'Welcome series',
    display_name: 'Getting started',
    trigger: 'user_subscribe',
    active: 1,
    send_once: 1,
    loop: 0,
    loop_delay: 0,
    ageDays: 380,
    triggeredHoursAgo: 3,
    condition: { lists_status: 'is', lists: [1], segments_status: 'is' },
    mails: [
      { name: 'Welcome 1: hello', subject: 'Good to have you here', starter: 'welcome', delay: 5, unit: 'minutes' },
      {
        name: 'Welcome 2: three things to read first',
        subject: 'Three things to read first',
        starter: 'letter',
        delay: 2,
        unit: 'days',
      },
      {
        name: 'Welcome 3: tell us what you like',
        subject: 'What would you like to hear about?',
        starter: 'announcement',
        delay: 1,
        unit: 'weeks',
      },
    ],
  },
  {
    name: 'Birthday greeting',
    display_name: 'Birthday greeting',
    trigger: 'birthday',
    active: 1,
    send_once: 0,
    loop: 1,
    loop_delay: 31_449_600,
    ageDays: 320,
    triggeredHoursAgo: 19,
    condition: { lists_status: 'is_not', lists: [7], segments_status: 'is' },
    mails: [
      {
        name: 'Birthday: a small present',
        subject: 'A small present for your birthday',
        starter: 'sale',
        delay: 8,
        unit: 'hours',
      },
    ],
  },
  {
    name: 'After a purchase',
    display_name: 'Your order',
    trigger: 'ecommerce_a_purchase',
    active: 1,
    send_once: 0,
    loop: 0,
    loop_delay: 0,
    ageDays: 214,
    triggeredHoursAgo: 1,
    condition: { lists_status: 'is', segments_status: 'is' },
    mails: [
      {
        name: 'Purchase 1: how to get the most out of it',
        subject: 'How to get the most out of your order',
        starter: 'letter',
        delay: 3,
        unit: 'days',
      },
      {
        name: 'Purchase 2: would you tell others?',
        subject: 'Two minutes for a review?',
        starter: 'announcement',
        delay: 2,
        unit: 'weeks',
      },
      { name: 'Purchase 3: time for more', subject: 'Running low?', starter: 'sale', delay: 1, unit: 'months' },
    ],
  },
  {
    name: 'Account tour',
    display_name: 'Tour of your account',
    trigger: 'user_creation',
    active: 0,
    send_once: 1,
    loop: 0,
    loop_delay: 0,
    ageDays: 12,
    triggeredHoursAgo: null,
    condition: { lists_status: 'is', segments_status: 'is_not' },
    mails: [
      {
        name: 'Tour 1: your account',
        subject: 'Your account in a minute',
        starter: 'welcome',
        delay: 30,
        unit: 'minutes',
      },
      { name: 'Tour 2: the app', subject: 'The same, in your pocket', starter: 'announcement', delay: 4, unit: 'days' },
    ],
  },
];
