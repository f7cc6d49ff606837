import assert from 'node:assert/strict';
import { OWN_LIST_NAME } from '../../../../../src/features/sending/testSend/viaOwnList.ts';
import { formatTestResult } from '../../../../../src/features/sending/testSend/testSender.ts';
import { testKind } from '../../../../../src/sync/requests/kinds.ts';
import type { SandboxProfile } from '../../../../support/sandbox/index.ts';
import { TestStage, TestWindow, testers } from './stage.ts';

let stage: TestStage;
let window: TestWindow;

/** Gives each test a service of this profile, and a window. */
function useStage(profile: SandboxProfile) {
  beforeEach(async () => {
    stage = await TestStage.start(profile);
    window = new TestWindow(stage);
  });
  afterEach(() => stage.end());
}

const marked = async () =>
  (await stage.client.getTemplates({ limit: 100 }))
    .map(({ name }) => name ?? '')
    .filter((name) => name.startsWith('[Test]'));

describe('a test to addresses on a service that sends to single users', () => {
  useStage('acymailing');

  it('sends a stored email with one request per address, creating nothing', async () => {
    const users = await stage.users(2);
    const result = await stage.send(window, users);
    assert.deepEqual([result?.outcome, result?.sent, stage.recipients], ['sent', users, users]);
    assert.deepEqual(
      ['createTemplate', 'createOrUpdateCampaign', 'sendCampaign'].map((operation) => stage.received(operation)),
      [1, 0, 0],
      'The template of the stage.',
    );
    const [question] = window.questions;
    assert.equal(question?.message, 'Send a test of "Hello" to 2 recipients on One?');
    assert.deepEqual(question?.detail.slice(0, 2), ['Subject: Greetings', `To: ${users.join(', ')}`]);
    assert.match(question?.detail[2] ?? '', /the stored email.*without a campaign.*not marked with \[Test\]/u);
    assert.deepEqual(await window.notes.all(), []);
  });

  it('checks the service for this feature once', async () => {
    const [user = ''] = await stage.users(1);
    await stage.send(window, [user]);
    await stage.send(window, [user]);
    const addresses = stage.sandbox.requests
      .filter(({ operation }) => operation === 'sendEmailToSingleUser')
      .map(({ body }) => Object(body).email);
    assert.deepEqual(addresses, ['', user, user]);
  });

  it('sends unsaved text with a temporary template', async () => {
    const [user = ''] = await stage.users(1);
    assert.equal((await stage.send(window, [user], stage.message('<p>Unsaved</p>')))?.outcome, 'sent');
    assert.deepEqual([stage.recipients, await marked(), await window.notes.all()], [[user], [], []]);
    const [message] = stage.sandbox.outbox.messages;
    assert.equal(message?.subject, '[Test] Greetings');
    assert.match(await stage.sandbox.outbox.eml(message?.id ?? 0), /Unsaved/u);
    assert.match(
      window.lastQuestion.detail.join('\n'),
      /A temporary template is created for it and deleted afterwards/u,
    );
  });

  it('sends nothing if the stored text changed during the confirmation', async () => {
    window.answer = () => stage.changeTemplate();
    await assert.rejects(
      stage.send(window, await stage.users(1)),
      /changed on the service during the confirmation\. Nothing was sent/u,
    );
    assert.deepEqual([stage.recipients, await window.notes.all()], [[], []]);
  });

  it('reports addresses that belong to no user, and sends to the others', async () => {
    const [user = ''] = await stage.users(1);
    await assert.rejects(
      stage.send(window, ['missing@example.com']),
      /^Error: The service has no user with this address: missing@example\.com\. Nothing was sent/u,
    );
    const result = await stage.send(window, ['missing@example.com', user]);
    assert.ok(result);
    assert.deepEqual([result.sent, stage.recipients], [[user], [user]]);
    assert.equal(
      formatTestResult(result, undefined),
      `The test was sent to ${user}. Not sent to missing@example.com: The service has no user with this address.`,
    );
  });

  it('stops after a lost response, reports an uncertain outcome, and warns before it is sent again', async () => {
    const users = await stage.users(3);
    await stage.send(window, users.slice(0, 1));
    stage.fault({ kind: 'lostAnswer', operation: 'sendEmailToSingleUser' });
    const result = await stage.send(window, users);
    assert.ok(result);
    assert.deepEqual(
      [result.outcome, result.sent, result.unknown, result.refused.map(({ address }) => address)],
      ['unknown', [], users.slice(0, 1), users.slice(1)],
    );
    assert.match(
      formatTestResult(result, undefined),
      /^The test may have been sent to .*: the response was lost, and the service may still be sending it\./u,
    );
    assert.equal(stage.received('sendEmailToSingleUser'), 3, 'Asking, the first test, and the one that got no answer.');

    const next = new TestWindow(stage);
    next.answer = () => false;
    assert.equal(await stage.send(next, users), undefined);
    const [question] = next.questions;
    assert.match(
      question?.message ?? '',
      /^A test may have been sent on .*: the response was lost\. Send a test of "Hello" to 3 recipients on One\?$/u,
    );
    assert.match(question?.detail[0] ?? '', /may still be sending the earlier test, so its recipients may get two/u);
    assert.equal(question?.action, 'Send Again');
    next.answer = () => true;
    assert.equal((await stage.send(next, users))?.outcome, 'sent');
    assert.deepEqual(await next.notes.all(), [], 'The user agreed to repeat the lost test.');
  });

  it('stays unconfirmed if repeating it fails before sending, and under another connection to its service', async () => {
    const users = await stage.users(1);
    await stage.send(window, users);
    stage.fault({ kind: 'lostAnswer', operation: 'sendEmailToSingleUser' });
    assert.equal((await stage.send(window, users))?.outcome, 'unknown');
    stage.now += 60_000;
    window.answer = () => stage.changeTemplate();
    await assert.rejects(stage.send(window, users), /Nothing was sent/u);
    stage.now += 60_000;
    const sendMine = (id: string) => {
      const order = stage.order({ kind: 'addresses', addresses: users }, stage.message('<p>Theirs</p>'));
      return window.tests.send({ ...order, connection: { ...stage.connection, id } });
    };
    window.answer = () => false;
    for (const id of ['one', 'two']) await sendMine(id);
    assert.deepEqual(
      window.questions.slice(-2).map(({ action }) => action),
      ['Send Again', 'Send Again'],
    );
    assert.match(window.lastQuestion.message, /the response was lost\. Send a test of/u);
    stage.fault({ kind: 'status', status: 422, operation: 'sendEmailToSingleUser' });
    window.answer = () => true;
    await assert.rejects(sendMine('two'), { outcome: 'refused' });
    assert.equal((await sendMine('two'))?.outcome, 'sent');
    assert.deepEqual([window.lastQuestion.action, await window.notes.all()], ['Send Again', []]);
  });

  it('reports an uncertain outcome in the next window if its window ended before the response', async () => {
    const users = await stage.users(1);
    await window.notes.acquire(stage.entry({ addresses: users }));
    window.answer = () => false;
    await assert.rejects(stage.send(window, users), /already being sent/u, 'It may still get the response.');
    stage.now += 3 * 60_000;
    await stage.send(window, users);
    assert.match(window.lastQuestion.message, /the response was lost\. Send a test of/u);
  });

  it('is sent by only one window', async () => {
    const other = new TestWindow(stage);
    const users = await stage.users(1);
    window.answer = async () => {
      await other.notes.acquire(stage.entry({ asked: stage.now + 1, addresses: users }));
      return true;
    };
    await assert.rejects(
      stage.send(window, users),
      /already being sent from this or another window, so nothing else was sent/u,
    );
    assert.deepEqual(stage.recipients, []);
  });

  it('is not sent if a test to a list became unconfirmed during the confirmation, until the user is told', async () => {
    const users = await stage.users(1);
    window.answer = async () => {
      window.answer = () => true;
      stage.fault({ kind: 'status', status: 503, operation: 'sendCampaign' });
      assert.equal((await stage.send(new TestWindow(stage), testers))?.outcome, 'unknown');
      return true;
    };
    await assert.rejects(stage.send(window, users), /Another test of this email may have been sent during the/u);
    assert.deepEqual([stage.recipients, await window.notes.all()], [[], []]);
    await stage.send(window, users);
    assert.match(window.lastQuestion.message, /the response was lost\. Send a test of/u);
    assert.deepEqual(stage.recipients, users);
  });

  it('is not sent to a list if a test to addresses became unconfirmed during the confirmation', async () => {
    const users = await stage.users(1);
    const other = new TestWindow(stage);
    // Only its first test asks whether the service can send to single users.
    await stage.send(other, users);
    window.answer = async () => {
      window.answer = () => true;
      stage.fault({ kind: 'lostAnswer', operation: 'sendEmailToSingleUser' });
      assert.equal((await stage.send(other, users))?.outcome, 'unknown');
      return true;
    };
    await assert.rejects(stage.send(window, testers), /Another test of this email may have been sent during the/u);
    assert.deepEqual(
      [stage.recipients, await stage.campaigns(), await window.sendNotes.all()],
      [[...users, ...users], [], []],
    );
    assert.equal((await stage.send(window, testers))?.outcome, 'sent');
    assert.match(window.lastQuestion.message, /the response was lost\. Send a test of/u);
  });

  it('stops if another window replaced its entry', async () => {
    const users = await stage.users(3);
    let replaced = false;
    const takenOver = new TestWindow(
      stage.with({
        sendEmailToSingleUser: async (...given) => {
          const own = await window.notes.find(stage.entry({}));
          if (own !== undefined && !replaced)
            replaced = await window.notes.acquire({ ...own, asked: own.asked + 1 }, own);
          return stage.client.sendEmailToSingleUser(...given);
        },
      }),
    );
    const result = await stage.send(takenOver, users);
    assert.deepEqual([replaced, stage.recipients, result?.sent], [true, users.slice(0, 1), users.slice(0, 1)]);
    assert.match(result?.refused[0]?.reason ?? '', /Another window has continued this/u);
  });

  it('stops if another window replaced its entry while the disk wrote that of its template', async () => {
    const users = await stage.users(2);
    const { notes } = window;
    const renew = notes.renew.bind(notes);
    notes.renew = async (entry, change) => {
      if (!entry.what.startsWith('templates/')) return renew(entry, change);
      const own = await notes.find(stage.entry({}));
      if (own !== undefined) await notes.acquire({ ...own, asked: own.asked + 1 }, own);
      return renew(entry, change);
    };
    await assert.rejects(
      stage.send(window, users, stage.message('<p>Unsaved</p>')),
      /Another window has continued this/u,
    );
    assert.deepEqual(stage.recipients, []);
  });

  it('keeps its template during 25 slow requests, whatever other windows do', async () => {
    const users = await stage.users(25);
    const left: number[] = [];
    const slow = new TestWindow(
      stage.with({
        sendEmailToSingleUser: async (...given) => {
          stage.now += 25_000;
          await new TestWindow(stage).records.deleteTemplates();
          // The first request only asks whether the service can send to single users.
          if (given[0].email !== '') left.push((await marked()).length);
          return stage.client.sendEmailToSingleUser(...given);
        },
      }),
    );
    const result = await stage.send(slow, users, stage.message('<p>Unsaved</p>'));
    assert.deepEqual([result?.sent, stage.recipients, left], [users, users, Array(25).fill(1)]);
  });

  it('leaves its template to other windows after the deadline', async () => {
    const entry = stage.entry({ what: 'templates/mailing-studio-x' });
    const fields = { name: '[Test] Hello mailing-studio-x', subject: 'S', body: '<p>x</p>' };
    await window.notes.acquire({ ...entry, id: (await stage.client.createTemplate(fields)).templateId });
    const other = new TestWindow(stage);
    stage.now = entry.until - 1;
    await other.records.deleteTemplates();
    assert.equal((await marked()).length, 1);
    stage.now = entry.until;
    await other.records.deleteTemplates();
    assert.deepEqual([await marked(), await window.notes.all()], [[], []]);
  });

  describe('leaves no template', () => {
    const unsaved = '<p>Unsaved</p>';

    it('if the response to its creation was lost', async () => {
      stage.fault({ kind: 'lostAnswer', operation: 'createTemplate' });
      assert.equal((await stage.send(window, await stage.users(1), stage.message(unsaved)))?.outcome, 'sent');
      assert.deepEqual([await marked(), await window.notes.all()], [[], []]);
    });

    it('if the service creates it late: a later window finds it', async () => {
      const late = stage.fault({ kind: 'late', operation: 'createTemplate' });
      await assert.rejects(
        stage.send(window, await stage.users(1), stage.message(unsaved)),
        /Couldn't create a template for the test: .*Nothing was sent/u,
      );
      late.land();
      assert.deepEqual([(await marked()).length, stage.recipients], [1, []]);
      stage.now += 5 * 60_000;
      await new TestWindow(stage).records.deleteTemplates();
      assert.deepEqual([await marked(), await window.notes.all()], [[], []]);
    });

    it('if the response to the send was lost', async () => {
      const users = await stage.users(2);
      await stage.send(window, users.slice(0, 1));
      stage.fault({ kind: 'lostAnswer', operation: 'sendEmailToSingleUser' });
      assert.equal((await stage.send(window, users, stage.message(unsaved)))?.outcome, 'unknown');
      assert.deepEqual(
        [await marked(), (await window.notes.all()).map(({ addresses }) => addresses)],
        [[], [users.slice(0, 1)]],
      );
    });

    it('if its deletion failed: a later window deletes it and no other template', async () => {
      stage.fault({ kind: 'status', status: 503, operation: 'deleteTemplate' });
      assert.equal((await stage.send(window, await stage.users(1), stage.message(unsaved)))?.outcome, 'sent');
      assert.equal((await marked()).length, 1);
      const next = new TestWindow(stage);
      await next.records.deleteTemplates();
      assert.equal((await marked()).length, 1, 'It may be the template of a test that another window is sending.');
      stage.now += 5 * 60_000;
      const before = (await stage.client.getTemplates({ limit: 100 })).length;
      await next.records.deleteTemplates();
      assert.deepEqual(
        [await marked(), await next.notes.all(), (await stage.client.getTemplates({ limit: 100 })).length],
        [[], [], before - 1],
      );
    });

    it('and does not delete another template with the same id', async () => {
      await window.notes.acquire(stage.entry({ what: 'templates/mailing-studio-x', id: stage.templateId }));
      stage.now += 5 * 60_000;
      await window.records.deleteTemplates();
      assert.equal((await stage.client.getOneTemplate(stage.templateId)).name, 'Hello');
      assert.deepEqual(await window.notes.all(), []);
    });
  });
});

describe('a test to addresses on a service that only sends to lists', () => {
  useStage('documented');
  const ownLists = async () =>
    (await stage.client.getLists({ limit: 100 })).filter(({ name }) => name === OWN_LIST_NAME);

  it('creates one hidden list with only these addresses after a confirmation, and triggers no other email', async () => {
    const users = await stage.users(4);
    assert.equal((await stage.send(window, users.slice(0, 2)))?.outcome, 'sent');
    const [list] = await ownLists();
    assert.deepEqual([list?.visible, list?.active], [0, 1]);
    assert.deepEqual(
      [stage.recipients.toSorted(), window.questions.map(({ action }) => action)],
      [users.slice(0, 2).toSorted(), ['Create List', 'Send Test']],
    );
    assert.match(
      window.questions[1]?.detail.join('\n') ?? '',
      /list "Tests of Mailing Studio", which will contain only the recipients of this test/u,
    );

    assert.equal((await stage.send(window, users.slice(1, 3)))?.outcome, 'sent');
    assert.deepEqual(
      window.questions.map(({ action }) => action),
      ['Create List', 'Send Test', 'Send Test'],
    );
    assert.deepEqual(
      [stage.recipients.slice(2).toSorted(), (await ownLists()).length],
      [users.slice(1, 3).toSorted(), 1],
    );
    for (const { operation, body } of stage.sandbox.requests.filter((request) =>
      /ubscribeUsers$/u.test(request.operation ?? ''),
    )) {
      const { trigger, sendWelcomeEmail, sendUnsubscribeEmail } = Object(body);
      assert.deepEqual(
        [trigger, operation === 'subscribeUsers' ? sendWelcomeEmail : sendUnsubscribeEmail],
        [false, false],
      );
    }
  });

  it('creates no list if the user declines', async () => {
    window.answer = () => false;
    assert.equal(await stage.send(window, await stage.users(1)), undefined);
    assert.deepEqual([await ownLists(), stage.recipients], [[], []]);
  });

  it('sends nothing if an address belongs to no user', async () => {
    await assert.rejects(
      stage.send(window, ['missing@example.com', ...(await stage.users(1))]),
      /no users? with .*: missing@example\.com\. Nothing was sent/u,
    );
    await assert.rejects(
      stage.send(window, ['missing@example.com']),
      /no users? with .*: missing@example\.com\. Nothing was sent/u,
    );
    assert.deepEqual(stage.recipients, []);
  });

  describe('while a test with that list is unconfirmed', () => {
    const second = `${OWN_LIST_NAME} 2`;
    const listNames = async ({ client }: TestStage) =>
      (await client.getLists({ limit: 100 }))
        .map(({ name }) => name ?? '')
        .filter((name) => name.startsWith(OWN_LIST_NAME));
    const sendOther = (stage: TestStage, window: TestWindow, to: readonly string[]) =>
      window.tests.send({
        ...stage.order(
          { kind: 'addresses', addresses: to },
          { ...stage.message(), envelope: { ...stage.message().envelope, subject: 'Other' } },
        ),
        what: 'tests/templates/999',
      });
    const received = ({ sandbox }: TestStage) =>
      sandbox.outbox.messages.map(({ to, subject }) => `${subject} to ${to}`).toSorted();

    it('adds no users to it: another email uses another list, and each test reaches only its own recipients', async () => {
      const [ann = '', bob = '', cid = ''] = await stage.users(3);
      const late = stage.fault({ kind: 'late', operation: 'sendCampaign' });
      assert.equal((await stage.send(window, [ann]))?.outcome, 'unknown');
      for (const next of [window, new TestWindow(stage)]) {
        next.answer = ({ action }) => action !== 'Create List';
        assert.equal(await sendOther(stage, next, [bob]), undefined);
        assert.equal(next.lastQuestion.message, `Create the list "${second}" on One?`);
        assert.match(
          next.lastQuestion.detail[0] ?? '',
          /An earlier test is unconfirmed, and may still be sent to the subscribers of "Tests of Mailing Studio"/u,
        );
      }
      window.answer = () => true;
      assert.equal((await sendOther(stage, window, [bob]))?.outcome, 'sent');
      assert.match(
        window.lastQuestion.detail.join('\n'),
        /list "Tests of Mailing Studio 2", which will contain only the recipients of this test/u,
      );
      late.land();
      assert.deepEqual(received(stage), [`[Test] Greetings to ${ann}`, `[Test] Other to ${bob}`].toSorted());
      const questionCount = window.questions.length;
      assert.equal((await sendOther(stage, window, [cid]))?.outcome, 'sent');
      assert.match(
        window.questions[questionCount]?.detail.join('\n') ?? '',
        /list "Tests of Mailing Studio", which/u,
        'The record shows that the first test was sent.',
      );
      assert.deepEqual(
        [received(stage).length, await listNames(stage), await window.notes.all()],
        [3, [OWN_LIST_NAME, second], []],
      );
    });

    it('does so even after the same email was sent again', async () => {
      const [ann = '', bob = '', cid = ''] = await stage.users(3);
      const late = stage.fault({ kind: 'late', operation: 'sendCampaign' });
      await stage.send(window, [ann]);
      stage.now += 1000;
      assert.equal((await stage.send(window, [bob]))?.outcome, 'sent');
      assert.equal(window.lastQuestion.action, 'Send Again');
      await sendOther(stage, window, [cid]);
      late.land();
      assert.deepEqual(
        received(stage),
        [`[Test] Greetings to ${ann}`, `[Test] Greetings to ${bob}`, `[Test] Other to ${cid}`].toSorted(),
      );
    });

    it('refuses a second test while the first is being sent, in this and other windows', async () => {
      const [ann = '', bob = ''] = await stage.users(2);
      await stage.send(window, [ann]);
      const refused: string[] = [];
      const busy = stage.with({
        createOrUpdateCampaign: async (...given) => {
          for (const other of [window, new TestWindow(stage)])
            await sendOther(stage, other, [bob]).catch((error: Error) => refused.push(String(error)));
          return stage.client.createOrUpdateCampaign(...given);
        },
      });
      // Both use the same journal.
      assert.equal((await stage.send(new TestWindow(busy), [ann]))?.outcome, 'sent');
      assert.deepEqual(
        refused,
        Array(2).fill(
          'Error: Another test is using the list "Tests of Mailing Studio", so nothing was sent. Try again in a moment.',
        ),
      );
      assert.deepEqual(stage.recipients, [ann, ann]);
    });

    it('leaves the list reserved for a week if its window ended while it changed the members', async () => {
      const [ann = ''] = await stage.users(1);
      const listId = await stage.createOwnList();
      await window.notes.acquire(stage.entry({ what: `lists/${listId}`, addresses: [ann] }));
      await assert.rejects(stage.send(window, [ann]), /Another test is using the list/u);
      stage.now += 5 * 60_000;
      assert.equal((await stage.send(window, [ann]))?.outcome, 'sent');
      assert.deepEqual(
        [window.questions.map(({ message }) => message)[0], stage.received('unsubscribeUsers')],
        [`Create the list "${second}" on One?`, 0],
      );
      stage.now += testKind.expiryMs ?? 0;
      assert.equal((await stage.send(window, [ann]))?.outcome, 'sent');
      assert.match(window.lastQuestion.detail.join('\n'), /list "Tests of Mailing Studio", which/u);
    });

    for (const [operation, members] of [
      ['subscribeUsers', []],
      ['unsubscribeUsers', ['cid']],
    ] as const) {
      it(`leaves the list reserved after a lost ${operation}, so that nobody else gets the next test`, async () => {
        const [ann = '', bob = '', cid = ''] = await stage.users(3);
        const listId = await stage.createOwnList();
        if (members.length > 0) await stage.subscribe(listId, cid);
        const late = stage.fault({ kind: 'late', operation });
        await assert.rejects(stage.send(window, [ann]), /Nothing was sent/u);
        assert.deepEqual(
          (await window.notes.all()).map(({ what }) => what),
          [`lists/${listId}`],
        );
        for (const next of [window, new TestWindow(stage)]) {
          next.answer = () => false;
          stage.now += 5 * 60_000;
          await sendOther(stage, next, [bob]);
          assert.equal(next.lastQuestion.message, `Create the list "${second}" on One?`);
        }
        window.answer = ({ action }) => {
          // The change takes effect while the next test is confirmed.
          if (action === 'Send Test') late.land();
          return true;
        };
        assert.equal((await sendOther(stage, window, [bob]))?.outcome, 'sent');
        assert.deepEqual(stage.recipients, [bob]);
      });
    }

    it('frees the list after a change of its members that was refused', async () => {
      const [ann = ''] = await stage.users(1);
      await stage.createOwnList();
      stage.fault({ kind: 'status', status: 422, operation: 'subscribeUsers' });
      await assert.rejects(stage.send(window, [ann]), /Couldn't update the list/u);
      assert.deepEqual(await window.notes.all(), []);
    });

    it('sends nothing if another window took over the list', async () => {
      const [ann = ''] = await stage.users(1);
      const listId = await stage.createOwnList();
      const tamperedStage = stage.with({
        createOrUpdateCampaign: async (...given) => {
          const note = await window.notes.find({
            connection: 'one',
            baseUrl: stage.sandbox.baseUrl,
            what: `lists/${listId}`,
          });
          if (note !== undefined) await window.notes.release(note);
          return stage.client.createOrUpdateCampaign(...given);
        },
      });
      await assert.rejects(stage.send(new TestWindow(tamperedStage), [ann]), /Another test is using the list/u);
      assert.deepEqual([stage.recipients, stage.received('sendCampaign'), await stage.campaigns()], [[], 0, []]);
    });
  });

  it('creates no campaign if the service keeps another subscriber on the list', async () => {
    const [ann = '', bob = ''] = await stage.users(2);
    const listId = await stage.createOwnList();
    await stage.subscribe(listId, bob);
    const window = new TestWindow(
      stage.with({ unsubscribeUsers: () => Promise.resolve({ message: 'Users unsubscribed.', errors: [] }) as never }),
    );
    await assert.rejects(
      stage.send(window, [ann]),
      new RegExp(`didn't remove ${bob} from the list "${OWN_LIST_NAME}"\\. Nothing was sent`, 'u'),
    );
    assert.deepEqual([stage.received('createOrUpdateCampaign'), stage.recipients], [0, []]);
  });

  it('removes no users from a list of the same name with too many members', async () => {
    const listId = await stage.createOwnList();
    const members = Array.from({ length: 101 }, (_, index) => ({
      id: 1000 + index,
      email: `member${index}@example.com`,
    }));
    const window = new TestWindow(
      stage.with({
        getSubscribersFromLists: async ([list], { offset = 0, limit = 100 } = {}) =>
          list === listId ? (members.slice(offset, offset + limit) as never) : [],
      }),
    );
    await assert.rejects(
      stage.send(window, await stage.users(1)),
      /has more than 100 recipients, so Mailing Studio didn't create it\. Nothing was sent/u,
    );
    assert.deepEqual(
      [stage.received('unsubscribeUsers'), stage.received('subscribeUsers'), stage.recipients],
      [0, 0, []],
    );
  });
});

describe('a test', () => {
  useStage('documented');

  it('to a list names all addresses in the confirmation', async () => {
    assert.equal((await stage.send(window, testers))?.outcome, 'sent');
    const [question] = window.questions;
    assert.equal(question?.message, 'Send a test of "Hello" to 3 recipients of the list "Test" on One?');
    assert.deepEqual(question?.detail[1], `To: ${stage.recipients.join(', ')}`);
  });

  it('to a list reads its subscribers for the confirmation and again right before sending', async () => {
    const before = stage.sandbox.requests.length;
    await stage.send(window, testers);
    assert.deepEqual(
      stage.sandbox.requests.slice(before).map(({ operation }) => operation),
      [
        'getSubscribersFromLists',
        'getSubscribersFromLists',
        'createOrUpdateCampaign',
        'getCampaignById',
        'getCampaignById',
        'getSubscribersFromLists',
        'getSubscribersFromLists',
        'sendCampaign',
      ],
    );
  });

  for (const [what, change] of [
    ['one more', (stage: TestStage, user: string) => stage.subscribe(testers, user)],
    [
      'another in place of one',
      async (stage: TestStage, user: string) => {
        const [leaves] = await stage.client.getSubscribersFromLists([testers], { limit: 1 });
        await stage.unsubscribe(testers, leaves?.email ?? '');
        await stage.subscribe(testers, user);
      },
    ],
  ] as const) {
    it(`to a list is not sent if the list has ${what} on it since the confirmation`, async () => {
      const [user = ''] = await stage.users(1);
      window.answer = async () => (await change(stage, user), true);
      await assert.rejects(
        stage.send(window, testers),
        /(?:has grown to .* during the confirmation|now also contains .*)\. Nothing was sent\. Send the test again/u,
      );
      assert.deepEqual([stage.recipients, stage.received('sendCampaign')], [[], 0]);
    });
  }

  it('names all addresses, even on many lines', async () => {
    const everyone = await stage.client.getSubscribersFromLists([6], { limit: 500 });
    window.limit = 100;
    window.answer = () => false;
    await stage.send(window, 6);
    const detail = window.questions[0]?.detail.join(', ') ?? '';
    assert.ok(everyone.length > 50);
    assert.deepEqual(
      everyone.filter(({ email }) => !detail.includes(email ?? '?')),
      [],
    );
    assert.ok(window.questions[0]?.detail.every((line) => line.length <= 600));
  });

  it('is refused for more recipients than the limit', async () => {
    window.limit = 2;
    await assert.rejects(stage.send(window, testers), /has more than 2 recipients/u);
    await assert.rejects(
      stage.send(window, await stage.users(3)),
      /can have at most 2 recipients .*this one has 3\. Nothing was sent/u,
    );
    await assert.rejects(stage.send(window, []), /no recipient address/u);
    assert.deepEqual([window.questions, stage.recipients], [[], []]);
  });

  it('is sent once to a duplicate address', async () => {
    const [user = ''] = await stage.users(1);
    await stage.send(window, [user, user.toUpperCase()]);
    assert.deepEqual(stage.recipients, [user]);
  });

  it('names recipients that the preview has loaded, and notes if the shown person is not a recipient', async () => {
    const [user = ''] = await stage.users(1);
    window.answer = () => false;
    const persons = [
      { title: 'Giulia', email: user, isShown: false },
      { title: 'Jo', email: 'jo@example.com', isShown: true },
      { title: 'Al', email: 'al@example.com', isShown: false },
    ];
    await stage.send(window, testers, { ...stage.message(), persons });
    assert.deepEqual(window.questions[0]?.detail[2], 'The preview shows "Jo", who is not a recipient.');
    window.answer = ({ action }) => action === 'Create List';
    await stage.send(window, [user], { ...stage.message(), persons: persons.slice(0, 1) });
    assert.ok(window.questions.at(-1)?.detail.includes(`${user} is "Giulia" in the preview.`));
  });

  it('is refused for an empty email', async () => {
    await assert.rejects(stage.send(window, testers, stage.message('')), /has no text\. Nothing was sent/u);
  });
});
