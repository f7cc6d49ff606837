import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../ui/replaceFile.ts';

/** What is sent, by which a second sending of it is recognised. Two services under one connection's name are two places. */
export interface SendSubject {
  readonly connection: string;
  readonly baseUrl: string;
  /** `campaigns/5`; of a test, what it is a test of: `tests/templates/7`. */
  readonly what: string;
}

/** Says that something was told to go out, and that it is not known what came of it. */
export interface Note extends SendSubject {
  /** When it was told to go out, in ms since the epoch. */
  readonly asked: number;
}

/** After a week no service is at it any more: the note is thrown away. In ms. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** A note is written in far less, in ms. One that can't be read after it was never finished, and nothing was sent on it. */
const writingMs = 60_000;

/**
 * What was told to go out and is not known to have gone out, a file for each. All windows of a machine share them, and one of them alone
 * can claim a sending. They are written before the request goes out, so a window that ends in between leaves its note to the next.
 */
export class Notes<N extends Note> {
  readonly #folder: string;
  readonly #isNote: (value: unknown) => value is N;
  readonly #now: () => number;

  /** `folder`: one of this extension's own on this machine. It is made with the first note. */
  constructor(folder: string, isNote: (value: unknown) => value is N, now: () => number = Date.now) {
    this.#folder = folder;
    this.#isNote = isNote;
    this.#now = now;
  }

  /**
   * Notes that something is told to go out, in place of the note `replaced`. False where another note is there, or the replaced one is
   * gone: nothing may be sent then. Throws where the disk refuses it.
   */
  async claim(note: N, replaced?: N): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true });
    if (replaced !== undefined && !(await this.drop(replaced))) return false;
    try {
      await writeFile(this.#file(note), JSON.stringify(note), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  async all(): Promise<readonly N[]> {
    const files = (await orNothing(readdir(this.#folder))) ?? [];
    const notes = await Promise.all(files.filter((name) => name.endsWith('.json')).map((name) => this.#read(join(this.#folder, name))));
    return notes.filter((note) => note !== undefined);
  }

  find(subject: SendSubject): Promise<N | undefined> {
    return this.#read(this.#file(subject));
  }

  /** Whether this very note is still there: what it says may be known by now, or be told to go out again. */
  async has(note: N): Promise<boolean> {
    return (await this.find(note))?.asked === note.asked;
  }

  /** Throws a note away. True where it was there: of several windows one alone is told so. */
  async drop(note: N): Promise<boolean> {
    return (await this.has(note)) && (await remove(this.#file(note)));
  }

  /** Writes what is known of a sending now in place of its note, where that is still there. */
  async replace(note: N): Promise<void> {
    if (await this.has(note)) await replaceFile(this.#file(note), JSON.stringify(note));
  }

  async #read(file: string): Promise<N | undefined> {
    const content = await orNothing(readFile(file, 'utf8'));
    if (content === undefined) return undefined;
    const note = this.#parse(content);
    const isOld = this.#now() - (note?.asked ?? (await orNothing(stat(file)))?.mtimeMs ?? 0) > (note === undefined ? writingMs : keptMs);
    if (!isOld) return note;
    await remove(file);
    return undefined;
  }

  #parse(content: string): N | undefined {
    try {
      const value: unknown = JSON.parse(content);
      return this.#isNote(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #file({ connection, baseUrl, what }: SendSubject): string {
    const name = createHash('sha256').update(`${connection}\n${baseUrl}\n${what}`).digest('hex').slice(0, 32);
    return join(this.#folder, `${name}.json`);
  }
}

/** Whether a value read from a file has these fields, each of its type (`typeof`). */
export function hasFields(value: unknown, types: Readonly<Record<string, string>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(types).every(([name, type]) => typeof fields.get(name) === type && fields.get(name) !== null);
}

async function remove(file: string): Promise<boolean> {
  const gone = await orNothing(unlink(file).then(() => true));
  return gone === true;
}

/** A file that isn't there is nothing. Other failures are told. */
async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
