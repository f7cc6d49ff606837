import assert from 'node:assert/strict';
import { findCampaignRefusalPath, findCampaignWarnings } from '../../../../../src/features/campaigns/host/problems.ts';

describe('what the campaign form doubts', () => {
  const said = (details: Readonly<Record<string, unknown>>) =>
    findCampaignWarnings({ listIds: [1], ...details }, '2026-11-20').map(({ path, kind }) => [path.join('.'), kind]);

  it('is a day that is over, where it counts', () => {
    assert.deepEqual(said({ sending_type: 'scheduled', sending_date: '2026-11-19' }), [['sending_date', 'warning']]);
    assert.deepEqual(said({ sending_type: 'scheduled', sending_date: '2026-11-20' }), []);
    assert.deepEqual(said({ sending_type: 'now', sending_date: '2026-11-19' }), []);
    assert.deepEqual(said({ sending_type: 'auto', start_date: '2020-01-01' }), [['start_date', 'warning']]);
    assert.deepEqual(
      said({ sending_type: 'scheduled', sending_date: 'yesterday' }),
      [],
      'What is no day is an error, not a doubt.',
    );
  });

  it('is no list, where the lists are known', () => {
    assert.deepEqual(said({ listIds: [] }), [['listIds', 'warning']]);
    assert.deepEqual(said({ listIds: undefined }), []);
    assert.deepEqual(said({ listIds: 'x' }), []);
  });

  it('is a very long subject', () => {
    assert.deepEqual(said({ subject: 'x'.repeat(150) }), []);
    assert.deepEqual(said({ subject: 'x'.repeat(151) }), [['subject', 'warning']]);
    assert.deepEqual(said({ subject: 5 }), []);
  });
});

describe('a refusal of the service', () => {
  const cases: readonly (readonly [message: string, field: string])[] = [
    ["'sending_date' not provided in the request body.", 'sending_date'],
    ['Invalid sending type.', 'sending_type'],
    ['Invalid frequency.', 'frequency'],
    ['Invalid frequency options.', 'frequency_options'],
    ['Invalid frequency unit.', 'frequency_options.unit'],
    ['Invalid frequency option value.', 'frequency_options.value'],
    ['List not found: 99999', 'listIds'],
    ['Invalid reply_to_email', 'reply_to_email'],
    ['The start date is wrong', 'start_date'],
    ['Could not be stored.', ''],
    ['Campaign not found.', ''],
    ['Namespace', ''],
  ];
  for (const [message, field] of cases) {
    it(`stands ${field === '' ? 'above all' : `beside ${field}`}: ${message}`, () => {
      assert.deepEqual(
        findCampaignRefusalPath(message, { subject: 's', name: 'n' }),
        field === '' ? [] : field.split('.'),
      );
    });
  }

  it('that names two fields is about the empty one', () => {
    const message = "Missing required parameters 'subject' or 'name'";
    assert.deepEqual(findCampaignRefusalPath(message, { subject: 's', name: ' ' }), ['name']);
    assert.deepEqual(findCampaignRefusalPath(message, { subject: '', name: '' }), ['subject']);
    assert.deepEqual(findCampaignRefusalPath(message, { subject: 's', name: 'n' }), ['subject']);
  });
});
