import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Sandbox } from '../../support/sandbox/index.ts';
import { openRewritingProxy, type RewritingProxy, type Rewrites } from '../../support/rewritingProxy.ts';
import { eventually } from '../../support/eventually.ts';
import { answering, assertShown, type Shown } from '../answers.ts';
import { connectService, revertAll, type, type TestService } from '../service.ts';

interface Sent {
  readonly id: number;
  readonly outcome?: string;
}

const testList = 8;
const allContacts = 6;
const run = (command: string, argument: object) =>
  vscode.commands.executeCommand<Sent | undefined>(`mailing.campaign.${command}`, argument);

/** Sets fields of each returned record. */
const setInEach = (fields: () => object) => (answer: object) =>
  Array.isArray(answer) ? answer.map((record: object) => ({ ...record, ...fields() })) : answer;

describe('sending a campaign', function () {
  let service: TestService;
  let front: RewritingProxy;
  let id: number;
  /** Changes responses of the service by operation. */
  let rewrites: Record<string, Rewrites[string]>;

  const target = () => ({ connection: service.connection, id });
  const sendTest = () =>
    vscode.commands.executeCommand<Sent | undefined>('mailing.sendTest', {
      ...target(),
      collection: 'campaigns',
      to: 'list',
    });
  const sends = () => service.received('sendCampaign');
  const fields = { name: 'Autumn', subject: 'Leaves', body: '<p>Leaves</p>', listIds: [testList] };
  const change = (changed: object) => service.other.createOrUpdateCampaign({ campaignId: id, ...fields, ...changed });
  const modal = (shown: readonly Shown[]) => shown.find((each) => each.modal) ?? assert.fail('no question');
  /** Answers the send confirmation with `button` after running `meanwhile`. */
  const meanwhile = (button: string, happens: () => PromiseLike<object | void>) => async (message: Shown) => {
    if (!message.modal) return undefined;
    await happens();
    return button;
  };

  beforeEach(async () => {
    rewrites = {};
    service = await connectService({}, async ({ baseUrl }: Sandbox) => {
      front = await openRewritingProxy(baseUrl, rewrites);
      return front.baseUrl;
    });
    await vscode.workspace
      .getConfiguration('mailing')
      .update('testLists', { [service.connection]: testList }, vscode.ConfigurationTarget.Global);
    ({ campaignId: id } = await service.other.createOrUpdateCampaign(fields));
    service.forget();
  });

  afterEach(async () => {
    await revertAll();
    await vscode.workspace
      .getConfiguration('mailing')
      .update('testLists', undefined, vscode.ConfigurationTarget.Global);
    await service.end();
    await front.close();
  });

  it('refuses a retry after a lost response with the reason, then reports the send once the service commits it', async () => {
    const late = service.sandbox.faults.add({ kind: 'late', operation: 'sendCampaign', times: 1 });
    await answering(['Send', 'Send Again…'], async (shown) => {
      assert.equal((await run('send', target()))?.outcome, 'unknown');
      await eventually(() =>
        assertShown(shown, /may have been sent: the response was lost\. Mailing Studio keeps checking/u),
      );
      assert.equal(await run('send', target()), undefined);
      const again = shown.filter((each) => each.modal)[1];
      assert.match(
        again?.text ?? '',
        /"Autumn" may have been sent on .*: the response was lost\. Send it again to 3 recipients on Test \d+\?/u,
      );
      assert.match(
        again?.detail ?? '',
        /The service may still be sending it\. If you send it again, all recipients may get it twice/u,
      );
      assert.deepEqual(again?.buttons, ["Don't Send", 'Send Again']);
      assert.equal(sends(), 1);
      late.land();
      await eventually(
        () => assertShown(shown, /^"Autumn" was sent or scheduled on .*\. The response was lost, but the service confirms it now/u),
        {
          timeoutMs: 30_000,
        },
      );
    });
    assert.deepEqual([sends(), service.sandbox.outbox.count], [1, 3]);
    const { shown } = await answering(undefined, () => run('send', target()));
    const { text, buttons } = modal(shown);
    assert.match(text, /was already sent.*Send it again/u, 'A confirmed send gets the prompt of a repeated one.');
    assert.deepEqual(buttons, ["Don't Send", 'Send Again']);
  });

  it('sends again if the user agrees to repeat it', async () => {
    service.sandbox.faults.add({ kind: 'late', operation: 'sendCampaign', times: 1 });
    await answering('Send', () => run('send', target()));
    const { result } = await answering('Send Again', () => run('send', target()));
    assert.equal(result?.outcome, 'sent');
    assert.equal(sends(), 2);
  });

  it('allows deleting an unconfirmed campaign after a warning', async () => {
    service.sandbox.faults.add({ kind: 'late', operation: 'sendCampaign', times: 1 });
    await answering('Send', () => run('send', target()));
    const { shown } = await answering('Delete', () =>
      vscode.commands.executeCommand('mailing.record.delete', { ...target(), collection: 'campaigns' }),
    );
    assert.match(
      modal(shown).detail ?? '',
      /The response to sending it was lost\. The service may still be sending it/u,
    );
  });

  for (const [what, words, happens] of [
    [
      'its lists',
      /changed during the confirmation \(listIds\)\. Nothing was sent/u,
      () => change({ listIds: [allContacts] }),
    ],
    [
      'its attachments',
      /changed during the confirmation \(attachments\)\. Nothing was sent/u,
      async () => {
        rewrites.getCampaignById = setInEach(() => ({ attachments: [{ filename: 'other.pdf' }] }));
      },
    ],
  ] as const) {
    it(`sends nothing if another user changed ${what} during the confirmation`, async () => {
      const { result, shown } = await answering(meanwhile('Send', happens), () => run('send', target()));
      assert.equal(result, undefined);
      await eventually(() => assertShown(shown, words));
      assert.equal(sends(), 0);
    });
  }

  it('sends nothing if another user sent it during the confirmation', async () => {
    const { shown } = await answering(
      meanwhile('Send', () => service.other.sendCampaign(id)),
      () => run('send', target()),
    );
    await eventually(() =>
      assertShown(shown, /changed during the confirmation \(.*sending state\)\. Nothing was sent/u),
    );
    assert.deepEqual([sends(), service.sandbox.outbox.count], [1, 3]);
  });

  it('sends nothing if the user typed during the confirmation, and asks again', async () => {
    const document = await vscode.workspace.openTextDocument(service.uri(`/campaigns/${id}/Autumn.html`));
    await vscode.window.showTextDocument(document, { preview: false });
    const { shown } = await answering(
      meanwhile('Send', () => type(document, '<p>Red leaves</p>')),
      () => run('send', target()),
    );
    await eventually(() => assertShown(shown, /changed during the confirmation \(body\)\. Nothing was sent/u));
    assert.deepEqual(
      [document.isDirty, (await service.other.getCampaignById(id)).body, sends()],
      [false, '<p>Red leaves</p>', 0],
    );
  });

  describe('sends no unnecessary requests', () => {
    const getOperations = () =>
      service.sandbox.requests
        .map(({ operation }) => operation ?? '')
        .filter((operation) => operation !== 'getCampaigns');
    // The campaign and its recipients, once for the review and once right before the request.
    const reading = ['getCampaignById', 'getLists', 'getSubscribersFromLists', 'getSubscribersFromLists'];
    const needed = [...reading, ...reading, 'sendCampaign'];
    const sent = async () => {
      await answering('Send', async (shown) => {
        assert.equal((await run('send', target()))?.outcome, 'sent');
        await eventually(() => assertShown(shown, /"Autumn" was sent to 3 recipients/u));
      });
    };

    it('if none of its documents is open', async () => {
      const before = getOperations().length;
      await sent();
      assert.deepEqual(getOperations().slice(before).toSorted(), needed.toSorted());
    });

    it('and reads it afterwards if one of its documents is open, which becomes read-only', async () => {
      const uri = service.uri(`/campaigns/${id}/Autumn.html`);
      await vscode.workspace.openTextDocument(uri);
      const before = getOperations().length;
      await sent();
      const operations = getOperations().slice(before);
      const end = operations.indexOf('sendCampaign') + 1;
      assert.deepEqual([operations.slice(0, end).toSorted(), operations[end]], [needed.toSorted(), 'getCampaignById']);
      assert.equal((await vscode.workspace.fs.stat(uri)).permissions, vscode.FilePermission.Readonly);
    });
  });

  describe('sending a test', () => {
    const tests = async () =>
      (await service.other.getCampaigns({ filters: { name: '[Test]' }, limit: 10 })).filter(({ name }) =>
        name?.startsWith('[Test] Autumn'),
      );

    it('warns before repeating an unconfirmed test', async () => {
      const late = service.sandbox.faults.add({ kind: 'late', operation: 'sendCampaign', times: 1 });
      await answering('Send Test', async (shown) => {
        assert.equal((await sendTest())?.outcome, 'unknown');
        await eventually(() =>
          assertShown(
            shown,
            /The test may have been sent to the list "Test": the response was lost, and the service may still be sending it/u,
          ),
        );
        const news = shown.find(({ text }) => /The test may have been sent/u.test(text));
        assert.equal(
          news?.buttons.includes('Delete Test Campaign'),
          false,
          'The record is needed to find out the outcome.',
        );
        assert.equal(await sendTest(), undefined);
        const again = shown.filter((each) => each.modal)[1];
        assert.match(
          again?.text ?? '',
          /A test may have been sent on .*: the response was lost\. Send a test of "Autumn" to 3 recipients of the list "Test"/u,
        );
        assert.match(again?.detail ?? '', /may still be sending the earlier test, so its recipients may get two/u);
        assert.deepEqual([sends(), (await tests()).length], [1, 1]);
        late.land();
        await eventually(() => assertShown(shown, /^"\[Test\] Autumn .*" was sent or scheduled on .*\. The response was lost/u), {
          timeoutMs: 30_000,
        });
      });
      assert.deepEqual([sends(), service.sandbox.outbox.count], [1, 3]);
      const { shown } = await answering('Send Test', () => sendTest());
      assert.match(modal(shown).text, /^Send a test of "Autumn" to 3 recipients/u);
      assert.equal(sends(), 2);
    });

    describe('to the configured test list', () => {
      const settings = () => vscode.workspace.getConfiguration('mailing');
      const { Global, Workspace } = vscode.ConfigurationTarget;
      const own = () => settings().inspect('testLists')?.globalValue;
      afterEach(() => settings().update('testLists', undefined, Workspace));

      it('prefers the workspace setting over the user setting, and changes neither', async () => {
        await settings().update('testLists', { [service.connection]: allContacts, another: 3 }, Global);
        await settings().update('testLists', { [service.connection]: testList, elsewhere: allContacts }, Workspace);
        const { result, shown } = await answering('Send Test', () => sendTest());
        assert.equal(result?.outcome, 'sent');
        assert.match(modal(shown).text, /to 3 recipients of the list "Test"/u);
        assert.deepEqual(own(), { [service.connection]: allContacts, another: 3 });
      });

      it('keeps the user setting if the workspace list is too large', async () => {
        await settings().update('testLists', { [service.connection]: testList, another: 3 }, Global);
        await settings().update('testLists', { [service.connection]: allContacts, elsewhere: allContacts }, Workspace);
        const { shown } = await answering(undefined, () => sendTest());
        assertShown(shown, /the maximum for tests .*\. Nothing was sent/u);
        assert.deepEqual([own(), sends()], [{ [service.connection]: testList, another: 3 }, 0]);
      });

      it('removes the user setting if its list is too large, and copies nothing from the workspace', async () => {
        await settings().update('testLists', { [service.connection]: allContacts, another: 3 }, Global);
        await settings().update('testLists', { elsewhere: allContacts }, Workspace);
        const { shown } = await answering(undefined, () => sendTest());
        assertShown(shown, /the maximum for tests .*\. Nothing was sent/u);
        assert.deepEqual([own(), sends()], [{ another: 3 }, 0]);
      });
    });

    for (const [when, from] of [
      ['when it was made', 1],
      ['right before it is sent', 2],
    ] as const) {
      it(`sends nothing if the service addresses another list: detected ${when}`, async () => {
        let read = 0;
        const { result, shown } = await answering('Send Test', async () => {
          await vscode.workspace.openTextDocument(service.uri(`/campaigns/${id}/Autumn.html`));
          rewrites.getCampaignById = (answer, query) =>
            query.get('campaignId') === String(id) || (read += 1) < from
              ? answer
              : setInEach(() => ({ listIds: [allContacts] }))(answer);
          return sendTest();
        });
        assert.equal(result, undefined);
        await eventually(() =>
          assertShown(shown, /didn't address the test to the list "Test" alone\. Nothing was sent/u),
        );
        assert.deepEqual([sends(), (await tests()).length, read], [0, 0, from]);
      });
    }
  });
});
