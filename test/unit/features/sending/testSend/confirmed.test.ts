import assert from 'node:assert/strict';
import { OWN_LIST_NAME } from '../../../../../src/features/sending/testSend/viaOwnList.ts';
import type { SandboxProfile } from '../../../../support/sandbox/index.ts';
import { everybody, TestStage, TestWindow, testers } from './stage.ts';

/** A test that the user confirms while something changes. */
interface Scene {
  readonly stage: TestStage;
  readonly window: TestWindow;
  readonly users: readonly string[];
  /** The address of the connection in the settings. */
  baseUrl: string;
}

type Change = (scene: Scene) => unknown;

const editAddress: Change = (scene) => {
  scene.baseUrl = 'https://elsewhere.example.com';
};
const startElsewhere: Change = ({ stage, window, users }) => window.notes.acquire(stage.entry({ addresses: users }));
const sendElsewhere: Change = ({ stage, window }) =>
  window.sendNotes.acquire({ ...stage.entry({}), campaignId: 1, before: {}, watchUntil: stage.now });
/** Turns the clock, then starts the test in another window. */
const turnClock =
  (ms: number, start: Change): Change =>
  async (scene) => {
    scene.stage.now += ms;
    await start(scene);
  };
const findOwnList = async ({ client }: TestStage) =>
  (await client.getLists({ limit: 100, filters: { name: OWN_LIST_NAME } }))[0]?.id ?? 0;

const kinds: Readonly<
  Record<string, { profile: SandboxProfile; to?: number; prepare?: Change; changes: Readonly<Record<string, Change>> }>
> = {
  'to a list': {
    profile: 'documented',
    to: testers,
    changes: {
      'the address of the connection': editAddress,
      'a new subscriber': ({ stage, users }) => stage.subscribe(testers, users[0] ?? ''),
      'thirty new subscribers': async ({ stage }) => {
        const found = await stage.client.getSubscribersFromLists([everybody], { offset: 30, limit: 30 });
        await stage.subscribe(testers, ...found.map(({ email }) => email ?? ''));
      },
      'the journal': sendElsewhere,
      'the journal, and a clock that was set forward': turnClock(86_400_000, sendElsewhere),
      'the journal, and a clock that was set back': turnClock(-86_400_000, sendElsewhere),
    },
  },
  'to addresses': {
    profile: 'acymailing',
    changes: {
      'the address of the connection': editAddress,
      'the stored text': ({ stage }) => stage.changeTemplate(),
      'the journal': startElsewhere,
      'the journal, and a clock that was set forward': turnClock(86_400_000, startElsewhere),
      'the journal, and a clock that was set back': turnClock(-86_400_000, startElsewhere),
    },
  },
  'to addresses through a list of its own': {
    profile: 'documented',
    prepare: ({ stage }) => stage.createOwnList(),
    changes: {
      'the address of the connection': editAddress,
      'a deleted list': async ({ stage }) => stage.client.deleteList(await findOwnList(stage)),
      'a reserved list': async ({ stage, window }) =>
        window.notes.acquire(stage.entry({ what: `lists/${await findOwnList(stage)}` })),
      'the journal': sendElsewhere,
      'the journal, and a clock that was set back': turnClock(-86_400_000, sendElsewhere),
    },
  },
};

for (const [kind, { profile, to, prepare, changes }] of Object.entries(kinds)) {
  describe(`a test ${kind} sends exactly what its confirmation showed, and nothing after a change of`, () => {
    let scene: Scene;
    beforeEach(async () => {
      const stage = await TestStage.start(profile);
      const { baseUrl } = stage.sandbox;
      const window: TestWindow = new TestWindow(stage, () => scene.baseUrl);
      scene = { stage, window, users: await stage.users(2), baseUrl };
      await prepare?.(scene);
    });
    afterEach(() => scene.stage.end());

    it('nothing: it is sent', async () => {
      const { stage, window, users } = scene;
      assert.equal((await stage.send(window, to ?? users))?.outcome, 'sent');
      assert.equal(stage.recipients.length, to === undefined ? users.length : 3);
    });

    for (const [what, change] of Object.entries(changes)) {
      it(what, async () => {
        const { stage, window, users } = scene;
        window.answer = async () => (await change(scene), true);
        await assert.rejects(stage.send(window, to ?? users));
        assert.deepEqual([stage.recipients, stage.received('sendCampaign')], [[], 0]);
      });
    }
  });
}
