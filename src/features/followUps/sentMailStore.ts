import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../platform/ui/replaceFile.ts';
import { toMailText, type MailText } from './mailText.ts';

/** What this machine knows of a mail's text. */
export interface SentMail {
  /** What it sent last, and the service said to have taken. */
  readonly text: MailText;
  /** When it was sent, in ms since the epoch. */
  readonly sent: number;
  /** When another text was sent after it whose answer was lost, in ms since the epoch: the service may hold that one. */
  readonly doubtful?: number;
}

/** A follow-up of a service. Two services under one connection's name are two places. */
export interface FollowUpKey {
  readonly connection: string;
  readonly baseUrl: string;
  readonly followUpId: number;
}

/**
 * The texts of follow-ups' mails that this machine sent last, one file for each. The service takes a mail's text and never gives it
 * back: these are no copies of what it holds.
 */
export class SentMailStore {
  readonly #root: string;

  /** `root`: a folder of this extension's own on this machine. It is made with the first text. */
  constructor(root: string) {
    this.#root = root;
  }

  /** All texts of a follow-up, by the mail's id. A file that can't be read as one is no text. */
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

  /** Keeps what was just sent. Throws where the disk refuses it. */
  async store(key: FollowUpKey, mailId: number, text: MailText, sent: number): Promise<void> {
    await this.#write(key, mailId, { text, sent });
  }

  /** Notes that another text may have reached the service. Without a text that was kept before, there is nothing to be in doubt of. */
  async markUnconfirmed(key: FollowUpKey, mailId: number, time: number): Promise<void> {
    const sentMail = (await this.read(key)).get(mailId);
    if (sentMail !== undefined) await this.#write(key, mailId, { ...sentMail, doubtful: time });
  }

  /** Forgets a mail's text, or those of a whole follow-up. */
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

/** A file that isn't there is one nobody has written. Other failures are told. */
function toEmptyIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
  throw error;
}

function parseSentMail(content: string | readonly never[]): SentMail | undefined {
  if (typeof content !== 'string') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('text' in value) || !('sent' in value)) return undefined;
  const { text, sent } = value;
  if (typeof text !== 'object' || text === null || typeof sent !== 'number') return undefined;
  const doubtful = 'doubtful' in value && typeof value.doubtful === 'number' && { doubtful: value.doubtful };
  return { text: toMailText({ ...text }), sent, ...doubtful };
}
