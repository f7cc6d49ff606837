import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { Timers } from '../../support/timers.ts';
import { answering } from '../answers.ts';
import { revert, type } from '../service.ts';
import { folder, run, formatMessages, useMapped } from './fixtures.ts';

/** The pause after a save, in which further saves join the push. */
const PUSH_DEBOUNCE_MS = 300;
/** More than a push needs between two of its requests. */
const ROUND_TRIPS = 20;

describe('saving a file of a mapped template', () => {
  const { service, entry, getId, stored, change, updates } = useMapped('emails/letter', {
    name: 'Letter',
    body: '<p>one</p>',
    stylesheet: 'p { color: red }',
  });
  const body = 'emails/letter/body.html';
  const style = 'emails/letter/style.css';
  const setTo = (value: string | undefined) =>
    vscode.workspace.getConfiguration('mailing.sync').update('pushOnSave', value, vscode.ConfigurationTarget.Global);
  const timers = new Timers(PUSH_DEBOUNCE_MS);
  before(() => timers.watch());
  after(() => timers.restore());
  /** Waits until a condition holds, no push waits for further saves, and the extension sends no request while the service answers others. */
  const settled = async (condition: () => void) => {
    await eventually(condition);
    await eventually(async () => {
      assert.equal(timers.pending, 0, 'A push waits for further saves.');
      const from = service().mark();
      for (let turn = 0; turn < ROUND_TRIPS; turn += 1) await service().other.getLists();
      const operations = service().sandbox.requests.filter(({ number }) => number > from);
      assert.equal(operations.length, ROUND_TRIPS, operations.map(({ operation }) => operation).join());
      assert.equal(timers.pending, 0, 'A push waits for further saves.');
    });
  };

  beforeEach(async () => {
    await folder.map({ templates: [entry()] });
    await run('pull', { folder: 'emails/letter' });
  });
  afterEach(() => setTo(undefined));

  it('pushes nothing by default', async () => {
    const { shown } = await answering('Push', async () => {
      await folder.save(body, '<p>mine</p>');
      await settled(() => undefined);
    });
    assert.deepEqual([updates(), shown], [0, []]);
  });

  it('pushes several saves at once without a confirmation if pushOnSave is on', async () => {
    await setTo('on');
    await folder.type(body, '<p>mine</p>');
    await folder.type(style, 'p { color: blue }');
    const { shown } = await answering(undefined, async () => {
      assert.ok(await vscode.workspace.saveAll());
      await settled(async () => assert.equal((await stored()).stylesheet, 'p { color: blue }'));
    });
    assert.equal((await stored()).body, '<p>mine</p>');
    assert.deepEqual([updates(), formatMessages(shown)], [1, '']);
    const sent = service().sandbox.requests.findLast(({ operation }) => operation === 'updateTemplate');
    assert.deepEqual(Object.keys(sent?.body as object).sort(), ['body', 'stylesheet', 'templateId']);
  });

  it('pushes files saved during a push after it', async () => {
    await setTo('on');
    service().sandbox.faults.add({ kind: 'slow', bytes: 4, intervalMs: 40, operation: 'getOneTemplate', times: 1 });
    service().forget();
    await folder.save(body, '<p>two</p>');
    await eventually(() => assert.ok(service().received('getOneTemplate') > 0));
    await folder.save(body, '<p>three</p>');
    await settled(async () => assert.equal((await stored()).body, '<p>three</p>'));
    assert.ok(updates() <= 2);
  });

  it('asks for confirmation with the setting ask or a protected connection', async () => {
    await setTo('ask');
    const prompted = await answering(undefined, async (shown) => {
      await folder.save(body, '<p>mine</p>');
      await settled(() => assert.equal(shown.length, 1));
    });
    assert.ok(prompted.shown[0]?.modal);
    assert.match(prompted.shown[0]?.detail ?? '', new RegExp(`^emails/letter → Test \\d+ #${getId()}: body$`, 'u'));
    await setTo('on');
    await folder.map({ connections: { [service().connection]: { protected: true } }, templates: [entry()] });
    const refused = await answering(undefined, async (shown) => {
      await folder.save(body, '<p>mine, too</p>');
      await settled(() => assert.equal(shown.length, 1));
    });
    assert.match(formatMessages(refused.shown), /: body\n\nTest \d+ is a protected connection\./u);
    assert.equal(updates(), 0);
    await answering('Push', async () => {
      await folder.save(body, '<p>agreed</p>');
      await settled(async () => assert.equal((await stored()).body, '<p>agreed</p>'));
    });
    assert.match(formatMessages((await run('push', { folder: 'emails/letter' })).shown), /nothing to push/u);
  });

  it('pushes nothing over changes of other users', async () => {
    await setTo('on');
    await change({ body: '<p>theirs</p>' });
    const before = updates();
    const { shown } = await answering(undefined, async (messages) => {
      await folder.save(body, '<p>mine</p>');
      await settled(() => assert.equal(messages.length, 1));
    });
    assert.match(
      formatMessages(shown),
      /Couldn't push emails\/letter because of newer changes on the service\. Pull first\./u,
    );
    assert.deepEqual(shown[0]?.buttons, ['Pull']);
    assert.deepEqual([updates(), (await stored()).body], [before, '<p>theirs</p>']);
  });

  it('reports a service that cannot be read and pushes nothing', async () => {
    await setTo('on');
    // Wait for the requests of the pull, so that the next read belongs to the push.
    await settled(() => undefined);
    service().sandbox.faults.add({ kind: 'status', status: 403, operation: 'getOneTemplate', times: 1 });
    const { shown } = await answering(undefined, async (messages) => {
      await folder.save(body, '<p>mine</p>');
      await settled(() => assert.equal(messages.length, 1));
    });
    assert.match(formatMessages(shown), /^emails\/letter → Test \d+ #\d+: /u);
    assert.deepEqual([updates(), shown[0]?.modal], [0, false]);
  });

  it('starts no second push if a command saves the file', async () => {
    await setTo('on');
    const document = await vscode.workspace.openTextDocument(folder.uri(body));
    await revert(document);
    await type(document, '<p>zero</p>');
    await run('push', { folder: 'emails/letter' }, undefined);
    await settled(() => assert.equal(document.isDirty, false));
    assert.equal(updates(), 0);
  });
});
