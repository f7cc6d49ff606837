import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { isObject, type Row } from '../../service/client/shapes.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { StateFiles } from '../../sync/stateFiles.ts';
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
  readonly #files: StateFiles;

  /** `root`: is created with the first text. */
  constructor(root: string) {
    this.#files = new StateFiles(root);
  }

  /** Returns a follow-up's texts by mail id. Ignores files with invalid content. */
  async read(followUp: RecordRef): Promise<ReadonlyMap<number, SentMail>> {
    const folder = getFolder(followUp);
    const mails = await Promise.all(
      (await this.#files.list(folder)).map(async (file) => {
        const id = /^([1-9]\d*)\.json$/u.exec(file)?.[1];
        if (id === undefined) return [];
        const { success, output } = v.safeParse(sentMailSchema, await this.#files.read(`${folder}/${file}`));
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
    if (sentMail) await this.#write(followUp, mailId, { ...sentMail, doubtful: Date.now() });
  }

  /** Deletes a mail's text, or all texts of the follow-up. */
  async delete(followUp: RecordRef, mailId?: number): Promise<void> {
    const folder = getFolder(followUp);
    await this.#files.delete(mailId === undefined ? folder : `${folder}/${mailId}.json`);
  }

  async #write(followUp: RecordRef, mailId: number, mail: SentMail) {
    await this.#files.write(`${getFolder(followUp)}/${mailId}.json`, JSON.stringify(mail));
  }
}

function getFolder({ connection, baseUrl, id }: RecordRef) {
  const service = createHash('sha256').update(`${connection}\n${baseUrl}`).digest('hex');
  return `${service.slice(0, 32)}/${id}`;
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
