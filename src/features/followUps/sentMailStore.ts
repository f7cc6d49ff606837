import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { isObject, type Row } from '../../service/client/shapes.ts';
import { replaceFile } from '../../sync/files.ts';
import { toMailText, type MailText } from './mailText.ts';

export interface SentMail {
  /** The last text that the service confirmed. */
  readonly text: MailText;
  /** When the text was sent, in ms since the epoch. */
  readonly sent: number;
  /** When a later text was sent without a response, in ms since the epoch. The service may have that text. */
  readonly doubtful?: number;
}

/** Identifies a follow-up. The base URL distinguishes services that used the same connection name. */
export interface FollowUpKey {
  readonly connection: string;
  readonly baseUrl: string;
  readonly followUpId: number;
}

/**
 * Stores the last sent texts of follow-ups' mails, one file per mail. Services never return a mail's text, so their current text may be
 * different.
 */
export class SentMailStore {
  readonly #root: string;

  /** `root` is created with the first text. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns a follow-up's texts by mail id. Ignores files with invalid content. */
  async read(key: FollowUpKey): Promise<ReadonlyMap<number, SentMail>> {
    const folder = this.#folder(key);
    const files = await readdir(folder).catch(toEmptyIfMissing);
    const mails = await Promise.all(
      files.map(async (file) => {
        const id = /^([1-9]\d*)\.json$/u.exec(file)?.[1];
        const mail =
          id === undefined
            ? undefined
            : parseSentMail(await readFile(join(folder, file), 'utf8').catch(toEmptyIfMissing));
        return mail === undefined ? [] : [[Number(id), mail] as const];
      }),
    );
    return new Map(mails.flat());
  }

  /** Stores a text that was just sent. Throws if writing fails. */
  async store(key: FollowUpKey, mailId: number, text: MailText, sent: number): Promise<void> {
    await this.#write(key, mailId, { text, sent });
  }

  /** Records that another text may have reached the service. Does nothing if there is no stored text. */
  async markUnconfirmed(key: FollowUpKey, mailId: number, time: number): Promise<void> {
    const sentMail = (await this.read(key)).get(mailId);
    if (sentMail !== undefined) await this.#write(key, mailId, { ...sentMail, doubtful: time });
  }

  /** Deletes a mail's text, or all texts of the follow-up. */
  async delete(key: FollowUpKey, mailId?: number): Promise<void> {
    const folder = this.#folder(key);
    await rm(mailId === undefined ? folder : join(folder, `${mailId}.json`), { force: true, recursive: true });
  }

  async #write(key: FollowUpKey, mailId: number, mail: SentMail): Promise<void> {
    const folder = this.#folder(key);
    await mkdir(folder, { recursive: true });
    await replaceFile(join(folder, `${mailId}.json`), JSON.stringify(mail));
  }

  #folder({ connection, baseUrl, followUpId }: FollowUpKey): string {
    const service = createHash('sha256').update(`${connection}\n${baseUrl}`).digest('hex').slice(0, 32);
    return join(this.#root, service, String(followUpId));
  }
}

function toEmptyIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
  throw error;
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

function parseSentMail(content: string | readonly never[]): SentMail | undefined {
  const { success, output } = v.safeParse(sentMailSchema, content);
  return success ? { ...output, text: toMailText(output.text) } : undefined;
}
