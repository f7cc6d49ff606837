import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyMail } from '../records.ts';
import type { Starter } from '../records.ts';
import { growDigest } from './digest.ts';

/** At least one sample template has this size. */
export const LARGE_BODY_BYTES = 100 * 1024;

export const isLarge = ({ mail }: Starter): boolean => Buffer.byteLength(mail.body) >= LARGE_BODY_BYTES;

const texts = ['name', 'subject', 'preheader', 'from_name', 'from_email', 'reply_to_name', 'reply_to_email'] as const;

/**
 * Reads `index.json` and the files that it lists, or the texts that the build inlined. If no starter is large, appends one that is
 * generated from another. Rejects with a message that names the missing or invalid file.
 */
export async function loadStarters(folder: string): Promise<readonly Starter[]> {
  const index: unknown = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  if (!Array.isArray(index) || index.length === 0)
    throw new Error(`${join(folder, 'index.json')} should hold an array of starter templates.`);
  const starters = await Promise.all(index.map((entry: unknown, at) => loadStarter(folder, entry, at)));
  return starters.some(isLarge) ? starters : [...starters, growDigest(starters, LARGE_BODY_BYTES)];
}

async function loadStarter(folder: string, entry: unknown, at: number): Promise<Starter> {
  const fields = new Map<string, unknown>(typeof entry === 'object' && entry !== null ? Object.entries(entry) : []);
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  const file = text('file');
  if (!file || !text('name'))
    throw new Error(`Entry ${at + 1} of ${join(folder, 'index.json')} should have a file and a name.`);
  const css = text('css');
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const [body, stylesheet] = fields.has('body')
    ? [text('body'), text('stylesheet') || null]
    : await Promise.all([read(file), css ? read(css) : null]);
  const named = Object.fromEntries(texts.map((name) => [name, text(name)]));
  return {
    file,
    drag_editor: text('drag_editor') === '1' ? '1' : '0',
    mail: { ...emptyMail, ...named, body, stylesheet },
  };
}

/** Finds a starter by file name; otherwise returns the `fallback`th starter that is not large. */
export function findStarter(starters: readonly Starter[], word: string, fallback: number): Starter {
  const named = starters.find(({ file }) => file === `${word}.html`);
  const common = starters.filter((starter) => !isLarge(starter));
  const found = named ?? common[fallback % common.length] ?? starters[0];
  if (!found) throw new Error('There is no starter template.');
  return found;
}
