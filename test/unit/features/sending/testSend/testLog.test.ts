import assert from 'node:assert/strict';
import { hashMessage, TestLog } from '../../../../../src/features/sending/testSend/testLog.ts';
import { memoryMemento } from '../../../../support/memento.ts';

const envelope = { subject: 'Greetings', preheader: '', from_name: 'Ann', from_email: '' };
const subject = (what: string) => ({ connection: 'one', baseUrl: 'https://one.example', what });

describe('TestLog', () => {
  it('stores only a hash of the tested text, across windows', () => {
    const state = memoryMemento();
    const fingerprint = hashMessage({ envelope, body: '<p>Secret plan</p>' });
    new TestLog(state).record(subject('tests/campaigns/5'), { at: 7, fingerprint, recipients: 3 });
    assert.deepEqual(new TestLog(state).getLast(subject('tests/campaigns/5')), { at: 7, fingerprint, recipients: 3 });
    assert.equal(
      new TestLog(state).getLast({ ...subject('tests/campaigns/5'), baseUrl: 'https://two.example' }),
      undefined,
    );
    assert.doesNotMatch(JSON.stringify(state.get('mailing.tests')), /Secret|Greetings/u);
  });

  it('detects a changed text, subject or preheader, but ignores the sender', () => {
    const one = hashMessage({ envelope, body: 'a' });
    assert.notEqual(hashMessage({ envelope, body: 'b' }), one);
    assert.notEqual(hashMessage({ envelope: { ...envelope, subject: 'x' }, body: 'a' }), one);
    assert.notEqual(hashMessage({ envelope: { ...envelope, preheader: 'x' }, body: 'a' }), one);
    assert.equal(hashMessage({ envelope: { ...envelope, from_name: 'Bob' }, body: 'a' }), one);
  });

  it('keeps the hundred newest entries', () => {
    const log = new TestLog(memoryMemento());
    for (let at = 0; at < 130; at += 1)
      log.record(subject(`tests/campaigns/${at}`), { at, fingerprint: 'f', recipients: 1 });
    assert.deepEqual(
      [29, 30, 129].map((at) => log.getLast(subject(`tests/campaigns/${at}`))?.at),
      [undefined, 30, 129],
    );
  });
});
