import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Campaign } from '../api/index.ts';

/** What is sent, by which a second sending of it is recognised. Two services under one connection's name are two places. */
export interface SendSubject {
  readonly connection: string;
  readonly baseUrl: string;
  /** `campaigns/5`; of a test, what it is a test of: `tests/templates/7`. */
  readonly what: string;
}

/** Says that a campaign was told to go out, and that no answer is known. */
export interface SendNote extends SendSubject {
  readonly campaignId: number;
  /** Its name, for messages. It comes from the service. */
  readonly name: string;
  readonly before: Marks;
  /** When it was told to go out, in ms since the epoch. */
  readonly asked: number;
  /** Until when its record is watched, in ms since the epoch. */
  readonly watchUntil: number;
}

/** After a week no service is at it any more: the note is thrown away. In ms. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** A note is written in far less, in ms. One that can't be read after it was never finished, and nothing was sent on it. */
const writingMs = 60_000;

/**
 * What was told to go out and is not known to have gone out, a file for each. All windows of a machine share them, and one of them alone
 * can claim a sending. They are written before the request goes out, so a window that ends in between leaves its note to the next.
 */
export class SendNotes {
  readonly #folder: string;
  readonly #now: () => number;

  /** `folder`: one of this extension's own on this machine. It is made with the first note. */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /**
   * Notes that something is told to go out, in place of the note `replaced`. False where another note is there, or the replaced one is
   * gone: nothing may be sent then. Throws where the disk refuses it.
   */
  async claim(note: SendNote, replaced?: SendNote): Promise<boolean> {
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

  async all(): Promise<readonly SendNote[]> {
    const files = (await orNothing(readdir(this.#folder))) ?? [];
    const notes = await Promise.all(files.filter((name) => name.endsWith('.json')).map((name) => this.#read(join(this.#folder, name))));
    return notes.filter((note) => note !== undefined);
  }

  find(subject: SendSubject): Promise<SendNote | undefined> {
    return this.#read(this.#file(subject));
  }

  /** Whether this very note is still there: what it says may be known by now, or be told to go out again. */
  async has(note: SendNote): Promise<boolean> {
    return (await this.find(note))?.asked === note.asked;
  }

  /** Throws a note away. True where it was there: of several windows one alone is told so. */
  async drop(note: SendNote): Promise<boolean> {
    return (await this.has(note)) && (await remove(this.#file(note)));
  }

  /** Changes until when a campaign is watched. */
  async watchUntil(note: SendNote, watchUntil: number): Promise<void> {
    if (!(await this.has(note))) return;
    const file = this.#file(note);
    // Another window reads the old note or the new one, never half of it.
    const half = `${file}.${process.pid}.tmp`;
    await writeFile(half, JSON.stringify({ ...note, watchUntil }), { mode: 0o600 });
    await rename(half, file);
  }

  async #read(file: string): Promise<SendNote | undefined> {
    const content = await orNothing(readFile(file, 'utf8'));
    if (content === undefined) return undefined;
    const note = parse(content);
    const isOld = this.#now() - (note?.asked ?? (await orNothing(stat(file)))?.mtimeMs ?? 0) > (note === undefined ? writingMs : keptMs);
    if (!isOld) return note;
    await remove(file);
    return undefined;
  }

  #file({ connection, baseUrl, what }: SendSubject): string {
    const name = createHash('sha256').update(`${connection}\n${baseUrl}\n${what}`).digest('hex').slice(0, 32);
    return join(this.#folder, `${name}.json`);
  }
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

function parse(content: string): SendNote | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  return isNote(value) ? value : undefined;
}

function isNote(value: unknown): value is SendNote {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(fieldTypes).every(([name, type]) => typeof fields.get(name) === type) && fields.get('before') !== null;
}

const fieldTypes: Readonly<Record<keyof SendNote, string>> = {
  connection: 'string',
  baseUrl: 'string',
  what: 'string',
  campaignId: 'number',
  name: 'string',
  before: 'object',
  asked: 'number',
  watchUntil: 'number',
};

/** What of a campaign's record changes when it goes out, or begins to wait for its date. */
export type Marks = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

/** The marks of a record, and nothing else of it. */
export function marksOf({ draft, active, sent, sending_date }: Marks): Marks {
  return { draft, active, sent, sending_date };
}

export function sameMarks(one: Marks, other: Marks): boolean {
  return JSON.stringify(marksOf(one)) === JSON.stringify(marksOf(other));
}

/**
 * Whether a record shows that the campaign was sent since `before`. False says nothing: a service whose answer was lost may still be at it,
 * so nothing that a record shows proves that it won't go out.
 */
export function wasSent(before: Marks, after: Marks): boolean {
  if (after.sent === 1 && before.sent !== 1) return true;
  // One that was sent before looks the same after a second sending, but for its date.
  if (before.sent === 1) return after.sent === 1 && after.sending_date !== before.sending_date;
  return (after.active === 1 && before.active !== 1) || (after.draft === 0 && before.draft === 1);
}
