import * as vscode from 'vscode';
import type { EmailPart } from '../../email/checks/index.ts';
import type { Documents } from '../documents/documents.ts';
import { findPart, type AnyPart, type DocumentAddress } from '../documents/model.ts';

/** The documents that make an email. */
export interface MailDocuments {
  /** Tells emails apart. */
  readonly key: string;
  /** The connection of its service; undefined for a local file. */
  readonly connection: string | undefined;
  readonly uris: { readonly body: vscode.Uri } & Partial<Readonly<Record<EmailPart, vscode.Uri>>>;
}

/** What the name of each part's document ends in. */
const partSuffixes: Readonly<Record<EmailPart, string>> = { body: '.html', stylesheet: '.css', details: '.json' };

/** The email that a document of a service is a part of; undefined where it is of none. */
export function findMailDocuments(
  documents: Pick<Documents, 'find' | 'getSiblingUri'>,
  uri: vscode.Uri,
): MailDocuments | undefined {
  const address = documents.find(uri);
  if (address === undefined) return undefined;
  const named = Object.entries(partSuffixes).flatMap(([part, ending]) => {
    const sibling = findSibling(address, ending);
    return sibling === undefined ? [] : [[part, documents.getSiblingUri(uri, sibling.suffix)] as const];
  });
  const { body, ...others } = Object.fromEntries(named) as Partial<Record<EmailPart, vscode.Uri>>;
  if (body === undefined) return undefined;
  const { connection, kind, id, part } = address;
  const inFolder = part.file?.slice(0, -part.suffix.length) ?? '';
  return { key: `${connection}/${kind.collection}/${id}/${inFolder}`, connection, uris: { body, ...others } };
}

/** The document beside another one: of the record, or of the same mail of it. */
function findSibling({ kind, part }: DocumentAddress, ending: string): AnyPart | undefined {
  if (part.file === undefined) return kind.parts.find(({ suffix }) => suffix.endsWith(ending));
  return findPart(kind, part.file.slice(0, -part.suffix.length) + ending);
}

/** A local file, as an email of which nothing but the body is known. */
export function createFileMail(uri: vscode.Uri): MailDocuments {
  return { key: uri.toString(), connection: undefined, uris: { body: uri } };
}

/** One part's text: what its editor shows, else what the service was last seen to hold. */
export interface PartText {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** Where it is open. */
  readonly document?: vscode.TextDocument;
  /** Of the document, when the text was taken. */
  readonly version?: number;
}

export type MailTexts = Partial<Readonly<Record<EmailPart, PartText>>>;

/** The texts of an email. Nothing is asked of the service. */
export async function readMailTexts(
  documents: Pick<Documents, 'find' | 'getLastReadText'>,
  { uris }: MailDocuments,
): Promise<MailTexts> {
  const texts = await Promise.all(
    Object.entries(uris).map(async ([part, uri]): Promise<readonly (readonly [string, PartText])[]> => {
      const stored = openDocument(documents, uri) === undefined ? await documents.getLastReadText(uri) : undefined;
      // It may have been opened meanwhile.
      const document = openDocument(documents, uri);
      if (document !== undefined)
        return [[part, { uri, text: document.getText(), document, version: document.version }]];
      return stored === undefined ? [] : [[part, { uri, text: stored }]];
    }),
  );
  return Object.fromEntries(texts.flat());
}

/** The open document of a part, also under a name that the record had before. */
function openDocument(documents: Pick<Documents, 'find'>, uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  const all = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
  const same = all.find((document) => document.uri.toString() === key);
  const address = same ? undefined : documents.find(uri);
  return same ?? (address && all.find((document) => isSameDocument(address, documents.find(document.uri))));
}

function isSameDocument(one: DocumentAddress, other: DocumentAddress | undefined): boolean {
  const isOfRecord = one.connection === other?.connection && one.kind === other.kind && one.id === other.id;
  return isOfRecord && one.part.suffix === other.part.suffix && one.part.file === other.part.file;
}

/** Whether nothing was typed since texts were taken. */
export function isCurrent(texts: MailTexts): boolean {
  const isSameVersion = ({ document, version }: PartText): boolean =>
    document === undefined || (!document.isClosed && document.version === version);
  return Object.values(texts).every(isSameVersion);
}
