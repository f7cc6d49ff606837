import assert from 'node:assert/strict';
import {
  getColorName,
  validateColor,
  parseDraft,
  validateMailId,
  createListRequest,
  getSwatches,
} from '../../../../src/features/lists/draft.ts';
import { createListCard, formatListsTitle } from '../../../../src/features/subscriptions/subscribers/cards.ts';

describe('a new list', () => {
  it('is sent with the API values: 1 for true, 2 for false', () => {
    assert.deepEqual(createListRequest({ name: ' A ', active: true, visible: false }), {
      name: 'A',
      active: 1,
      visible: 2,
    });
    assert.deepEqual(
      createListRequest({ name: 'A', active: false, visible: true, color: '#aabbcc', welcomeId: 1, unsubscribeId: 2 }),
      { name: 'A', active: 2, visible: 1, color: '#aabbcc', welcomeId: 1, unsubscribeId: 2 },
    );
  });

  it('reads fields by their API names', () => {
    const draft = { name: '', color: undefined, active: true, visible: true, welcomeId: undefined };
    assert.deepEqual(parseDraft({}), { ...draft, unsubscribeId: undefined });
    assert.deepEqual(
      parseDraft({ connection: 'c', name: 'A', active: 2, visible: 1, welcomeId: '12', unsubscribeId: 3 }),
      { ...draft, name: 'A', active: false, welcomeId: 12, unsubscribeId: 3 },
    );
    for (const wrong of [{ name: 1 }, { color: '#fff' }, { active: 'yes' }, { unsubscribeId: 0 }, { welcomeId: 1.5 }])
      assert.throws(() => parseDraft(wrong), /Invalid "/u);
  });

  it('has predefined colors in the format of the API', () => {
    for (const [name, color] of getSwatches())
      assert.deepEqual([validateColor(color), getColorName(color)], [undefined, name]);
    for (const wrong of ['', 'red', '#fff', '#12345g']) assert.ok(validateColor(wrong));
  });

  it('accepts mail ids', () => {
    assert.deepEqual(['', '12'].map(validateMailId), [undefined, undefined]);
    for (const wrong of ['0', '-1', 'a', '1.5']) assert.ok(validateMailId(wrong));
  });
});

describe('the header of a list', () => {
  const list = {
    id: 3,
    name: 'Customers',
    display_name: null,
    active: 0,
    visible: 1,
    clean: null,
    color: 'javascript:x',
    creation_date: '2026-01-02 03:04:05',
    welcome_id: null,
    unsubscribe_id: 7,
    cms_user_id: 1,
    access: null,
    description: 'a\u202Eb',
    tracking: 1,
    type: 'standard',
    translation: null,
    extra: { deep: 1 },
  };

  it('shows each field that has a value, without invisible characters', () => {
    const card = createListCard(list);
    const details = new Map(card.details);
    assert.deepEqual([card.color, card.marks], [undefined, ['inactive']]);
    assert.deepEqual(
      [
        details.get('Unsubscribe email'),
        details.get('Welcome email'),
        details.get('Active'),
        details.get('Description'),
        details.get('Extra'),
      ],
      ['email 7', 'none', 'no', 'ab', '{"deep":1}'],
    );
    assert.equal(details.has('Display name'), false);
  });

  it('contains the names of the lists', () => {
    assert.equal(formatListsTitle([list]), 'Customers');
    assert.equal(formatListsTitle([list, { ...list, name: null, id: 4 }]), 'Customers and 1 more');
  });
});
