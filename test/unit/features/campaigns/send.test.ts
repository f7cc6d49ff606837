import assert from 'node:assert/strict';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import type { CampaignInput } from '../../../../src/service/client/requests.ts';
import { CampaignSender } from '../../../../src/features/sending/campaignSender.ts';
import { Journal } from '../../../../src/sync/requests/journal.ts';
import { sendKind } from '../../../../src/sync/requests/kinds.ts';
import { StateFiles } from '../../../../src/sync/stateFiles.ts';
import { TestLog } from '../../../../src/features/sending/testSend/testLog.ts';
import type { RecordRef } from '../../../../src/platform/connections/model.ts';
import { eventually } from '../../../support/eventually.ts';
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

  it('sends what the confirmation showed, once', async () => {
    user.answers.push('Send');
    assert.deepEqual(await send(), { ...ref, outcome: 'sent' });
    assert.equal(countSends(), 1);
    assert.equal(user.questions.length, 1);
    assert.match(user.questions[0]?.text ?? '', /^Send "Autumn" to \d+ recipients on One\?$/u);
    assert.ok(!user.questions[0]?.detail.includes("wasn't checked"));
  });

  it("doesn't say that a campaign was sent whose time may be later", async () => {
    const day = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    await save({ campaignId: ref.id, sending_type: 'scheduled', sending_date: day });
    user.answers.push('Send');
    await send();
    await eventually(() =>
      assert.match(
        user.notifications.at(-1) ?? '',
        /^"Autumn" was scheduled\. Sends on .*, or immediately if that time/u,
      ),
    );
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
      'the lists',
      () => save({ campaignId: ref.id, listIds: [testers, everybody] }),
      /The campaign changed during the confirmation \(listIds\)\. Nothing was sent/u,
    ],
    [
      "a list's name",
      () => connections.rename(testers, 'Everybody'),
      /The recipients changed during the confirmation \(the lists\)\. Nothing was sent\./u,
    ],
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

  describe('after a canceled confirmation', () => {
    let panels: StandInPanel[];

    beforeEach(async () => {
      panels = [];
      user.usePanel = (panel: StandInPanel) => {
        panels.push(panel);
        panel.receive({ type: 'ready' });
        panel.receive({ type: 'continue' });
      };
      user.answers.push(undefined);
      assert.equal(await send(), undefined);
      user.messages.length = 0;
    });

    const getPanel = () => panels[0] ?? assert.fail();
    const showsSubject = (subject: string) =>
      JSON.stringify(getPanel().posted.at(-1)).includes(`"subject":${JSON.stringify(subject)}`);

    /** Continues in the page until `isDone`. */
    const continueUntil = async (isDone: () => boolean) => {
      getPanel().receive({ type: 'continue' });
      await eventually(() => assert.ok(isDone()));
    };

    it('keeps the page, which asks again and sends', async () => {
      assert.deepEqual([getPanel().isDisposed, getPanel().revealCount], [false, 1]);
      user.answers.push('Send');
      await continueUntil(() => user.notifications.length > 0);
      assert.deepEqual([user.questions.length, countSends(), panels.length], [1, 1, 1]);
      assert.ok(getPanel().isDisposed);
    });

    for (const [what, change] of [
      ['the campaign', () => save({ campaignId: ref.id, subject: 'Snow' })],
      ['a list', () => connections.rename(testers, 'Everybody')],
    ] as const) {
      it(`shows the review again instead of asking if ${what} changed`, async () => {
        await change();
        const { length } = getPanel().posted;
        await continueUntil(() => getPanel().posted.length > length);
        assert.deepEqual([user.messages.length, countSends()], [0, 0]);
        user.answers.push('Send');
        await continueUntil(() => user.notifications.length > 0);
        assert.deepEqual([user.questions.length, countSends()], [1, 1]);
      });
    }

    it('shows in the page what changed, and confirms that', async () => {
      await save({ campaignId: ref.id, subject: 'Snow' });
      await continueUntil(() => showsSubject('Snow'));
      user.answers.push('Send');
      await continueUntil(() => user.notifications.length > 0);
      assert.match(user.questions[0]?.detail ?? '', /Subject: Snow/u);
    });

    it('sends once if the user continues twice', async () => {
      user.answers.push('Send', 'Send');
      getPanel().receive({ type: 'continue' });
      await continueUntil(() => user.notifications.length > 0);
      assert.deepEqual([user.questions.length, countSends()], [1, 1]);
    });

    it('reports an error', async () => {
      user.answers.push(async () => {
        await save({ campaignId: ref.id, body: '<p>Theirs</p>' });
        return 'Send';
      });
      await continueUntil(() => user.notifications.length > 0);
      assert.match(
        user.notifications[0] ?? '',
        /The campaign changed during the confirmation \(body\)\. Nothing was sent/u,
      );
      assert.equal(countSends(), 0);
    });

    it('is replaced by a new review', async () => {
      user.answers.push('Send');
      assert.equal((await send())?.outcome, 'sent');
      assert.deepEqual(
        panels.map(({ isDisposed }) => isDisposed),
        [true, true],
      );
    });
  });

  it('sends again only if the user chooses the button that Enter does not', async () => {
    user.answers.push('Send');
    await send();
    let review = '';
    user.usePanel = (panel: StandInPanel) => {
      panel.receive({ type: 'ready' });
      review = JSON.stringify(panel.posted);
      panel.receive({ type: 'continue' });
    };
    user.answers.push("Don't Send");
    assert.equal(await send(), undefined);
    assert.match(review, /"action":"Send Again…","repetition":"It was already sent\. Everyone/u);
    const question = user.questions.at(-1);
    assert.deepEqual(question?.buttons, ["Don't Send", 'Send Again']);
    assert.match(question?.text ?? '', /was already sent.* Send it again to \d+ recipients on One\?/u);
    user.answers.push('Send Again');
    assert.equal((await send())?.outcome, 'sent');
    assert.equal(countSends(), 2);
  });

  it('returns nothing if the user closes the review, and can be sent again', async () => {
    user.usePanel = (panel: StandInPanel) => panel.receive({ type: 'cancel' });
    assert.equal(await send(), undefined);
    user.usePanel = (panel: StandInPanel) => panel.receive({ type: 'continue' });
    user.answers.push('Send');
    assert.equal((await send())?.outcome, 'sent');
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
