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

describe('addUnreadableNote', () => {
  it('notes that a record can’t be read completely', () => {
    const annotated = addUnreadableNote(item, { id: 1, [unreadableSymbol]: ['headers', 'subject'] });
    assert.equal(annotated.label, 'Spring');
    assert.equal(annotated.description, 'subject · partly unreadable');
    assert.deepEqual(annotated.tooltip.at(-1), [
      "Can't be read",
      'headers, subject: the service gives it in another form than it documents',
    ]);
    assert.equal(annotated.accessibleName, 'Spring, partly unreadable');
  });

  it('returns the same item for a readable record', () => assert.equal(addUnreadableNote(item, { id: 1 }), item));
});
