import assert from 'node:assert/strict';
import { DependentFields, getChosenListIds } from '../../../../../src/features/campaigns/form/fields.ts';
import type { FieldChange, Values } from '../../../../../src/platform/documents/form/text.ts';
import type { Json, JsonObject } from '../../../../../src/service/client/shapes.ts';

function applyChanges(details: Values, changes: readonly FieldChange[]) {
  const result: JsonObject = { ...details };
  for (const { path, value } of changes) {
    assert.equal(path.length, 1);
    if (value === undefined) delete result[String(path[0])];
    else result[String(path[0])] = value;
  }
  return result;
}

describe('DependentFields', () => {
  const choose = (choices: DependentFields, details: Values, field: string, value: Json) =>
    applyChanges(details, choices.expandChange(details, { path: [field], value }));

  it('removes fields that do not apply, and restores them with their last value', () => {
    const choices = new DependentFields();
    const scheduled = { name: 'a', sending_type: 'scheduled', sending_date: '2027-01-31', other: 1 };
    const now = choose(choices, scheduled, 'sending_type', 'now');
    assert.deepEqual(now, { name: 'a', sending_type: 'now', other: 1 });
    assert.deepEqual(choose(choices, now, 'sending_type', 'scheduled'), scheduled);
  });

  it('gives a new automatic campaign an initial frequency', () => {
    const choices = new DependentFields();
    const auto = choose(choices, { sending_type: 'scheduled', sending_date: '2027-01-31' }, 'sending_type', 'auto');
    assert.deepEqual(auto, {
      sending_type: 'auto',
      frequency: 'every',
      frequency_options: { unit: 'week', value: 1 },
      need_confirm: 1,
    });
    const changed = {
      ...auto,
      frequency_options: { unit: 'day', value: 3 },
      need_confirm: 0,
      start_date: '2027-02-01',
    };
    const cron = choose(choices, changed, 'frequency', 'cron');
    assert.deepEqual(cron, { sending_type: 'auto', frequency: 'cron', need_confirm: 0, start_date: '2027-02-01' });
    const now = choose(choices, cron, 'sending_type', 'now');
    assert.deepEqual(now, { sending_type: 'now' });
    const again = choose(choices, now, 'sending_type', 'auto');
    assert.deepEqual(again, cron, 'Also the frequency is the last one.');
    assert.deepEqual(choose(choices, again, 'frequency', 'every'), changed);
  });

  it('leaves other edits unchanged', () => {
    const choices = new DependentFields();
    const details = { sending_type: 'now', sending_date: 'leftover' };
    assert.deepEqual(choices.expandChange(details, { path: ['subject'], value: 'x' }), [
      { path: ['subject'], value: 'x' },
    ]);
    assert.deepEqual(choices.expandChange(details, { path: ['subject'] }), [{ path: ['subject'] }]);
    assert.deepEqual(choices.expandChange(details, { path: ['frequency_options', 'unit'], value: 'day' }), [
      { path: ['frequency_options', 'unit'], value: 'day' },
    ]);
  });
});

describe('getChosenListIds', () => {
  it('returns distinct valid ids', () => {
    assert.deepEqual(getChosenListIds({ listIds: [3, '4', 3, 0, -1, 1.5, null, 9] }), [3, 9]);
    assert.equal(getChosenListIds({}), undefined);
  });
});
