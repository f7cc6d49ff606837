import { statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { findImageAddresses } from '../email/checks/images.ts';
import type { Email, EmailPart } from '../email/checks/index.ts';
import { withAddresses } from '../sync/assets.ts';
import { InvalidDocumentError } from '../sync/jsonDocument.ts';
import type { MappedTemplate } from '../sync/mapping.ts';
import { getMailFields, type MailFields } from '../sync/placedFindings.ts';
import { templateLayout } from '../sync/templateLayout.ts';
import { CommandError } from './output.ts';
import { readText, relativePath, runGit, resolveCommit, type Workspace } from './workspace.ts';

/** The file of an email's part. */
export interface PartFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with public addresses of images. */
  readonly checked: string;
  /** Returns the offset in the file of an offset in the checked text. */
  toFile(offset: number): number;
}

/** An email of the workspace. */
export interface FoundEmail {
  readonly paths: EmailPaths;
  /** Path of its body or mapped folder without extension, relative to the root. */
  readonly name: string;
  readonly email: Email;
  readonly fields: MailFields;
  readonly files: { readonly body: PartFile } & Partial<Readonly<Record<EmailPart, PartFile>>>;
}

/** An email that wasn't read yet, with the paths of its parts. */
export interface EmailPaths {
  readonly template?: MappedTemplate;
  readonly body: string;
  readonly others: readonly string[];
  /** Files and folders that the body is built from. Git often ignores the body then. */
  readonly sources?: readonly string[];
}

const htmlFile = /\.html?$/iu;
const ignore = ['**/node_modules/**', '**/.git/**'];

/**
 * Returns the emails that arguments name: files, folders, and globs. A file of a mapped template selects the whole template.
 * @param names none for all mapped templates
 * @throws `CommandError` if there are none
 */
export async function findEmails(workspace: Workspace, names: readonly string[]): Promise<readonly EmailPaths[]> {
  const mapped = listMapped(workspace);
  if (names.length === 0) {
    if (mapped.length > 0) return mapped;
    throw new CommandError('There are no emails to check.', 'Name HTML files, or map templates in mailing.json.');
  }
  const found = new Map<string, EmailPaths>();
  for (const name of names) {
    const paths = (await expand(name)).map((path) => relativePath(workspace, path));
    if (paths.length === 0)
      throw new CommandError(`No file matches ${name}.`, 'Check the path. Quote globs so that the shell keeps them.');
    for (const path of paths) {
      const template = mapped.find(({ body, others }) => body === path || others.includes(path));
      if (template) found.set(template.body, template);
      // Of other files, a glob or a folder means the HTML files.
      else if (htmlFile.test(path) || paths.length === 1) found.set(path, { body: path, others: [] });
    }
  }
  return [...found.values()];
}

/** Returns the absolute paths that an argument names. */
async function expand(name: string): Promise<readonly string[]> {
  const kind = statSync(name, { throwIfNoEntry: false });
  if (kind?.isDirectory()) return (await glob('**/*', { cwd: name, ignore, absolute: true })).filter(isEmailFile);
  if (kind !== undefined) return [resolve(name)];
  const pattern = process.platform === 'win32' ? name.replaceAll('\\', '/') : name;
  return isDynamicPattern(pattern) ? (await glob(pattern, { ignore, absolute: true })).toSorted() : [];
}

/** Returns whether a folder's file can belong to an email. */
const isEmailFile = (path: string): boolean =>
  htmlFile.test(path) ||
  [...templateLayout.texts, templateLayout.details].some(({ file }) => posix.basename(path) === file);

function listMapped(workspace: Workspace): readonly EmailPaths[] {
  const { folder, mapping } = workspace;
  const toRoot = (path: string): string => relativePath(workspace, join(folder ?? '', path));
  const [bodyText, stylesheetText] = templateLayout.texts;
  return mapping.templates.map((template) => ({
    template,
    body: toRoot(template.output ?? template.body ?? `${template.folder}/${bodyText?.file}`),
    others: [stylesheetText?.file, templateLayout.details.file].map((file) => toRoot(`${template.folder}/${file}`)),
    sources: (template.source ?? []).map(toRoot),
  }));
}

/** Returns the emails with a file that changed since a revision. With `HEAD`, these are the uncommitted changes. */
export async function selectChanged(
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
  return emails.filter(({ body, others, sources = [] }) =>
    [body, ...others, ...sources].some((path) => changed.has(path)),
  );
}

function listWithFolders(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Reads the parts of an email. @throws `CommandError` if one of them is missing, not text, or invalid */
export async function readEmail(workspace: Workspace, paths: EmailPaths): Promise<FoundEmail> {
  const { template, body: bodyPath, others } = paths;
  const { files, folder = workspace.root } = workspace;
  const read = async (path: string | undefined, format?: 'css'): Promise<PartFile | undefined> => {
    const text = path === undefined ? undefined : await files.read(path);
    return path === undefined || text === undefined ? undefined : createPart(workspace, path, text, format);
  };
  const body = createPart(workspace, bodyPath, await readText(workspace, bodyPath), template && 'html');
  const [stylesheet, details] = await Promise.all([read(others[0], 'css'), read(others[1])]);
  if (details) checkDetails(details);
  const fields = getMailFields(details?.text);
  return {
    paths,
    name: template ? relativePath(workspace, join(folder, template.folder)) : bodyPath.replace(htmlFile, ''),
    email: {
      body: body.checked,
      ...(stylesheet && { stylesheet: stylesheet.checked }),
      ...Object.fromEntries(Object.entries(fields).map(([field, { text }]) => [field, text])),
    },
    fields,
    files: { body, ...(stylesheet && { stylesheet }), ...(details && { details }) },
  };
}

/** @param format of a mapped file, whose image paths become public addresses, as in a push */
function createPart(workspace: Workspace, path: string, text: string, format?: 'html' | 'css'): PartFile {
  const { folder = workspace.root, mapping } = workspace;
  if (format === undefined || mapping.assets.length === 0)
    return { path, text, checked: text, toFile: (offset) => offset };
  const parent = posix.relative(relativePath(workspace, folder), posix.dirname(path)) || '.';
  const images = findImageAddresses(text, format);
  const checked = withAddresses(text, images, parent, mapping.assets);
  // Both texts have the same images in the same order.
  const placed = findImageAddresses(checked, format);
  const toFile = (offset: number): number => {
    const index = placed.findLastIndex(({ start }) => start <= offset);
    const [from, to] = [images[index], placed[index]];
    if (from === undefined || to === undefined) return offset;
    return offset < to.end ? Math.min(from.start + offset - to.start, from.end) : from.end + offset - to.end;
  };
  return { path, text, checked, toFile };
}

function checkDetails({ path, text }: PartFile): void {
  try {
    templateLayout.details.parse(text);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    const { line, column, message } = error;
    throw new CommandError(`${path}:${line + 1}:${column + 1}: ${message}`, 'Correct it and run the command again.');
  }
}
