import assert from 'node:assert/strict';
import type { LeftoverPrompts } from '../../../../../src/features/sending/testSend/testRecords.ts';
import { TestStage, TestWindow, everybody, testers } from './stage.ts';

const minute = 60_000;

describe('TestRecords', () => {
  let stage: TestStage;
  let window: TestWindow;
  beforeEach(async () => {
    stage = await TestStage.start('documented');
    window = new TestWindow(stage);
  });
  afterEach(() => stage.end());

  /** Returns the offers that a window makes when it gains focus, each answered with a button. */
  const offers = async (
    answer?: string,
    happens: () => Promise<void> | void = () => undefined,
    next = new TestWindow(stage),
  ) => {
    const shown: string[] = [];
    const deleted: string[] = [];
    const prompts: LeftoverPrompts = {
      warn: async (message) => (shown.push(message), await happens(), answer),
      showError: (error) => shown.push(String(error)),
      onDeleted: (connection) => deleted.push(connection),
    };
    await next.records.offerLeftovers(prompts);
    return { shown, deleted, again: () => next.records.offerLeftovers(prompts) };
  };
  const notes = async () => (await window.notes.all()).map(({ what }) => what.replace(/\/.*/u, ''));

  /** Leaves an unsent campaign on the service. */
  const leave = async () => {
    stage.fault({ kind: 'status', status: 422, operation: 'sendCampaign' });
    stage.fault({ kind: 'status', status: 503, operation: 'deleteCampaign' });
    await assert.rejects(stage.send(window, testers), { outcome: 'refused' });
    const [left] = await stage.campaigns();
    return left?.id ?? assert.fail('no campaign');
  };

  it('leaves no entry for a campaign that was sent or deleted', async () => {
    assert.equal((await stage.send(window, testers))?.outcome, 'sent');
    stage.fault({ kind: 'status', status: 422, operation: 'sendCampaign' });
    await assert.rejects(stage.send(window, testers), { outcome: 'refused' });
    stage.fault({ kind: 'status', status: 422, operation: 'createOrUpdateCampaign' });
    await assert.rejects(stage.send(window, testers), { outcome: 'refused' });
    stage.now += 5 * minute;
    assert.deepEqual([(await stage.campaigns()).length, await notes(), (await offers()).shown], [1, [], []]);
  });

  it('offers to delete a campaign in a later window if its deletion failed', async () => {
    await leave();
    assert.deepEqual((await offers('Delete Campaign')).shown, [], 'Another window may be sending it.');
    stage.now += 5 * minute;
    const { shown, deleted } = await offers('Delete Campaign');
    assert.match(shown.join('\n'), /^A test left the draft "\[Test\] Hello .*" on One\. It wasn't sent\.$/u);
    assert.deepEqual([await stage.campaigns(), await notes(), deleted], [[], [], ['one']]);
  });

  it('offers to delete a campaign that appeared after a lost response', async () => {
    const late = stage.fault({ kind: 'late', operation: 'createOrUpdateCampaign' });
    await assert.rejects(stage.send(window, testers), { outcome: 'unknown' });
    stage.now += 5 * minute;
    assert.deepEqual([(await offers()).shown, await notes()], [[], ['campaigns']], 'It may still appear.');
    late.land();
    assert.equal((await stage.campaigns()).length, 1);
    assert.equal((await offers('Delete Campaign')).shown.length, 1);
    assert.deepEqual([await stage.campaigns(), await notes()], [[], []]);
  });

  it('drops the entry of a campaign that never appeared after a lost response', async () => {
    stage.fault({ kind: 'resetBeforeRead', operation: 'createOrUpdateCampaign' });
    await assert.rejects(stage.send(window, testers), { outcome: 'unknown' });
    stage.now += 20 * minute;
    assert.deepEqual([(await offers()).shown, await notes()], [[], []]);
  });

  it('keeps a campaign on request, and does not offer again', async () => {
    const id = await leave();
    stage.now += 5 * minute;
    assert.equal((await offers('Keep Campaign')).shown.length, 1);
    assert.deepEqual(
      [(await offers()).shown, (await stage.campaigns()).map((each) => each.id), await notes()],
      [[], [id], []],
    );
  });

  it('offers once per window if the user does not respond', async () => {
    await leave();
    stage.now += 5 * minute;
    const { shown, again } = await offers();
    await again();
    assert.deepEqual([shown.length, (await offers()).shown.length, (await stage.campaigns()).length], [1, 1, 1]);
  });

  for (const [what, happens] of [
    [
      'was renamed',
      (id: number) =>
        stage.client.createOrUpdateCampaign({
          campaignId: id,
          name: '[Test] Mine now',
          subject: 'x',
          body: 'x',
          listIds: [everybody],
        }),
    ],
    ['was sent', (id: number) => stage.client.sendCampaign(id)],
    ['was deleted', (id: number) => stage.client.deleteCampaign(id)],
  ] as const) {
    it(`does not delete a campaign, or offer it again, if it ${what} since`, async () => {
      const id = await leave();
      stage.now += 5 * minute;
      const { shown, deleted } = await offers('Delete Campaign', () =>
        happens(id).then(
          () => undefined,
          () => undefined,
        ),
      );
      assert.match(shown[1] ?? '', /" changed on One, so it wasn't deleted\.$/u);
      assert.deepEqual(
        [deleted, (await stage.campaigns()).length, await notes(), (await offers()).shown],
        [[], what === 'was deleted' ? 0 : 1, [], []],
      );
    });
  }

  it('does not offer a campaign while its send is unconfirmed', async () => {
    const id = await leave();
    const entry = {
      connection: 'one',
      baseUrl: stage.sandbox.baseUrl,
      what: 'tests/templates/7',
      asked: stage.now,
      until: stage.now,
      name: 'x',
      campaignId: id,
      before: {},
      watchUntil: stage.now,
    };
    await window.sendNotes.acquire(entry);
    stage.now += 5 * minute;
    assert.deepEqual((await offers('Delete Campaign')).shown, []);
    await window.sendNotes.release(entry);
    assert.equal((await offers('Delete Campaign')).shown.length, 1);
  });

  it('sends no requests to another address under the same connection', async () => {
    await leave();
    stage.now += 5 * minute;
    const next = new TestWindow(stage, () => 'https://elsewhere.example.com');
    assert.deepEqual(
      [(await offers('Delete Campaign', undefined, next)).shown, (await stage.campaigns()).length, await notes()],
      [[], 1, ['campaigns']],
    );
  });

  it('offers again if the deletion fails', async () => {
    await leave();
    stage.now += 5 * minute;
    stage.fault({ kind: 'status', status: 503, operation: 'deleteCampaign' });
    assert.match((await offers('Delete Campaign')).shown[1] ?? '', /ApiError/u);
    assert.equal((await offers('Delete Campaign')).shown.length, 1);
    assert.deepEqual(await stage.campaigns(), []);
  });
});
