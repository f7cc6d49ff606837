import { readFile, writeFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { version } from '../../package.json';
import {
  clientFamilies,
  getCheckRules,
  selectClients,
  type CheckOptions,
  type Severity,
} from '../email/checks/index.ts';
import { applyEdits } from '../email/html/text.ts';
import { matchesRuleName } from '../email/checks/rule.ts';
import { checkParts, withLineEnds } from '../sync/parts/check.ts';
import { getProfile, getSentOptions } from '../sync/mapping/mappedEmails.ts';
import { createEmail, mergeFixes } from '../sync/mapping/placedFindings.ts';
import { formatEnglishCount } from '../sync/tools/tool.ts';
import { SEVERITIES } from '../email/checks/model.ts';
import { findEmails, readEmail, type EmailPaths, type FoundEmail } from './emails.ts';
import {
  checkEmail,
  createBaseline,
  getCheckOptions,
  readBaseline,
  UNCHECKED_RULES,
  withoutKnown,
  type FileFinding,
} from './findings.ts';
import { countSeverities, formats, summarize } from './formats.ts';
import { CLEAN, CommandError, FAILED, FOUND, Output, printError, withoutKeys, type EmailCommand } from './output.ts';
import { isPartFile, readPartFiles } from './parts.ts';
import { findBelow, openWorkspace, relativePath, type Workspace } from './workspace.ts';

// These commands share a chunk.
export { format } from './format.ts';
export { parts } from './parts.ts';

export interface CheckCommand extends EmailCommand {
  readonly clients?: readonly string[];
  readonly changed?: string;
  readonly baseline?: string;
  readonly maxWarnings?: number;
  readonly failLevel?: Severity | 'none';
  readonly fix?: boolean;
  readonly stdinFilename?: string;
  readonly format?: keyof typeof formats;
  readonly output?: string;
}

/** A fix can cause or uncover another finding. */
const MAX_FIX_PASSES = 10;

/** Checks emails and prints the findings. Resolves with the exit code. */
export async function check(names: readonly string[], command: CheckCommand): Promise<number> {
  const output = new Output(command);
  const workspace = await openWorkspace(command.config);
  checkNames(workspace, command);
  const parts = workspace.folder === undefined ? {} : await readPartFiles(workspace, output);
  const emails = command.stdinFilename === undefined ? await readFiles() : [await readStdin(command.stdinFilename)];
  const all: FileFinding[] = [];
  for (const email of emails) {
    output.detail(`Checking ${email.files.body.path}`);
    const isBuilt = email.paths.template?.output !== undefined;
    if (command.fix && isBuilt) output.note(`Left ${email.files.body.path} alone: a tool builds it.`);
    const { findings, fixed } =
      command.fix && !isBuilt ? await fixEmail(email) : { findings: checkOne(email), fixed: 0 };
    if (fixed > 0) output.note(`Fixed ${formatEnglishCount(fixed, 'place')} in ${email.name}.`);
    all.push(...findings);
  }
  const findings = command.baseline === undefined ? all : await compareBaseline(command.baseline);
  const known = all.length - findings.length;
  const checked = emails.map(({ files }) => files.body.path);
  const format = command.format ?? (process.env['GITHUB_ACTIONS'] === 'true' && !command.output ? 'github' : 'stylish');
  const report = formats[format]({ findings, checked, version, known }, output.colors);
  if (command.output === undefined) output.print(report, format === 'github');
  else {
    await writeOutput(workspace, command.output, report);
    output.note(summarize({ findings, checked, known }));
  }
  const unchecked = all.filter(({ finding }) => UNCHECKED_RULES.has(finding.rule));
  for (const { path, finding } of unchecked)
    printError(new CommandError(`Couldn't check ${path}. ${finding.message}`, 'Make the email smaller.').message);
  if (unchecked.length > 0) return FAILED;
  return isFailure(findings, command) ? FOUND : CLEAN;

  async function readFiles() {
    const selected = await findEmails(workspace, names, command.changed);
    return Promise.all(selected.map((paths) => readEmail(workspace, paths)));
  }

  async function readStdin(name: string): Promise<FoundEmail> {
    if (names.length > 0 || command.fix === true)
      throw new CommandError('--stdin-filename takes neither files nor --fix.', 'Leave them out.');
    const text = await readStream(process.stdin);
    const body = { path: relativePath(workspace, name), text };
    return { ...createEmail({ body }), paths: { body: body.path }, name, texts: {}, files: { body } };
  }

  function checkOne(email: FoundEmail) {
    const { paths, files } = email;
    const isLinked = Object.keys(parts).length > 0 && paths.template?.output === undefined && !isPartFile(paths.body);
    const linked = isLinked && {
      checkParts: () => checkParts(files.body.text, withLineEnds(parts, files.body.text)).findings,
    };
    return checkEmail(email, { ...getOptions(workspace, command, paths), ...linked });
  }

  /** Applies the fixes that need no decision until there are none. */
  async function fixEmail(email: FoundEmail) {
    let [current, fixed] = [email, 0];
    for (let pass = 1; ; pass += 1) {
      const found = checkOne(current);
      const mechanical = found.filter(({ finding }) => finding.isMechanical);
      const { edits } = mergeFixes(
        '',
        mechanical.flatMap(({ finding }) => finding.fixes?.slice(0, 1) ?? []),
      );
      if (edits.length === 0 || pass > MAX_FIX_PASSES) return { findings: found, fixed };
      // An insertion comes before a replacement at the same place.
      const inOrder = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
      for (const [part, { path, text }] of Object.entries(current.files)) {
        const ofPart = inOrder.filter((edit) => edit.part === part);
        const after = applyEdits(text, ofPart);
        if (after !== text) await workspace.files.write(path, after, { text });
      }
      fixed += edits.length;
      current = await readEmail(workspace, current.paths);
    }
  }

  /** Writes a missing baseline, which then contains all findings. */
  async function compareBaseline(path: string) {
    const below = findBelow(workspace, path);
    const reading = below === undefined ? readFile(path, 'utf8').catch(() => undefined) : workspace.files.read(below);
    const text = await reading;
    if (text !== undefined) return withoutKnown(all, readBaseline(text, path));
    await writeOutput(workspace, path, JSON.stringify(createBaseline(all), null, 2));
    output.note(`Wrote ${all.length} known findings to ${path}. Commit it.`);
    return [];
  }
}

/** Writes a file that an option names. Follows no link out of the repository. */
export async function writeOutput(workspace: Workspace, path: string, text: string): Promise<void> {
  const below = findBelow(workspace, path);
  const shown = withoutKeys(`${text}\n`);
  if (below !== undefined) return workspace.files.write(below, shown);
  try {
    await writeFile(path, shown);
  } catch {
    throw new CommandError(`Couldn't write ${path}.`, 'Check that its folder exists and that you may write there.');
  }
}

function isFailure(findings: readonly FileFinding[], { maxWarnings, failLevel }: CheckCommand) {
  const counts = countSeverities(findings);
  const level = failLevel ?? (maxWarnings === undefined ? 'hint' : 'error');
  const failing = level === 'none' ? [] : SEVERITIES.slice(0, SEVERITIES.indexOf(level) + 1);
  return SEVERITIES.some((severity) =>
    severity === 'warning' && maxWarnings !== undefined
      ? counts.warning > maxWarnings
      : failing.includes(severity) && counts[severity] > 0,
  );
}

export function getOptions({ mapping }: Workspace, command: CheckCommand, { template }: EmailPaths): CheckOptions {
  const profile = command.profile ?? getProfile(mapping, template);
  return {
    ...getCheckOptions(mapping, profile, command.clients),
    cms: getSentOptions(mapping, template, command).cms,
  };
}

/** @throws `CommandError` if a mail client or rule doesn't exist */
function checkNames({ mapping: { checks } }: Workspace, command: CheckCommand) {
  const names = [...(command.clients ?? checks.clients ?? []), ...Object.keys(checks.clientShares ?? {})];
  // An unrecognized name selects the default clients.
  const client = names.find((name) => selectClients([name]) === selectClients());
  if (client !== undefined)
    throw new CommandError(
      `There is no mail client "${client}".`,
      `Mail clients: ${clientFamilies.map(({ name }) => name).join(', ')}.`,
    );
  const unknown = Object.keys(checks.rules ?? {}).find(
    (name) => !getCheckRules().some((rule) => matchesRuleName(rule, name)),
  );
  if (unknown !== undefined)
    throw new CommandError(
      `There is no rule "${unknown}".`,
      'Correct "checks" in mailing.json. docs/checks.md lists all rules.',
    );
}
