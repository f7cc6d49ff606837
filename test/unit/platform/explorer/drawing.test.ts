import assert from 'node:assert/strict';
import { unreadableSymbol } from '../../../../src/service/client/guards.ts';
import type { RecordItem } from '../../../../src/platform/explorer/model.ts';
import { addUnreadableNote } from '../../../../src/platform/explorer/drawing.ts';

const item: RecordItem = {
  label: 'Spring',
  description: 'subject',
  icon: { codicon: 'file-code' },
  tooltip: [['Name', 'Spring']],
  contextValue: 'mailing.template.standard',
};

describe('a record in the tree', () => {
  it('says what of it can’t be read', () => {
    const noted = addUnreadableNote(item, { id: 1, [unreadableSymbol]: ['headers', 'subject'] });
    assert.equal(noted.label, 'Spring');
    assert.equal(noted.description, 'subject · not all of it can be read');
    assert.deepEqual(noted.tooltip.at(-1), [
      "Can't be read",
      'headers, subject: the service gives it in another form than it documents',
    ]);
    assert.equal(noted.accessibleName, 'Spring, not all of it can be read');
  });

  it('is as it was where all of it can be', () => assert.equal(addUnreadableNote(item, { id: 1 }), item));
});
