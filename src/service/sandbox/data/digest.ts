import { pick, unit } from './random.ts';
import type { Starter } from '../records.ts';

const sections: readonly (readonly [title: string, slug: string])[] = [
  ['Most read', 'most-read'],
  ['From the workshop', 'workshop'],
  ['Letters to the editor', 'letters'],
  ['Around the world', 'world'],
  ['Numbers of the year', 'numbers'],
  ['Long reads', 'long-reads'],
  ['Small tips', 'tips'],
  ['People', 'people'],
  ['Looking ahead', 'ahead'],
  ['In case you missed it', 'missed'],
];
const subjects: readonly [string, ...string[]] = [
  'The baker',
  'A lighthouse keeper',
  'One small library',
  'The night train',
  'Our oldest reader',
  'A village choir',
  'The repair café',
  'Grandmother’s garden',
  'The last ferry',
  'A school of fish',
  'The mapmaker',
  'A quiet street',
];
const happenings: readonly [string, ...string[]] = [
  'who stopped counting',
  'that learned to wait',
  'and the case of the missing hour',
  'in seven pictures',
  'a year later',
  'and what the neighbors said',
  'told in one afternoon',
  'that would not close',
  'before the rain',
  'and how it was done',
];
const openings: readonly [string, ...string[]] = [
  'It began with a letter that nobody expected.',
  'For eleven years the answer lay in a drawer.',
  'You would walk past it every day and never look up.',
  'On paper nothing about it should work.',
  'We went there twice, because the first time it was closed.',
  'The instructions were three lines long.',
];
const turns: readonly [string, ...string[]] = [
  'Then the whole street came to help, with ladders, soup and very different opinions.',
  'What changed in the end was not the machine, but the order of the steps.',
  'The figures tell one story; the people who were there tell another, and both are worth your time.',
  'Our reporter stayed for a week and brought back forty pages of notes and one recipe.',
  'It costs next to nothing, which is perhaps why it took so long.',
];
const closings: readonly [string, ...string[]] = [
  'With pictures.',
  'Read it with a cup of tea.',
  'Part one of three.',
  'Still true.',
  'Bring tissues.',
  'Includes the plans.',
];

/** Creates a long digest from a starter: adds sections above its marked footer until the body has `bytes` bytes. */
export function growDigest(starters: readonly Starter[], bytes: number): Starter {
  const common = starters.filter(({ drag_editor }) => drag_editor === '0');
  const base = starters.find(({ file }) => /newsletter|digest/.test(file)) ?? common[0] ?? starters[0];
  if (!base) throw new Error('There is no starter template to grow a digest from.');
  const footer = /<!--\s*footer\s*-->/i.exec(base.mail.body)?.index;
  const rows: string[] = [];
  for (let size = Buffer.byteLength(base.mail.body); size < bytes;) {
    const row = composeSection(rows.length);
    rows.push(row);
    size += Buffer.byteLength(row);
  }
  const body =
    footer === undefined
      ? `${base.mail.body}\n<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">\n${rows.join('')}</table>\n`
      : `${base.mail.body.slice(0, footer)}${rows.join('')}${base.mail.body.slice(footer)}`;
  const mail = {
    ...base.mail,
    name: 'The long digest',
    subject: 'A hundred stories of the year',
    preheader: 'Everything worth reading again, in ten chapters',
    body,
  };
  return { file: 'long-digest.html', drag_editor: '0', mail };
}

const serif = "font-family:Georgia,'Times New Roman',serif;";
const sans = "font-family:'Helvetica Neue',Helvetica,Arial,sans-serif;";

function composeSection(at: number): string {
  const [title, slug] = sections[at % sections.length] ?? ['More', 'more'];
  const entries = Array.from({ length: 11 }, (_, entry) => composeEntry(at * 11 + entry, slug));
  return `<tr><td style="height:16px;font-size:0;line-height:0;">&nbsp;</td></tr>
<tr>
<td class="pad" style="padding:28px 44px 12px;background-color:#fffaf2;border-radius:14px;">
<h2 style="margin:0 0 14px;${serif}font-size:24px;line-height:30px;font-weight:normal;color:#3b2018;">${title}</h2>
${entries.join('')}</td>
</tr>
`;
}

function composeEntry(at: number, slug: string): string {
  const headline = `${pick(subjects, unit(31, at))} ${pick(happenings, unit(32, at))}`;
  const summary = `${pick(openings, unit(33, at))} ${pick(turns, unit(34, at))}`;
  const address = `https://digest.example.com/${slug}/${at + 1}`;
  const link = `<a href="${address}" class="link" style="color:#8a3f22;text-decoration:none;">${headline}</a>`;
  const text = `${summary} ${pick(closings, unit(35, at))}`;
  return `<p style="margin:0 0 4px;${serif}font-size:18px;line-height:24px;">${link}</p>
<p style="margin:0 0 18px;${sans}font-size:15px;line-height:23px;color:#543c31;">${text}</p>
`;
}
