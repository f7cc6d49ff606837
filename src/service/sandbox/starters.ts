import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import digest from './data/digest.json' with { type: 'json' };
import { pick, unit } from './random.ts';
import { emptyMail, envelopeFields, type StoredMail } from './records.ts';

/** A starter template from the assets. */
export interface Starter {
  readonly file: string;
  readonly drag_editor: string;
  readonly isLarge: boolean;
  readonly mail: Omit<StoredMail, 'id'>;
}

/** At least one sample template has this size. */
const LARGE_BODY_BYTES = 100 * 1024;

const text = v.fallback(v.string(), '');
const requiredText = v.pipe(v.string(), v.nonEmpty());
const starterSchema = v.object({
  ...v.entriesFromList(envelopeFields, text),
  name: requiredText,
  file: requiredText,
  css: text,
  drag_editor: text,
  // Texts that the build inlined.
  body: v.optional(v.string()),
  stylesheet: text,
});

/**
 * Reads `index.json` and the files that it lists, or the texts that the build inlined. If no starter is large, appends one that is
 * generated from another. Rejects with a message that names the missing or invalid file.
 */
export async function loadStarters(folder: string): Promise<readonly Starter[]> {
  const path = join(folder, 'index.json');
  const index: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!Array.isArray(index) || index.length === 0)
    throw new Error(`${path} should hold an array of starter templates.`);
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const starters = await Promise.all(
    index.map(async (entry: unknown, at) => {
      const parsed = v.safeParse(starterSchema, entry);
      if (!parsed.success) throw new Error(`Entry ${at + 1} of ${path} should have a file and a name.`);
      const { file, css, drag_editor, body = await read(file), stylesheet, ...envelope } = parsed.output;
      const style = stylesheet || (css && parsed.output.body === undefined ? await read(css) : null);
      return {
        file,
        drag_editor: drag_editor === '1' ? '1' : '0',
        isLarge: Buffer.byteLength(body) >= LARGE_BODY_BYTES,
        mail: { ...emptyMail, ...envelope, body, stylesheet: style },
      };
    }),
  );
  return starters.some(({ isLarge }) => isLarge) ? starters : [...starters, growDigest(starters)];
}

/** Finds a starter by file name; otherwise returns the `fallback`th starter that is not large. */
export function findStarter(starters: readonly Starter[], word: string, fallback: number): Starter {
  const common = starters.filter(({ isLarge }) => !isLarge);
  const named = starters.find(({ file }) => file === `${word}.html`);
  return named ?? common[fallback % common.length] ?? pick(starters, 0);
}

/** Creates a long digest from a starter: adds sections above its marked footer until the body is large. */
function growDigest(starters: readonly Starter[]): Starter {
  const { mail } = starters.find(({ file }) => /newsletter|digest/.test(file)) ?? pick(starters, 0);
  const footer = /<!--\s*footer\s*-->/i.exec(mail.body)?.index;
  const rows: string[] = [];
  for (let size = Buffer.byteLength(mail.body); size < LARGE_BODY_BYTES;) {
    const row = composeSection(rows.length);
    rows.push(row);
    size += Buffer.byteLength(row);
  }
  const body =
    footer === undefined
      ? `${mail.body}\n<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">\n${rows.join('')}</table>\n`
      : `${mail.body.slice(0, footer)}${rows.join('')}${mail.body.slice(footer)}`;
  return { file: 'long-digest.html', drag_editor: '0', isLarge: true, mail: { ...mail, ...digest.mail, body } };
}

const serif = "font-family:Georgia,'Times New Roman',serif;";
const sans = "font-family:'Helvetica Neue',Helvetica,Arial,sans-serif;";

function composeSection(at: number) {
  const [title = '', slug = ''] = digest.sections[at % digest.sections.length] ?? [];
  const entries = Array.from({ length: 11 }, (_, entry) => composeEntry(at * 11 + entry, slug));
  return `<tr><td style="height:16px;font-size:0;line-height:0;">&nbsp;</td></tr>
<tr>
<td class="pad" style="padding:28px 44px 12px;background-color:#fffaf2;border-radius:14px;">
<h2 style="margin:0 0 14px;${serif}font-size:24px;line-height:30px;font-weight:normal;color:#3b2018;">${title}</h2>
${entries.join('')}</td>
</tr>
`;
}

function composeEntry(at: number, slug: string) {
  // Every table of phrases has its own random number.
  const compose = (tables: readonly (readonly string[])[], seed: number) =>
    tables.map((phrases, place) => pick(phrases, unit(seed + place, at))).join(' ');
  const headline = compose(digest.headlines, 31);
  const link = `<a href="https://digest.example.com/${slug}/${at + 1}" class="link" style="color:#8a3f22;text-decoration:none;">${headline}</a>`;
  return `<p style="margin:0 0 4px;${serif}font-size:18px;line-height:24px;">${link}</p>
<p style="margin:0 0 18px;${sans}font-size:15px;line-height:23px;color:#543c31;">${compose(digest.summaries, 33)}</p>
`;
}
