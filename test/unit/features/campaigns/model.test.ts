import assert from 'node:assert/strict';
import type { ProfileName } from '../../../../src/platform/connections/model.ts';
import { getSendEffect } from '../../../../src/features/campaigns/plan.ts';
import {
  createCampaignRequest,
  createUpdateRequest,
  getUnsendableReason,
  validateCampaignDetails,
} from '../../../../src/features/campaigns/documents.ts';
import { readCampaignDetails, type CampaignDetails } from '../../../../src/features/campaigns/details.ts';

const basics: CampaignDetails = {
  name: 'C',
  subject: 'S',
  from_name: '',
  from_email: '',
  reply_to_name: '',
  reply_to_email: '',
  bounce_email: '',
  bcc: '',
  sending_type: 'now',
};

describe('campaign details', () => {
  for (const [what, record, expected] of [
    [
      'an automatic campaign of an installation',
      {
        sending_type: 'auto',
        from_name: 'Ann',
        listIds: [3, 4],
        sending_params: {
          trigger_type: 'every',
          every: { type: 86400, number: '2' },
          need_confirm_to_send: '0',
          start_date: '2027-01-31',
        },
      },
      {
        sending_type: 'auto',
        from_name: 'Ann',
        listIds: [3, 4],
        frequency: 'every',
        frequency_options: { unit: 'day', value: 2 },
        need_confirm: 0,
        start_date: '2027-01-31',
      },
    ],
    [
      'a campaign sent as often as the service runs its tasks',
      { sending_type: 'auto', sending_params: { trigger_type: 'asap' } },
      {
        sending_type: 'auto',
        frequency: 'cron',
        frequency_options: undefined,
        need_confirm: 1,
        start_date: undefined,
      },
    ],
    [
      'a scheduled campaign',
      { sending_type: 'scheduled', sending_date: '2027-01-31 00:00:00' },
      { sending_type: 'scheduled', sending_date: '2027-01-31' },
    ],
    ['a campaign without a sending type', { sending_type: null }, {}],
  ] as const) {
    it(`are read from ${what}`, () =>
      assert.deepEqual(readCampaignDetails({ id: 1, name: 'C', subject: 'S', ...record }), { ...basics, ...expected }));
  }

  it('ask for a confirmation of each email unless the record says no', () => {
    for (const [value, expected] of [
      [undefined, 1],
      [null, 1],
      [1, 1],
      ['1', 1],
      [0, 0],
      ['0', 0],
    ] as const) {
      const record = { id: 1, sending_type: 'auto', need_confirm: value };
      assert.equal(readCampaignDetails(record).need_confirm, expected, String(value));
    }
  });

  it('are sent completely, without fields that do not apply to the sending type', () => {
    const every = { frequency: 'every', frequency_options: { unit: 'week', value: 1 } } as const;
    const schedule = { ...every, need_confirm: 1, start_date: '2027-02-01' } as const;
    const all: CampaignDetails = { ...basics, ...schedule, listIds: [1], sending_date: '2027-01-31' };
    const update = { ...basics, campaignId: 7, listIds: [1], body: 'B' };
    assert.deepEqual(createCampaignRequest(all, 'B', 7), update);
    assert.deepEqual(createCampaignRequest({ ...all, sending_type: 'scheduled' }, 'B', 7), {
      ...update,
      sending_type: 'scheduled',
      sending_date: '2027-01-31',
    });
    assert.deepEqual(createCampaignRequest({ ...all, sending_type: 'auto' }, 'B'), {
      name: 'C',
      subject: 'S',
      listIds: [1],
      sending_type: 'auto',
      ...schedule,
      body: 'B',
    });
    assert.equal(
      'frequency_options' in createCampaignRequest({ ...all, sending_type: 'auto', frequency: 'cron' }, 'B'),
      false,
    );
    assert.equal('listIds' in createCampaignRequest(basics, 'B', 7), false, 'unreported lists stay unchanged');
  });

  it('include the time of a date, and only the day at midnight', () => {
    const shown = (sending_date: string) =>
      readCampaignDetails({ id: 1, sending_type: 'scheduled', sending_date }).sending_date;
    for (const date of ['2027-03-01 14:30:00', '2027-03-01', 'soon']) assert.equal(shown(date), date);
    assert.equal(shown('2027-03-01 00:00:00'), '2027-03-01');
  });

  it('are sent as read if unchanged, and with their new value if changed', () => {
    const campaign = {
      id: 7,
      name: 'C',
      subject: 'S',
      body: 'B',
      from_name: null,
      listIds: [3],
      sending_type: 'scheduled',
      sending_date: '2027-03-01 00:00:00',
    };
    const read = {
      campaignId: 7,
      name: 'C',
      subject: 'S',
      from_name: '',
      listIds: [3],
      sending_type: 'scheduled',
      sending_date: '2027-03-01 00:00:00',
      body: 'B',
    };
    assert.deepEqual(createUpdateRequest(campaign, {}), read, 'fields missing from the record are not sent');
    assert.deepEqual(createUpdateRequest({ ...campaign, sending_date: '2027-03-01 14:30:00' }, { body: 'C' }), {
      ...read,
      sending_date: '2027-03-01 14:30:00',
      body: 'C',
    });
    assert.deepEqual(createUpdateRequest(campaign, { sending_date: '2027-03-02', bcc: 'a@x.example' }), {
      ...read,
      sending_date: '2027-03-02',
      bcc: 'a@x.example',
    });
  });

  for (const [what, record, reason] of [
    ['a sending type of an add-on', { sending_type: 'birthday' }, /sending type: "birthday"/u],
    [
      'another trigger',
      { sending_type: 'auto', sending_params: { trigger_type: 'day', day: { hour: 8 } } },
      /sending setting: "day"/u,
    ],
    [
      'another trigger without settings',
      { sending_type: 'auto', sending_params: { trigger_type: 'day' } },
      /interval: "day"/u,
    ],
    [
      'a segment',
      { sending_type: 'now', sending_params: { segment: { segment_id: 4 } } },
      /sending setting: "segment"/u,
    ],
    [
      'seconds that are no unit',
      { sending_type: 'auto', sending_params: { trigger_type: 'every', every: { type: 7, number: 2 } } },
      /interval: "\{"type":7,"number":2\}"/u,
    ],
    [
      'a start that is no date',
      { sending_type: 'auto', sending_params: { trigger_type: 'asap', start_date: 1_772_319_600 } },
      /start: "1772319600"/u,
    ],
    [
      'a plan without a type',
      { sending_params: { trigger_type: 'asap' } },
      /a date or an interval without a sending type/u,
    ],
  ] as const) {
    it(`can't be stored over a record with ${what}`, () =>
      assert.match(getUnsendableReason({ id: 1, ...record }) ?? '', reason));
  }

  it('can be stored over a record with documented or empty values', () => {
    for (const record of [
      {},
      { sending_type: null },
      { sending_type: 'now', sending_params: { segment: null, abtest: '', resendTarget: [] } },
      { sending_type: 'scheduled', sending_date: '2027-03-01 14:30:00' },
      {
        sending_type: 'auto',
        sending_params: {
          trigger_type: 'every',
          every: { type: '86400', number: '2' },
          need_confirm_to_send: '1',
          start_date: 0,
        },
      },
      {
        sending_type: 'auto',
        frequency: 'every',
        frequency_options: { unit: 'month', value: 3 },
        need_confirm: 0,
        start_date: '2027-03-01',
      },
    ])
      assert.equal(getUnsendableReason({ id: 1, ...record }), undefined, JSON.stringify(record));
  });

  const findProblems = (details: object | string) =>
    validateCampaignDetails(details).map(({ path, message }) => `${path.join('.')}: ${message}`);

  for (const [what, details, expected] of [
    ['nothing', {}, /^name: is missing/mu],
    ['an array', [], /^name: is missing/mu],
    ['text', 'x', /JSON object/mu],
    ['an empty subject', { ...basics, subject: ' ' }, /^subject: a campaign needs a subject/mu],
    ['a number for a name', { ...basics, name: 5 }, /^name: must be text/mu],
    ['a bad sender', { ...basics, from_email: 'invalid' }, /^from_email: must be one email address/mu],
    ['two senders', { ...basics, reply_to_email: 'a@x.example, b@x.example' }, /^reply_to_email/mu],
    ['a bad copy', { ...basics, bcc: 'a@x.example, invalid' }, /^bcc: must be email addresses/mu],
    ['a list by name', { ...basics, listIds: ['Test'] }, /^listIds.0: must be the ID of a list/mu],
    ['another sending type', { ...basics, sending_type: 'later' }, /^sending_type: must be "now"/mu],
    ['no date', { ...basics, sending_type: 'scheduled' }, /^sending_date: a scheduled campaign needs a date/mu],
    [
      'an impossible date',
      { ...basics, sending_type: 'scheduled', sending_date: '2027-02-30' },
      /^sending_date: must be a date that exists/mu,
    ],
    [
      'a date with a time',
      { ...basics, sending_type: 'scheduled', sending_date: '2027-02-03 10:00' },
      /^sending_date/mu,
    ],
    [
      'a time that does not exist',
      { ...basics, sending_type: 'scheduled', sending_date: '2027-02-03 24:00:00' },
      /^sending_date: must be a date that exists/mu,
    ],
    [
      'a zone without a time',
      { ...basics, sending_type: 'scheduled', sending_date: '2027-02-03Z' },
      /^sending_date: must be a date/mu,
    ],
    ...['2026-04-01T10:00:00Z', '2026-07-01T10:00:00+02:00', '2026-07-01 10:00:00-05:00'].map(
      (sending_date) =>
        [
          `an offset that the service ignores (${sending_date})`,
          { ...basics, sending_type: 'scheduled', sending_date },
          /^sending_date: must not have an offset/mu,
        ] as const,
    ),
    ['no frequency', { ...basics, sending_type: 'auto' }, /^frequency: an automatic campaign needs a frequency/mu],
    [
      'no rhythm',
      { ...basics, sending_type: 'auto', frequency: 'every' },
      /^frequency_options: the frequency "every" needs/mu,
    ],
    [
      'a rhythm of nothing',
      { ...basics, sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'day', value: 0 } },
      /^frequency_options.value: must be 1 or more/mu,
    ],
    [
      'a rhythm of years',
      { ...basics, sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'year', value: 1 } },
      /^frequency_options.unit/mu,
    ],
    ['a confirmation by words', { ...basics, need_confirm: 'yes' }, /^need_confirm: must be 0 or 1/mu],
    ['an unsupported field', { ...basics, color: 'red' }, /^color: is not a known field/mu],
  ] as const) {
    it(`are rejected with ${what}`, () => assert.match(findProblems(details).join('\n'), expected));
  }

  it('can be any text, including markup and right-to-left text', () => {
    assert.deepEqual(
      findProblems({
        ...basics,
        name: '<b>🎉</b>',
        subject: 'مرحبا \u202e'.repeat(500),
        bcc: 'a@x.example , b@y.example',
      }),
      [],
    );
    assert.deepEqual(
      findProblems({
        ...basics,
        sending_type: 'auto',
        frequency: 'cron',
        need_confirm: 0,
        start_date: '2027-02-28',
      }),
      [],
    );
    for (const sending_date of ['2027-03-01 14:30:00', '2027-03-01T14:30:00'])
      assert.deepEqual(findProblems({ ...basics, sending_type: 'scheduled', sending_date }), []);
    for (const start_date of ['2027-03-01T14:30:00+02:00', '2027-02-28T23:00:00Z'])
      assert.deepEqual(findProblems({ ...basics, sending_type: 'auto', frequency: 'cron', start_date }), []);
  });
});

describe('getSendEffect', () => {
  const every = { sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'day', value: 2 } } as const;
  const scheduled = { sending_type: 'scheduled', sending_date: '2027-01-31' };
  for (const [details, description, isImmediate = false, profile = 'documented'] of [
    [{}, 'Sends immediately.', true],
    [scheduled, 'Sends on Jan 31, 2027.'],
    [{ ...every, need_confirm: 1 }, 'Sends automatically: every 2 days · each email after confirmation.'],
    [
      { ...every, need_confirm: 0, start_date: '2027-01-01' },
      'Sends automatically: every 2 days · from Jan 1, 2027 · without confirmation.',
    ],
    [{ ...scheduled, sending_date: '2026-11-19' }, 'Sends immediately.', true],
    [
      { ...scheduled, sending_date: '2026-11-20' },
      'Sends on Nov 20, 2026, or immediately if that time has passed.',
      true,
    ],
    [scheduled, 'Sends immediately.', true, 'acymailing'],
    [
      { ...scheduled, sending_date: '2027-03-01 14:30:00' },
      "Sends on Mar 1, 2027, 2:30 PM in the service's own time zone.",
    ],
    [
      { ...scheduled, sending_date: '2026-11-20 14:30:00' },
      "Sends on Nov 20, 2026, 2:30 PM in the service's own time zone, or immediately if that time has passed.",
      true,
    ],
    [{ ...scheduled, sending_date: '2026-11-19 14:30:00' }, 'Sends immediately.', true],
    [
      { sending_type: 'auto', frequency: 'cron', start_date: '2027-02-28T23:00:00Z' },
      'Sends automatically: each time the service runs its tasks · from Feb 28, 2027, 11:00 PM UTC · each email after confirmation.',
    ],
    [{ sending_type: 'birthday' }, 'Sends by the service\'s own rules ("birthday").', true],
  ] as const satisfies readonly (readonly [Partial<CampaignDetails>, string, boolean?, ProfileName?])[]) {
    it(`${description}: ${JSON.stringify(details)}${profile === 'acymailing' ? ' on AcyMailing' : ''}`, () => {
      const effect = getSendEffect({ ...basics, ...details }, profile, Date.UTC(2026, 10, 20, 12));
      assert.deepEqual([effect.description, effect.isImmediate], [description, isImmediate]);
      if (profile === 'acymailing')
        assert.match(effect.warning ?? '', /ignores the campaign's schedule \(Jan 31, 2027\)/u);
    });
  }

  it('never counts on a date that is over, or has begun, in some time zone', () => {
    const describeDay = (sending_date: string, hour: number, minute = 0) => {
      const details = { ...basics, ...scheduled, sending_date } as CampaignDetails;
      const { description, warning, isImmediate } = getSendEffect(
        details,
        'documented',
        Date.UTC(2026, 10, 20, hour, minute),
      );
      assert.equal(isImmediate, warning !== undefined);
      if (!isImmediate) return 'later';
      return description.includes('or immediately') ? 'uncertain' : 'over';
    };
    // In UTC+14, the next day begins at 10:00 UTC. In UTC-12, a day ends at 12:00 UTC.
    for (const time of ['', ' 00:00:00', ' 23:59:59']) {
      assert.equal(describeDay(`2026-11-21${time}`, 9, 59), 'later');
      assert.equal(describeDay(`2026-11-21${time}`, 10), 'uncertain');
      assert.equal(describeDay(`2026-11-22${time}`, 23, 59), 'later');
      assert.equal(describeDay(`2026-11-19${time}`, 11, 59), 'uncertain');
      assert.equal(describeDay(`2026-11-19${time}`, 12), 'over');
    }
  });
});
