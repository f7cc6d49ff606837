import assert from 'node:assert/strict';
import type { TestRecipients } from '../../../../../src/features/sending/testSend/recipients.ts';
import { RecentChoices } from '../../../../../src/ui/recent.ts';
import { memoryMemento } from '../../../../support/memento.ts';
import { user, type StandInPick } from '../../../../support/vscodeStandIn.ts';

const { RecipientPick, getRecentTestsKey } =
  await import('../../../../../src/features/sending/testSend/recipientPick.ts');

const connection = { id: 'one', name: 'One', baseUrl: 'https://one.example', profile: 'documented' } as const;
const lists = [
  { id: 1, name: 'Testers', subscribers: 2 },
  { id: 2, name: 'Team', subscribers: 3 },
];
const addresses = ['ann@example.com'];

/** Shows the picker with loaded lists (or while they load) to a user who runs `use` in it. */
async function pick(
  use: (shown: StandInPick) => void,
  { recent = [], isLoading = false }: { recent?: readonly string[]; isLoading?: boolean } = {},
): Promise<TestRecipients | undefined> {
  const choices = new RecentChoices(memoryMemento());
  for (const kind of recent.toReversed()) choices.add(getRecentTestsKey(connection), kind);
  const loading = Promise.withResolvers<never>();
  user.usePick = async (shown) => {
    use(shown);
    shown.hide();
  };
  const client = { getLists: async () => lists };
  return new RecipientPick({
    connection,
    title: 'Send Test Email',
    recent: choices,
    run: (operation) => (isLoading ? loading.promise : operation(client as never)),
  }).show();
}

/** The first items: the previous recipients. */
const getPrevious = ({ items }: StandInPick) => items.slice(0, 2).map(({ label }) => label);

describe('RecipientPick', () => {
  beforeEach(() => user.reset());

  it('takes the focused item', async () => {
    const picked = await pick((shown) => shown.accept('Team'));
    assert.deepEqual(picked, { kind: 'list', list: { id: 2, name: 'Team' } });
  });

  it('takes the clicked item rather than the focused one', async () => {
    const picked = await pick((shown) => {
      shown.selectedItems = shown.items.filter(({ label }) => label === 'Testers');
      shown.accept('Team');
    });
    assert.deepEqual(picked, { kind: 'list', list: { id: 1, name: 'Testers' } });
  });

  it('resolves with undefined if the user cancels', async () => {
    assert.equal(await pick(() => undefined), undefined);
  });

  for (const [what, testListId, isLoading, expected] of [
    ['there is no test list', undefined, false, 'Select a list to use for all tests, or type addresses'],
    ['the test list exists', 1, false, 'Select recipients or type addresses'],
    ['the lists are still loading', 9, true, 'Select recipients or type addresses'],
    ['the test list was deleted', 9, false, 'The test list #9 was deleted. Select another list or type addresses'],
  ] as const) {
    it(`shows in the placeholder that ${what}`, async () => {
      if (testListId !== undefined) user.settings.set('mailing.testLists', { one: testListId });
      let placeholder = '';
      await pick((shown) => ({ placeholder } = shown), { isLoading });
      assert.equal(placeholder, expected);
    });
  }

  for (const [recent, expected] of [
    [[], ['Testers', ...addresses]],
    [['list'], ['Testers', ...addresses]],
    [['addresses'], [...addresses, 'Testers']],
    [
      ['list', 'addresses'],
      ['Testers', ...addresses],
    ],
    [
      ['addresses', 'list'],
      [...addresses, 'Testers'],
    ],
  ] as const) {
    it(`offers ${expected.join(' before ')} after tests to: ${recent.join(', ') || 'none'}`, async () => {
      user.settings.set('mailing.testLists', { one: 1 });
      user.settings.set('mailing.testRecipients', { one: addresses });
      let previous: readonly string[] = [];
      await pick((shown) => (previous = getPrevious(shown)), { recent });
      assert.deepEqual(previous, expected);
    });
  }
});
