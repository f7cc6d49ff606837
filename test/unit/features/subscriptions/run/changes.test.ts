import assert from 'node:assert/strict';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../../scripts/lib/scratch.mjs';
import { runKind, type Run, type RunEvent } from '../../../../../src/features/subscriptions/run/run.ts';
import { readAllLists } from '../../../../../src/service/client/allLists.ts';
import { Journal } from '../../../../../src/sync/requests/journal.ts';
import { StateFiles } from '../../../../../src/sync/stateFiles.ts';
import { eventually } from '../../../../support/eventually.ts';
import { StandInConnections } from '../../../../support/standInConnections.ts';
import { Uri, user } from '../../../../support/vscodeStandIn.ts';

const { SubscriptionChanges } = await import('../../../../../src/features/subscriptions/run/changes.ts');

/** Lists of the sample data: testers, and all subscribers. */
const [testers, everybody] = [8, 6] as const;

describe('SubscriptionChanges', () => {
  let connections: StandInConnections;
  let folder: string;
  let journal: Journal<Run, RunEvent>;
  /** Addresses of users that are not on the testers list. */
  let emails: readonly string[];
  let listName: string;

  before(async () => {
    connections = await StandInConnections.start();
    const { client } = connections;
    const page = { offset: 0, limit: 500 };
    const members = await client.getSubscribersFromLists([testers], page);
    const all = await client.getSubscribersFromLists([everybody], page);
    const others = all.filter(({ id }) => !members.some((member) => member.id === id));
    emails = others.slice(0, 3).map(({ email }) => email ?? '');
    listName = (await client.getLists({ limit: 100 })).find(({ id }) => id === testers)?.name ?? '';
  });
  after(() => connections.end());
  beforeEach(() => {
    user.reset();
    connections.reset();
    folder = makeScratch();
    journal = new Journal(new StateFiles(join(folder, 'subscriptions')), runKind);
  });
  afterEach(() => removeScratch(folder));

  /** Subscribes addresses to the testers list without emails. `source`: where the addresses come from. */
  function subscribe(source: Readonly<Record<string, unknown>> = { emails }) {
    const services = {
      connections,
      context: { globalStorageUri: Uri.file(folder) },
      explorer: { refresh: () => undefined },
      log: { error: (error: unknown) => assert.fail(String(error)) },
    };
    const options = { listIds: [testers], sendWelcomeEmail: false, trigger: false };
    return new SubscriptionChanges(services as never).change('subscribe', {
      ...connections.service,
      ...options,
      ...source,
    });
  }

  const countRequests = () => connections.countRequests('subscribeUsers');

  /** Stores a run that another window left before or after its first request. */
  async function interrupt(isSent = false, connection = connections.service.connection): Promise<Run> {
    const run: Run = {
      ...connections.service,
      connection,
      what: 'subscriptions/earlier',
      ...journal.start(),
      session: 'earlier',
      kind: 'subscribe',
      lists: [{ id: testers, name: listName }],
      sendEmail: false,
      trigger: false,
      startedAt: journal.now(),
      steps: [{ emails, listIds: [testers], state: 'left' }],
      notFound: [],
    };
    await journal.acquire(run);
    if (isSent) await journal.renew(run, { type: 'sent', step: 0 });
    return (await journal.settle(run)) ?? assert.fail('no run');
  }

  it('subscribes what the confirmation showed, and forgets the finished change', async () => {
    user.answers.push('Subscribe');
    const { done, left } = (await subscribe()) ?? {};
    assert.deepEqual([done, left, countRequests()], [emails.length, 0, 1]);
    assert.deepEqual(await journal.all(), []);
  });

  it('reads the addresses in the text of the argument', async () => {
    user.usePickItem = ([first]) => first;
    user.answers.push('Subscribe');
    assert.equal((await subscribe({ text: emails.join('\n') }))?.done, emails.length);
  });

  it('sends nothing if the user cancels the confirmation', async () => {
    user.answers.push(undefined);
    assert.equal(await subscribe(), undefined);
    assert.deepEqual([countRequests(), await journal.all()], [0, []]);
  });

  it('stores a change before its first request, so that it can be continued', async () => {
    connections.sandbox.faults.add({ kind: 'status', status: 403, operation: 'subscribeUsers' });
    user.answers.push('Subscribe');
    const { run, left } = (await subscribe()) ?? {};
    assert.equal(left, emails.length);
    assert.deepEqual(
      (await journal.all()).map((stored) => stored.what),
      [run],
    );
  });

  for (const [what, change, message] of [
    [
      'the address of the connection',
      () => connections.move(),
      /"One" has another URL now: .*Nothing was sent there\./u,
    ],
    [
      "a list's name",
      () => connections.rename(testers, 'Everybody'),
      /These lists changed during the confirmation: ".*"\. Nothing was sent\./u,
    ],
    [
      'the set of lists',
      () => connections.client.deleteList(testers),
      /These lists changed during the confirmation: ".*"\. Nothing was sent\./u,
    ],
  ] as const) {
    it(`sends nothing, and says why, if ${what} changes while the question is open`, async () => {
      user.answers.push(async () => {
        await change();
        return 'Subscribe';
      });
      await assert.rejects(subscribe(), ({ message: text }: Error) => message.test(text) || assert.fail(text));
      assert.deepEqual([countRequests(), await journal.all()], [0, []]);
    });
  }

  it('sends nothing if another window continues the change while the question is open', async () => {
    const run = await interrupt();
    user.answers.push('Continue', async () => {
      await journal.acquire({ ...run, asked: run.asked + 1 }, run);
      return 'Subscribe';
    });
    await assert.rejects(subscribe(), /Another window has continued this\. Nothing was sent/u);
    assert.equal(countRequests(), 0);
  });

  it('continues a change of a connection that was replaced by another one to the same service', async () => {
    await interrupt(false, 'removed');
    user.answers.push('Continue', 'Subscribe');
    const { connection, done, left } = (await subscribe()) ?? {};
    assert.deepEqual([connection, done, left, countRequests()], ['one', emails.length, 0, 1]);
    assert.deepEqual(await journal.all(), []);
  });

  it("continues nothing if a list's name changes while the question is open", async () => {
    await interrupt();
    user.answers.push('Continue', () => {
      connections.rename(testers, 'Everybody');
      return 'Subscribe';
    });
    await assert.rejects(subscribe(), /These lists changed during the confirmation: ".*"\. Nothing was sent\./u);
    assert.deepEqual([countRequests(), (await journal.all()).length], [0, 1]);
  });

  it('compares the lists with a read that begins after the question', async () => {
    const { sandbox, service } = connections;
    user.answers.push(async () => {
      // Another command reads the lists already, and has the name.
      sandbox.faults.add({ kind: 'slow', operation: 'getLists', skip: 1, times: 1, bytes: 1, intervalMs: 300 });
      const { signal } = new AbortController();
      const before = connections.countRequests('getLists');
      void connections.run(service, (client) => readAllLists(client, signal));
      await eventually(() => assert.ok(connections.countRequests('getLists') >= before + 2));
      connections.rename(testers, 'Everybody');
      return 'Subscribe';
    });
    await assert.rejects(subscribe(), /These lists changed during the confirmation/u);
    assert.equal(countRequests(), 0);
  });

  it('shows how much of an unconfirmed request the lists reflect', async () => {
    await interrupt(true);
    const options = { listIds: [testers], sendWelcomeEmail: false, trigger: false };
    await connections.client.subscribeUsers({ emails: emails.slice(0, 2), ...options });
    user.answers.push('Continue', undefined);
    assert.equal(await subscribe(), undefined);
    const [, question] = user.questions;
    assert.match(question?.text ?? '', /^1 address may or may not have been subscribed\./u);
    assert.match(
      question?.detail ?? '',
      /^The response for 3 addresses was lost\. [^\d]*2\. The service may still be processing the others\.\n/u,
    );
  });
});
