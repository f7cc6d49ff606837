import * as vscode from 'vscode';
import type { EmailPart } from '../../email/checks/index.ts';
import type { Documents } from '../documents/documents.ts';
import { findPart, type AnyPart, type DocumentAddress } from '../documents/model.ts';

/** The documents of an email. */
export interface MailDocuments {
  /** Identifies the email. */
  readonly key: string;
  /** Undefined for a local file. */
  readonly connection: string | undefined;
  readonly uris: { readonly body: vscode.Uri } & Partial<Readonly<Record<EmailPart, vscode.Uri>>>;
}

/** File name suffixes of the parts. */
const partSuffixes: Readonly<Record<EmailPart, string>> = { body: '.html', stylesheet: '.css', details: '.json' };

/** Returns the email that contains a document of a service; undefined if there is none. */
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

/** Returns the part with this suffix of the same record, or of the same mail in it. */
function findSibling({ kind, part }: DocumentAddress, ending: string): AnyPart | undefined {
  if (part.file === undefined) return kind.parts.find(({ suffix }) => suffix.endsWith(ending));
  return findPart(kind, part.file.slice(0, -part.suffix.length) + ending);
}

/** Creates an email from a local file, with a body only. */
export function createFileMail(uri: vscode.Uri): MailDocuments {
  return { key: uri.toString(), connection: undefined, uris: { body: uri } };
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

/** Reads the texts of an email without requests to the service. */
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

/** Returns the open document of a part, including one under a previous name of the record. */
function openDocument(documents: Pick<Documents, 'find'>, uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  const all = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
  const same = all.find((document) => document.uri.toString() === key);
  const address = same ? undefined : documents.find(uri);
  return same ?? (address && all.find((document) => isSameDocument(address, documents.find(document.uri))));
}

function isSameDocument(one: DocumentAddress, other: DocumentAddress | undefined): boolean {
  const isSameRecord = one.connection === other?.connection && one.kind === other.kind && one.id === other.id;
  return isSameRecord && one.part.suffix === other.part.suffix && one.part.file === other.part.file;
}

/** Returns whether the texts are unchanged since they were read. */
export function isCurrent(texts: MailTexts): boolean {
  const isSameVersion = ({ document, version }: PartText): boolean =>
    document === undefined || (!document.isClosed && document.version === version);
  return Object.values(texts).every(isSameVersion);
}
