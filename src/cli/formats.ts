import type { Severity } from '../email/checks/index.ts';
import { escapeHtml } from '../email/compose/compose.ts';
import { formatEnglishCount } from '../sync/tools/tool.ts';
import { SEVERITIES } from '../email/checks/model.ts';
import type { CheckReport, FileFinding } from './findings.ts';
import { toLine, type Output } from './output.ts';
import { formatSarif } from './sarif.ts';

export type Format = (report: CheckReport, colors: Output['colors']) => string;

/** Returns a sentence with the numbers of findings: "3 problems (1 error, 2 warnings) in 2 emails". */
export function summarize({ findings, checked, known }: Pick<CheckReport, 'findings' | 'checked' | 'known'>): string {
  const emails = formatEnglishCount(checked.length, 'email') + (known > 0 ? `, ${known} known` : '');
  if (findings.length === 0) return `${known > 0 ? 'No new problems' : 'No problems'} in ${emails}.`;
  const counts = countSeverities(findings);
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) =>
    formatEnglishCount(counts[severity], severity),
  );
  return `${formatEnglishCount(findings.length, 'problem')} (${parts.join(', ')}) in ${emails}.`;
}

/** Returns the message with the number of its other places. */
const formatMessage = ({ finding: { message }, related }: Pick<FileFinding, 'finding' | 'related'>) =>
  related.length > 0 ? `${message} (+${related.length} more)` : message;

export function countSeverities(findings: readonly FileFinding[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { finding } of findings) counts[finding.severity] += 1;
  return counts;
}

const stylish: Format = (report, colors) => {
  const colorOf = { error: colors.red, warning: colors.yellow, info: colors.blue, hint: colors.gray };
  const files = Map.groupBy(report.findings, ({ path }) => path);
  const blocks = Array.from(files, ([path, findings]) => {
    const rows = findings.map((found) => {
      const { start, finding } = found;
      const at = `${start.line}:${start.column}`.padStart(8);
      const severity = colorOf[finding.severity](finding.severity.padEnd(7));
      return `${at}  ${severity}  ${toLine(formatMessage(found))}  ${colors.dim(finding.name)}`;
    });
    return [colors.underline(toLine(path)), ...rows, ''].join('\n');
  });
  return [...blocks, summarize(report)].join('\n');
};

const json: Format = ({ findings, checked }) =>
  JSON.stringify(
    {
      version: 1,
      emails: checked,
      counts: countSeverities(findings),
      findings: findings.map(({ path, start, end, fingerprint, related, fixes, finding }) => {
        const { rule, name, severity, message, part, clients, url } = finding;
        return { path, part, start, end, rule, name, severity, message, clients, url, fingerprint, related, fixes };
      }),
    },
    null,
    2,
  );

/** One test suite per email, with a failure for each finding. */
const junit: Format = ({ findings, checked }) => {
  const suites = [...new Set([...checked, ...findings.map(({ path }) => path)])].map((path) => {
    const cases = findings
      .filter((found) => found.path === path)
      .map(({ start, finding: { name, severity, message } }) => {
        const at = `${start.line}:${start.column}`;
        const failure = `<failure type="${severity}" message="${toXml(message)}">${toXml(`${path}:${at}`)}</failure>`;
        return `    <testcase classname="${toXml(path)}" name="${toXml(name)} (${at})">${failure}</testcase>`;
      });
    const head = `  <testsuite name="${toXml(path)}" tests="${cases.length || 1}" failures="${cases.length}">`;
    const passed = `    <testcase classname="${toXml(path)}" name="check"/>`;
    return [head, ...(cases.length > 0 ? cases : [passed]), '  </testsuite>'].join('\n');
  });
  const head = `<testsuites name="mailing check" failures="${findings.length}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, '</testsuites>'].join('\n');
};

/** XML allows no control characters and no lone surrogates. */
const toXml = (text: string) => escapeHtml(toLine(text).replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD'));

/** Workflow commands of GitHub Actions, which annotate the lines of a pull request. */
const github: Format = (report) => {
  const commands = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' } as const;
  const toData = (text: string) => toLine(text).replace(/[%\r\n]/gu, (sign) => encodeURIComponent(sign));
  const toProperty = (text: string) => toData(text).replace(/[:,]/gu, (sign) => encodeURIComponent(sign));
  const lines = report.findings.map((found) => {
    const { path, start, end, finding } = found;
    // GitHub ignores columns of a range with several lines.
    const columns = start.line === end.line ? `,col=${start.column},endColumn=${end.column}` : '';
    const properties = `file=${toProperty(path)},line=${start.line},endLine=${end.line}${columns},title=${toProperty(finding.name)}`;
    return `::${commands[finding.severity]} ${properties}::${toData(formatMessage(found))}`;
  });
  return [...lines, summarize(report)].join('\n');
};

/** GitLab's code quality report. Its fingerprints must be unique. */
const gitlab: Format = ({ findings }) => {
  const severities = { error: 'major', warning: 'minor', info: 'info', hint: 'info' } as const;
  const counts = new Map<string, number>();
  const issues = findings.map(({ path, start, fingerprint, finding: { name, severity, message } }) => {
    const key = `${path} ${fingerprint}`;
    const index = (counts.get(key) ?? 0) + 1;
    counts.set(key, index);
    return {
      description: toLine(message),
      check_name: name,
      fingerprint: `${path}:${fingerprint}:${index}`,
      severity: severities[severity],
      location: { path, lines: { begin: start.line } },
    };
  });
  return JSON.stringify(issues, null, 2);
};

const markdown: Format = (report) => {
  // Findings quote hostile text, which must stay text.
  const toText = (text: string) => toLine(text).replace(/[!-/:-@[-`{-~]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
  const rows = report.findings.map(
    ({ path, start, finding, finding: { name, severity, url }, related }) =>
      `| ${severity} | ${toText(`${path}:${start.line}`)} | ${toText(formatMessage({ finding, related }))} | ${url === undefined ? name : `[${name}](${encodeURI(url)})`} |`,
  );
  const table = ['', '| Severity | Place | Problem | Rule |', '| --- | --- | --- | --- |', ...rows];
  return ['### Email checks', '', summarize(report), ...(rows.length > 0 ? table : [])].join('\n');
};

export const formats = {
  stylish,
  json,
  sarif: formatSarif,
  junit,
  github,
  gitlab,
  markdown,
} as const satisfies Readonly<Record<string, Format>>;
