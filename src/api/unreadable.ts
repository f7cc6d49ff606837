/** Where a record of a collection keeps the names of its unreadable fields. The same in each copy of this module: a bundle may hold two. */
export const unreadable: unique symbol = Symbol.for('mailing.unreadable') as never;

/** The fields of a record that the service gave in another form than it documents: nobody knows what they hold, and they are not in it. */
export function unreadableFields(record: object): readonly string[] {
  return unreadable in record ? (record[unreadable] as readonly string[]) : [];
}
