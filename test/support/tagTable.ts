import { tagLanguage, type TagLanguage, type TagLocation } from '../../src/email/tags/index.ts';

/** Delimit the generated part of docs/tags.md. */
export const tableMarks = ['<!-- tags: written by npm run tags -->', '<!-- end of tags -->'] as const;

const order: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];
const whereText = (where: readonly TagLocation[]) =>
  order.every((each) => where.includes(each)) ? 'everywhere' : order.filter((each) => where.includes(each)).join(', ');
const cell = (text: string) => text.replaceAll('|', '\\|');
const code = (text: string) => `\`${cell(text)}\``;
const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Returns the families, pairs and condition of a language, each with an example. */
function listTags({ families, pairs, parameters, conditions }: TagLanguage) {
  return [
    ...families.filter(({ form }) => !form).map((family) => ({ ...family, output: family.exampleOutput })),
    ...pairs.map((pair) => {
      const lists = parameters.find(({ name }) => name === 'lists' && pair.parameters.includes(name));
      const head =
        pair.group === 'info' ? `${pair.name}:site_name` : lists ? `${pair.name}|${lists.example}` : pair.name;
      return {
        ...pair,
        ids: [],
        example: `{${head}}${pair.text}{/${pair.name}}`,
        output: pair.task ? 'a link' : pair.text,
      };
    }),
    ...(conditions ? [{ ...conditions, ids: conditions.operators, output: 'its content, or nothing' }] : []),
  ];
}

/** Returns the tags of a language as Markdown: a table, a section for each tag, which hovers link to, and the parameters. */
export function tagTable(language: TagLanguage = tagLanguage('acymailing')): string {
  const tags = listTags(language);
  const listNames = (label: string, names: readonly string[]) =>
    names.length === 0 ? '' : `\n\n${label}: ${names.map(code).join(', ')}`;
  return [
    renderTable(
      ['tag', 'example', 'output', 'replaced in'],
      tags.map(({ name, example, output, where }) => [
        `[${code(name)}](#${name})`,
        code(example),
        cell(output),
        whereText(where),
      ]),
    ),
    ...tags.map(
      ({ name, about, ids, parameters }) =>
        `### ${name}\n\n${about}${listNames(
          name === 'if' ? 'Operators' : 'Values',
          ids.map(({ id }) => id),
        )}${listNames('Parameters', parameters)}`,
    ),
    '### Parameters',
    renderTable(
      ['parameter', 'effect'],
      language.parameters.map(({ example, title }) => [code(example), cell(title)]),
    ),
    '### Content tags',
    'AcyMailing inserts content when it sends the email. The example is written as the editor of the site writes it.',
    renderTable(
      ['family', 'effect', 'example'],
      language.families
        .filter(({ form }) => form)
        .map(({ name, about, example }) => [`[${code(name)}](#content-tags)`, cell(about), code(example)]),
    ),
  ].join('\n\n');
}

/** Returns a page with an updated table. */
export function withTagTable(page: string): string {
  const [start, end] = [page.indexOf(tableMarks[0]), page.indexOf(tableMarks[1])];
  if (start < 0 || end < start) throw new Error('The page has no place for the table of tags.');
  return `${page.slice(0, start + tableMarks[0].length)}\n\n${tagTable()}\n\n${page.slice(end)}`;
}
