import type { ActivityTimeline, Comparison, ComparisonCell, ComparisonTable, Figure, Overview } from '../model.ts';
import { formatAmount, formatCount, formatPercent } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';

/** In characters. */
const MAX_TEXT_LENGTH = 1000;

/** Characters that Markdown, HTML, icons or automatic links consist of. Others are kept, so that the source is readable. */
const markup = /[<>`*_[\]{}\\|~$@!&#^"=;]|^[-+](?=[-+\s]|$)|(?<=^\d+)[.)](?=\s|$)|(?<!\d)[.:](?=\S)|[.:](?=[^\s\d])/gu;

/** Escapes text for Markdown, HTML and tables, on one line. */
function toSafeText(text: string): string {
  return toSingleLine(text, MAX_TEXT_LENGTH).replace(markup, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Formats a table with the first column aligned left and the others right. */
function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(toSafeText).join(' | ')} |`;
  return [
    line(head),
    `| ${head.map((_, index) => (index === 0 ? '---' : '---:')).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
}

const formatSection = (title: string, ...parts: readonly string[]): string[] => [`## ${title}`, ...parts];
const formatBullets = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${toSafeText(sentence)}`).join('\n');

function formatFigures(list: readonly Figure[]): string {
  const hasChanges = list.some(({ change }) => change !== undefined);
  const head = ['Figure', 'Value', 'Rate', ...(hasChanges ? ['Change'] : [])];
  return formatTable(
    head,
    list.map(({ label, value, rate, change }) => [
      label,
      value,
      rate === undefined ? '' : `${rate.value} ${rate.of}`,
      ...(hasChanges ? [change ?? ''] : []),
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

function formatTimeline({ points, meaning, readCount, totalCount, isComplete, undated }: ActivityTimeline): string[] {
  const activePoints = points.filter(({ opens, clicks }) => opens + clicks > 0);
  const notes = [
    meaning,
    ...(isComplete
      ? []
      : [
          `${totalCount === undefined ? formatAmount(readCount, 'recipient') : `${formatCount(readCount)} of ${formatAmount(totalCount, 'recipient')}`} read so far.`,
        ]),
    ...(undated > 0 ? [`${formatAmount(undated, 'open or click', 'opens and clicks')} without a date.`] : []),
  ];
  return [
    ...(activePoints.length === 0
      ? []
      : [
          formatTable(
            ['Time', 'Opens', 'Clicks'],
            activePoints.map(({ label, opens, clicks }) => [label, formatCount(opens), formatCount(clicks)]),
          ),
        ]),
    formatBullets(notes),
  ];
}

export interface OverviewMarkdownOptions {
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
  const { isUnsent, isUnopened, funnel, sales, otherFigures, versions, remarks } = overview;
  const state = isUnsent ? ['Nothing was sent yet.'] : isUnopened ? ['No opens yet.'] : [];
  return joinParagraphs([
    `# Statistics of ${toSafeText(name) || 'a campaign'}`,
    `${toSafeText(service)}, read ${toSafeText(at)}`,
    ...state,
    ...(overview.figures.length > 0 ? [formatFigures(overview.figures)] : []),
    ...(sales.length > 0 ? formatSection('Sales', formatFigures(sales)) : []),
    ...(funnel.length > 0
      ? formatSection(
          'Funnel',
          formatTable(
            ['Step', 'Count', 'Share'],
            funnel.map(({ label, count, share }) => [
              label,
              formatCount(count),
              share === undefined ? '' : formatPercent(share),
            ]),
          ),
        )
      : []),
    ...(versions === undefined ? [] : formatSection('Versions', formatComparisonTable(versions))),
    ...(timeline === undefined ? [] : formatSection('Opens and clicks over time', ...formatTimeline(timeline))),
    ...(otherFigures.length > 0 ? formatSection('Other fields', formatFigures(otherFigures)) : []),
    ...(remarks.length > 0 ? formatSection('Remarks', formatBullets(remarks)) : []),
  ]);
}

export interface ComparisonMarkdownOptions {
  readonly at: string;
  readonly comparison: Comparison;
  /** Campaigns that couldn't be read. */
  readonly failures?: readonly string[];
}

/** Formats a comparison as Markdown. All text of the service is escaped. */
export function comparisonMarkdown({ at, comparison, failures = [] }: ComparisonMarkdownOptions): string {
  return joinParagraphs([
    '# Campaigns compared',
    `Read ${toSafeText(at)}`,
    formatComparisonTable(comparison),
    ...(failures.length > 0 ? formatSection('Not read', formatBullets(failures)) : []),
  ]);
}

const joinParagraphs = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;
