import assert from 'node:assert/strict';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import type { CampaignInput } from '../../../../src/service/client/requests.ts';
import { CampaignSender } from '../../../../src/features/sending/campaignSender.ts';
import { Journal } from '../../../../src/sync/requests/journal.ts';
import { sendKind } from '../../../../src/sync/requests/kinds.ts';
import { StateFiles } from '../../../../src/sync/stateFiles.ts';
import { TestLog } from '../../../../src/features/sending/testSend/testLog.ts';
import type { RecordRef } from '../../../../src/platform/connections/model.ts';
import { memoryMemento } from '../../../support/memento.ts';
import { StandInConnections } from '../../../support/standInConnections.ts';
import { Uri, user, type StandInPanel } from '../../../support/vscodeStandIn.ts';

const { sendCampaign } = await import('../../../../src/features/campaigns/send.ts');
const { Campaigns } = await import('../../../../src/features/campaigns/campaigns.ts');

/** Lists of the sample data: testers, and all subscribers. */
const [testers, everybody] = [8, 6] as const;

describe('sendCampaign', () => {
  let connections: StandInConnections;
  let folder: string;
  let ref: RecordRef;
  /** The messages of the errors that the checks find in the email. */
  let errors: readonly string[];

  before(async () => {
    connections = await StandInConnections.start();
  });
  after(() => connections.end());
  beforeEach(async () => {
    user.reset();
    connections.reset();
    folder = makeScratch();
    errors = [];
    ref = { ...connections.service, id: (await save({})).campaignId };
    user.usePanel = (panel: StandInPanel) => panel.receive({ type: 'continue' });
  });
  afterEach(() => removeScratch(folder));

  /** Saves the campaign as another user. */
  const save = (changes: Partial<CampaignInput>) => {
    const fields = { name: 'Autumn', subject: 'Leaves', body: '<p>x</p>', listIds: [testers] };
    return connections.client.createOrUpdateCampaign({ ...fields, ...changes });
  };

  const openJournal = () => new Journal(new StateFiles(folder), sendKind, { getTimeoutMs: () => 30_000 });

  /** Sends the campaign from a new window. */
  function send() {
    const sender = new CampaignSender(openJournal(), connections, {
      wait: () => new Promise(() => undefined),
      onChanged: () => undefined,
      onSettled: () => undefined,
    });
    const findings = errors.map((message) => ({ severity: 'error', message }));
    const services = {
      connections,
      context: { extensionUri: Uri.file('/extension') },
      documents: { getRecord: async () => ({ refresh: async () => undefined }) },
      explorer: { refresh: () => undefined },
      worker: async () => ({ run: async (job: string) => (job === 'check' ? { findings } : { html: '', text: '' }) }),
      testLog: new TestLog(memoryMemento()),
      getCampaignSender: async () => sender,
    };
    return sendCampaign(new Campaigns(services as never), ref);
  }

  const countSends = () => connections.countRequests('sendCampaign');

  /** Sends it as another window, which waits for the response. */
  const sendElsewhere = () => {
    const journal = openJournal();
    const order = { what: `campaigns/${ref.id}`, campaignId: ref.id, name: 'Autumn', before: {} };
    return journal.acquire({
      ...connections.service,
      ...order,
      ...journal.start(),
      watchUntil: journal.now() + 60_000,
    });
  };

  it('sends what the confirmation showed, once', async () => {
    user.answers.push('Send');
    assert.deepEqual(await send(), { ...ref, outcome: 'sent' });
    assert.equal(countSends(), 1);
    assert.equal(user.questions.length, 1);
    assert.match(user.questions[0]?.text ?? '', /^Send "Autumn" to \d+ recipients on One\?$/u);
    assert.ok(!user.questions[0]?.detail.includes("wasn't checked"));
  });

  it('sends nothing if the user cancels the confirmation', async () => {
    user.answers.push(undefined);
    assert.equal(await send(), undefined);
    assert.equal(countSends(), 0);
  });

  for (const [what, change, message] of [
    [
      'the address of the connection',
      () => connections.move(),
      /"One" has another URL now: .*Nothing was sent there\./u,
    ],
    [
      'the body',
      () => save({ campaignId: ref.id, body: '<p>Theirs</p>' }),
      /The campaign changed during the confirmation \(body\)\. Nothing was sent/u,
    ],
    [
      'the lists',
      () => save({ campaignId: ref.id, listIds: [testers, everybody] }),
      /The campaign changed during the confirmation \(listIds\)\. Nothing was sent/u,
    ],
    [
      "a list's name",
      () => connections.rename(testers, 'Everybody'),
      /The recipients changed during the confirmation \(the lists\)\. Nothing was sent\./u,
    ],
    [
      'the number of subscribers',
      async () => {
        const [, ...others] = await connections.client.getSubscribersFromLists([everybody], { offset: 20, limit: 2 });
        const emails = others.map(({ email }) => email ?? '');
        const options = { sendWelcomeEmail: false, trigger: false };
        await connections.client.subscribeUsers({ emails, listIds: [testers], ...options });
      },
      /The recipients changed during the confirmation \(recipients: \d+, now \d+\)\. Nothing was sent\./u,
    ],
    ['the journal', sendElsewhere, /already being sent from this or another window, so nothing else was sent/u],
  ] as const) {
    it(`sends nothing, and says why, if ${what} changes while the question is open`, async () => {
      user.answers.push(async () => {
        await change();
        return 'Send';
      });
      await assert.rejects(send(), ({ message: text }: Error) => message.test(text) || assert.fail(text));
      assert.equal(countSends(), 0);
    });
  }

  it('sends nothing, and says why, if another user sends it while the question is open', async () => {
    user.answers.push(async () => {
      await connections.client.sendCampaign(ref.id);
      return 'Send';
    });
    await assert.rejects(
      send(),
      /The campaign changed during the confirmation \(.*sending state\)\. Nothing was sent/u,
    );
    assert.equal(countSends(), 1);
  });

  it('refuses a second send while the first one is being confirmed', async () => {
    user.answers.push(async () => {
      await assert.rejects(send(), /already being sent from this or another window/u);
      return 'Send';
    });
    assert.equal((await send())?.outcome, 'sent');
    assert.deepEqual([user.questions.length, countSends()], [1, 1]);
  });

  it('asks a second question about an email with errors', async () => {
    errors = ['A link has no destination.'];
    user.answers.push('Send', 'Send With Errors');
    assert.equal((await send())?.outcome, 'sent');
    assert.deepEqual(
      user.questions.slice(1).map(({ text, detail }) => [text, detail]),
      [
        [
          'Send "Autumn" with 1 error?',
          'Recipients will see them. Cancel to fix them first.\nThe email has 1 error:\n• A link has no destination.',
        ],
      ],
    );
  });

  it('sends nothing if the user cancels the second question', async () => {
    errors = ['A link has no destination.'];
    user.answers.push('Send', undefined);
    assert.equal(await send(), undefined);
    assert.deepEqual([user.questions.length, countSends()], [2, 0]);
  });
});
