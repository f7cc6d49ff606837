import assert from 'node:assert/strict';
import { UnsuitableListError, type TestRequest } from '../../../../../src/features/sending/testSend/recipients.ts';
import { TestLog } from '../../../../../src/features/sending/testSend/testLog.ts';
import type { TestResult } from '../../../../../src/features/sending/testSend/testSender.ts';
import { RecentChoices } from '../../../../../src/ui/recent.ts';
import { eventually } from '../../../../support/eventually.ts';
import { memoryMemento } from '../../../../support/memento.ts';
import { StandInConnections } from '../../../../support/standInConnections.ts';
import { user, type StandInPick } from '../../../../support/vscodeStandIn.ts';

const { sendTest } = await import('../../../../../src/features/sending/testSend/command.ts');

const sentResult: TestResult = {
  connection: 'one',
  outcome: 'sent',
  sent: ['ann@example.com'],
  unknown: [],
  refused: [],
  recipients: 1,
};
const message: TestRequest['message'] = {
  name: 'Hello',
  envelope: { subject: 'Greetings', preheader: '', from_name: '', from_email: '' },
  body: '<p>Hello</p>',
  isEmpty: false,
};
const subject = { connection: 'one', what: 'tests/templates/1' };
/** Small lists. */
const names = ['Team', 'Friends'];

describe('sendTest', () => {
  let connections: StandInConnections;
  let testLog: TestLog;
  /** The tests that the sender got, and what it does with the next ones. */
  const orders: TestRequest[] = [];
  let results: (TestResult | Error | undefined)[];

  before(async () => {
    connections = await StandInConnections.start();
    const { client } = connections;
    const [member] = await client.getSubscribersFromLists([8], { offset: 0, limit: 1 });
    for (const name of names) {
      const { listId = 0 } = await client.createList({ name });
      const emails = [member?.email ?? ''];
      await client.subscribeUsers({ emails, listIds: [listId], sendWelcomeEmail: false, trigger: false });
    }
  });
  after(() => connections.end());
  beforeEach(() => {
    user.reset();
    orders.length = 0;
    results = [];
    testLog = new TestLog(memoryMemento());
  });

  /** Runs the command on a template. */
  function send(to?: unknown) {
    const openTestable = async () => ({ what: 'templates/1', message });
    const parts = {
      connections,
      records: [{ collection: 'templates', load: async () => ({ openTestable }) }],
      recent: new RecentChoices(memoryMemento()),
      previews: {},
      testLog,
      testSender: {
        send: async (order: TestRequest) => {
          orders.push(order);
          const result = results.shift();
          if (result instanceof Error) throw result;
          return result;
        },
      },
    };
    return sendTest(parts as never, { ...connections.service, collection: 'templates', id: 1, to });
  }

  /** Picks these lists, one in each Quick Pick, then nothing. */
  function pickLists(...labels: readonly (string | undefined)[]) {
    const rest = [...labels];
    user.usePick = async (pick: StandInPick) => {
      const label = rest.shift();
      if (label === undefined) return pick.hide();
      await eventually(() => assert.ok(pick.items.some((item) => item.label === label)));
      pick.accept(label);
    };
  }

  const getLog = () => testLog.getLast({ ...subject, baseUrl: connections.service.baseUrl });
  const sentTo = () => orders.map(({ to }) => (to.kind === 'list' ? to.list.name : to.addresses.join()));
  const getStoredList = () => (user.settings.get('mailing.testLists') as { one?: number } | undefined)?.one;
  const findListId = async (name: string | undefined) =>
    (await connections.client.getLists({ limit: 100 })).find((list) => list.name === name)?.id;

  it('records a test and notifies of its result', async () => {
    results = [sentResult];
    assert.equal(await send(['ann@example.com']), sentResult);
    assert.equal(getLog()?.recipients, 1);
    assert.deepEqual(user.settings.get('mailing.testRecipients'), { one: ['ann@example.com'] });
    assert.ok(user.commands.some(([, context, value]) => context === 'mailing.hasSentTest' && value === true));
    assert.deepEqual(user.notifications, ['The test was sent to ann@example.com.']);
  });

  it('records nothing if the user cancels the confirmation', async () => {
    results = [undefined];
    assert.equal(await send(['ann@example.com']), undefined);
    assert.deepEqual([getLog(), [...user.settings], user.commands, user.messages], [undefined, [], [], []]);
  });

  for (const [what, changes, kind] of [
    ['a test that was sent', {}, 'info'],
    ['an unknown outcome', { outcome: 'unknown', sent: [], unknown: ['ann@example.com'] }, 'warning'],
    ['a refused recipient', { refused: [{ address: 'bob@example.com', reason: 'Unknown.' }] }, 'warning'],
  ] as const) {
    it(`notifies of ${what} as ${kind}`, async () => {
      results = [{ ...sentResult, ...changes }];
      await send(['ann@example.com']);
      assert.deepEqual(
        user.messages.map((each) => each.kind),
        [kind],
      );
    });
  }

  it('stores the picked list as the test list', async () => {
    pickLists(names[0]);
    results = [sentResult];
    await send();
    assert.deepEqual(sentTo(), [names[0]]);
    assert.equal(getStoredList(), await findListId(names[0]));
  });

  it('offers another list for an unsuitable one, sends to that, and stores it', async () => {
    pickLists(names[0], names[1]);
    results = [new UnsuitableListError('It has too many subscribers.'), sentResult];
    user.answers.push('Choose Another List');
    assert.equal(await send(), sentResult);
    assert.deepEqual(sentTo(), [names[0], names[1]]);
    assert.equal(getStoredList(), await findListId(names[1]));
  });

  it('sends nothing else if the user picks no other list', async () => {
    pickLists(names[0], undefined);
    results = [new UnsuitableListError('It has too many subscribers.')];
    user.answers.push('Choose Another List');
    assert.equal(await send(), undefined);
    assert.deepEqual([sentTo(), getStoredList()], [[names[0]], undefined]);
  });
});
