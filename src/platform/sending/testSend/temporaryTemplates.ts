import { randomUUID } from 'node:crypto';
import type { MailingClient } from '../../../service/client/index.ts';
import { isApiError } from '../../../service/client/guards.ts';
import { errorText } from '../../ui/errors.ts';
import type { SendConnections } from '../campaignSender.ts';
import { getSenderFields, getTestSubject, type TestMessage } from './model.ts';
import { LATE_RECORD_MS, TEST_TIMEOUT_MS, type TestEntry, type TestJournal } from './testJournal.ts';

/** Prefix of a template's journal entry; the unique mark in the template's name follows. */
const TEMPLATE_ENTRY_PREFIX = 'templates/';

/**
 * Templates created for one test. A journal entry is written first, so that each is deleted even if its window
 * crashes.
 */
export class TemporaryTemplates {
  readonly #journal: TestJournal;
  readonly #connections: SendConnections;
  readonly #now: () => number;
  /** Templates in use by this window. */
  readonly #inUse = new Set<string>();

  constructor(journal: TestJournal, connections: SendConnections, now: () => number = Date.now) {
    this.#journal = journal;
    this.#connections = connections;
    this.#now = now;
  }

  /** Creates a template during a task. Throws if the creation can't be confirmed. */
  async withTemplate<T>(
    connection: string,
    message: TestMessage,
    task: (templateId: number) => Promise<T>,
  ): Promise<T> {
    const mark = `mailing-studio-${randomUUID()}`;
    const baseUrl = this.#connections.get(connection)?.baseUrl ?? '';
    const entry: TestEntry = {
      connection,
      baseUrl,
      what: TEMPLATE_ENTRY_PREFIX + mark,
      asked: this.#now(),
      name: message.name,
      addresses: [],
    };
    await this.#journal.acquire(entry);
    this.#inUse.add(entry.what);
    let current = entry;
    try {
      const templateId = await this.#connections.run(connection, (client) => createTemplate(client, message, mark));
      current = { ...entry, templateId };
      await this.#journal.recordOutcome(current);
      return await task(templateId);
    } finally {
      this.#inUse.delete(entry.what);
      await this.#cleanUp(current);
    }
  }

  /** Deletes templates left by other windows, except those still in use. */
  async cleanUpAll(): Promise<void> {
    const left = (await this.#journal.all()).filter(
      ({ what, asked }) => what.startsWith(TEMPLATE_ENTRY_PREFIX) && this.#now() - asked > TEST_TIMEOUT_MS,
    );
    for (const entry of left) if (!this.#inUse.has(entry.what)) await this.#cleanUp(entry);
  }

  /** Keeps the entry if the deletion fails, or if a template that was requested may still appear. */
  async #cleanUp(entry: TestEntry): Promise<void> {
    if (this.#connections.get(entry.connection)?.baseUrl !== entry.baseUrl) return;
    const isLate = this.#now() - entry.asked > LATE_RECORD_MS;
    const isGone = await this.#connections
      .run(entry.connection, (client) => deleteTemplate(client, entry))
      .catch(() => undefined);
    if (isGone === true || (isGone === false && isLate)) await this.#journal.release(entry).catch(() => undefined);
  }
}

async function createTemplate(client: MailingClient, message: TestMessage, mark: string): Promise<number> {
  const fields = {
    ...getSenderFields(message),
    name: `[Test] ${message.name} ${mark}`,
    subject: getTestSubject(message),
    body: message.body,
  };
  try {
    return (await client.createTemplate(fields)).templateId;
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    const found = await findTemplateId(client, mark).catch(() => undefined);
    if (found !== undefined) return found;
    throw new Error(`The text could not be handed to the service: ${errorText(error)} Nothing was sent.`, {
      cause: error,
    });
  }
}

async function findTemplateId(client: MailingClient, mark: string): Promise<number | undefined> {
  const found = await client.getTemplates({ search: mark, limit: 20 });
  return found.find(({ name }) => name?.includes(mark))?.id;
}

/**
 * Deletes the template of an entry after verifying its name. Returns false if there is none and its id was never
 * reported.
 */
async function deleteTemplate(client: MailingClient, { what, templateId }: TestEntry): Promise<boolean> {
  const mark = what.slice(TEMPLATE_ENTRY_PREFIX.length);
  const id = templateId ?? (await findTemplateId(client, mark));
  if (id === undefined) return false;
  try {
    const { name } = await client.getOneTemplate(id);
    if (name?.includes(mark)) await client.deleteTemplate(id);
  } catch (error) {
    if (!isApiError(error) || error.kind !== 'notFound') throw error;
  }
  return true;
}
