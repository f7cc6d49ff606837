import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { isObject, type Row } from '../../service/client/shapes.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { undefinedIfMissing } from '../sending/journal.ts';
import { replaceFile } from '../../sync/files.ts';
import { toMailText, type MailText } from './record.ts';

interface SentMail {
  /** The last text that the service confirmed. */
  readonly text: MailText;
  /** When the text was sent, in ms since the epoch. */
  readonly sent: number;
  /** When a later text was sent without a response, in ms since the epoch. The service may have that text. */
  readonly doubtful?: number;
}

/**
 * Stores the last sent texts of follow-ups' mails, one file per mail. Services never return a mail's text, so their current text may be
 * different.
 */
export class SentMailStore {
  readonly #root: string;

  /** `root`: is created with the first text. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns a follow-up's texts by mail id. Ignores files with invalid content. */
  async read(followUp: RecordRef): Promise<ReadonlyMap<number, SentMail>> {
    const folder = this.#folder(followUp);
    const files = (await undefinedIfMissing(readdir(folder))) ?? [];
    const mails = await Promise.all(
      files.map(async (file) => {
        const id = /^([1-9]\d*)\.json$/u.exec(file)?.[1];
        if (id === undefined) return [];
        const content = await undefinedIfMissing(readFile(join(folder, file), 'utf8'));
        const { success, output } = v.safeParse(sentMailSchema, content);
        return success ? [[Number(id), { ...output, text: toMailText(output.text) }] as const] : [];
      }),
    );
    return new Map(mails.flat());
  }

  /** Stores a text that was just sent. Throws if writing fails. */
  async store(followUp: RecordRef, mailId: number, text: MailText): Promise<void> {
    await this.#write(followUp, mailId, { text, sent: Date.now() });
  }

  /** Records that another text may have reached the service. Does nothing if there is no stored text. */
  async markUnconfirmed(followUp: RecordRef, mailId: number): Promise<void> {
    const sentMail = (await this.read(followUp)).get(mailId);
    if (sentMail !== undefined) await this.#write(followUp, mailId, { ...sentMail, doubtful: Date.now() });
  }

  /** Deletes a mail's text, or all texts of the follow-up. */
  async delete(followUp: RecordRef, mailId?: number): Promise<void> {
    const folder = this.#folder(followUp);
    await rm(mailId === undefined ? folder : join(folder, `${mailId}.json`), { force: true, recursive: true });
  }

  async #write(followUp: RecordRef, mailId: number, mail: SentMail) {
    await replaceFile(join(this.#folder(followUp), `${mailId}.json`), JSON.stringify(mail));
  }

  #folder({ connection, baseUrl, id }: RecordRef) {
    const service = createHash('sha256').update(`${connection}\n${baseUrl}`).digest('hex');
    return join(this.#root, service.slice(0, 32), String(id));
  }
}

const sentMailSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    text: v.custom<Row>(isObject),
    sent: v.number(),
    doubtful: v.fallback(v.optional(v.number()), undefined),
  }),
);
