import { posix } from 'node:path';
import { escapePath } from 'tinyglobby';
import { applyParts, stripParts } from '../sync/parts/index.ts';
import { partName } from '../sync/parts/values.ts';
import { partsFolderName } from '../sync/paths.ts';
import { formatEnglishCount } from '../sync/tools/tool.ts';
import { findEmails, findFiles, htmlFile } from './emails.ts';
import { getPosition } from './findings.ts';
import { CLEAN, CommandError, FOUND, Output, toLine, toPrintable, type OutputOptions } from './output.ts';
import { openWorkspace, readText, relativePath, requireFolder, type Workspace } from './workspace.ts';

interface PartsCommand extends OutputOptions {
  readonly config?: string;
  readonly check?: boolean;
  readonly write?: boolean;
  readonly strip?: boolean;
}

/** Updates the linked parts of emails, reports those that aren't up to date, or prints emails without marks. Resolves with the exit code. */
export async function parts(names: readonly string[], command: PartsCommand): Promise<number> {
  if ([command.check, command.write, command.strip].filter(Boolean).length !== 1)
    throw new CommandError('The command needs one of --check, --write and --strip.', 'Add one of them.');
  const output = new Output(command);
  const workspace = await openWorkspace(command.config);
  const paths = await findSources(workspace, names);
  const texts = command.strip === true ? {} : await readPartFiles(workspace, output);
  let [changes, problemCount] = [0, 0];
  for (const path of paths) {
    const text = await readText(workspace, path);
    if (command.strip === true) {
      const stripped = stripParts(text);
      output.print(output.isTerminal ? toPrintable(stripped) : stripped);
      continue;
    }
    const { text: applied, problems } = applyParts(text, texts);
    const file = { path, text };
    for (const { start, message } of problems) {
      const { line, column } = getPosition(file, start);
      output.print(toLine(`${path}:${line}:${column}: ${message}`));
    }
    problemCount += problems.length;
    if (applied === text) continue;
    changes += 1;
    if (command.write === true) await workspace.files.write(path, applied, { text });
    output.print(toLine(path));
  }
  if (command.strip === true) return CLEAN;
  const problems = problemCount > 0 ? ` ${formatEnglishCount(problemCount, 'problem')}.` : '';
  output.note(`Emails ${command.write === true ? 'updated' : 'to update'}: ${changes} of ${paths.length}.${problems}`);
  return problemCount > 0 || (command.check === true && changes > 0) ? FOUND : CLEAN;
}

/** Returns the HTML files that arguments name, with the sources of built emails instead of these. */
async function findSources(workspace: Workspace, names: readonly string[]) {
  const emails = await findEmails(workspace, names);
  const built = emails.filter(({ template }) => template?.output !== undefined);
  const patterns = built.flatMap(({ sources = [] }) =>
    sources.flatMap((path) => [escapePath(path), `${escapePath(path)}/**/*`]),
  );
  const files = patterns.length > 0 ? await findFiles(workspace, patterns, workspace.root) : [];
  const sources = files.map((file) => relativePath(workspace, file)).filter((path) => htmlFile.test(path));
  const paths = [...emails.filter((email) => !built.includes(email)).map(({ body }) => body), ...sources];
  return [...new Set(paths)].filter((path) => !isPartFile(path));
}

/** Returns whether a file contains the text of a part. */
export const isPartFile = (path: string): boolean => posix.basename(posix.dirname(path)) === partsFolderName;

/** Reads the texts of parts. */
export async function readPartFiles(workspace: Workspace, output: Output) {
  const texts: Record<string, string> = {};
  for (const file of await findFiles(workspace, `${partsFolderName}/*.html`, requireFolder(workspace))) {
    const path = relativePath(workspace, file);
    const name = posix.basename(path, '.html');
    if (partName.test(name)) texts[name] = await readText(workspace, path);
    else output.note(`Left ${path} alone: the name of a part consists of a-z, 0-9 and hyphens.`);
  }
  return texts;
}
