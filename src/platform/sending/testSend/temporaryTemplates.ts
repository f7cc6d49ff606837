import { randomUUID } from 'node:crypto';
import type { MailingClient } from '../../../service/client/index.ts';
import { isApiError } from '../../../service/client/guards.ts';
import { errorText } from '../../ui/errors.ts';
import type { SendConnections } from '../sends.ts';
import { senderOf, testSubject, type TestMessage } from './model.ts';
import { LATE_MS, SENDING_MS, type TestNote, type TestNotes } from './testNotes.ts';

/** A note of a template is named after the mark in the template's name. */
const kind = 'templates/';

/** Templates that are made for one test. A note is written before, so that each is deleted, whatever happens to its window. */
export class TemporaryTemplates {
  readonly #notes: TestNotes;
  readonly #connections: SendConnections;
  readonly #now: () => number;
  /** Those that this window needs. */
  readonly #used = new Set<string>();

  constructor(notes: TestNotes, connections: SendConnections, now: () => number = Date.now) {
    this.#notes = notes;
    this.#connections = connections;
    this.#now = now;
  }

  /** Makes a template of a text for the time of a task, which is given its id. Throws where it is not seen to be made. */
  async during<T>(connection: string, message: TestMessage, task: (templateId: number) => Promise<T>): Promise<T> {
    const mark = `mailing-studio-${randomUUID()}`;
    const baseUrl = this.#connections.get(connection)?.baseUrl ?? '';
    const note: TestNote = {
      connection,
      baseUrl,
      what: kind + mark,
      asked: this.#now(),
      name: message.name,
      addresses: [],
    };
    await this.#notes.acquire(note);
    this.#used.add(note.what);
    let known = note;
    try {
      const templateId = await this.#connections.run(connection, (client) => make(client, message, mark));
      known = { ...note, templateId };
      await this.#notes.recordOutcome(known);
      return await task(templateId);
    } finally {
      this.#used.delete(note.what);
      await this.#tidy(known);
    }
  }

  /** Deletes what windows have left behind. What another window needs now is left alone. */
  async tidyAll(): Promise<void> {
    const left = (await this.#notes.all()).filter(
      ({ what, asked }) => what.startsWith(kind) && this.#now() - asked > SENDING_MS,
    );
    for (const note of left) if (!this.#used.has(note.what)) await this.#tidy(note);
  }

  /** Where it can't be deleted now, the note stays. So it does where it is not seen yet, and its making may still be under way. */
  async #tidy(note: TestNote): Promise<void> {
    if (this.#connections.get(note.connection)?.baseUrl !== note.baseUrl) return;
    const isLate = this.#now() - note.asked > LATE_MS;
    const isGone = await this.#connections
      .run(note.connection, (client) => remove(client, note))
      .catch(() => undefined);
    if (isGone === true || (isGone === false && isLate)) await this.#notes.release(note).catch(() => undefined);
  }
}

async function make(client: MailingClient, message: TestMessage, mark: string): Promise<number> {
  const fields = {
    ...senderOf(message),
    name: `[Test] ${message.name} ${mark}`,
    subject: testSubject(message),
    body: message.body,
  };
  try {
    return (await client.createTemplate(fields)).templateId;
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    const found = await find(client, mark).catch(() => undefined);
    if (found !== undefined) return found;
    throw new Error(`The text could not be handed to the service: ${errorText(error)} Nothing was sent.`, {
      cause: error,
    });
  }
}

/** The template whose name holds the mark. */
async function find(client: MailingClient, mark: string): Promise<number | undefined> {
  const found = await client.getTemplates({ search: mark, limit: 20 });
  return found.find(({ name }) => name?.includes(mark))?.id;
}

/** Deletes the template of a note, and no other: its name is looked at first. False where none is seen, and its id was never known. */
async function remove(client: MailingClient, { what, templateId }: TestNote): Promise<boolean> {
  const mark = what.slice(kind.length);
  const id = templateId ?? (await find(client, mark));
  if (id === undefined) return false;
  try {
    const { name } = await client.getOneTemplate(id);
    if (name?.includes(mark)) await client.deleteTemplate(id);
  } catch (error) {
    if (!isApiError(error) || error.kind !== 'notFound') throw error;
  }
  return true;
}
