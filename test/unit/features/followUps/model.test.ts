import assert from 'node:assert/strict';
import type { FollowUpWithMails } from '../../../../src/service/client/index.ts';
import { mailRequest, mailTextOf } from '../../../../src/features/followUps/mailText.ts';
import {
  delayOf,
  delayUnits,
  delayWords,
  inSeconds,
  unitSeconds,
  conditionOf,
  detailFields,
  detailsOf,
} from '../../../../src/features/followUps/model.ts';
import { isTrigger, triggerWords } from '../../../../src/features/followUps/triggers.ts';

const bare: FollowUpWithMails = {
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

describe('the fields of a follow-up', () => {
  it('have a value each, also of an answer without any', () => {
    const details = detailsOf(bare);
    assert.deepEqual(Object.keys(details), [...detailFields]);
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

  it('hold conditions in one form, with what nobody knows', () => {
    assert.deepEqual(conditionOf({ segments_status: 'is_not' }), {
      lists_status: 'is',
      lists: [],
      segments_status: 'is_not',
      segments: [],
    });
    assert.equal(
      JSON.stringify(conditionOf({ moon: 'full', segments: [2], lists: [1] })),
      '{"lists_status":"is","lists":[1],"segments_status":"is","segments":[2],"moon":"full"}',
    );
  });

  it('hold the delays of the mails in the words in which they are sent', () => {
    const mails = [60, 3600, 86_400, 604_800, 2_628_000, 7].map((delay_unit, index) => ({
      mail_id: index + 1,
      followup_id: 5,
      delay: 2,
      delay_unit,
      send_once: 0,
    }));
    assert.deepEqual(
      detailsOf({ ...bare, mails }).mails.map(({ delay_unit }) => delay_unit),
      ['minutes', 'hours', 'days', 'weeks', 'months', 7],
    );
    for (const unit of delayUnits) assert.equal(inSeconds({ delay: 2, delay_unit: unit }), 2 * unitSeconds[unit]);
    assert.deepEqual(delayOf({ delay: null, delay_unit: null }), { delay: 0, delay_unit: 'minutes' });
  });

  it('say a delay in words', () => {
    assert.deepEqual(
      [0, 1, 3].map((delay) => delayWords({ delay, delay_unit: 'weeks' })),
      ['at once', 'after 1 week', 'after 3 weeks'],
    );
    assert.equal(delayWords({ delay: 2, delay_unit: 7 }), 'after 14 seconds');
  });

  it('say a trigger in the words of the profile, and know which can be sent', () => {
    assert.equal(triggerWords('ecommerce_a_purchase', 'acymailing'), 'when a user purchases a product (WooCommerce)');
    assert.equal(triggerWords('ecommerce_a_purchase'), 'when a user purchases a product (first e-commerce plugin)');
    assert.deepEqual(
      [triggerWords('constructor'), triggerWords(''), triggerWords(null)],
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

describe('the text of a mail', () => {
  it('is of texts alone, whatever it is made of', () => {
    const text = mailTextOf({ name: 'N', subject: 5, body: null, other: 'x' });
    assert.deepEqual([text.name, text.subject, text.body, 'other' in text], ['N', '', '', false]);
  });

  it('is sent without empty fields where it is new, and whole where it replaces another', () => {
    const text = mailTextOf({ name: 'N', subject: 'S' });
    assert.deepEqual(mailRequest(text), { name: 'N', subject: 'S' });
    assert.deepEqual(mailRequest(text, 7), { id: 7, ...text });
  });
});
