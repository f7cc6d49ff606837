import assert from 'node:assert/strict';
import type { MailingList } from '../../../../../src/service/client/index.ts';
import {
  parseAddresses,
  createListChoices,
  type ListSize,
} from '../../../../../src/features/sending/testSend/recipients.ts';

const list = (id: number, name: string, more: Partial<MailingList> = {}) =>
  ({ id, name, active: 1, type: 'standard', ...more }) as MailingList;

describe('createListChoices', () => {
  it('orders suitable lists first and lists named after tests before others; large, inactive and follow-up lists last', () => {
    const lists = [
      list(1, 'Everybody'),
      list(2, 'Team'),
      list(3, 'My tests'),
      list(4, 'Old test', { active: 0 }),
      list(5, 'Uncounted'),
      list(6, 'Test of all'),
      list(7, 'Empty'),
    ];
    const sizes = new Map<number, ListSize>([
      [1, 'more'],
      [2, 4],
      [3, 2],
      [4, 2],
      [6, 240],
      [7, 0],
    ]);
    assert.deepEqual(
      createListChoices(lists, sizes, 25).map(({ name, description, refusal }) => [name, description, refusal ?? '']),
      [
        ['My tests', '#3 · 2 recipients', ''],
        ['Team', '#2 · 4 recipients', ''],
        ['Uncounted', '#5', ''],
        [
          'Test of all',
          '#6 · 240 recipients · too many for a test',
          'The list "Test of all" has more than 25 recipients, the maximum for tests (mailing.test.maxRecipients).',
        ],
        [
          'Everybody',
          '#1 · more than 25 recipients · too many for a test',
          'The list "Everybody" has more than 25 recipients, the maximum for tests (mailing.test.maxRecipients).',
        ],
        ['Empty', '#7 · 0 recipients', 'The list "Empty" has no subscribers.'],
        ['Old test', '#4 · 2 recipients · inactive', ''],
      ],
    );
  });

  it('escapes names from the service', () => {
    const [choice] = createListChoices([list(1, 'A\u202Eb\nc')], new Map(), 25);
    assert.equal(choice?.name, 'Ab c');
  });
});

describe('parseAddresses', () => {
  it('accepts commas, semicolons, whitespace and brackets, and removes duplicates', () => {
    assert.deepEqual(parseAddresses('ann@example.com, Bob@example.org;<cy@example.net>\nANN@example.com'), [
      'ann@example.com',
      'Bob@example.org',
      'cy@example.net',
    ]);
  });

  for (const text of [
    '',
    'Test',
    'ann@',
    'ann@example',
    'Ann <ann@example.com>',
    'a@b.c d',
    '@example.com',
    'a@@b.de',
    'ann@example.com, bob',
  ]) {
    it(`rejects ${JSON.stringify(text)}`, () => assert.equal(parseAddresses(text), undefined));
  }
});
