import { getClientName } from '../../../email/checks/clients.ts';
import type { Explanation } from '../../../email/checks/index.ts';
import type { Rendering, TagCompletion, TagExplanation, TagLocation } from '../../../email/tags/index.ts';
import { localized, t } from '../../../l10n.ts';
import { escapeMarkdown, toSingleLine } from '../../../service/text.ts';
import { formatDocsLink } from '../docs.ts';

const getLocationNames = localized((): Readonly<Record<TagLocation, string>> => ({
  body: t({ message: 'body', args: [], comment: 'Part of an email' }),
  subject: t({ message: 'subject', args: [], comment: 'Part of an email' }),
  preheader: t({ message: 'preheader', args: [], comment: 'Part of an email' }),
  headers: t({ message: 'headers', args: [], comment: 'Part of an email' }),
}));

/** Formats a tag as Markdown. Untrusted parts are escaped. `isDocumented`: the documentation lists the tag. */
export function formatExplanation(
  { family, title, about, details, where, result: gives, tag }: TagExplanation,
  to: Rendering | undefined,
  isDocumented: boolean,
): string {
  const name = `**${escapeMarkdown(title)}**`;
  const heading = isDocumented ? formatDocsLink(name, 'tags', family) : name;
  const lines = [`${heading} ${escapeMarkdown(toSingleLine(tag, 100))}`, escapeMarkdown(about)];
  if (details.length > 0)
    lines.push(details.map((each) => `- **${escapeMarkdown(each.name)}** ${escapeMarkdown(each.about)}`).join('\n'));
  if (gives && to) lines.push(formatTagResult(gives, to));
  const locations = where.map((location) => getLocationNames()[location]).join(', ');
  lines.push(`*${t({ message: 'Replaced in: {0}', args: [locations], comment: 'List of parts of an email' })}*`);
  return lines.filter((line) => line !== '').join('\n\n');
}

function formatTagResult(gives: NonNullable<TagExplanation['result']>, to: Rendering) {
  const who = escapeMarkdown(getPersonName(to), 80);
  if ('shown' in gives) return gives.shown ? t`Shown to "${who}".` : t`Hidden from "${who}".`;
  if (gives.text === '')
    return t({ message: 'Empty for "{0}".', args: [who], comment: 'A merge tag without output for a recipient' });
  return t({
    message: 'For "{0}": {1}',
    args: [who, `**${escapeMarkdown(gives.text, 300)}**`],
    comment: '{0}: a recipient; {1}: the output of a merge tag',
  });
}

function getPersonName({ person }: Rendering) {
  return toSingleLine(person.name ?? '', 60) || toSingleLine(person.email ?? '', 60) || t('No name');
}

/** Formats the documentation of a completion as Markdown. */
export function formatCompletion({ description, example }: TagCompletion): string {
  const lines = [escapeMarkdown(description)];
  if (example !== undefined) {
    const output = escapeMarkdown(example, 300);
    lines.push(output === '' ? t('Example: no output') : t`Example: ${output}`);
  }
  return lines.filter((line) => line !== '').join('\n\n');
}

/** Formats the background of a finding as Markdown: its impact, and a table of client support with the test date. */
export function formatFinding({ name, title, impact, support }: Explanation, rule: string): string {
  const reference = t('rule {0}, {1}', escapeMarkdown(rule), escapeMarkdown(name));
  const heading = `**${escapeMarkdown(title)}** (${formatDocsLink(reference, 'checks', name)})`;
  const sections = support ? [formatSupportTable(support)] : [];
  return [heading, escapeMarkdown(impact), ...sections].join('\n\n');
}

const getSupportNames = localized(
  (): Readonly<Record<NonNullable<Explanation['support']>['clients'][number]['support'], string>> => ({
    yes: t({ message: 'yes', args: [], comment: 'A mail client supports a feature' }),
    no: t({ message: 'no', args: [], comment: 'A mail client does not support a feature' }),
    partly: t({ message: 'partly', args: [], comment: 'A mail client supports a part of a feature' }),
    unknown: t({ message: 'unknown', args: [], comment: 'Whether a mail client supports a feature' }),
  }),
);

function formatSupportTable({ title, tested, page, clients }: NonNullable<Explanation['support']>) {
  const rows = clients.map(({ family, support, notes }) => {
    const note = notes.length === 0 ? '' : `. ${escapeMarkdown(notes.join(' '), 160)}`;
    return `| ${escapeMarkdown(getClientName(family.name))} | ${getSupportNames()[support]}${note} |`;
  });
  const date = t({ message: 'Tested {0}', args: [escapeMarkdown(tested)], comment: 'Date of a test' });
  const source = `*${date}* · [caniemail.com](${page})`;
  const supported = t({ message: 'Supported', args: [], comment: 'Column title: yes, no, partly, unknown' });
  return [`| ${escapeMarkdown(title)} | ${supported} |`, '|---|---|', ...rows, '', source].join('\n');
}
