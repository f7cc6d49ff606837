import { isObject } from '../api/shapes.ts';
import type { Base, FieldBase } from './fields.ts';

/** The bases of the last sync of all templates, by folder and connection, as `mailing.lock.json` has them. */
export class Lock {
  readonly #bases: Bases;

  private constructor(bases: Bases) {
    this.#bases = bases;
  }

  /**
   * Reads the text of a lock. What can't be read is not known: then each difference is asked about. Of a file that git could not merge,
   * what both sides agree on stands.
   */
  static read(text: string | undefined): Lock {
    if (text === undefined) return new Lock(new Map());
    const [ours, theirs] = sidesOf(text).map((side) => parsed(side));
    if (ours === undefined) return new Lock(new Map());
    return new Lock(theirs === undefined ? ours : commonOf(ours, theirs));
  }

  base(folder: string, connection: string): Base {
    return this.#bases.get(folder)?.get(connection) ?? {};
  }

  /** With another base. The lock itself stays as it is. */
  with(folder: string, connection: string, base: Base | undefined): Lock {
    const bases = new Map(this.#bases);
    const connections = new Map(bases.get(folder));
    if (base === undefined || Object.keys(base).length === 0) connections.delete(connection);
    else connections.set(connection, base);
    if (connections.size === 0) bases.delete(folder);
    else bases.set(folder, connections);
    return new Lock(bases);
  }

  /** One field a line, in order, so that git merges what two people synced. */
  toString(): string {
    const fields = (base: Base): unknown => ordered(new Map(Object.entries(base)), written);
    const templates = ordered(this.#bases, (connections) => ordered(connections, fields));
    return `${JSON.stringify({ version: 1, templates }, null, 2)}\n`;
  }
}

function ordered<T>(map: ReadonlyMap<string, T>, value: (one: T) => unknown): Readonly<Record<string, unknown>> {
  const entries = [...map].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, value(one)]));
}

function written({ local, remote }: FieldBase): string {
  return local === remote ? local : `${local} ${remote}`;
}

/** A file with git's marks of a conflict is two files. */
function sidesOf(text: string): readonly [string, string?] {
  if (!/^<{7} /mu.test(text)) return [text];
  const conflict = /^<{7} .*\r?\n([\s\S]*?)(?:^\|{7} .*\r?\n[\s\S]*?)?^={7}\r?\n([\s\S]*?)^>{7} .*(?:\r?\n|$)/gmu;
  return [text.replace(conflict, '$1'), text.replace(conflict, '$2')];
}

const print = /^[\w-]{43}$/u;
type Entries = Readonly<Record<string, unknown>>;
type Bases = Map<string, Map<string, Base>>;

function parsed(text: string | undefined): Bases | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Map();
  }
  if (!isObject(value) || value['version'] !== 1 || !isObject(value['templates'])) return new Map();
  return mapOf(value['templates'], (connections) => mapOf(isObject(connections) ? connections : {}, baseOf));
}

function mapOf<T>(entries: Entries, value: (one: unknown) => T): Map<string, T> {
  return new Map(Object.entries(entries).map(([key, one]) => [key, value(one)]));
}

function baseOf(value: unknown): Base {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).flatMap(([name, prints]): [string, FieldBase][] => {
    const [local = '', remote = local, ...more] = typeof prints === 'string' ? prints.split(' ') : [];
    return more.length === 0 && print.test(local) && print.test(remote) ? [[name, { local, remote }]] : [];
  }));
}

function commonOf(one: Bases, other: Bases): Bases {
  const common = (base: Base, same: Base): Base =>
    Object.fromEntries(Object.entries(base).filter(([name, field]) => same[name] !== undefined && written(same[name]) === written(field)));
  const connectionsOf = (folder: string, connections: Map<string, Base>): Map<string, Base> =>
    new Map([...connections].map(([connection, base]) => [connection, common(base, other.get(folder)?.get(connection) ?? {})]));
  return new Map([...one].map(([folder, connections]) => [folder, connectionsOf(folder, connections)]));
}
