import { statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { findImageAddresses } from '../email/checks/images.ts';
import type { Email, EmailPart } from '../email/checks/index.ts';
import type { FindImages } from '../sync/mapping/assets.ts';
import { InvalidDocumentError } from '../sync/fields/jsonDocument.ts';
import { getEmailFiles, withPublicImages, type EmailFiles } from '../sync/mapping/mappedEmails.ts';
import type { MappedTemplate } from '../sync/mapping/mapping.ts';
import { pathProblem } from '../sync/paths.ts';
import { createEmail, type EmailTexts, type MailFields } from '../sync/mapping/placedFindings.ts';
import { templateLayout } from '../sync/mapping/templateLayout.ts';
import { CommandError, printError, toLine } from './output.ts';
import { createFileError, readText, relativePath, runGit, resolveCommit, type Workspace } from './workspace.ts';

/** The file of an email's part. */
export interface PartFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** An email of the workspace. */
export interface FoundEmail {
  readonly paths: EmailPaths;
  /** Path of its body or mapped folder without extension, relative to the root. */
  readonly name: string;
  readonly email: Email;
  readonly fields: MailFields;
  /** The texts as the checks read them. */
  readonly texts: EmailTexts;
  readonly files: { readonly body: PartFile } & Partial<Readonly<Record<EmailPart, PartFile>>>;
}

/** An email that wasn't read yet, with the paths of its parts relative to the root. */
export interface EmailPaths extends Partial<EmailFiles> {
  readonly template?: MappedTemplate;
  readonly body: string;
  /** Files and folders that the body is built from. Git often ignores the body then. */
  readonly sources?: readonly string[];
}

export const htmlFile = /\.html?$/iu;
/** Never reads some files, and follows no links to folders. */
export const globOptions = { ignore: ['**/node_modules/**', '**/.git/**'], followSymbolicLinks: false };

/**
 * Returns the emails that arguments name: files, folders, and globs. A file of a mapped template selects the whole template.
 * @param names none for all mapped templates and the `files` of `checks` in `mailing.json`
 * @param changed a revision of git: leaves out the emails without changes since then
 * @throws `CommandError` if there are none
 */
export async function findEmails(
  workspace: Workspace,
  names: readonly string[],
  changed?: string,
): Promise<readonly EmailPaths[]> {
  const mapped = listMapped(workspace);
  const found = new Map<string, EmailPaths>();
  const add = (files: readonly string[]) => {
    for (const path of files.map((file) => relativePath(workspace, file))) {
      const template = mapped.find((each) => listFiles(each).includes(path));
      if (template) found.set(template.body, template);
      // Of other files, a glob or a folder means the HTML files.
      else if (htmlFile.test(path) || files.length === 1) found.set(path, { body: path });
    }
  };
  if (names.length === 0) {
    for (const template of mapped) found.set(template.body, template);
    const { folder: cwd, mapping } = workspace;
    const { files = [] } = mapping.checks;
    if (files.length > 0) add(await findFiles(workspace, [...files], cwd));
    if (found.size === 0)
      throw new CommandError('There are no emails to check.', 'Name HTML files, or map templates in mailing.json.');
  }
  for (const name of names) {
    const files = await expand(workspace, name);
    if (files.length === 0)
      throw new CommandError(
        `No file matches "${name}".`,
        changed === undefined
          ? 'Check the path. Quote globs so that the shell keeps them.'
          : 'Check the path. Write a revision with "=": --changed=main.',
      );
    add(files);
  }
  const emails = [...found.values()];
  return changed === undefined ? emails : selectChanged(workspace, emails, changed);
}

const listFiles = ({ body, stylesheet, details }: EmailPaths) =>
  [body, stylesheet, details].filter((path) => path !== undefined);

/** Returns the absolute paths that an argument names. */
async function expand(workspace: Workspace, name: string) {
  const kind = statSync(name, { throwIfNoEntry: false });
  if (kind?.isDirectory()) return (await findFiles(workspace, '**/*', name)).filter(isEmailFile);
  if (kind !== undefined) return [resolve(name)];
  const pattern = process.platform === 'win32' ? name.replaceAll('\\', '/') : name;
  return isDynamicPattern(pattern) ? findFiles(workspace, pattern) : [];
}

/** Returns the absolute paths of the files that can be read. */
export async function findFiles(workspace: Workspace, patterns: string | string[], cwd?: string) {
  const files = (await glob(patterns, { ...globOptions, cwd, absolute: true })).toSorted();
  return files.filter((file) => {
    const path = relativePath(workspace, file);
    const problem = pathProblem(path);
    if (problem !== undefined && isEmailFile(path)) printError(toLine(`Left ${path} alone: ${problem}`));
    return problem === undefined;
  });
}

/** Returns whether a folder's file can belong to an email. */
const isEmailFile = (path: string) =>
  htmlFile.test(path) ||
  [...templateLayout.texts, templateLayout.details].some(({ file }) => posix.basename(path) === file);

function listMapped(workspace: Workspace): readonly EmailPaths[] {
  const { folder, mapping } = workspace;
  const toRoot = (path: string) => relativePath(workspace, join(folder ?? '', path));
  return mapping.templates.map((template) => {
    const { body, stylesheet, details } = getEmailFiles(template);
    const sources = (template.source ?? []).map(toRoot);
    return { template, body: toRoot(body), stylesheet: toRoot(stylesheet), details: toRoot(details), sources };
  });
}

/** Returns the emails with a file that changed since a revision. With `HEAD`, these are the uncommitted changes. */
async function selectChanged(
  { root }: Workspace,
  emails: readonly EmailPaths[],
  revision: string,
): Promise<readonly EmailPaths[]> {
  const commit = await resolveCommit(root, revision);
  const outputs = await Promise.all([
    runGit(root, ['diff', '--name-only', '-z', '--merge-base', commit, '--']),
    runGit(root, ['ls-files', '--others', '--exclude-standard', '-z']),
  ]);
  // A changed file changes its folders.
  const changed = new Set(outputs.flatMap((output) => output.split('\0')).flatMap(listWithFolders));
  return emails.filter((email) => [...listFiles(email), ...(email.sources ?? [])].some((path) => changed.has(path)));
}

function listWithFolders(path: string) {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Finds image URLs in an email or a stylesheet. */
export const findImages: FindImages = async (text, format) => findImageAddresses(text, format);

/** Reads the parts of an email. @throws `CommandError` if one of them is missing, not text, or invalid */
export async function readEmail(workspace: Workspace, paths: EmailPaths): Promise<FoundEmail> {
  const { template } = paths;
  const { files, folder = workspace.root, mapping } = workspace;
  const read = async (path = '') => {
    const text = path === '' ? undefined : await files.read(path);
    return text === undefined ? undefined : { path, text };
  };
  const body = { path: paths.body, text: await readText(workspace, paths.body) };
  const [stylesheet, details] = await Promise.all([read(paths.stylesheet), read(paths.details)]);
  if (details) checkDetails(details);
  const parts = { body, ...(stylesheet && { stylesheet }), ...(details && { details }) };
  const texts = template ? await withPublicImages(parts, getEmailFiles(template), mapping.assets, findImages) : parts;
  return {
    ...createEmail(texts),
    paths,
    name: template ? relativePath(workspace, join(folder, template.folder)) : paths.body.replace(htmlFile, ''),
    texts,
    files: parts,
  };
}

function checkDetails({ path, text }: PartFile) {
  try {
    templateLayout.details.parse(text);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    throw createFileError(path, error);
  }
}
