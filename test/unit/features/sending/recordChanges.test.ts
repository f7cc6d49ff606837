import assert from 'node:assert/strict';
import type { Template } from '../../../../src/service/client/index.ts';
import { templateDocuments } from '../../../../src/features/templates/documents.ts';
import { templatePicking } from '../../../../src/features/templates/model.ts';
import type { RecordRef } from '../../../../src/platform/connections/model.ts';
import { eventually } from '../../../support/eventually.ts';
import { StandInConnections } from '../../../support/standInConnections.ts';
import { user } from '../../../support/vscodeStandIn.ts';

const { deleteOnce, deleteRecord } = await import('../../../../src/features/sending/recordChanges.ts');
const { RecordCommands } = await import('../../../../src/platform/documents/recordCommands.ts');

const CHANGED = 'It changed while this question was open.';
const UNKNOWN = /^"Hello" may have been deleted: .* Check the service before you delete it again\.$/u;

describe('deleteOnce', () => {
  beforeEach(() => user.reset());

  /** Deletes a record of which each read returns the next version. Returns its questions and the number of requests. */
  async function deleteVersions(versions: readonly object[], answers: readonly (string | undefined)[]) {
    user.answers.push(...answers);
    let [readCount, requests] = [0, 0];
    const isDeleted = await deleteOnce({
      read: async () => ({
        ...{ name: 'Hello', question: 'Delete?', consequences: ['It is lost.'], content: ['text'] },
        ...versions[readCount++],
      }),
      request: async () => (requests += 1),
      isDeleted: async () => true,
      finish: () => undefined,
    });
    return { isDeleted, requests, details: user.questions.map(({ detail }) => detail) };
  }

  it('deletes what the confirmation showed', async () => {
    const expected = { isDeleted: true, requests: 1, details: ['It is lost.'] };
    assert.deepEqual(await deleteVersions([{}, {}], ['Delete']), expected);
    assert.deepEqual(user.notifications, []);
  });

  it('deletes nothing if the user cancels', async () => {
    const expected = { isDeleted: false, requests: 0, details: ['It is lost.'] };
    assert.deepEqual(await deleteVersions([{}, {}], [undefined]), expected);
  });

  for (const [what, change] of Object.entries({
    name: { name: 'Other' },
    question: { question: 'Delete the other one?' },
    consequences: { consequences: ['It is lost.', 'Another record uses it.'] },
    text: { content: ['other'] },
  })) {
    const { consequences } = { consequences: ['It is lost.'], ...change };
    const details = ['It is lost.', [CHANGED, ...consequences].join('\n')];

    it(`asks again, with a note, if the ${what} changed while the confirmation was open`, async () => {
      const result = await deleteVersions([{}, change, change], ['Delete', 'Delete']);
      assert.deepEqual(result, { isDeleted: true, requests: 1, details });
    });

    it(`deletes nothing if the ${what} changed and the user then cancels`, async () => {
      const result = await deleteVersions([{}, change, change], ['Delete', undefined]);
      assert.deepEqual(result, { isDeleted: false, requests: 0, details });
    });
  }

  it('asks as often as it changes', async () => {
    const versions = [{}, { content: ['second'] }, { content: ['third'] }, { content: ['third'] }];
    const { requests, details } = await deleteVersions(versions, ['Delete', 'Delete', 'Delete']);
    assert.deepEqual([requests, details.length], [1, 3]);
  });
});

describe('deleteRecord', () => {
  let connections: StandInConnections;
  let ref: RecordRef;
  /** What the window did after the deletion. */
  const finished: string[] = [];

  before(async () => {
    connections = await StandInConnections.start();
  });
  after(() => connections.end());
  beforeEach(async () => {
    user.reset();
    connections.reset();
    finished.length = 0;
    const fields = { name: 'Hello', subject: 'Greetings', body: '<p>Hello</p>' };
    ref = { ...connections.service, id: (await connections.client.createTemplate(fields)).templateId };
  });

  /** Deletes the template. Calls `onRead` with the number of reads so far. */
  function deleteTemplate(onRead: (readCount: number) => void = () => undefined) {
    let readCount = 0;
    const services = {
      connections,
      documents: { getRecord: async () => ({ markDeleted: () => finished.push('tabs') }) },
      explorer: { refresh: () => undefined },
    };
    return deleteRecord(new RecordCommands<Template>(services as never, templateDocuments, templatePicking), ref, {
      formatQuestion: (name, service) => `Delete ${name} on ${service}?`,
      getConsequences: () => {
        onRead((readCount += 1));
        return ['It is lost.'];
      },
      operation: (client) => client.deleteTemplate(ref.id),
      deleteLocalData: () => finished.push('local data'),
    });
  }

  const templateExists = () =>
    connections.client.getOneTemplate(ref.id).then(
      () => true,
      () => false,
    );

  it('deletes the record that the confirmation named, and its local data', async () => {
    user.answers.push('Delete');
    assert.deepEqual(await deleteTemplate(), ref);
    assert.deepEqual(
      user.questions.map(({ text, detail }) => [text, detail]),
      [['Delete Hello on One?', 'It is lost.\nOpen tabs keep their text, so that you can save it elsewhere.']],
    );
    assert.equal(await templateExists(), false);
    assert.deepEqual(finished, ['tabs', 'local data']);
  });

  it('asks again if the text changed while the confirmation was open', async () => {
    const change = async () => {
      await connections.client.updateTemplate({ templateId: ref.id, body: '<p>Theirs</p>' });
      return 'Delete';
    };
    user.answers.push(change, undefined);
    assert.equal(await deleteTemplate(), undefined);
    assert.ok(user.questions[1]?.detail.startsWith(CHANGED));
    assert.equal(connections.countRequests('deleteTemplate'), 0);
    assert.deepEqual(finished, []);
  });

  for (const [when, readCount] of [
    ['while the confirmation is open', 1],
    ['right before the request', 2],
  ] as const) {
    it(`deletes nothing on another service if the address of the connection is edited ${when}`, async () => {
      user.answers.push('Delete');
      const deletion = deleteTemplate((count) => (count === readCount ? connections.move() : undefined));
      await assert.rejects(deletion, /^Error: "One" has another URL now: .*Nothing was sent there\./u);
      assert.equal(connections.countRequests('deleteTemplate'), 0);
      assert.equal(connections.other.requests.length, 0);
      assert.deepEqual(finished, []);
    });
  }

  it('reports a refused deletion as failed', async () => {
    connections.sandbox.faults.add({ kind: 'status', status: 403, operation: 'deleteTemplate' });
    user.answers.push('Delete');
    await assert.rejects(deleteTemplate());
    assert.deepEqual([await templateExists(), user.notifications, finished], [true, [], []]);
  });

  it('confirms a deletion whose response was lost, without a second request', async () => {
    connections.sandbox.faults.add({ kind: 'lostAnswer', operation: 'deleteTemplate' });
    user.answers.push('Delete');
    assert.deepEqual(await deleteTemplate(), ref);
    assert.deepEqual(user.notifications, ['"Hello" was deleted. The response was lost, but the service confirms it.']);
    assert.equal(connections.countRequests('deleteTemplate'), 1);
    assert.deepEqual(finished, ['tabs', 'local data']);
  });

  it('reports an unknown outcome, never a failure, until the user checks again and the service confirms it', async () => {
    const late = connections.sandbox.faults.add({ kind: 'late', operation: 'deleteTemplate' });
    const check = 'Check Again';
    const land = () => {
      late.land();
      return check;
    };
    user.answers.push('Delete', check, land);
    assert.equal(await deleteTemplate(), undefined);
    await eventually(() => assert.equal(user.notifications.length, 3));
    const [lost = '', still = '', done] = user.notifications;
    assert.match(lost, UNKNOWN);
    assert.match(still, UNKNOWN);
    assert.match(still, /: The service doesn't show it yet\. Check/u);
    assert.equal(done, '"Hello" was deleted.');
    await eventually(() => assert.deepEqual(finished, ['tabs', 'local data']));
    assert.equal(connections.countRequests('deleteTemplate'), 1);
  });

  it('reports an unknown outcome if the check fails', async () => {
    connections.sandbox.faults.add({ kind: 'lostAnswer', operation: 'deleteTemplate' });
    connections.sandbox.faults.add({
      kind: 'status',
      status: 500,
      operation: 'getOneTemplate',
      afterOperation: 'deleteTemplate',
    });
    user.answers.push('Delete');
    assert.equal(await deleteTemplate(), undefined);
    assert.equal(user.notifications.length, 1);
    assert.match(user.notifications[0] ?? '', UNKNOWN);
    assert.deepEqual(finished, []);
  });
});
