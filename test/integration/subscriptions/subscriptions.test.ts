import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import type { FaultKind } from '../../support/sandbox/index.ts';
import { answering } from '../answers.ts';
import { eventually } from '../../support/eventually.ts';
import type { Json } from '../../../src/service/client/shapes.ts';
import { connectService, useService, type TestService } from '../service.ts';
import { withReplaced } from '../statistics/host.ts';

interface ChangeResult {
  readonly done: number;
  readonly notFound: readonly string[];
  readonly unknown: number;
  readonly left: number;
  readonly run?: string;
}

interface Body {
  readonly emails: readonly string[];
  readonly listIds: readonly number[];
  readonly [field: string]: Json;
}

type Operation = 'subscribeUsers' | 'unsubscribeUsers';

const run = (command: string, argument: object) =>
  vscode.commands.executeCommand<ChangeResult | undefined>(`mailing.${command}`, argument);
const [newsletter, updates, everybody, test] = [1, 2, 6, 8] as const;
const noNotifications = { sendWelcomeEmail: false, sendUnsubscribeEmail: false, trigger: false };

/** Answers Quick Picks with the result of `choose`. Returns the items of all Quick Picks. */
async function answerQuickPicks<T>(
  choose: (
    items: readonly vscode.QuickPickItem[],
    options: vscode.QuickPickOptions,
  ) => vscode.QuickPickItem | readonly vscode.QuickPickItem[] | undefined,
  task: () => PromiseLike<T>,
): Promise<{ readonly result: T; readonly offered: readonly (readonly vscode.QuickPickItem[])[] }> {
  const offered: (readonly vscode.QuickPickItem[])[] = [];
  const pick = (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
    offered.push(items);
    return Promise.resolve(choose(items, options));
  };
  const create = () => {
    const [accepted, hidden] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
    const quickPick = {
      title: '',
      items: [] as readonly vscode.QuickPickItem[],
      selectedItems: [] as readonly vscode.QuickPickItem[],
      activeItems: [],
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      show: async () => {
        const chosen = await pick(quickPick.items, quickPick);
        quickPick.selectedItems = [chosen ?? []].flat();
        (chosen ? accepted : hidden).fire();
      },
      hide: () => hidden.fire(),
      dispose: () => undefined,
    };
    return quickPick;
  };
  const result = await withReplaced(vscode.window, 'showQuickPick', pick as never, () =>
    withReplaced(vscode.window, 'createQuickPick', create as never, task),
  );
  return { result, offered };
}

/** Asserts that no address was sent twice and, if `all` is given, that none is missing. */
function assertOnce(sent: readonly string[], all?: readonly string[]) {
  assert.equal(new Set(sent).size, sent.length, 'An address was sent twice.');
  // A diff of thousands of addresses would be unreadable.
  if (all !== undefined)
    assert.deepEqual(all.filter((email) => !sent.includes(email)).slice(0, 3), [], 'Some were not sent.');
}

describe('subscriptions', () => {
  let service: TestService;

  const bodies = (operation: Operation) =>
    service.sandbox.requests.filter((request) => request.operation === operation).map(({ body }) => body as Body);
  /** Returns the addresses of the requests that the service processed. */
  const getProcessedAddresses = (operation: Operation) =>
    service.sandbox.requests
      .filter(
        (request) => request.operation === operation && (request.status === 200 || request.fault === 'lostAnswer'),
      )
      .flatMap(({ body }) => (body as Body).emails);
  const readAddresses = async (listId: number, count: number) => {
    const emails: string[] = [];
    while (emails.length < count) {
      const page = await service.other.getSubscribersFromLists([listId], { offset: emails.length, limit: 500 });
      if (page.length === 0) break;
      emails.push(...page.map(({ email }) => email ?? ''));
    }
    return emails.slice(0, count);
  };
  /** Subscribes without notifications, unless `fields` say otherwise. */
  const subscribeBy = (fields: object, answer: Parameters<typeof answering>[0] = 'Subscribe') =>
    answering(answer, () => run('list.subscribe', { connection: service.connection, ...noNotifications, ...fields }));
  const getDocumentText = (name: string) =>
    vscode.workspace.textDocuments.findLast(({ uri }) => uri.path === `/${name}`)?.getText();

  describe('of a few addresses', () => {
    const shared = useService('sample');
    beforeEach(() => {
      service = shared();
    });

    it('are changed after a confirmation, and can be reverted', async () => {
      const emails = ['Test.Phone@example.com', 'test.phone@EXAMPLE.com', 'test.desktop@example.org'];
      const { result, shown } = await answering('Unsubscribe', () =>
        run('list.unsubscribe', {
          connection: service.connection,
          id: test,
          emails,
          sendUnsubscribeEmail: true,
          trigger: true,
        }),
      );
      assert.deepEqual(
        { ...result, connection: '' },
        { connection: '', listIds: [test], done: 2, notFound: [], unknown: 0, left: 0 },
      );
      assert.deepEqual(bodies('unsubscribeUsers'), [
        {
          emails: ['Test.Phone@example.com', 'test.desktop@example.org'],
          listIds: [test],
          sendUnsubscribeEmail: true,
          trigger: true,
        },
      ]);
      const [question] = shown;
      assert.equal(question?.modal, true);
      assert.match(question.text, /^Unsubscribe 2 addresses from "Test" on Test \d+\?$/u);
      assert.match(question.detail ?? '', /unsubscribe email is sent.*real emails/u);
      assert.match(question.detail ?? '', /Automations and follow-ups are triggered/u);
      assert.equal((await service.other.getSubscribersFromLists([test])).length, 1);

      await subscribeBy({ ids: [test], emails });
      assert.deepEqual(bodies('subscribeUsers'), [
        {
          emails: ['Test.Phone@example.com', 'test.desktop@example.org'],
          listIds: [test],
          sendWelcomeEmail: false,
          trigger: false,
        },
      ]);
      assert.equal((await service.other.getSubscribersFromLists([test])).length, 3);
    });

    it('stay unchanged if the modal dialog is closed', async () => {
      const { result } = await subscribeBy({ id: test, emails: ['test.phone@example.com'] }, []);
      assert.equal(result, undefined);
      assert.equal(service.received('subscribeUsers'), 0);
    });

    it('leave out invalid addresses after a confirmation', async () => {
      const fields = { id: test, emails: ['test.phone@example.com', 'invalid', 'a@@b'] };
      const refused = await subscribeBy(fields);
      assert.equal(refused.result, undefined);
      assert.equal(service.received('subscribeUsers'), 0);
      assert.equal(getDocumentText('Not an address.txt'), 'invalid\na@@b\n');
      await subscribeBy(fields, ['Leave Out', 'Subscribe']);
      assert.deepEqual(
        bodies('subscribeUsers').map(({ emails }) => emails),
        [['test.phone@example.com']],
      );
    });

    it('report addresses without a user', async () => {
      const subscribe = (emails: readonly string[]) =>
        answering('Subscribe', async (shown) => {
          const argument = { connection: service.connection, id: test, ...noNotifications, emails };
          const result = await run('list.subscribe', argument);
          // The notification follows the command.
          await eventually(() => assert.match(shown.at(-1)?.text ?? '', /not found/u));
          return result;
        });
      const some = await subscribe(['test.phone@example.com', 'not.found@example.com']);
      assert.deepEqual(
        [some.result?.done, some.result?.notFound, some.result?.run],
        [1, ['not.found@example.com'], undefined],
      );
      const all = await subscribe(['a@x.example', 'b@x.example']);
      assert.deepEqual(
        [all.result?.done, all.result?.notFound, all.result?.run],
        [0, ['a@x.example', 'b@x.example'], undefined],
      );
      await eventually(() => assert.equal(getDocumentText('Not found.txt'), 'a@x.example\nb@x.example\n'));
    });

    it('are rejected for a missing list and without addresses', async () => {
      for (const argument of [
        { id: 999, emails: ['test.phone@example.com'] },
        { id: test, emails: [] },
        { id: test, emails: ['invalid'] },
      ]) {
        const { shown } = await subscribeBy(argument, ['Subscribe', 'Leave Out']);
        assert.match(shown[0]?.text ?? '', /Nothing was sent\./u);
      }
      assert.equal(service.received('subscribeUsers'), 0);
    });

    it('are prompted step by step, with the selected list but no email preselected', async () => {
      const node = { kind: 'record', connection: service.connection, id: newsletter, collection: 'lists' };
      const { offered } = await answerQuickPicks(
        (items, { canPickMany }) => (canPickMany === true ? items.filter(({ picked }) => picked) : items[0]),
        () =>
          answering('Subscribe', () =>
            run('list.subscribe', { ...node, text: 'Phone <test.phone@example.com>; test.webmail@example.net' }),
          ),
      );
      assert.deepEqual(offered[0]?.[0]?.label, '$(check) Continue with 2 addresses');
      assert.deepEqual(
        offered[1]?.filter(({ picked }) => picked).map(({ label }) => label),
        ['Newsletter'],
      );
      assert.deepEqual(
        offered[2]?.map(({ picked }) => picked),
        [undefined, undefined],
      );
      assert.deepEqual(bodies('subscribeUsers'), [
        {
          emails: ['test.phone@example.com', 'test.webmail@example.net'],
          listIds: [newsletter],
          sendWelcomeEmail: false,
          trigger: false,
        },
      ]);
    });
  });

  describe('from files', () => {
    let folder: string;
    const table =
      'Straße;Name;E-Mail\r\nÖdweg 1;"Müller; Jürgen";test.phone@example.com\r\nAm Tor 2;Ann;test.webmail@example.net\r\n';
    const files: readonly (readonly [name: string, bytes: Uint8Array])[] = [
      ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${table}`)],
      ['UTF-8', Buffer.from(table)],
      ['UTF-16', Buffer.from(`\uFEFF${table}`, 'utf16le')],
      ['UTF-16, big end first', Buffer.from(`\uFEFF${table}`, 'utf16le').swap16()],
      ['UTF-16 without a byte order mark', Buffer.from(table, 'utf16le')],
      ['UTF-16, big end first, without a byte order mark', Buffer.from(table, 'utf16le').swap16()],
      ['Latin-1', Buffer.from(table, 'latin1')],
    ];

    const shared = useService('sample');
    beforeEach(async () => {
      service = shared();
      folder = makeScratch();
    });
    afterEach(() => removeScratch(folder));

    it('are read from the picked column of a file in any encoding', async () => {
      const path = join(folder, 'people.csv');
      for (const [index, [name, bytes]] of files.entries()) {
        await writeFile(path, bytes);
        const { offered } = await answerQuickPicks(
          (items) => items[0],
          () => subscribeBy({ uri: vscode.Uri.file(path), id: test }),
        );
        assert.deepEqual(
          offered[0]?.map(({ label, description }) => `${label}: ${description}`),
          ['E-Mail: 2 addresses', 'Straße: no addresses', 'Name: no addresses'],
          name,
        );
        assert.equal(offered[0]?.[2]?.detail, 'Müller; Jürgen · Ann');
        assert.deepEqual(
          bodies('subscribeUsers')
            .slice(index)
            .flatMap(({ emails }) => emails),
          ['test.phone@example.com', 'test.webmail@example.net'],
        );
      }
    });

    it('offer 100,000 previewed addresses again after a cancellation', async () => {
      const path = join(folder, 'many.txt');
      await writeFile(path, Array.from({ length: 100_000 }, (_, index) => `user.${index}@example.com`).join('\n'));
      const { result: first } = await answerQuickPicks(
        (items) => items[0],
        () => subscribeBy({ uri: vscode.Uri.file(path), id: test }, []),
      );
      assert.equal(first.result, undefined);
      assert.match(first.shown[0]?.text ?? '', /^Subscribe 100,000 addresses to "Test"/u);
      const { offered } = await answerQuickPicks(
        () => undefined,
        () => answering(undefined, () => run('list.subscribe', { connection: service.connection })),
      );
      assert.deepEqual(
        offered[0]?.slice(0, 1).map(({ label, description }) => [label, description]),
        [['$(history) Last read addresses', 'many.txt']],
      );
      assert.equal(service.received('subscribeUsers'), 0);
    });
  });

  describe('of thousands of addresses', () => {
    let emails: string[];

    beforeEach(async () => {
      service = await connectService({ subscribers: 4000 });
      emails = await readAddresses(everybody, 4000);
      assert.equal(emails.length, 4000);
      service.forget();
    });
    afterEach(() => service.end());

    const subscribe = (listIds: readonly number[] = [updates]) => subscribeBy({ listIds, emails });
    const subscribeLater = (listId: number, late: readonly string[]) =>
      service.other.subscribeUsers({ emails: late, listIds: [listId], sendWelcomeEmail: false, trigger: false });
    /** Creates an empty list, so that all its subscribers come from the test. */
    const newList = async () => (await service.other.createList({ name: 'Empty' })).listId ?? assert.fail();
    const continueRun = (id: string | undefined, answer: string | readonly string[] = 'Subscribe') =>
      answering(answer, () => run('list.continueSubscriptions', { run: id }));

    it('are sent in requests of 200 addresses', async () => {
      const { result } = await subscribe();
      assert.equal(result?.done, 4000);
      assert.deepEqual(
        bodies('subscribeUsers').map((body) => body.emails.length),
        Array.from({ length: 20 }, () => 200),
      );
      assertOnce(getProcessedAddresses('subscribeUsers'), emails);
    });

    const failures: readonly (readonly [name: string, fault: FaultKind, unconfirmed: number])[] = [
      ['403', { kind: 'status', status: 403, message: 'Task not allowed.' }, 0],
      ['404', { kind: 'status', status: 404, message: 'Not here.' }, 0],
      ['422', { kind: 'status', status: 422, message: 'No.' }, 0],
      ['429', { kind: 'rateLimited' }, 0],
      ['500', { kind: 'operationError' }, 200],
      ['a connection reset before processing', { kind: 'resetAfterRead' }, 200],
      ['a response lost after processing', { kind: 'lostAnswer' }, 200],
    ];
    for (const [name, fault, unconfirmed] of failures) {
      it(`continue after ${name} at request 7 of 20, without duplicates`, async () => {
        service.sandbox.faults.add({ ...fault, operation: 'subscribeUsers', skip: 6, times: 1 });
        const { result, shown } = await subscribe();
        assert.deepEqual([result?.done, result?.unknown, result?.left], [1200, unconfirmed, 2800 - unconfirmed]);
        assert.match(shown.at(-1)?.text ?? '', /stopped\. Subscribed: 1,200 · /u);
        assert.deepEqual(shown.at(-1)?.buttons, ['Continue…', 'Show Report']);
        assert.equal(service.received('subscribeUsers'), 7, 'Writes are never retried automatically.');

        const closed = await answering(undefined, () => run('list.continueSubscriptions', { run: result?.run }));
        assert.equal(closed.result, undefined);
        assert.equal(service.received('subscribeUsers'), 7);

        const rest = await continueRun(result?.run, ['Send Again', 'Subscribe']);
        assert.deepEqual(
          [rest.result?.done, rest.result?.notFound, rest.result?.unknown, rest.result?.left, rest.result?.run],
          [4000, [], 0, 0, undefined],
        );
        assertOnce(getProcessedAddresses('subscribeUsers'));
        assert.equal((await readAddresses(updates, 5000)).length, 4000);
        const again = await continueRun(result?.run);
        assert.match(again.shown[0]?.text ?? '', /complete or was forgotten/u);
      });
    }

    it('are unsubscribed as well, and an unconfirmed request is checked', async () => {
      service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'unsubscribeUsers', skip: 2, times: 1 });
      const { result } = await answering('Unsubscribe', () =>
        run('list.unsubscribe', { connection: service.connection, id: everybody, emails, ...noNotifications }),
      );
      assert.deepEqual([result?.done, result?.unknown, result?.left], [400, 200, 3400]);
      const rest = await continueRun(result?.run, 'Unsubscribe');
      assert.match(rest.shown[0]?.detail ?? '', /No longer on the lists: 200\. To be sent again: 0\./u);
      assert.deepEqual([rest.result?.done, rest.result?.left], [4000, 0]);
      assertOnce(getProcessedAddresses('unsubscribeUsers'), emails);
      assert.equal((await service.other.getSubscribersFromLists([everybody])).length, 0);
    });

    it('are repeated only on request if an unconfirmed request can’t be checked', async () => {
      service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'subscribeUsers', skip: 1, times: 1 });
      const { result } = await subscribe();
      service.sandbox.faults.add({ kind: 'status', status: 403, operation: 'getSubscribersFromLists' });
      const closed = await continueRun(result?.run);
      assert.match(closed.shown[0]?.text ?? '', /200 addresses may or may not have been subscribed/u);
      assert.equal(closed.result, undefined);
      assert.equal(service.received('subscribeUsers'), 2);
      const rest = await continueRun(result?.run, ['Leave Out', 'Subscribe']);
      assert.deepEqual([rest.result?.done, rest.result?.left], [3800, 0]);
      assertOnce(getProcessedAddresses('subscribeUsers'), emails);
    });

    it('are not repeated automatically while the service may still be processing them', async () => {
      service.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'subscribeUsers', skip: 6, times: 1 });
      const empty = await newList();
      const { result } = await subscribe([empty]);
      const closed = await continueRun(result?.run);
      const [question, ...more] = closed.shown;
      assert.match(question?.text ?? '', /^200 addresses may or may not have been subscribed\./u);
      assert.match(
        question?.detail ?? '',
        /On the lists now: 0\. The service may still be processing the others\..*a second time/su,
      );
      assert.deepEqual(
        [question?.modal, question?.buttons, more],
        [true, ['Check Again', 'Leave Out', 'Send Again'], []],
      );
      assert.deepEqual([closed.result, service.received('subscribeUsers')], [undefined, 7]);

      // The service processes the request late, in two halves. After that, nothing is left to send.
      const late = bodies('subscribeUsers')[6]?.emails ?? [];
      await subscribeLater(empty, late.slice(0, 100));
      const half = await continueRun(result?.run);
      assert.match(half.shown[0]?.text ?? '', /^100 addresses may or may not have been subscribed\./u);
      await subscribeLater(empty, late.slice(100));
      const before = service.received('subscribeUsers');
      const rest = await continueRun(result?.run);
      assert.match(
        rest.shown[0]?.detail ?? '',
        /The response for 200 addresses was lost\. On the lists now: 200\. To be sent again: 0\./u,
      );
      assert.deepEqual([rest.result?.done, rest.result?.unknown, rest.result?.left], [4000, 0, 0]);
      const sent = bodies('subscribeUsers')
        .slice(before)
        .flatMap((body) => body.emails);
      assert.deepEqual(
        sent.filter((email) => late.includes(email)),
        [],
      );
    });

    it('are left out on request, except for the confirmed ones', async () => {
      service.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'subscribeUsers', skip: 6, times: 1 });
      const empty = await newList();
      const { result } = await subscribe([empty]);
      const late = bodies('subscribeUsers')[6]?.emails ?? [];
      await subscribeLater(empty, late.slice(0, 150));
      const rest = await continueRun(result?.run, ['Leave Out', 'Subscribe']);
      assert.match(rest.shown[1]?.detail ?? '', /On the lists now: 150\. Left out: 50\./u);
      assert.deepEqual([rest.result?.done, rest.result?.unknown, rest.result?.left], [3950, 0, 0]);
    });

    it('ask about an interrupted change before another one starts', async () => {
      service.sandbox.faults.add({ kind: 'status', status: 403, operation: 'subscribeUsers', skip: 3, times: 1 });
      const { result } = await subscribe();
      assert.equal(result?.left, 3400);
      const second = await subscribe();
      assert.match(second.shown[0]?.text ?? '', /was interrupted\. Continue it\?/u);
      assert.deepEqual(second.shown[0]?.buttons, ['Continue', 'Discard Change', 'Start Another Change']);
      assert.equal(service.received('subscribeUsers'), 4);
      const third = await subscribeBy({ listIds: [updates], emails }, ['Continue', 'Subscribe']);
      assert.equal(third.result?.done, 4000);
      assertOnce(getProcessedAddresses('subscribeUsers'), emails);
    });

    it('leave out a list that was deleted in the meantime', async () => {
      service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'subscribeUsers', skip: 4, times: 1 });
      const { result } = await subscribe([updates, newsletter]);
      await service.other.deleteList(updates);
      const rest = await continueRun(result?.run);
      assert.match(
        rest.shown[0]?.detail ?? '',
        /Lists left out, because they were deleted on the service: Product updates/u,
      );
      assert.equal(rest.result?.done, 4000);
      assert.deepEqual(
        bodies('subscribeUsers')
          .slice(5)
          .map(({ listIds }) => listIds),
        Array.from({ length: 15 }, () => [newsletter]),
      );
    });
  });

  describe('of a user', () => {
    const show = (argument: object) =>
      answering(undefined, () =>
        vscode.commands.executeCommand<{ id: number; email?: string } | undefined>('mailing.user.showSubscriptions', {
          connection: service.connection,
          ...argument,
        }),
      );

    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ label }) => label.startsWith('Subscriptions'));

    const shared = useService('sample');
    beforeEach(() => {
      service = shared();
    });

    it('are shown in one panel', async () => {
      const { result } = await show({ id: 1 });
      assert.equal(result?.id, 1);
      await show({ id: 1 });
      await eventually(() => assert.equal(tabs().length, 1));
      assert.equal(service.received('getUserSubscriptionById'), 2);
    });

    it('report a missing user', async () => {
      const { result, shown } = await show({ id: 99_999 });
      assert.equal(result, undefined);
      assert.match(shown[0]?.text ?? '', /No subscriptions found for user #99999\./u);
      assert.deepEqual(tabs(), []);
    });

    it('report a failure in the service’s words', async () => {
      const operation = 'getUserSubscriptionById';
      for (const status of [403, 404, 422, 500]) {
        service.sandbox.faults.add({ kind: 'status', status, message: 'In the service’s words.', operation });
        const { result, shown } = await show({ id: 1 });
        assert.equal(result, undefined);
        assert.match(
          shown[0]?.text ?? '',
          /^Show Subscriptions of a User: Couldn't read the user's subscriptions\. .*In the service’s words/u,
        );
        service.sandbox.faults.clear();
      }
    });

    it('report an incomplete response', async () => {
      service.sandbox.faults.add({ kind: 'brokenJson', operation: 'getUserSubscriptionById' });
      assert.equal((await show({ id: 1 })).result, undefined);
    });
  });
});
