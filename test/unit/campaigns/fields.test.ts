import assert from 'node:assert/strict';
import { effectOf } from '../../../src/campaigns/effects.ts';
import { detailsOf, requestOf, type CampaignDetails } from '../../../src/campaigns/fields.ts';
import { validate } from '../../../src/campaigns/validation.ts';

const basics: CampaignDetails = {
  name: 'C', subject: 'S', from_name: '', from_email: '', reply_to_name: '', reply_to_email: '', bounce_email: '', bcc: '', sending_type: 'now',
};

describe('details of a campaign', () => {
  it('are read from what installations answer', () => {
    const details = detailsOf({
      id: 2, name: 'C1', subject: 'Hello', sending_type: 'auto', from_name: 'Ann', listIds: [3, 4],
      sending_params: { trigger_type: 'every', every: { type: 86400, number: '2' }, need_confirm_to_send: '0', start_date: '2027-01-31' },
    });
    assert.deepEqual(details, {
      ...basics, name: 'C1', subject: 'Hello', from_name: 'Ann', listIds: [3, 4], sending_type: 'auto',
      frequency: 'every', frequency_options: { unit: 'day', value: 2 }, need_confirm: 0, start_date: '2027-01-31',
    });
    assert.deepEqual(detailsOf({ id: 1, name: 'C', subject: 'S', sending_type: 'auto', sending_params: { trigger_type: 'asap' } }), {
      ...basics, sending_type: 'auto', frequency: 'cron', need_confirm: 1,
    });
    assert.deepEqual(detailsOf({ id: 1, name: 'C', subject: 'S', sending_type: 'scheduled', sending_date: '2027-01-31 00:00:00' }), {
      ...basics, sending_type: 'scheduled', sending_date: '2027-01-31',
    });
    assert.deepEqual(detailsOf({ id: 1, name: 'C', subject: 'S', sending_type: null }), basics);
  });

  it('are sent whole, without what has no meaning for the sending type', () => {
    const all: CampaignDetails = {
      ...basics, listIds: [1], sending_date: '2027-01-31', frequency: 'every', frequency_options: { unit: 'week', value: 1 }, need_confirm: 1, start_date: '2027-02-01',
    };
    const texts = { name: 'C', subject: 'S', from_name: '', from_email: '', reply_to_name: '', reply_to_email: '', bounce_email: '', bcc: '' };
    assert.deepEqual(requestOf(all, 'B', 7), { campaignId: 7, ...texts, listIds: [1], sending_type: 'now', body: 'B' });
    assert.deepEqual(requestOf({ ...all, sending_type: 'scheduled' }, 'B', 7), { campaignId: 7, ...texts, listIds: [1], sending_type: 'scheduled', sending_date: '2027-01-31', body: 'B' });
    assert.deepEqual(requestOf({ ...all, sending_type: 'auto' }, 'B'), {
      name: 'C', subject: 'S', listIds: [1], sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'week', value: 1 }, need_confirm: 1, start_date: '2027-02-01', body: 'B',
    });
    assert.deepEqual(requestOf({ ...all, sending_type: 'auto', frequency: 'cron' }, 'B').frequency_options, undefined);
    assert.equal('listIds' in requestOf(basics, 'B', 7), false, 'lists that the service does not tell stay as they are');
  });

  const complaints = async (details: unknown): Promise<string[]> => (await validate(details)).map(({ path, message }) => `${path.join('.')}: ${message}`);

  for (const [what, details, expected] of [
    ['nothing', {}, /^name: is missing/u],
    ['an array', [], /^name: is missing/u],
    ['text', 'x', /JSON object/u],
    ['an empty subject', { ...basics, subject: ' ' }, /^subject: a campaign needs a subject/u],
    ['a number for a name', { ...basics, name: 5 }, /^name: must be text/u],
    ['a bad sender', { ...basics, from_email: 'nobody' }, /^from_email: must be one e-mail address/u],
    ['two senders', { ...basics, reply_to_email: 'a@x.example, b@x.example' }, /^reply_to_email/u],
    ['a bad copy', { ...basics, bcc: 'a@x.example, nobody' }, /^bcc: must be e-mail addresses/u],
    ['a list by name', { ...basics, listIds: ['Test'] }, /^listIds.0: must be the id of a list/u],
    ['another sending type', { ...basics, sending_type: 'later' }, /^sending_type: must be "now"/u],
    ['no date', { ...basics, sending_type: 'scheduled' }, /^sending_date: a scheduled campaign needs a date/u],
    ['an impossible date', { ...basics, sending_type: 'scheduled', sending_date: '2027-02-30' }, /^sending_date: must be a date that exists/u],
    ['a date with a time', { ...basics, sending_type: 'scheduled', sending_date: '2027-02-03 10:00' }, /^sending_date/u],
    ['no frequency', { ...basics, sending_type: 'auto' }, /^frequency: an automatic campaign needs a frequency/u],
    ['no rhythm', { ...basics, sending_type: 'auto', frequency: 'every' }, /^frequency_options: the frequency "every" needs/u],
    ['a rhythm of nothing', { ...basics, sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'day', value: 0 } }, /^frequency_options.value: must be 1 or more/u],
    ['a rhythm of years', { ...basics, sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'year', value: 1 } }, /^frequency_options.unit/u],
    ['a confirmation by words', { ...basics, need_confirm: 'yes' }, /^need_confirm: must be 0 or 1/u],
    ['an unknown field', { ...basics, colour: 'red' }, /^colour: is not a field/u],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      const found = await complaints(details);
      assert.ok(found.some((complaint) => expected.test(complaint)), JSON.stringify(found));
    });
  }

  it('are accepted with anything that is text, markup and right-to-left too', async () => {
    assert.deepEqual(await complaints({ ...basics, name: '<b>🎉</b>', subject: 'مرحبا \u202e'.repeat(500), bcc: 'a@x.example , b@y.example' }), []);
    assert.deepEqual(await complaints({ ...basics, sending_type: 'auto', frequency: 'cron', need_confirm: 0, start_date: '2027-02-28' }), []);
  });
});

describe('what a sending does', () => {
  const today = '2026-11-20';
  it('is said by sending type', () => {
    assert.deepEqual(effectOf(basics, 'documented', today), { words: 'goes out now', atOnce: true });
    assert.deepEqual(effectOf({ ...basics, sending_type: 'scheduled', sending_date: '2027-01-31' }, 'documented', today), { words: 'goes out on 2027-01-31', atOnce: false });
    const every: CampaignDetails = { ...basics, sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'day', value: 2 }, need_confirm: 1 };
    assert.equal(effectOf(every, 'documented', today).words, 'goes out every 2 days, after confirmation of each');
    assert.equal(effectOf({ ...every, need_confirm: 0, start_date: '2027-01-01' }, 'documented', today).words, 'goes out every 2 days from 2027-01-01, without asking again');
  });

  it('is at once where the date has come, or the service does not wait for it', () => {
    const scheduled: CampaignDetails = { ...basics, sending_type: 'scheduled', sending_date: '2026-11-20' };
    assert.equal(effectOf(scheduled, 'documented', today).atOnce, true);
    const field = effectOf({ ...scheduled, sending_date: '2027-01-31' }, 'acymailing', today);
    assert.equal(field.atOnce, true);
    assert.match(field.warning ?? '', /2027-01-31 is not waited for/u);
  });
});
