import assert from 'node:assert/strict';
import type { FollowUpWithMails } from '../../../../src/service/client/index.ts';
import { createMailRequest, toMailText } from '../../../../src/features/followUps/record.ts';
import {
  toDelay,
  delayUnits,
  formatDelay,
  toSeconds,
  SECONDS_PER_UNIT,
  normalizeCondition,
  followUpDetailFields,
  getFollowUpDetails,
  isTrigger,
  formatTrigger,
} from '../../../../src/features/followUps/model.ts';

const emptyFollowUp: FollowUpWithMails = {
  id: 5,
  name: null,
  display_name: null,
  creation_date: null,
  trigger: null,
  condition: null,
  active: null,
  send_once: null,
  list_id: null,
  last_trigger: null,
  loop: null,
  loop_delay: null,
  loop_mail_skip: null,
  mails: [],
};

describe('follow-up details', () => {
  it('have a default for every field missing in a response', () => {
    const details = getFollowUpDetails(emptyFollowUp);
    assert.deepEqual(Object.keys(details), [...followUpDetailFields]);
    assert.deepEqual(details, {
      name: '',
      display_name: '',
      trigger: '',
      condition: { lists_status: 'is', lists: [], segments_status: 'is', segments: [] },
      active: 0,
      send_once: 0,
      loop: 0,
      loop_delay: 0,
      loop_mail_skip: [],
      mails: [],
    });
  });

  it('normalize conditions and preserve undocumented fields', () => {
    assert.deepEqual(normalizeCondition({ segments_status: 'is_not' }), {
      lists_status: 'is',
      lists: [],
      segments_status: 'is_not',
      segments: [],
    });
    assert.equal(
      JSON.stringify(normalizeCondition({ moon: 'full', segments: [2], lists: [1] })),
      '{"lists_status":"is","lists":[1],"segments_status":"is","segments":[2],"moon":"full"}',
    );
  });

  it('convert delay units from seconds to names', () => {
    const mails = [60, 3600, 86_400, 604_800, 2_628_000, 7].map((delay_unit, index) => ({
      mail_id: index + 1,
      followup_id: 5,
      delay: 2,
      delay_unit,
      send_once: 0,
    }));
    assert.deepEqual(
      getFollowUpDetails({ ...emptyFollowUp, mails }).mails.map(({ delay_unit }) => delay_unit),
      ['minutes', 'hours', 'days', 'weeks', 'months', 7],
    );
    for (const unit of delayUnits) assert.equal(toSeconds({ delay: 2, delay_unit: unit }), 2 * SECONDS_PER_UNIT[unit]);
    assert.deepEqual(toDelay({ delay: null, delay_unit: null }), { delay: 0, delay_unit: 'minutes' });
  });

  it('format delays', () => {
    assert.deepEqual(
      [0, 1, 3].map((delay) => formatDelay({ delay, delay_unit: 'weeks' })),
      ['immediately', 'after 1 week', 'after 3 weeks'],
    );
    assert.equal(formatDelay({ delay: 2, delay_unit: 7 }), 'after 14 seconds');
  });

  it('label triggers and recognize documented triggers', () => {
    assert.equal(formatTrigger('woocommerce_purchase'), 'when a user buys a product (WooCommerce)');
    assert.equal(formatTrigger('ecommerce_a_purchase'), 'when a user buys a product (first e-commerce plugin)');
    assert.deepEqual(
      [formatTrigger('constructor'), formatTrigger(''), formatTrigger(null)],
      ['constructor', undefined, undefined],
    );
    assert.deepEqual(['birthday', 'constructor', 'woocommerce_purchase', 5].map(isTrigger), [
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('mail text', () => {
  it('replaces values other than strings with empty text', () => {
    const text = toMailText({ name: 'N', subject: 5, body: null, other: 'x' });
    assert.deepEqual([text.name, text.subject, text.body, 'other' in text], ['N', '', '', false]);
  });

  it('is sent without empty fields for a new mail and completely for a replacement', () => {
    const text = toMailText({ name: 'N', subject: 'S' });
    assert.deepEqual(createMailRequest(text), { name: 'N', subject: 'S' });
    assert.deepEqual(createMailRequest(text, 7), { id: 7, ...text });
  });
});
