import * as vscode from 'vscode';
import type { RecordTarget } from '../connections/record.ts';
import { parse } from './uri.ts';

/** What a first argument names: a tree node, a reference, or the URI of a document (of the collection, where one is asked for). */
export function parseArgument(argument: unknown, collection?: string): RecordTarget {
  if (argument instanceof vscode.Uri) {
    const address = parse(argument);
    const isMeant = address !== undefined && (collection === undefined || address.collection === collection);
    return isMeant ? { connection: address.connection, id: address.id } : {};
  }
  const { connection, id, collection: own } = fieldsOf(argument);
  // A node of another collection has an id of that collection.
  const isOther = collection !== undefined && typeof own === 'string' && own !== collection;
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  return {
    connection: typeof connection === 'string' ? connection : undefined,
    id: !isOther && typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined,
  };
}

/** The ids that an argument names: its `id`, or each of its `ids`. */
export function parseIds(argument: unknown, collection: string): readonly number[] {
  const { id } = parseArgument(argument, collection);
  if (id !== undefined) return [id];
  const { ids } = fieldsOf(argument);
  return Array.isArray(ids) ? [...new Set(ids.filter((each): each is number => Number.isSafeInteger(each)))] : [];
}

/** The fields of an argument, of whatever type; those of a URI are none of a command's. */
export function fieldsOf(argument: unknown): Readonly<Record<string, unknown>> {
  return typeof argument === 'object' && argument !== null && !(argument instanceof vscode.Uri) ? { ...argument } : {};
}
