import type { CheckReport, FileFinding, Place } from './findings.ts';

const levels = { error: 'error', warning: 'warning', info: 'note', hint: 'note' } as const;

/** Formats a report as SARIF 2.1.0. */
export function formatSarif({ findings, version }: CheckReport): string {
  const rules = new Map(findings.map((found) => [found.finding.rule, found]));
  const ids = [...rules.keys()];
  const run = {
    tool: {
      driver: {
        name: 'mailing',
        fullName: 'Mailing Studio',
        semanticVersion: version,
        rules: Array.from(rules, ([id, { rule, finding }]) => ({
          id,
          name: finding.name,
          ...(rule && {
            shortDescription: { text: rule.title },
            fullDescription: { text: rule.impact },
            helpUri: rule.url,
          }),
          defaultConfiguration: { level: levels[finding.severity] },
        })),
      },
    },
    columnKind: 'utf16CodeUnits',
    // Empty URIs are relative to the root of the repository.
    originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the repository.' } } },
    results: findings.map((found) => formatResult(found, ids.indexOf(found.finding.rule))),
  };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return JSON.stringify({ $schema, version: '2.1.0', runs: [run] }, null, 2);
}

/** `[text](target)` of an email must not become a link. */
const escapeLinks = (text: string) => (text.includes('](') ? text.replace(/[\\[\]]/gu, '\\$&') : text);

function formatResult({ finding, fingerprint, related, fixes, ...place }: FileFinding, ruleIndex: number) {
  const { rule, severity, message } = finding;
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: escapeLinks(message) },
    locations: [{ physicalLocation: formatLocation(place) }],
    partialFingerprints: { 'mailingFinding/v1': fingerprint },
    ...(related.length > 0 && {
      relatedLocations: related.map((each) => ({ physicalLocation: formatLocation(each) })),
    }),
    ...(fixes.length > 0 && {
      fixes: fixes.map(({ title, edits }) => ({
        description: { text: escapeLinks(title) },
        artifactChanges: Array.from(
          Map.groupBy(edits, ({ path }) => path),
          ([path, changes]) => ({
            artifactLocation: formatArtifact(path),
            replacements: changes.map((edit) => ({
              deletedRegion: formatLocation(edit).region,
              insertedContent: { text: edit.text },
            })),
          }),
        ),
      })),
    }),
  };
}

const formatArtifact = (path: string) => ({
  uri: path.split('/').map(encodeURIComponent).join('/'),
  uriBaseId: 'SRCROOT',
});

const formatLocation = ({ path, start, end }: Place) => ({
  artifactLocation: formatArtifact(path),
  region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
});
