import type { SendReview } from '../../../src/features/campaigns/review/protocol.ts';

/** A review with all optional parts. */
export const sampleReview: SendReview = {
  name: 'Winter sale',
  service: 'Test service',
  action: 'Send Again…',
  repetition: 'It was already sent. Everyone who got it will get it a second time.',
  schedule: ['Sends immediately.'],
  envelope: {
    subject: 'The winter sale opens at nine',
    preheader: 'Early birds first',
    from_name: 'Fjord & Fell',
    from_email: 'hello@fjord.example',
    reply_to_name: '',
    reply_to_email: 'desk@fjord.example',
  },
  html: '<!doctype html><html><head><style>p { color: #333 }</style></head><body><p>Dear Ann, <a href="https://fjord.example/sale">to the sale</a> <a href="https://fjord.example/x"><img alt="A boot" src="https://fjord.example/boot.png"></a></p></body></html>',
  personName: 'Ann Example',
  text: 'Dear Ann,\n\nto the sale ( https://fjord.example/sale )',
  lists: [{ name: 'Newsletter', color: '#2f6feb', subscriberCount: '1,420 subscribers' }, { name: 'Customers' }],
  audience: '1,733 recipients',
  findings: [
    { severity: 'error', message: 'There is no way to unsubscribe.' },
    { severity: 'warning', message: 'An image has no alternative text.' },
  ],
  emptyTags: [{ tag: '{subscriber:name}', summary: 'empty for 12 of 100' }],
  sampleSize: 100,
  testStatus: 'The last test was sent to 3 recipients on Nov 21, 2026, 10:42 AM. The text has changed since then.',
  isTested: false,
};
