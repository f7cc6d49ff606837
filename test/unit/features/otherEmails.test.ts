import assert from 'node:assert/strict';
import type { Connection } from '../../../src/platform/connections/model.ts';
import type { TestRequest } from '../../../src/features/sending/testSend/recipients.ts';
import { MailingClient, type ProfileName } from '../../../src/service/client/index.ts';
import { user } from '../../support/vscodeStandIn.ts';
import { useService } from '../service/sandbox/support.ts';

const { createOperations, otherEmailTree } = await import('../../../src/features/otherEmails/otherEmails.ts');

describe('other emails', () => {
  const service = useService({ profile: 'acymailing' });
  let client: MailingClient;
  let tests: TestRequest[];
  beforeEach(() => {
    user.reset();
    const { baseUrl, apiKey } = service.sandbox;
    [client, tests] = [new MailingClient({ baseUrl, apiKey, profile: 'acymailing' }), []];
  });
  afterEach(() => client.close());

  const read = (offset = 0) => otherEmailTree.fetch(client, { offset, limit: otherEmailTree.pageSize }, {}, {});
  const createServices = (reader: object = client) => ({
    connections: {
      resolve: async () => ({ id: 'shop', name: 'Shop', baseUrl: 'https://shop.example' }),
      run: async (_: object, operation: (given: object) => unknown) => operation(reader),
    },
    sendTest: async (order: TestRequest) => tests.push(order),
  });
  const operate = (reader?: object) => createOperations(createServices(reader) as never);
  const ref = (id: number) => ({ connection: 'shop', baseUrl: 'https://shop.example', id });

  it('are grouped by their type, with what the service does not report', async () => {
    const emails = await read();
    assert.deepEqual([...new Set(emails.map(({ type }) => type))], ['welcome', 'unsubscribe']);
    assert.deepEqual(
      otherEmailTree.groups?.all.map(({ label }) => label),
      ['Welcome', 'Unsubscribe', 'Automation', 'Notification'],
    );
    const [first] = emails;
    assert.ok(first);
    const { label, description, group, tooltip } = otherEmailTree.item(first, ref(first.id));
    assert.deepEqual([label, description, group], [first.name, first.subject, 'welcome']);
    assert.match(JSON.stringify(tooltip), /doesn't report the text/u);
    assert.deepEqual(await read(emails.length), []);
  });

  it('are in the tree of services that report them', () => {
    const isAvailable = (profile: ProfileName, sandbox?: boolean) =>
      otherEmailTree.isAvailable?.({ profile, sandbox } as Connection);
    assert.deepEqual(
      [isAvailable('acymailing'), isAvailable('documented'), isAvailable('documented', true)],
      [true, false, true],
    );
  });

  it('are tested by their id', async () => {
    const [first] = await read();
    assert.ok(first);
    user.useInput = () => 'ann@example.com';
    assert.equal(await operate().openTestable?.(ref(first.id), {}), undefined);
    const [test] = tests;
    assert.deepEqual(
      [test?.what, test?.to, test?.message.envelope.subject],
      [`tests/emails/${first.id}`, { kind: 'addresses', addresses: ['ann@example.com'] }, first.subject],
    );
    const { signal } = new AbortController();
    assert.equal(await test?.message.findStoredMailId?.(client, signal), first.id);
  });

  it('are not tested without an address, if they were deleted, or if the service sends to lists only', async () => {
    const [first] = await read();
    assert.ok(first);
    await operate().openTestable?.(ref(first.id), {});
    await assert.rejects(async () => operate().openTestable?.(ref(999), {}), /was deleted/u);
    const listsOnly = { getEmails: async () => [first], sendEmailToSingleUser: async () => ({}) };
    await assert.rejects(async () => operate(listsOnly).openTestable?.(ref(first.id), {}), /to a single user/u);
    assert.deepEqual(tests, []);
  });

  it('say when they are opened that the website has the text', async () => {
    user.answers.push('Send Test');
    await operate().open(ref(3));
    assert.match(user.notifications[0] ?? '', /doesn't report the text/u);
    assert.deepEqual(user.commands, [['mailing.sendTest', { ...ref(3), collection: 'emails' }]]);
  });
});
