import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { eventually } from '../../support/eventually.ts';
import { answering, assertShown } from '../answers.ts';
import { useService, type TestService } from '../service.ts';

interface Exported {
  readonly count: number;
  readonly complete: boolean;
  readonly uri: vscode.Uri | undefined;
}

const run = <T = { readonly connection: string; readonly id: number }>(command: string, argument?: object) =>
  vscode.commands.executeCommand<T | undefined>(`mailing.list.${command}`, argument);
const runRecord = (
  command: string,
  argument: object,
): Thenable<{ readonly connection: string; readonly id: number } | undefined> =>
  vscode.commands.executeCommand(`mailing.record.${command}`, { collection: 'lists', ...argument });
const allContactsId = 6;
describe('lists', () => {
  let service: TestService;
  let folder: string;

  const named = async (name: string) =>
    (await service.other.getLists({ filters: { name } })).filter((list) => list.name === name);
  const refuse = (operation: string) =>
    service.sandbox.faults.add({ kind: 'status', status: 403, message: 'Not allowed.', operation });

  const create = (fields: object) => run('create', { connection: service.connection, ...fields });
  const remove = (id = allContactsId) => runRecord('delete', { connection: service.connection, id });

  const shared = useService('sample', { subscribers: 1700 });
  beforeEach(() => {
    service = shared();
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  describe('are created', () => {
    it('from given fields, without prompts, with the API values', async () => {
      const made = await create({
        name: 'New',
        color: '#112233',
        active: 2,
        visible: 1,
        welcomeId: 3,
        unsubscribeId: 4,
      });
      assert.ok(made);
      const [list] = await named('New');
      assert.deepEqual(
        [list?.id, list?.color, list?.active, list?.visible, list?.welcome_id, list?.unsubscribe_id],
        [made.id, '#112233', 0, 1, 3, 4],
      );
      const request = service.sandbox.requests.find(({ operation }) => operation === 'createList');
      assert.deepEqual(request?.body, {
        name: 'New',
        active: 2,
        visible: 1,
        color: '#112233',
        welcomeId: 3,
        unsubscribeId: 4,
      });
    });

    it('not with invalid values: no request is sent', async () => {
      for (const fields of [
        { name: ' ' },
        { name: 'x', color: 'red' },
        { name: 'x', active: 3 },
        { name: 'x', welcomeId: 'a' },
      ]) {
        const { result, shown } = await answering(undefined, () => create({ ...fields }));
        assert.equal(result, undefined);
        assert.match(shown[0]?.text ?? '', /Invalid "/u);
      }
      assert.equal(service.received('createList'), 0);
    });

    it('not if the service refuses it: reported, and requested once', async () => {
      refuse('createList');
      const { result, shown } = await answering(undefined, () => create({ name: 'New' }));
      assert.equal(result, undefined);
      assertShown(shown, /not allowed/iu);
      assert.equal(service.received('createList'), 1);
      assert.deepEqual(await named('New'), []);
    });

    it('once if the response is lost, and the created list is found', async () => {
      service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'createList' });
      const { result, shown } = await answering(undefined, () => create({ name: 'Newsletter' }));
      assertShown(shown, /^"Newsletter" was created\. The response was lost/u);
      assert.equal(service.received('createList'), 1);
      const found = await named('Newsletter');
      assert.equal(found.length, 2);
      assert.equal(result?.id, found.at(-1)?.id);
    });

    it('and found later by repeated checks', async () => {
      service.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'createList', times: 1 });
      await answering('Check Again', async (shown) => {
        assert.equal(await create({ name: 'Late' }), undefined);
        await eventually(() =>
          assert.ok(shown.filter(({ text }) => /^"Late" may have been created/u.test(text)).length > 2),
        );
        await service.other.createList({ name: 'Late' });
        const isReported = () => shown.some(({ text }) => text === '"Late" was created.');
        await eventually(() => assert.ok(isReported(), JSON.stringify(shown.slice(-3))));
      });
    });

    it('once if they can’t be read back, and not again by "Retry"', async () => {
      refuse('getLists');
      const first = await answering(undefined, () => create({ name: 'New' }));
      assert.equal(first.result, undefined);
      assert.equal(service.received('createList'), 0);
      service.sandbox.faults.clear();
      service.sandbox.faults.add({ kind: 'status', status: 403, operation: 'getLists', skip: 1 });
      const { result, shown } = await answering('Retry', () => create({ name: 'New' }));
      assert.ok(result);
      assertShown(shown, /^"New" was created\. Couldn't show the result/u);
      assert.equal(service.received('createList'), 1);
    });
  });

  describe('are deleted', () => {
    it('after a confirmation with the number of subscribers', async () => {
      const canceled = await answering(undefined, () => remove());
      assert.equal(canceled.result, undefined);
      assert.match(
        canceled.shown[0]?.text ?? '',
        /^Delete the list "All contacts" with 1,700 subscribers on Test \d+\?$/u,
      );
      assert.equal(service.received('deleteList'), 0);
      const { result, shown } = await answering('Delete', () => remove());
      assert.deepEqual([result?.id, shown[0]?.modal], [allContactsId, true]);
      assert.deepEqual(await named('All contacts'), []);
    });

    it('even if the subscribers can’t be counted, which the confirmation shows', async () => {
      refuse('getSubscribersFromLists');
      const { shown } = await answering('Delete', () => remove());
      assert.match(shown[0]?.detail ?? '', /Couldn't count its subscribers: .*not allowed/iu);
      assert.deepEqual(await named('All contacts'), []);
    });

    it('not if the service refuses it', async () => {
      refuse('deleteList');
      const { result, shown } = await answering('Delete', () => remove());
      assert.equal(result, undefined);
      assert.ok(
        shown.some(({ text, modal }) => !modal && /not allowed/iu.test(text)),
        JSON.stringify(shown),
      );
      assert.equal(service.received('deleteList'), 1);
    });

    it('with an unconfirmed outcome if the response is lost and they still exist, until a check confirms it', async () => {
      service.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'deleteList' });
      await answering(['Delete', 'Check Again'], async (shown) => {
        assert.equal(await remove(), undefined);
        const findWarning = () => shown.find(({ text }) => /^"All contacts" may have been deleted/u.test(text));
        await eventually(() => assert.deepEqual(findWarning()?.buttons, ['Check Again']));
        service.sandbox.faults.clear();
        await service.other.deleteList(allContactsId);
        const isReported = () => shown.some(({ text }) => text === '"All contacts" was deleted.');
        await eventually(() => assert.ok(isReported(), JSON.stringify(shown.slice(-3))));
        assert.ok(!shown.some(({ text }) => /not deleted/u.test(text)));
      });
      assert.equal(service.received('deleteList'), 2);
    });

    it('not if they do not exist', async () => {
      const { result, shown } = await answering('Delete', () => remove(9999));
      assert.equal(result, undefined);
      assert.match(shown[0]?.text ?? '', /no list 9999/u);
    });
  });

  describe('show their subscribers', () => {
    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs: all }) => all)
        .filter(
          ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('mailing.subscribers'),
        );

    it('in one panel for each set of lists, which closes with its list', async () => {
      await run('showSubscribers', { connection: service.connection, id: allContactsId });
      await run('showSubscribers', { connection: service.connection, ids: [1, 2] });
      await run('showSubscribers', { connection: service.connection, ids: [2, 1] });
      await eventually(() =>
        assert.deepEqual(
          tabs()
            .map(({ label }) => label)
            .sort(),
          ['All contacts', 'Newsletter and 1 more'],
        ),
      );
      await answering('Delete', () => remove());
      await eventually(() =>
        assert.deepEqual(
          tabs().map(({ label }) => label),
          ['Newsletter and 1 more'],
        ),
      );
    });
  });

  describe('are exported', () => {
    const exportTo = (name: string, fields: object = {}) =>
      run<Exported>('exportSubscribers', {
        connection: service.connection,
        id: allContactsId,
        uri: vscode.Uri.file(join(folder, name)),
        ...fields,
      });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const listFiles = () => readdirSync(folder);

    it('completely, as CSV and as JSON', async () => {
      const csv = await exportTo('all.csv', { format: 'csv' });
      assert.equal(csv?.count, 1700);
      const lines = read('all.csv').split('\r\n');
      assert.equal(lines[0], '\uFEFFemail,name,status,subscription_date,confirmed,id');
      assert.equal(lines.length, 1702);
      await exportTo('all.json', { format: 'json' });
      const records = JSON.parse(read('all.json')) as { readonly id: number }[];
      assert.equal(new Set(records.map(({ id }) => id)).size, 1700);
      assert.deepEqual(listFiles().sort(), ['all.csv', 'all.json']);
    });

    it('for several lists, and for unsubscribed users', async () => {
      const both = await exportTo('both.csv', { id: undefined, ids: [1, 2] });
      const { length } = await service.other.getSubscribersFromLists([1, 2], { limit: 5000 });
      assert.equal(both?.count, length);
      const unsubscribed = await exportTo('unsubscribed.csv', { id: 1, status: 'unsubscribed' });
      assert.equal(
        unsubscribed?.count,
        (await service.other.getUnsubscribedUsersFromLists([1], { limit: 5000 })).length,
      );
    });

    for (const [operation, status] of [
      ['getSubscribersFromLists', 'subscribed'],
      ['getUnsubscribedUsersFromLists', 'unsubscribed'],
    ] as const) {
      it(`not if ${operation} is refused: reported, without leftover files`, async () => {
        refuse(operation);
        const { result, shown } = await answering(undefined, () => exportTo('none.csv', { status, id: 1 }));
        assert.equal(result, undefined);
        assertShown(shown, /not allowed/iu);
        assert.deepEqual(listFiles(), []);
      });
    }

    it('not if the list does not exist', async () => {
      const { shown } = await answering(undefined, () => exportTo('none.csv', { id: 9999 }));
      assert.match(shown[0]?.text ?? '', /no list 9999/u);
      assert.deepEqual(listFiles(), []);
    });

    it('not if a later page fails: reported, without leftover files', async () => {
      refuse('getSubscribersFromLists');
      // The fault added last applies first.
      service.sandbox.faults.add({
        kind: 'slow',
        bytes: 50_000,
        intervalMs: 1,
        operation: 'getSubscribersFromLists',
        times: 1,
      });
      const { result, shown } = await answering(undefined, () => exportTo('half.csv'));
      assert.equal(result, undefined);
      assertShown(shown, /not allowed/iu);
      assert.deepEqual(listFiles(), []);
    });

    it('to an existing file, which stays unchanged until the new one is complete', async () => {
      await exportTo('all.csv', { id: 8 });
      const before = read('all.csv');
      refuse('getSubscribersFromLists');
      await answering(undefined, () => exportTo('all.csv'));
      assert.equal(read('all.csv'), before);
      assert.deepEqual(listFiles(), ['all.csv']);
    });
  });
});
