import { unreadableFields } from '../../service/client/guards.ts';
import { joinParts } from '../ui/format.ts';
import { escapeMarkdown } from '../ui/text.ts';
import type { RecordItem } from './model.ts';

const colorPattern = /^#[0-9a-f]{6}$/i;

/** Returns a color swatch as an image URI. Undefined unless the text has the form `#rrggbb`. */
export function createSwatch(text: string): string | undefined {
  const value = text.trim();
  if (!colorPattern.test(value)) return undefined;
  // The outline keeps colors visible that match the background.
  const circle = `<circle cx="8" cy="8" r="5.5" fill="${value}" stroke="#808080" stroke-opacity=".6"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${circle}</svg>`;
  return `data:image/svg+xml;base64,${btoa(svg)}`;
}

/** Formats rows of name and value as Markdown, one per line, without empty values. */
export function formatTooltip(rows: readonly (readonly [name: string, value: string])[]): string {
  return rows
    .map(([name, value]) => [escapeMarkdown(name, 40), escapeMarkdown(value, 300)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `**${name}:** ${value}`)
    .join('  \n');
}

/** Adds a note to the item of a record that can't be read completely. */
export function addUnreadableNote(item: RecordItem, record: object): RecordItem {
  const fields = unreadableFields(record);
  if (fields.length === 0) return item;
  const note = 'partly unreadable';
  return {
    ...item,
    description: joinParts([item.description, note]),
    tooltip: [
      ...item.tooltip,
      ["Can't be read", `${fields.join(', ')}: the service gives it in another form than it documents`],
    ],
    accessibleName: [item.accessibleName ?? item.label, note].join(', '),
  };
}
