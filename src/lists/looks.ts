import type { MailingList } from '../api/index.ts';
import { plain } from '../ui/text.ts';

/** How a list is called, as plain text. */
export function nameOf({ id, name, display_name }: Pick<MailingList, 'id' | 'name' | 'display_name'>): string {
  return plain(name || display_name || '') || `List ${id}`;
}

/** What is special about a list: "inactive". */
export function marksOf({ active, visible, type }: MailingList): readonly string[] {
  return [active === 0 && 'inactive', visible === 0 && 'invisible', type === 'followup' && 'of a follow-up'].filter(
    (mark) => mark !== false,
  );
}
