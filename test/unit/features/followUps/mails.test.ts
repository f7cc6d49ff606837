import assert from 'node:assert/strict';
import type { FollowUps } from '../../../../src/features/followUps/followUps.ts';
import type { MailText } from '../../../../src/features/followUps/record.ts';
import type { RecordRef } from '../../../../src/platform/connections/model.ts';
import { StandInConnections } from '../../../support/standInConnections.ts';
import { user } from '../../../support/vscodeStandIn.ts';

const { attach } = await import('../../../../src/features/followUps/mails.ts');
const { toMailText } = await import('../../../../src/features/followUps/record.ts');

describe('attaching an email to a follow-up', () => {
  let connections: StandInConnections;
  let ref: RecordRef;
  const stored = new Map<number, MailText>();

  before(async () => {
    connections = await StandInConnections.start();
  });
  beforeEach(async () => {
    user.reset();
    stored.clear();
    connections.reset();
    const fields = { name: 'Series', display_name: 'Series', trigger: 'birthday' };
    ref = { ...connections.service, id: (await connections.client.createOrUpdateFollowUp(fields)).followUpId };
  });
  after(() => connections.end());

  /** Attaches an email. `meanwhile` runs after the request. */
  const attachHello = (meanwhile: () => unknown) => {
    const followUps = {
      read: () => connections.run(ref, (client) => client.getFollowUpById(ref.id)),
      run: (...args: Parameters<StandInConnections['run']>) => connections.run(...args).finally(meanwhile),
      storeMail: async (_ref: RecordRef, mailId: number, text: MailText) => void stored.set(mailId, text),
    } as unknown as FollowUps;
    const text = toMailText({ name: 'Hello', subject: 'Hello', body: '<p>mine</p>' });
    return attach(followUps, ref, { delay: { delay: 3, delay_unit: 'days' }, text }, async (mailId) => mailId);
  };
  const attachOther = () =>
    connections.client.attachEmailToFollowUp({
      ...{ followUpId: ref.id, delay: 1, delay_unit: 'days' },
      mail: { name: 'Other', subject: 'Other', body: '<p>theirs</p>' },
    });

  it('is confirmed by a new email with its delay if the response is lost', async () => {
    connections.sandbox.faults.add({ kind: 'lostAnswer', operation: 'attachEmailToFollowUp', times: 1 });
    const mailId = await attachHello(attachOther);
    assert.deepEqual([...stored.keys()], [mailId]);
    assert.match(user.notifications.join('\n'), /the service confirms it/u);
  });

  it('stays unconfirmed if only an email of another user is new', async () => {
    connections.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'attachEmailToFollowUp', times: 1 });
    assert.equal(await attachHello(attachOther), undefined);
    assert.equal(stored.size, 0);
    assert.match(user.notifications.join('\n'), /may have been attached/u);
  });
});
