import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { MailingClient } from '../../../../../src/service/client/index.ts';
import { OWN_LIST_NAME } from '../../../../../src/features/sending/testSend/viaOwnList.ts';
import type { SandboxProfile } from '../../../../support/sandbox/index.ts';
import { createRunOptions } from '../../../fuzz/setup.ts';
import { TestStage, TestWindow, everybody, testers } from './stage.ts';

/** Changes that another user makes on the service. */
const changes: Readonly<Record<string, (stage: TestStage, user: string) => Promise<unknown>>> = {
  joinTesters: (stage, user) => stage.subscribe(testers, user),
  leaveTesters: async (stage) => {
    const [first] = await stage.client.getSubscribersFromLists([testers], { limit: 1 });
    if (first?.email) await stage.unsubscribe(testers, first.email);
  },
  joinOwnList: (stage, user) => onOwnLists(stage, (id) => stage.subscribe(id, user)),
  fillOwnList: async (stage) => onOwnLists(stage, async (id) => stage.subscribe(id, ...(await stage.users(40)))),
  deleteOwnList: (stage) => onOwnLists(stage, (id) => stage.client.deleteList(id)),
  makeNamesake: async (stage, user) => stage.subscribe(await stage.createOwnList(), user),
  readdress: async ({ client }) => {
    const campaigns = (await client.getCampaigns({ limit: 100, filters: { name: '[Test]' } })).filter(
      ({ sent }) => sent !== 1,
    );
    for (const { id } of campaigns)
      await client.createOrUpdateCampaign({
        campaignId: id,
        name: '[Test] x',
        subject: 'x',
        body: 'x',
        listIds: [everybody],
      });
  },
  editTemplate: (stage) => stage.changeTemplate(),
  deleteTemplate: ({ client, templateId }) => client.deleteTemplate(templateId),
};

async function onOwnLists({ client }: TestStage, act: (id: number) => Promise<unknown>) {
  const own = (await client.getLists({ limit: 100, filters: { name: OWN_LIST_NAME } })).filter(
    ({ name }) => name === OWN_LIST_NAME,
  );
  for (const { id } of own) await act(id);
}

const moments = [
  'question',
  'createOrUpdateCampaign',
  'createList',
  'subscribeUsers',
  'unsubscribeUsers',
  'createTemplate',
  'getCampaignById',
] as const;
const change = fc.record({
  what: fc.constantFrom(...Object.keys(changes)),
  moment: fc.constantFrom(...moments),
  user: fc.nat({ max: 15 }),
});
const test = fc.record({
  toList: fc.boolean(),
  users: fc.uniqueArray(fc.nat({ max: 15 }), { minLength: 1, maxLength: 3 }),
  isSaved: fc.boolean(),
  changes: fc.array(change, { maxLength: 5 }),
});

/** Returns the addresses named in a confirmation. */
const getNamedAddresses = (detail: readonly string[]): readonly string[] =>
  detail.join(', ').match(/[^\s,"]+@[^\s,"]+/gu) ?? [];

describe('on a service that other users change while a test is sent', function () {
  for (const profile of ['documented', 'acymailing'] satisfies SandboxProfile[]) {
    it(`sends only to confirmed recipients, and once to each (${profile})`, async () => {
      const stage = await TestStage.start(profile);
      let sent = 0;
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(test, { minLength: 1, maxLength: 3 }), async (tests) => {
            stage.sandbox.reset();
            await stage.createTemplate();
            const users = await stage.users(16);
            for (const { toList, users: chosen, isSaved, changes: planned } of tests) {
              const waiting = [...planned];
              const applyChanges = async (moment: string) => {
                const now = waiting.filter((each) => each.moment === moment);
                for (const each of now) waiting.splice(waiting.indexOf(each), 1);
                // Ignores changes to records that another change deleted.
                for (const { what, user } of now)
                  await changes[what]?.(stage, users[user] ?? '').catch(() => undefined);
              };
              const window = new TestWindow(watched(stage, applyChanges));
              window.answer = async () => (await applyChanges('question'), true);
              const before = stage.recipients.length;
              const result = await stage
                .send(
                  window,
                  toList ? testers : chosen.map((at) => users[at] ?? ''),
                  stage.message(isSaved ? undefined : '<p>Mine</p>'),
                )
                .catch(() => undefined);
              const recipients = stage.recipients.slice(before);
              const confirmed = new Set(getNamedAddresses(window.questions.at(-1)?.detail ?? []));
              assert.deepEqual(
                recipients.filter((address) => !confirmed.has(address)),
                [],
                JSON.stringify(window.questions),
              );
              assert.equal(new Set(recipients).size, recipients.length);
              sent += result?.outcome === 'sent' ? 1 : 0;
            }
          }),
          createRunOptions(40),
        );
        assert.ok(sent > 10, `Most of the tests were refused: ${sent} went out.`);
      } finally {
        await stage.end();
      }
    });
  }
});

/** The stage of a window, with a change before each request. */
function watched(stage: TestStage, before: (operation: string) => Promise<void>) {
  const client = new Proxy(stage.client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        await before(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
  return new Proxy(stage, {
    get: (target, name) => (name === 'client' ? (client satisfies MailingClient) : Reflect.get(target, name, target)),
  });
}
