// node scripts/rules.mjs: writes the table of rules into docs/checks.md, and the settings for rules and clients into
// package.json and package.nls.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { findNode, root } from './lib/paths.mjs';

const begin = '<!-- rules: written by scripts/rules.mjs -->';
const end = '<!-- /rules -->';

/** @typedef {import('../src/email/checks/rule.ts').Rule} Rule */
/** @typedef {Pick<Rule, 'id' | 'name' | 'title' | 'severity' | 'impact' | 'url' | 'fix' | 'profile'>} Row */

/** Escapes a text for a Markdown cell. @param {string} text */
const cell = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '\\|');

/** @param {readonly Row[]} rows */
function table(rows) {
  const lines = rows.map(
    ({ id, name, title, severity, fix }) =>
      `| ${id} | [\`${name}\`](#${name}) | ${cell(title)} | ${severity} | ${fix ? 'yes' : ''} |`,
  );
  return ['| ID | Rule | Problem | Severity | Quick fix |', '|---:|---|---|---|---|', ...lines].join('\n');
}

/** Describes a rule under a heading of its own, which hovers link to. @param {Row} row */
function describe({ name, title, impact, url }) {
  const { hostname, pathname } = new URL(url);
  const source = pathname === '/' ? '' : ` Source: [${hostname.replace(/^www\./u, '')}](${url})`;
  return `### ${name}\n\n**${cell(title)}**\\\n${cell(impact)}${source}`;
}

/**
 * Returns the section of docs/checks.md between its markers.
 * @param {readonly Row[]} rows
 */
export function rulesSection(rows) {
  const own = rows.filter(({ profile }) => profile !== undefined);
  const common = rows.filter(({ profile }) => profile === undefined);
  return [
    begin,
    table(common),
    'These rules report what AcyMailing changes before it sends an email:',
    table(own),
    ...rows.map(describe),
    end,
  ].join('\n\n');
}

/** @typedef {import('../src/email/checks/clients.ts').ClientFamily} Family */

/**
 * The settings that name rules and clients, as `package.json` contributes them. Their texts are in `package.nls.json`.
 * @param {readonly Row[]} rows
 * @param {readonly Family[]} families
 */
export function checkSettings(rows, families) {
  const severities = ['off', 'hint', 'info', 'warning', 'error'];
  const names = families.map(({ name }) => name);
  return {
    'mailing.checks.enabled': {
      type: 'boolean',
      scope: 'resource',
      order: 8,
      default: true,
      markdownDescription: '%setting.checks.enabled%',
    },
    'mailing.checks.clients': {
      type: 'array',
      scope: 'resource',
      order: 9,
      uniqueItems: true,
      items: { type: 'string', enum: names },
      default: families.filter(({ isDefault }) => isDefault).map(({ name }) => name),
      markdownDescription: '%setting.checks.clients%',
    },
    'mailing.checks.rules': {
      type: 'object',
      scope: 'resource',
      order: 10,
      default: {},
      // The names come first: they have descriptions.
      propertyNames: {
        enum: [...rows.map(({ name }) => name), ...rows.map(({ id }) => id)],
        enumDescriptions: Object.keys(ruleTitles(rows)).map((key) => `%${key}%`),
      },
      additionalProperties: { type: 'string', enum: severities },
      markdownDescription: '%setting.checks.rules%',
    },
    'mailing.checks.clientShares': {
      type: 'object',
      scope: 'resource',
      order: 11,
      default: {},
      propertyNames: { enum: names },
      additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
      markdownDescription: '%setting.checks.clientShares%',
    },
  };
}

/** The titles of rules in `package.nls.json`, by key. @param {readonly Row[]} rows */
export function ruleTitles(rows) {
  return Object.fromEntries(rows.map(({ name, title }) => [`setting.checks.rules.names.${name}`, title]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const script =
    'import { clientFamilies as families, getCheckRules } from "./src/email/checks/index.ts"; process.stdout.write(JSON.stringify({ families, rules: getCheckRules() }));';
  const { status, stdout, stderr } = spawnSync(findNode(), ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(stderr);
    process.exit(1);
  }
  const { families, rules } = JSON.parse(stdout);
  const path = join(root, 'docs', 'checks.md');
  const text = readFileSync(path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`docs/checks.md has no ${begin} … ${end}.`);
  writeFileSync(path, text.slice(0, from) + rulesSection(rules) + text.slice(to + end.length));
  change('package.json', ({ contributes }) => {
    /** @param {{ properties: object }} group */
    const hasChecks = ({ properties }) => 'mailing.checks.enabled' in properties;
    const checks = contributes.configuration.find(hasChecks);
    Object.assign(checks.properties, checkSettings(rules, families));
  });
  change('package.nls.json', (texts) => Object.assign(texts, ruleTitles(rules)));
  console.log('Updated the rules in docs/checks.md and the settings in package.json.');
}

/** @param {string} name of a JSON file @param {(value: any) => void} edit */
function change(name, edit) {
  const path = join(root, name);
  const value = JSON.parse(readFileSync(path, 'utf8'));
  edit(value);
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
