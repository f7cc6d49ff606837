import * as vscode from 'vscode';
import type { EmailPart } from '../../email/checks/index.ts';
import { getEmailFiles } from '../../sync/mapping/mappedEmails.ts';
import { readMapping, type MappedTemplate, type Mapping } from '../../sync/mapping/mapping.ts';
import { mayHaveParts } from '../../sync/parts/check.ts';
import { mappingName, partsFolderName } from '../../sync/paths.ts';
import type { EmailTexts } from '../../sync/mapping/placedFindings.ts';
import type { Documents } from '../../platform/documents/documents.ts';
import { findPart, type DocumentAddress } from '../../platform/documents/model.ts';
import { findOpenDocument as findOpenFile } from '../../platform/documents/unsaved.ts';
import { WorkspaceFiles } from '../../platform/documents/workspaceFiles.ts';

/** The mapping of a local email's workspace folder, and its template if it is mapped. */
export interface LocalMail {
  readonly mapping: Mapping;
  readonly template?: MappedTemplate;
}

/** The documents of an email. */
export interface MailDocuments {
  /** Identifies the email. */
  readonly key: string;
  /** Undefined for a local file. */
  readonly connection: string | undefined;
  readonly local?: LocalMail;
  readonly uris: { readonly body: vscode.Uri } & Partial<Readonly<Record<EmailPart, vscode.Uri>>>;
}

/** File name suffixes of the parts. */
const partSuffixes: Readonly<Record<EmailPart, string>> = { body: '.html', stylesheet: '.css', details: '.json' };

/** Returns the email that contains a document of a service; undefined if there is none. */
export function findMailDocuments(documents: Documents, uri: vscode.Uri): MailDocuments | undefined {
  const address = documents.find(uri);
  if (!address) return undefined;
  const { connection, kind, id, part } = address;
  // The base name of the mails in a record.
  const name = part.file?.slice(0, -part.suffix.length);
  const named = Object.entries(partSuffixes).flatMap(([each, ending]) => {
    const sibling =
      name === undefined ? kind.parts.find(({ suffix }) => suffix.endsWith(ending)) : findPart(kind, name + ending);
    return sibling ? [[each, documents.getSiblingUri(uri, sibling.suffix)] as const] : [];
  });
  const { body, ...others } = Object.fromEntries(named) as Partial<Record<EmailPart, vscode.Uri>>;
  return body && { key: `${connection}/${kind.collection}/${id}/${name ?? ''}`, connection, uris: { body, ...others } };
}

const mappings = new WeakMap<vscode.WorkspaceFolder, { readonly text: string; readonly mapping: Mapping }>();

/** Returns the mapping of a workspace folder. Parses it again only if its text has changed. */
async function readFolderMapping(folder: vscode.WorkspaceFolder) {
  const text = (await new WorkspaceFiles(folder.uri).read(mappingName).catch(() => undefined)) ?? '{}';
  const last = mappings.get(folder);
  const mapping = last?.text === text ? last.mapping : readMapping(text);
  mappings.set(folder, { text, mapping });
  return mapping;
}

/** Returns the mapping of a document's folder. For a document in none: the first mapping with settings of checks. */
export async function findMapping(uri: vscode.Uri): Promise<Mapping> {
  const own = vscode.workspace.getWorkspaceFolder(uri);
  if (own) return readFolderMapping(own);
  const all = await Promise.all((vscode.workspace.workspaceFolders ?? []).map(readFolderMapping));
  return all.find(({ checks }) => Object.keys(checks).length > 0) ?? readMapping('{}');
}

/** Returns the email that contains a local file: a mapped template, or the file alone. */
export const findLocalMail = async (uri: vscode.Uri): Promise<MailDocuments> =>
  createLocalMail(uri, await findMapping(uri));

function createLocalMail(uri: vscode.Uri, mapping: Mapping): MailDocuments {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const path = folder && new WorkspaceFiles(folder).relativePath(uri);
  const template = mapping.templates.find((each) => Object.values(getEmailFiles(each)).some((file) => file === path));
  if (folder && template) return createMappedMail(folder, mapping, template);
  return { key: uri.toString(), connection: undefined, local: { mapping }, uris: { body: uri } };
}

/** Returns the email that contains a document of a service, a mapped file, or an HTML file; undefined for any other document. */
export async function findMail(documents: Documents, uri: vscode.Uri): Promise<MailDocuments | undefined> {
  if (uri.scheme === 'mailing') return findMailDocuments(documents, uri);
  const mail = await findLocalMail(uri);
  return mail.local?.template || /\.html?$/iu.test(uri.path) ? mail : undefined;
}

function createMappedMail(folder: vscode.Uri, mapping: Mapping, template: MappedTemplate): MailDocuments {
  const { body, stylesheet, details } = getEmailFiles(template);
  const toUri = (path: string) => vscode.Uri.joinPath(folder, path);
  const uris = { body: toUri(body), stylesheet: toUri(stylesheet), details: toUri(details) };
  return { key: uris.body.toString(), connection: undefined, local: { mapping, template }, uris };
}

/**
 * Returns the emails of all workspace folders, by their keys.
 * @param glob none for all mapped templates and the `files` of `checks` in `mailing.json`
 */
export async function findWorkspaceMails(glob?: string): Promise<ReadonlyMap<string, MailDocuments>> {
  const mails = new Map<string, MailDocuments>();
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const mapping = await readFolderMapping(folder);
    const mapped = mapping.templates.map((template) => createMappedMail(folder.uri, mapping, template));
    for (const mail of glob === undefined ? mapped : []) mails.set(mail.key, mail);
    for (const pattern of glob === undefined ? (mapping.checks.files ?? []) : [glob]) {
      const found = await vscode.workspace.findFiles(
        new vscode.RelativePattern(folder, pattern),
        '**/{node_modules,.git}/**',
      );
      for (const uri of found.filter(({ path }) => /\.html?$/iu.test(path))) {
        // It may be in a nested workspace folder, which has a mapping of its own.
        const isOwn = vscode.workspace.getWorkspaceFolder(uri) === folder;
        const mail = isOwn ? createLocalMail(uri, mapping) : await findLocalMail(uri);
        mails.set(mail.key, mail);
      }
    }
  }
  return mails;
}

/** The text of a part: from its editor, else the last one read from the service. */
export interface PartText {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** Set if it is open. */
  readonly document?: vscode.TextDocument;
  /** Version of the document when the text was read. */
  readonly version?: number;
}

export type MailTexts = Partial<Readonly<Record<EmailPart, PartText>>>;

/** Reads the texts of an email without requests to the service. @throws if a local file can't be read */
export const readMailTexts = (documents: Documents, mail: MailDocuments): Promise<MailTexts> =>
  readParts(mail, async (uri) => {
    const read = uri.scheme === 'mailing' ? () => documents.getLastReadText(uri) : () => readFile(uri);
    const stored = findOpenDocument(documents, uri) ? undefined : await read();
    // It may have been opened meanwhile.
    const document = findOpenDocument(documents, uri);
    if (document) return { uri, text: document.getText(), document, version: document.version };
    return stored === undefined ? undefined : { uri, text: stored };
  });

/** Reads the stored texts of an email: those of git's HEAD, or the last ones read from the service. */
export const readStoredTexts = (documents: Documents, mail: MailDocuments): Promise<EmailTexts> =>
  readParts(mail, async (uri) => {
    const text = await (uri.scheme === 'mailing' ? documents.getLastReadText(uri) : readHead(uri));
    return text === undefined ? undefined : { text };
  });

/** Returns the parts that `read` returns a value for. */
export async function readParts<Value>(
  { uris }: MailDocuments,
  read: (uri: vscode.Uri) => Promise<Value | undefined>,
): Promise<Partial<Readonly<Record<EmailPart, Value>>>> {
  const parts = Object.entries(uris).map(async ([part, uri]) => [part, await read(uri)] as const);
  return Object.fromEntries((await Promise.all(parts)).filter(([, value]) => value !== undefined));
}

/** Texts of linked parts by name. */
export type PartTexts = Readonly<Record<string, string>>;

const partFile = new RegExp(`/${partsFolderName}/([a-z0-9-]{1,60})\\.html$`, 'u');
/** As many characters as the texts of a folder's parts have together. */
const MAX_PART_CHARS = 10 * 1024 * 1024;

/** Returns the name of the part whose text a file contains. */
export const findPartName = ({ path }: vscode.Uri): string | undefined => partFile.exec(path)?.[1];

/** Reads the texts of a workspace folder's parts, from their editors if they are open. Leaves out those that can't be read. */
export async function readPartTexts(root: vscode.Uri): Promise<PartTexts> {
  const folder = vscode.Uri.joinPath(root, partsFolderName);
  const texts: Record<string, string> = {};
  let chars = 0;
  for (const [file] of await vscode.workspace.fs.readDirectory(folder).then(undefined, () => [])) {
    const uri = vscode.Uri.joinPath(folder, file);
    const name = findPartName(uri);
    const text = name && chars < MAX_PART_CHARS && (await readFile(uri).catch(() => undefined));
    if (!name || typeof text !== 'string') continue;
    chars += text.length;
    texts[name] = text;
  }
  return texts;
}

/** Returns the text of a local email, and the texts of the parts that it can use. Returns undefined if it can't use any, or is built. */
export async function readLinkedParts(
  { local, uris: { body } }: MailDocuments,
  text: string,
): Promise<[text: string, parts: PartTexts] | undefined> {
  const root = local && vscode.workspace.getWorkspaceFolder(body)?.uri;
  if (!root || local.template?.output !== undefined || findPartName(body) !== undefined || !mayHaveParts(text))
    return undefined;
  const parts = await readPartTexts(root);
  return Object.keys(parts).length > 0 ? [text, parts] : undefined;
}

/** The part of the interface of VS Code's git extension that is used here. */
interface Git {
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): { show(ref: string, path: string): Promise<string> } | null;
  };
}

/** Returns the text of a file in git's HEAD; undefined if it isn't there, or the git extension is off. */
async function readHead(uri: vscode.Uri) {
  try {
    const git = await vscode.extensions.getExtension<Git>('vscode.git')?.activate();
    return await git?.getAPI(1).getRepository(uri)?.show('HEAD', uri.fsPath);
  } catch {
    return undefined;
  }
}

/** Reads a local file: the text that its editor has, or would have. @throws if it can't be read */
export async function readFile(uri: vscode.Uri): Promise<string | undefined> {
  const open = findOpenFile(uri);
  if (open) return open.getText();
  const files = new WorkspaceFiles(vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..'));
  return unifyLineEnds(await files.read(files.relativePath(uri) ?? ''));
}

/** Gives a text one kind of line ends, as editors do. */
function unifyLineEnds(text: string | undefined) {
  const ends = text?.match(/\r\n?|\n/g) ?? [];
  const isCrlf = ends.filter((end) => end !== '\n').length > ends.length / 2;
  return text?.replace(/\r\n?|\n/g, isCrlf ? '\r\n' : '\n');
}

/** Returns the open document of a part, including one under a previous name of the record. */
function findOpenDocument(documents: Documents, uri: vscode.Uri) {
  const open = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
  const same = open.find((document) => document.uri.toString() === uri.toString());
  const address = same ? undefined : documents.find(uri);
  return same ?? (address && open.find((document) => isSameDocument(address, documents.find(document.uri))));
}

function isSameDocument(one: DocumentAddress, other: DocumentAddress | undefined) {
  const isSameRecord = one.connection === other?.connection && one.kind === other.kind && one.id === other.id;
  return isSameRecord && one.part.suffix === other.part.suffix && one.part.file === other.part.file;
}

/** Returns whether the texts are unchanged since they were read. */
export const isCurrent = (texts: MailTexts): boolean =>
  Object.values(texts).every(
    ({ document, version }) => !document || (!document.isClosed && document.version === version),
  );
