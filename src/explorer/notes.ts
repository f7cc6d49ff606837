import { unreadableFields } from '../api/unreadable.ts';
import { joinParts } from '../ui/format.ts';
import type { RecordItem } from './model.ts';

/** How a record looks of which not everything can be read: with what can be, and a note. */
export function withNote(item: RecordItem, record: object): RecordItem {
  const fields = unreadableFields(record);
  if (fields.length === 0) return item;
  const note = 'not all of it can be read';
  return {
    ...item,
    description: joinParts([item.description, note]),
    tooltip: [...item.tooltip, ["Can't be read", `${fields.join(', ')}: the service gives it in another form than it documents`]],
    accessibleName: [item.accessibleName ?? item.label, note].join(', '),
  };
}
