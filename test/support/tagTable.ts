import { tagLanguage, type TagLanguage, type TagLocation } from '../../src/email/tags/index.ts';

/** Delimit the table in docs/tags.md. */
export const tableMarks = ['<!-- tags: written by npm run tags -->', '<!-- end of tags -->'] as const;

const order: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];
const whereText = (where: readonly TagLocation[]): string =>
  order.every((each) => where.includes(each)) ? 'everywhere' : order.filter((each) => where.includes(each)).join(', ');
const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${cell(text)}\``;

/** Returns the tags of a language as a Markdown table. */
export function tagTable(language: TagLanguage = tagLanguage('acymailing')): string {
  const rows = [
    ...language.families.map(({ example, exampleOutput, about, where }) => [
      code(example),
      `${cell(about)} Example: ${cell(exampleOutput)}`,
      whereText(where),
    ]),
    ...language.pairs.map(({ name, text, about, where, title, group, parameters }) => {
      const lists = language.parameters.find((parameter) => parameter.name === 'lists' && parameters.includes('lists'));
      const head = group === 'info' ? `${name}:site_name` : lists ? `${name}|${lists.example}` : name;
      return [code(`{${head}}${text}{/${name}}`), cell(`${title}. ${about}`), whereText(where)];
    }),
    ...(language.conditions
      ? [[code(language.conditions.example), cell(language.conditions.about), whereText(language.conditions.where)]]
      : []),
  ];
  return ['| tag | description | replaced in |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
    '\n',
  );
}

/** Returns a page with an updated table. */
export function withTagTable(page: string): string {
  const [start, end] = [page.indexOf(tableMarks[0]), page.indexOf(tableMarks[1])];
  if (start < 0 || end < start) throw new Error('The page has no place for the table of tags.');
  return `${page.slice(0, start + tableMarks[0].length)}\n\n${tagTable()}\n\n${page.slice(end)}`;
}
