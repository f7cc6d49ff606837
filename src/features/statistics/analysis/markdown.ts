import { t } from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import type {
  Comparison,
  ComparisonCell,
  ComparisonTable,
  Figure,
  Overview,
} from '../../../service/statistics/model.ts';
import { describePartialTimeline, describeUndated, getActivityLabels, type ActivityTimeline } from '../model.ts';
import { formatPercent } from '../../../service/format.ts';
import { toSingleLine } from '../../../service/text.ts';

/** In characters. */
const MAX_TEXT_LENGTH = 1000;

/** Characters that Markdown, HTML, icons or automatic links consist of. Others stay, so that the source is readable. */
const markup = /[<>`*_[\]{}\\|~$@!&#^"=;]|^[-+](?=[-+\s]|$)|(?<=^\d+)[.)](?=\s|$)|(?<!\d)[.:](?=\S)|[.:](?=[^\s\d])/gu;

/** Escapes text for Markdown, HTML and tables, on one line. */
function toSafeText(text: string) {
  return toSingleLine(text, MAX_TEXT_LENGTH).replace(markup, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Formats a table with the first column aligned left and the others right; empty without rows. */
function formatTable(head: readonly string[], rows: readonly (readonly string[])[]) {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(toSafeText).join(' | ')} |`;
  const alignment = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), `| ${alignment.join(' | ')} |`, ...rows.map(line)].join('\n');
}

const formatBullets = (sentences: readonly string[]) =>
  sentences.map((sentence) => `- ${toSafeText(sentence)}`).join('\n');

/** Joins the parts that are not empty. */
const joinParagraphs = (...parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n');

/** Formats a section; empty without content. */
function formatSection(title: string, content: string) {
  return content === '' ? '' : `## ${title}\n\n${content}`;
}

function formatFigures(list: readonly Figure[]) {
  const hasChanges = list.some(({ change }) => change !== undefined);
  return formatTable(
    [
      t('Figure'),
      t('Value'),
      t({ message: 'Rate', comment: 'Column title: a percentage' }),
      ...(hasChanges ? [t({ message: 'Change', comment: 'Column title: difference since the last refresh' })] : []),
    ],
    list.map(({ label, value, rate, change = '' }) => [
      label,
      value,
      rate ? `${rate.value} ${rate.of}` : '',
      ...(hasChanges ? [change] : []),
    ]),
  );
}

function formatComparisonTable({ columns, rows }: ComparisonTable) {
  const cell = ({ value, rate, change }: ComparisonCell) =>
    `${value}${rate === undefined ? '' : ` (${rate})`}${change === undefined ? '' : `, ${change}`}`;
  return formatTable(
    [t('Figure'), ...columns],
    rows.map(({ label, cells }) => [label, ...cells.map(cell)]),
  );
}

function formatTimeline(timeline: ActivityTimeline) {
  const { points, meaning, isComplete, undated } = timeline;
  const notes = [
    meaning,
    ...(isComplete ? [] : [describePartialTimeline(timeline)]),
    ...(undated > 0 ? [describeUndated(undated)] : []),
  ];
  const rows = points
    .filter(({ opens, clicks }) => opens + clicks > 0)
    .map(({ label, opens, clicks }) => [label, formatNumber(opens), formatNumber(clicks)]);
  return joinParagraphs(
    formatTable([t('Time'), getActivityLabels().opens, getActivityLabels().clicks], rows),
    formatBullets(notes),
  );
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
    formatNumber(count),
    share === undefined ? '' : formatPercent(share),
  ]);
  const title = toSafeText(name);
  const text = joinParagraphs(
    `# ${title === '' ? t('Statistics of a campaign') : t`Statistics of ${title}`}`,
    t({
      message: '{0}, as of {1}',
      args: [toSafeText(service), toSafeText(at)],
      comment: '{0} is the name of a service, {1} the time at which its statistics were read',
    }),
    isUnsent ? t('No emails sent yet.') : isUnopened ? t('No opens yet.') : '',
    formatFigures(figures),
    formatSection(t('Sales'), formatFigures(sales)),
    formatSection(
      t('Funnel'),
      formatTable([t('Step'), t('Count'), t({ message: 'Share', comment: 'Column title: a percentage' })], steps),
    ),
    formatSection(t('Versions'), versions ? formatComparisonTable(versions) : ''),
    formatSection(t('Opens and clicks over time'), timeline ? formatTimeline(timeline) : ''),
    formatSection(t('Other fields'), formatFigures(otherFigures)),
    formatSection(t('Remarks'), formatBullets(remarks)),
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
    `# ${t('Campaign comparison')}`,
    t({ message: 'As of {0}', args: [toSafeText(at)], comment: '{0} is the time at which statistics were read' }),
    formatComparisonTable(comparison),
    formatSection(t("Can't be read"), formatBullets(failures)),
  );
  return `${text}\n`;
}
