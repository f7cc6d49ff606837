import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { NodeFiles, type Files } from '../sync/files.ts';
import { createError, type InvalidDocumentError } from '../sync/fields/jsonDocument.ts';
import { readMapping, type Mapping } from '../sync/mapping/mapping.ts';
import { mappingName } from '../sync/paths.ts';
import { CommandError } from './output.ts';

const GIT_TIMEOUT_MS = 30_000;
const MAX_GIT_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The files that a command works on. */
export interface Workspace {
  /** Folder of the repository, or the current folder where there is none. Reported paths are relative to it. */
  readonly root: string;
  readonly isRepository: boolean;
  readonly files: Files;
  /** Folder of `mailing.json`; undefined if there is none. */
  readonly folder: string | undefined;
  readonly mapping: Mapping;
}

/**
 * Finds the repository and the nearest `mailing.json`.
 * @param config path of a `mailing.json` to use instead
 * @throws `CommandError` if it is missing or invalid
 */
export async function openWorkspace(config?: string): Promise<Workspace> {
  const cwd = process.cwd();
  const repository = listParents(cwd).find((folder) => existsSync(join(folder, '.git')));
  const root = repository ?? cwd;
  const parents = listParents(cwd).filter((folder) => folder.startsWith(root));
  const folder =
    config === undefined
      ? parents.find((parent) => existsSync(join(parent, mappingName)))
      : dirname(resolve(cwd, config));
  const name = config === undefined ? mappingName : basename(config);
  const found = { root, isRepository: repository !== undefined, files: new NodeFiles(root), folder };
  if (folder === undefined) return { ...found, mapping: readMapping('{}') };
  const text = await new NodeFiles(folder).read(name);
  if (text === undefined)
    throw new CommandError(`There is no file ${config ?? name}.`, 'Check the path, or leave out --config.');
  const mapping = readMapping(text);
  const [problem] = mapping.problems;
  if (problem !== undefined)
    throw createFileError(relative(cwd, join(folder, name)), createError(text, problem.start, problem.message));
  return { ...found, mapping };
}

/** Returns the error for a file with invalid content. */
export function createFileError(path: string, { line, column, message }: InvalidDocumentError): CommandError {
  return new CommandError(`${path}:${line + 1}:${column + 1}: ${message}`, 'Correct it and run the command again.');
}

/** Returns the folder of `mailing.json` for a command that needs it. */
export function requireFolder({ folder }: Workspace): string {
  if (folder !== undefined) return folder;
  throw new CommandError(
    'There is no mailing.json here or in a parent folder.',
    'Run the command in a folder with mapped templates, or create one with "Mailing: Map Templates to a Folder…".',
  );
}

function listParents(folder: string): readonly string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...listParents(dirname(folder))];
}

/** Returns the path of a file relative to the root, with slashes; undefined if it is outside. */
export function findBelow({ root }: Workspace, path: string): string | undefined {
  const below = relative(root, resolve(path));
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? undefined : below.split(sep).join('/');
}

/** As `findBelow`. @throws `CommandError` if the file is outside */
export function relativePath(workspace: Workspace, path: string): string {
  const below = findBelow(workspace, path);
  if (below !== undefined) return below;
  throw new CommandError(
    `${path} is outside the ${workspace.isRepository ? 'repository' : 'current folder'}.`,
    'Run the command in a folder that contains the file.',
  );
}

/** Reads a text file of the workspace. @throws `CommandError` if it is missing or isn't text */
export async function readText({ files }: Workspace, path: string): Promise<string> {
  const text = await files.read(path);
  if (text === undefined)
    throw new CommandError(`There is no file ${path}.`, 'Check the path, or build the file first.');
  if (text.includes('\0')) throw new CommandError(`${path} is a binary file.`, 'Name HTML files only.');
  return text;
}

/** Returns the path of git. Systems would also look in the current folder, where anyone may have put a file of that name. */
function findGit() {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const found = folders
    .map((folder) => join(folder, process.platform === 'win32' ? 'git.exe' : 'git'))
    .find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new CommandError("git isn't installed.", 'Install it, or add its folder to the PATH.');
}

/** Runs git in a folder and returns its output. @throws `CommandError` */
export async function runGit(folder: string, args: readonly string[]): Promise<string> {
  const git = findGit();
  try {
    const options = { cwd: folder, timeout: GIT_TIMEOUT_MS, maxBuffer: MAX_GIT_OUTPUT_BYTES };
    // A branch can contain a folder that looks like a repository, with other revisions and its own configuration.
    const safe = ['-c', 'safe.bareRepository=explicit', ...args];
    return (await promisify(execFile)(git, safe, options)).stdout;
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n').slice(1) : [];
    throw new CommandError(
      `git ${args[0]} failed. ${reason}`,
      'Check that this is a git repository with that revision.',
    );
  }
}

/**
 * Returns the id of the commit that a revision names: a branch, a commit, or one before it. Tags need their full names, because git prefers
 * a tag to a branch of the same name.
 * @throws `CommandError` if there is none, or several
 */
export async function resolveCommit(folder: string, revision: string): Promise<string> {
  await runGit(folder, ['rev-parse']);
  const read = async (name: string) => {
    const found = runGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    return (await found.catch(() => '')).trim();
  };
  // The second one finds a commit by the beginning of its id, which git ignores if there is a branch of that name.
  const prefixes = ['refs/tags/', 'x-g', 'refs/remotes/', 'refs/heads/', ''];
  const [tag, ...commits] = await Promise.all(prefixes.map((prefix) => read(prefix + revision)));
  const commit = commits.slice(1).find((found) => found !== '');
  if (tag !== '' || (commit !== undefined && commits.some((other) => other !== '' && other !== commit)))
    throw new CommandError(
      `"${revision}" is a tag, or names several revisions.`,
      'Write its full name, such as "refs/remotes/origin/main".',
    );
  if (commit !== undefined) return commit;
  throw new CommandError(
    `There is no revision "${revision}".`,
    'Check its name with "git branch --all". In CI, fetch it first.',
  );
}
