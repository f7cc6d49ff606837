import * as vscode from 'vscode';
import type { RecordKey } from '../connections/model.ts';
import { toSingleLine } from '../../service/text.ts';
import type { AnyKind, AnyPart, AnyRecord } from './model.ts';

/*
 * Document URIs: mailing://<connection>/<collection>/<id>/<file>
 * The id identifies the record. The base name of the file only makes tabs readable and may be out of date. The suffix (`.html`,
 * `.template.json`) identifies the part of the record.
 */

export const scheme = 'mailing';

/** A parsed URI of a connection, a collection, a record or a document. */
interface UriAddress {
  readonly connection: string;
  readonly collection?: string;
  readonly id?: number;
  readonly file?: string;
}

/** Returns the URI of a record's document. `file` may contain slashes. */
export function buildUri(collection: string, ref: RecordKey, file: string, inScheme = scheme): vscode.Uri {
  return vscode.Uri.from({ scheme: inScheme, authority: ref.connection, path: `/${collection}/${ref.id}/${file}` });
}

/** Returns the root folder of a connection. */
export function buildRootUri(connection: string): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: connection, path: '/' });
}

/** Parses a URI. Returns undefined for another scheme, an id that isn't a positive integer, or dot segments. */
export function parseUri(uri: vscode.Uri, inScheme = scheme): UriAddress | undefined {
  if (uri.scheme !== inScheme || uri.authority === '') return undefined;
  const segments = uri.path.split('/').filter((segment) => segment !== '');
  // Joining paths would turn such a URI into one of another record.
  if (segments.some((segment) => segment === '.' || segment === '..')) return undefined;
  const [collection, id, ...file] = segments;
  if (collection === undefined) return { connection: uri.authority };
  if (id === undefined) return { connection: uri.authority, collection };
  if (!/^[1-9]\d{0,14}$/.test(id)) return undefined;
  const record = { connection: uri.authority, collection, id: Number(id) };
  return file.length === 0 ? record : { ...record, file: file.join('/') };
}

/** Returns the path of a document below its record's folder. Tabs show the last segment. */
export function buildFileName(kind: AnyKind, record: AnyRecord, part: AnyPart): string {
  return part.file ?? toBaseName(kind.name(record), `${kind.noun} ${record.id}`) + part.suffix;
}

/** Returns a record's name as base name: at most 60 characters, without characters that are special in paths. */
export function toBaseName(name: string, fallback: string): string {
  const clean = toSingleLine(name.replace(/[/\\:*?"<>|#%]+/gu, ' '), 60).replace(/^[. ]+|[. ]+$/gu, '');
  return clean === '' ? fallback : clean;
}
