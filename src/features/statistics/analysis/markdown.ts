import type { ActivityTimeline, Comparison, ComparisonCell, ComparisonTable, Figure, Overview } from '../model.ts';
import { formatAmount, formatCount, formatPercent } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';

/** In characters. */
const MAX_TEXT_LENGTH = 1000;

/** Characters that Markdown, HTML, icons or automatic links consist of. Others stay, so that the source is readable. */
const markup = /[<>`*_[\]{}\\|~$@!&#^"=;]|^[-+](?=[-+\s]|$)|(?<=^\d+)[.)](?=\s|$)|(?<!\d)[.:](?=\S)|[.:](?=[^\s\d])/gu;

/** Escapes text for Markdown, HTML and tables, on one line. */
function toSafeText(text: string): string {
  return toSingleLine(text, MAX_TEXT_LENGTH).replace(markup, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Formats a table with the first column aligned left and the others right; empty without rows. */
function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map(toSafeText).join(' | ')} |`;
  const alignment = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), `| ${alignment.join(' | ')} |`, ...rows.map(line)].join('\n');
}

const formatBullets = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${toSafeText(sentence)}`).join('\n');

/** Joins the parts that are not empty. */
const joinParagraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Formats a section; empty without content. */
function formatSection(title: string, content: string): string {
  return content === '' ? '' : `## ${title}\n\n${content}`;
}

function formatFigures(list: readonly Figure[]): string {
  const hasChanges = list.some(({ change }) => change !== undefined);
  return formatTable(
    ['Figure', 'Value', 'Rate', ...(hasChanges ? ['Change'] : [])],
    list.map(({ label, value, rate, change = '' }) => [
      label,
      value,
      rate ? `${rate.value} ${rate.of}` : '',
      ...(hasChanges ? [change] : []),
    ]),
  );
}

function formatComparisonTable({ columns, rows }: ComparisonTable): string {
  const cell = ({ value, rate, change }: ComparisonCell): string =>
    `${value}${rate === undefined ? '' : ` (${rate})`}${change === undefined ? '' : `, ${change}`}`;
  return formatTable(
    ['Figure', ...columns],
    rows.map(({ label, cells }) => [label, ...cells.map(cell)]),
  );
}

function formatTimeline({ points, meaning, readCount, totalCount, isComplete, undated }: ActivityTimeline): string {
  const total = totalCount === undefined ? '' : `${formatCount(readCount)} of `;
  const notes = [
    meaning,
    ...(isComplete ? [] : [`${total}${formatAmount(totalCount ?? readCount, 'recipient')} read so far.`]),
    ...(undated > 0 ? [`${formatAmount(undated, 'open or click', 'opens and clicks')} without a date.`] : []),
  ];
  const rows = points
    .filter(({ opens, clicks }) => opens + clicks > 0)
    .map(({ label, opens, clicks }) => [label, formatCount(opens), formatCount(clicks)]);
  return joinParagraphs(formatTable(['Time', 'Opens', 'Clicks'], rows), formatBullets(notes));
}

interface OverviewMarkdownOptions {
  /** Name of the campaign; untrusted text. */
  readonly name: string;
  /** Name of the connection. */
  readonly service: string;
  /** Formatted time of the read. */
  readonly at: string;
  readonly overview: Overview;
  readonly timeline?: ActivityTimeline;
}

/** Formats an overview as Markdown. All text of the service is escaped. */
export function overviewMarkdown({ name, service, at, overview, timeline }: OverviewMarkdownOptions): string {
  const { isUnsent, isUnopened, figures, funnel, sales, otherFigures, versions, remarks } = overview;
  const steps = funnel.map(({ label, count, share }) => [
    label,
    formatCount(count),
    share === undefined ? '' : formatPercent(share),
  ]);
  const text = joinParagraphs(
    `# Statistics of ${toSafeText(name) || 'a campaign'}`,
    `${toSafeText(service)}, read ${toSafeText(at)}`,
    isUnsent ? 'Nothing was sent yet.' : isUnopened ? 'No opens yet.' : '',
    formatFigures(figures),
    formatSection('Sales', formatFigures(sales)),
    formatSection('Funnel', formatTable(['Step', 'Count', 'Share'], steps)),
    formatSection('Versions', versions ? formatComparisonTable(versions) : ''),
    formatSection('Opens and clicks over time', timeline ? formatTimeline(timeline) : ''),
    formatSection('Other fields', formatFigures(otherFigures)),
    formatSection('Remarks', formatBullets(remarks)),
  );
  return `${text}\n`;
}

interface ComparisonMarkdownOptions {
  readonly at: string;
  readonly comparison: Comparison;
  /** Campaigns that couldn't be read. */
  readonly failures: readonly string[];
}

/** Formats a comparison as Markdown. All text of the service is escaped. */
export function comparisonMarkdown({ at, comparison, failures }: ComparisonMarkdownOptions): string {
  const text = joinParagraphs(
    '# Campaigns compared',
    `Read ${toSafeText(at)}`,
    formatComparisonTable(comparison),
    formatSection('Not read', formatBullets(failures)),
  );
  return `${text}\n`;
}
