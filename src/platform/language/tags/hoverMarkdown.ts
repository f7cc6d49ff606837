import type { Explanation } from '../../../email/checks/index.ts';
import type { Rendering, TagCompletion, TagExplanation } from '../../../email/tags/index.ts';
import { escapeMarkdown, toSingleLine } from '../../ui/text.ts';

/** Formats the explanation of a tag as Markdown. Untrusted parts are escaped. */
export function formatExplanation(
  { title, about, details, where, result: gives, tag }: TagExplanation,
  to: Rendering | undefined,
): string {
  const lines = [`**${escapeMarkdown(title)}** ${escapeMarkdown(toSingleLine(tag, 100))}`, escapeMarkdown(about)];
  if (details.length > 0)
    lines.push(details.map((each) => `- **${escapeMarkdown(each.name)}** ${escapeMarkdown(each.about)}`).join('\n'));
  if (gives && to) lines.push(formatTagResult(gives, to));
  lines.push(`*Replaced in: ${where.join(', ')}*`);
  return lines.filter((line) => line !== '').join('\n\n');
}

function formatTagResult(gives: NonNullable<TagExplanation['result']>, to: Rendering): string {
  const who = escapeMarkdown(getPersonName(to), 80);
  if ('shown' in gives) return gives.shown ? `Shown to ${who}.` : `Hidden from ${who}.`;
  return gives.text === '' ? `Empty for ${who}.` : `For ${who}: **${escapeMarkdown(gives.text, 300)}**`;
}

/** Returns a person's name for use in a sentence. */
export function getPersonName({ person }: Rendering): string {
  return toSingleLine(person.name ?? '', 60) || toSingleLine(person.email ?? '', 60) || 'a recipient without a name';
}

/** Formats the documentation of a completion as Markdown. */
export function formatCompletion({ description, example }: TagCompletion): string {
  return [
    escapeMarkdown(description),
    example === undefined ? '' : `Example: ${escapeMarkdown(example, 300) || '*nothing*'}`,
  ]
    .filter((line) => line !== '')
    .join('\n\n');
}

/** Formats the background of a finding as Markdown: its impact, and a table of client support with the test date. */
export function formatFinding({ name, title, impact, support }: Explanation, rule: string): string {
  const heading = `**${escapeMarkdown(title)}** (rule ${escapeMarkdown(rule)}, ${escapeMarkdown(name)})`;
  const sections = support ? [formatSupportTable(support)] : [];
  return [heading, escapeMarkdown(impact), ...sections].join('\n\n');
}

function formatSupportTable({ title, tested, page, clients }: NonNullable<Explanation['support']>): string {
  const rows = clients.map(({ family, support, notes }) => {
    const note = notes.length === 0 ? '' : ` ${escapeMarkdown(notes.join(' '), 160)}`;
    return `| ${escapeMarkdown(family.name)} | ${support}${note} |`;
  });
  const source = `*Tested ${escapeMarkdown(tested)}* · [caniemail.com](${page})`;
  return [`| ${escapeMarkdown(title)} | Supported |`, '|---|---|', ...rows, '', source].join('\n');
}
