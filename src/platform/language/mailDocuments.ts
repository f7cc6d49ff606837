import * as vscode from 'vscode';
import type { EmailPart } from '../../email/checks/index.ts';
import type { Documents } from '../documents/documents.ts';
import { findPart, type DocumentAddress } from '../documents/model.ts';

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
export function findMailDocuments(documents: Documents, uri: vscode.Uri): MailDocuments | undefined {
  const address = documents.find(uri);
  if (address === undefined) return undefined;
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
export async function readMailTexts(documents: Documents, { uris }: MailDocuments): Promise<MailTexts> {
  const texts = await Promise.all(
    Object.entries(uris).map(async ([part, uri]): Promise<readonly (readonly [string, PartText])[]> => {
      const stored = findOpenDocument(documents, uri) ? undefined : await documents.getLastReadText(uri);
      // It may have been opened meanwhile.
      const document = findOpenDocument(documents, uri);
      if (document) return [[part, { uri, text: document.getText(), document, version: document.version }]];
      return stored === undefined ? [] : [[part, { uri, text: stored }]];
    }),
  );
  return Object.fromEntries(texts.flat());
}

/** Returns the open document of a part, including one under a previous name of the record. */
function findOpenDocument(documents: Documents, uri: vscode.Uri): vscode.TextDocument | undefined {
  const open = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
  const same = open.find((document) => document.uri.toString() === uri.toString());
  const address = same ? undefined : documents.find(uri);
  return same ?? (address && open.find((document) => isSameDocument(address, documents.find(document.uri))));
}

function isSameDocument(one: DocumentAddress, other: DocumentAddress | undefined): boolean {
  const isSameRecord = one.connection === other?.connection && one.kind === other.kind && one.id === other.id;
  return isSameRecord && one.part.suffix === other.part.suffix && one.part.file === other.part.file;
}

/** Returns whether the texts are unchanged since they were read. */
export const isCurrent = (texts: MailTexts): boolean =>
  Object.values(texts).every(
    ({ document, version }) => !document || (!document.isClosed && document.version === version),
  );
