import type { Comparison, Figure, Overview, SideBySide, Timeline } from '../model.ts';
import { formatAmount, formatCount, formatShare } from '../../../platform/ui/format.ts';
import { escapeMarkdown } from '../../../platform/ui/text.ts';

/** Signs that mean nothing where they stand, and that names, numbers and dates are full of: they stay readable in the source too. */
const harmless: readonly (readonly [RegExp, string])[] = [
  [/&#44;/g, ','],
  [/&#39;/g, "'"],
  [/&#37;/g, '%'],
  [/&#63;/g, '?'],
  [/&#40;/g, '('],
  [/&#41;/g, ')'],
  [/&#47;/g, '/'],
  [/&#46;(?=\s|$)/g, '.'],
  [/(?<=\d)&#46;(?=\d)/g, '.'],
  [/(?<=\d)&#58;(?=\d)/g, ':'],
  [/(?<=\w)&#58;(?=\s)/g, ':'],
  [/&#43;(?=\d)/g, '+'],
  [/(?<=\w)&#45;(?=\w)/g, '-'],
];

/** Text that Markdown, HTML and tables read as nothing but text, in one line. */
function safe(text: string): string {
  const readable = harmless.reduce((line, [reference, sign]) => line.replace(reference, sign), escapeMarkdown(text));
  // "1. " at the beginning would be a list.
  return readable.replace(
    /^(\d+)([.)])(?=\s|$)/,
    (_, digits: string, sign: string) => `${digits}&#${sign.charCodeAt(0)};`,
  );
}

/** A table: the first column to the left, the others to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(safe).join(' | ')} |`;
  return [line(head), `| ${head.map((_, at) => (at === 0 ? '---' : '---:')).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  );
}

const section = (title: string, ...parts: readonly string[]): string[] => [`## ${title}`, ...parts];
const bullets = (sentences: readonly string[]): string => sentences.map((sentence) => `- ${safe(sentence)}`).join('\n');

function figures(list: readonly Figure[]): string {
  const hasChanges = list.some(({ change }) => change !== undefined);
  const head = ['Figure', 'Value', 'Rate', ...(hasChanges ? ['Change'] : [])];
  return table(
    head,
    list.map(({ label, value, rate, change }) => [
      label,
      value,
      rate === undefined ? '' : `${rate.value} ${rate.of}`,
      ...(hasChanges ? [change ?? ''] : []),
    ]),
  );
}

function sides({ columns, rows }: SideBySide): string {
  const cell = ({ value, rate, change }: SideBySide['rows'][number]['cells'][number]): string =>
    `${value}${rate === undefined ? '' : ` (${rate})`}${change === undefined ? '' : `, ${change}`}`;
  return table(
    ['Figure', ...columns],
    rows.map(({ label, cells }) => [label, ...cells.map(cell)]),
  );
}

function timelineParts({ points, meaning, read, of, complete, undated }: Timeline): string[] {
  const busy = points.filter(({ opens, clicks }) => opens + clicks > 0);
  const notes = [
    meaning,
    ...(complete
      ? []
      : [
          `${of === undefined ? formatAmount(read, 'recipient') : `${formatCount(read)} of ${formatAmount(of, 'recipient')}`} read so far.`,
        ]),
    ...(undated > 0 ? [`${formatAmount(undated, 'open or click', 'opens and clicks')} without a date.`] : []),
  ];
  return [
    ...(busy.length === 0
      ? []
      : [
          table(
            ['Time', 'Opens', 'Clicks'],
            busy.map(({ label, opens, clicks }) => [label, formatCount(opens), formatCount(clicks)]),
          ),
        ]),
    bullets(notes),
  ];
}

export interface OverviewText {
  /** The campaign's, as the service has it. */
  readonly name: string;
  /** The connection's name. */
  readonly service: string;
  /** When the figures were read, as text. */
  readonly at: string;
  readonly overview: Overview;
  readonly timeline?: Timeline;
}

/** An overview as Markdown. Nothing that a service says can be more than text in it. */
export function overviewMarkdown({ name, service, at, overview, timeline }: OverviewText): string {
  const { unsent, unopened, funnel, sales, others, versions, remarks } = overview;
  const state = unsent ? ['Nothing was sent yet.'] : unopened ? ['Nobody has opened it so far.'] : [];
  return document([
    `# Statistics of ${safe(name) || 'a campaign'}`,
    `${safe(service)}, read ${safe(at)}`,
    ...state,
    ...(overview.figures.length > 0 ? [figures(overview.figures)] : []),
    ...(sales.length > 0 ? section('Sales', figures(sales)) : []),
    ...(funnel.length > 0
      ? section(
          'Funnel',
          table(
            ['Step', 'Count', 'Share'],
            funnel.map(({ label, count, share }) => [
              label,
              formatCount(count),
              share === undefined ? '' : formatShare(share),
            ]),
          ),
        )
      : []),
    ...(versions === undefined ? [] : section('Versions', sides(versions))),
    ...(timeline === undefined ? [] : section('Opens and clicks over time', ...timelineParts(timeline))),
    ...(others.length > 0 ? section('Other fields', figures(others)) : []),
    ...(remarks.length > 0 ? section('Remarks', bullets(remarks)) : []),
  ]);
}

export interface ComparisonText {
  readonly at: string;
  readonly comparison: Comparison;
  /** Names of the campaigns that could not be read. */
  readonly failures?: readonly string[];
}

/** A comparison as Markdown. Nothing that a service says can be more than text in it. */
export function comparisonMarkdown({ at, comparison, failures = [] }: ComparisonText): string {
  return document([
    '# Campaigns compared',
    `Read ${safe(at)}`,
    sides(comparison),
    ...(failures.length > 0 ? section('Not read', bullets(failures)) : []),
  ]);
}

const document = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;
