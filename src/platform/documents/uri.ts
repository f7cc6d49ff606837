import * as vscode from 'vscode';
import type { RecordRef } from '../connections/record.ts';
import { toSingleLine } from '../ui/text.ts';
import type { AnyKind, AnyPart, AnyRecord } from './model.ts';

/*
 * The grammar of document addresses: mailing://<connection>/<collection>/<id>/<file>
 *
 * The id decides which record it is. The file's base name only makes tabs readable, and may be out of date; its suffix
 * (`.html`, `.template.json`) tells which part of the record it is.
 */

export const scheme = 'mailing';

/** What an address names: a connection, a collection of it, a record, or a document of a record. */
export interface UriAddress {
  readonly connection: string;
  readonly collection?: string;
  readonly id?: number;
  /** Path below the record's folder. */
  readonly file?: string;
}

/** Address of a record's document. `file` may hold slashes for documents in a folder of their own. */
export function buildUri(collection: string, ref: RecordRef, file: string, inScheme = scheme): vscode.Uri {
  return vscode.Uri.from({ scheme: inScheme, authority: ref.connection, path: `/${collection}/${ref.id}/${file}` });
}

/** The root folder of a connection. */
export function buildRootUri(connection: string, inScheme = scheme): vscode.Uri {
  return vscode.Uri.from({ scheme: inScheme, authority: connection, path: '/' });
}

/**
 * Reads an address; undefined where it is none of ours, or can't name anything (an id that is not a positive integer, a step to another
 * folder).
 */
export function parseUri(uri: vscode.Uri, inScheme = scheme): UriAddress | undefined {
  if (uri.scheme !== inScheme || uri.authority === '') return undefined;
  const segments = uri.path.split('/').filter((segment) => segment !== '');
  // Whoever joins paths would take such an address for another record's.
  if (segments.some((segment) => segment === '.' || segment === '..')) return undefined;
  const [collection, id, ...file] = segments;
  if (collection === undefined) return { connection: uri.authority };
  if (id === undefined) return { connection: uri.authority, collection };
  if (!/^[1-9]\d{0,14}$/.test(id)) return undefined;
  const record = { connection: uri.authority, collection, id: Number(id) };
  return file.length === 0 ? record : { ...record, file: file.join('/') };
}

/** Path of a record's document below the record's folder. Its end is shown in the tab. */
export function buildFileName(kind: AnyKind, record: AnyRecord, part: AnyPart): string {
  return part.file ?? toBaseName(kind.name(record), `${kind.noun} ${record.id}`) + part.suffix;
}

/** A base name from a record's name: readable, without path tricks, at most 60 characters. */
export function toBaseName(name: string, fallback: string): string {
  // Characters that file systems, addresses or editors give a meaning.
  const clean = toSingleLine(name.replace(/[/\\:*?"<>|#%]+/gu, ' '), 60).replace(/^[. ]+|[. ]+$/gu, '');
  return clean === '' ? fallback : clean;
}
