import type { ListCard } from '../../../src/features/subscriptions/subscribers/protocol.ts';
import type { SubscriptionRow } from '../../../src/features/subscriptions/user/protocol.ts';

export const newsletter: ListCard = {
  id: 1,
  name: 'Newsletter',
  color: '#2f6feb',
  marks: ['inactive'],
  details: [
    ['Id', '1'],
    ['Welcome email', 'Hello (#3)'],
  ],
};

export const rows: readonly SubscriptionRow[] = [
  {
    id: 1,
    name: 'Newsletter',
    color: '#2f6feb',
    marks: ['inactive'],
    status: 'subscribed',
    subscribed: 'Nov 20, 2026',
    unsubscribed: '',
    details: [
      ['translation', 'Bulletin'],
      ['subscription_date', '2026-11-20 08:24:00'],
    ],
  },
  {
    id: 2,
    name: '<b>Test</b>',
    marks: [],
    status: 'unsubscribed',
    subscribed: '',
    unsubscribed: 'Nov 21, 2026',
    details: [],
  },
  { id: 3, name: 'Events', marks: [], status: 'other', subscribed: '', unsubscribed: '', details: [] },
];
