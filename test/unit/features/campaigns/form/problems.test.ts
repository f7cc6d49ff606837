import assert from 'node:assert/strict';
import { findCampaignRefusalPath, findCampaignWarnings } from '../../../../../src/features/campaigns/form/fields.ts';
import type { Row } from '../../../../../src/service/client/shapes.ts';

describe('findCampaignWarnings', () => {
  const findWarnings = (details: Row) =>
    findCampaignWarnings({ listIds: [1], ...details }, '2026-11-20').map(({ path, kind }) => [path.join('.'), kind]);

  it('warns about a past date if it applies to the sending type', () => {
    assert.deepEqual(findWarnings({ sending_type: 'scheduled', sending_date: '2026-11-19' }), [
      ['sending_date', 'warning'],
    ]);
    assert.deepEqual(findWarnings({ sending_type: 'scheduled', sending_date: '2026-11-20' }), []);
    assert.deepEqual(findWarnings({ sending_type: 'now', sending_date: '2026-11-19' }), []);
    assert.deepEqual(findWarnings({ sending_type: 'auto', start_date: '2020-01-01' }), [['start_date', 'warning']]);
    assert.deepEqual(
      findWarnings({ sending_type: 'scheduled', sending_date: 'yesterday' }),
      [],
      'An invalid date is an error, not a warning.',
    );
  });

  it('warns about an empty selection of lists', () => {
    assert.deepEqual(findWarnings({ listIds: [] }), [['listIds', 'warning']]);
    assert.deepEqual(findWarnings({ listIds: undefined }), []);
    assert.deepEqual(findWarnings({ listIds: 'x' }), []);
  });

  it('warns about a very long subject', () => {
    assert.deepEqual(findWarnings({ subject: 'x'.repeat(150) }), []);
    assert.deepEqual(findWarnings({ subject: 'x'.repeat(151) }), [['subject', 'warning']]);
    assert.deepEqual(findWarnings({ subject: 5 }), []);
  });
});

describe('findCampaignRefusalPath', () => {
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
    it(`returns ${field === '' ? 'no path' : field}: ${message}`, () => {
      assert.deepEqual(
        findCampaignRefusalPath(message, { subject: 's', name: 'n' }),
        field === '' ? [] : field.split('.'),
      );
    });
  }

  it('chooses the empty one of two mentioned fields', () => {
    const message = "Missing required parameters 'subject' or 'name'";
    assert.deepEqual(findCampaignRefusalPath(message, { subject: 's', name: ' ' }), ['name']);
    assert.deepEqual(findCampaignRefusalPath(message, { subject: '', name: '' }), ['subject']);
    assert.deepEqual(findCampaignRefusalPath(message, { subject: 's', name: 'n' }), ['subject']);
  });
});
