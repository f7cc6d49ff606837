import assert from 'node:assert/strict';
import { createEmail } from '../../../src/sync/mapping/placedFindings.ts';
import { readTemplateTexts as read } from '../../../src/sync/mapping/templateLayout.ts';
import { findChanges } from '../../../src/sync/fields/fields.ts';

const settings = '{"p":{"color":"#222"}}';

describe('Settings of drag-and-drop templates in a folder', () => {
  it('are read only from templates that the service lets nobody change', () => {
    assert.equal(read({ drag_editor: 1, settings })['settings'], settings);
    assert.equal('settings' in read({ drag_editor: 0, settings }), false);
  });

  it('are never a change to push', () => {
    assert.deepEqual([...findChanges({}, { settings }, read({ drag_editor: 0 }))], []);
    assert.deepEqual([...findChanges({}, {}, read({ drag_editor: 1, settings }))], [['settings', 'pull']]);
  });

  it('are a part of the email, unless its details have none', () => {
    assert.equal(createEmail({ details: { text: JSON.stringify({ settings }) } }).email.settings, settings);
    assert.equal('settings' in createEmail({ details: { text: '{}' } }).email, false);
  });
});
