import * as vscode from 'vscode';
import { parse } from './uri.ts';
import type { RecordTarget } from '../connections/record.ts';

/** What a first argument names: a tree node, a reference, or the URI of a document (of the collection, where one is asked for). */
export function given(argument: unknown, collection?: string): RecordTarget {
  if (argument instanceof vscode.Uri) {
    const address = parse(argument);
    if (address === undefined || (collection !== undefined && address.collection !== collection)) return {};
    return address.id === undefined ? { connection: address.connection } : { connection: address.connection, id: address.id };
  }
  if (typeof argument !== 'object' || argument === null) return {};
  const { connection, id, collection: own } = argument as { connection?: unknown; id?: unknown; collection?: unknown };
  // A node of another collection has an id of that collection.
  if (collection !== undefined && typeof own === 'string' && own !== collection)
    return typeof connection === 'string' ? { connection } : {};
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  return {
    ...(typeof connection === 'string' ? { connection } : {}),
    ...(typeof number === 'number' && Number.isSafeInteger(number) ? { id: number } : {}),
  };
}
