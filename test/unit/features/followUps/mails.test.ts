import assert from 'node:assert/strict';
import type { FollowUps } from '../../../../src/features/followUps/followUps.ts';
import type { MailText } from '../../../../src/features/followUps/record.ts';
import type { RecordRef } from '../../../../src/platform/connections/model.ts';
import { StandInConnections } from '../../../support/standInConnections.ts';
import { user } from '../../../support/vscodeStandIn.ts';

const { attach, editMail } = await import('../../../../src/features/followUps/mails.ts');
const { createFollowUpRecord, toMailText } = await import('../../../../src/features/followUps/record.ts');

describe('emails of follow-ups', () => {
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

  /** The follow-ups of a service that doesn't return texts. `meanwhile` runs after each request that changes one. */
  const createFollowUps = (meanwhile: () => unknown = () => undefined) => {
    const store = async (_ref: RecordRef, mailId: number, text: MailText) => void stored.set(mailId, text);
    const followUps: object = {
      choose: () => ref,
      getServiceName: () => 'One',
      read: async () => {
        const followUp = await connections.run(ref, (client) => client.getFollowUpById(ref.id));
        const mails = followUp.mails.map((mail) => ({ ...mail, body: undefined }));
        return createFollowUpRecord({ ...followUp, mails }, new Map());
      },
      run: (...args: Parameters<StandInConnections['run']>) => connections.run(...args).finally(meanwhile),
      withRetry: (_command: string, _title: string, _values: object, task: () => unknown) => task(),
      sentMails: { store },
      storeMail: store,
      showMail: () => undefined,
    };
    return followUps as FollowUps;
  };

  /** Attaches an email, or changes one, as another user. */
  const attachAsOther = (delay: number, id?: number) =>
    connections.client.attachEmailToFollowUp({
      ...{ followUpId: ref.id, delay, delay_unit: 'days' },
      mail: { ...(id !== undefined && { id }), name: 'Other', subject: 'Other', body: '<p>theirs</p>' },
    });

  describe('attaching one', () => {
    const attachHello = () => {
      const text = toMailText({ name: 'Hello', subject: 'Hello', body: '<p>mine</p>' });
      const request = { delay: { delay: 3, delay_unit: 'days' }, text } as const;
      return attach(
        createFollowUps(() => attachAsOther(1)),
        ref,
        request,
        async (mailId) => mailId,
      );
    };

    it('is confirmed by a new email with its delay if the response is lost', async () => {
      connections.sandbox.faults.add({ kind: 'lostAnswer', operation: 'attachEmailToFollowUp', times: 1 });
      const mailId = await attachHello();
      assert.deepEqual([...stored.keys()], [mailId]);
      assert.match(user.notifications.join('\n'), /the service confirms it/u);
    });

    it('stays unconfirmed if only an email of another user is new', async () => {
      connections.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'attachEmailToFollowUp', times: 1 });
      assert.equal(await attachHello(), undefined);
      assert.equal(stored.size, 0);
      assert.match(user.notifications.join('\n'), /may have been attached/u);
    });
  });

  it('keep a delay that another user changes while the replaced text is confirmed', async () => {
    const { mailId } = await attachAsOther(1);
    user.answers.push(() => attachAsOther(5, mailId).then(() => 'Replace'));
    await editMail(createFollowUps(), { ...ref, mailId, mail: { body: '<p>mine</p>', subject: 'Hello' } });
    const { mails } = await connections.client.getFollowUpById(ref.id);
    assert.deepEqual([mails.map(({ delay }) => delay), stored.get(mailId)?.body], [[5], '<p>mine</p>']);
  });
});
