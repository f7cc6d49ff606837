import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../platform/ui/replaceFile.ts';
import { mailTextOf, type MailText } from './mailText.ts';

/** What this machine knows of a mail's text. */
export interface KeptMail {
  /** What it sent last, and the service said to have taken. */
  readonly text: MailText;
  /** When it was sent, in ms since the epoch. */
  readonly sent: number;
  /** When another text was sent after it whose answer was lost, in ms since the epoch: the service may hold that one. */
  readonly doubtful?: number;
}

/** A follow-up of a service. Two services under one connection's name are two places. */
export interface FollowUpPlace {
  readonly connection: string;
  readonly baseUrl: string;
  readonly followUpId: number;
}

/**
 * The texts of follow-ups' mails that this machine sent last, one file for each. The service takes a mail's text and never gives it
 * back: these are no copies of what it holds.
 */
export class SentMails {
  readonly #root: string;

  /** `root`: a folder of this extension's own on this machine. It is made with the first text. */
  constructor(root: string) {
    this.#root = root;
  }

  /** All texts of a follow-up, by the mail's id. A file that can't be read as one is no text. */
  async read(place: FollowUpPlace): Promise<ReadonlyMap<number, KeptMail>> {
    const folder = this.#folder(place);
    const files = await readdir(folder).catch(nothingThere);
    const kept = await Promise.all(
      files.map(async (file) => {
        const id = /^([1-9]\d*)\.json$/u.exec(file)?.[1];
        const mail =
          id === undefined ? undefined : parse(await readFile(join(folder, file), 'utf8').catch(nothingThere));
        return mail === undefined ? [] : [[Number(id), mail] as const];
      }),
    );
    return new Map(kept.flat());
  }

  /** Keeps what was just sent. Throws where the disk refuses it. */
  async keep(place: FollowUpPlace, mailId: number, text: MailText, sent: number): Promise<void> {
    await this.#write(place, mailId, { text, sent });
  }

  /** Notes that another text may have reached the service. Without a text that was kept before, there is nothing to be in doubt of. */
  async doubt(place: FollowUpPlace, mailId: number, when: number): Promise<void> {
    const kept = (await this.read(place)).get(mailId);
    if (kept !== undefined) await this.#write(place, mailId, { ...kept, doubtful: when });
  }

  /** Forgets a mail's text, or those of a whole follow-up. */
  async forget(place: FollowUpPlace, mailId?: number): Promise<void> {
    const folder = this.#folder(place);
    await rm(mailId === undefined ? folder : join(folder, `${mailId}.json`), { force: true, recursive: true });
  }

  async #write(place: FollowUpPlace, mailId: number, mail: KeptMail): Promise<void> {
    const folder = this.#folder(place);
    await mkdir(folder, { recursive: true });
    await replaceFile(join(folder, `${mailId}.json`), JSON.stringify(mail));
  }

  #folder({ connection, baseUrl, followUpId }: FollowUpPlace): string {
    const service = createHash('sha256').update(`${connection}\n${baseUrl}`).digest('hex').slice(0, 32);
    return join(this.#root, service, String(followUpId));
  }
}

/** A file that isn't there is one nobody has written. Other failures are told. */
function nothingThere(error: unknown): [] {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
  throw error;
}

function parse(content: string | readonly never[]): KeptMail | undefined {
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
  return { text: mailTextOf({ ...text }), sent, ...doubtful };
}
