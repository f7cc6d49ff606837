import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { composingOf } from '../../connections/model.ts';
import type { Email, Sent, SentOptions } from '../../../email/sent/index.ts';
import type { SentBy } from '../protocol.ts';

/** Works out what is sent of an email, in a thread of its own. */
export type Compose = (email: Email, options: SentOptions) => Promise<Sent>;

/** Milliseconds without a change before what is sent is composed, where nobody looks at it: its size is shown all the same. */
const REST = 400;

/** What a service is known to send. A file that belongs to none is shown as the one would send it that says what it does. */
export function sentBy(body: vscode.Uri, connections: Connections): SentBy {
  if (body.scheme !== 'mailing') return { profile: 'acymailing', isAssumed: true };
  const connection = connections.get(body.authority);
  return { profile: composingOf(connection), isAssumed: false, ...(connection ? { site: connection.baseUrl } : {}) };
}

/** Options of `composeSent` for a service. */
export const optionsFor = ({ profile, site }: SentBy): SentOptions => ({
  profile,
  ...(site === undefined ? {} : { site }),
});

export interface SentMailParts {
  readonly compose: Compose;
  /** The email as it is now. */
  readonly email: () => Email;
  readonly by: () => SentBy;
  /** What is sent of it; undefined where that could not be worked out. */
  readonly composed: (sent: Sent | undefined, by: SentBy) => void;
}

/** Composes what is sent each time that the email has changed: one at a time, and always the newest. */
export class SentMail implements vscode.Disposable {
  readonly #parts: SentMailParts;
  #isWatched = false;
  #isBusy = false;
  #isStale = false;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SentMailParts) {
    this.#parts = parts;
  }

  /** Whether somebody looks at what is sent: then it follows each keystroke. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    if (isWatched && this.#timer) void this.#compose();
  }

  changed(): void {
    clearTimeout(this.#timer);
    if (this.#isWatched) void this.#compose();
    else this.#timer = setTimeout(() => void this.#compose(), REST);
  }

  /** Another email: what is being composed is of no interest any more. */
  restart(): void {
    this.#turn += 1;
    clearTimeout(this.#timer);
    void this.#compose();
  }

  dispose(): void {
    this.#turn += 1;
    this.#isStale = false;
    clearTimeout(this.#timer);
  }

  async #compose(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStale = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    const turn = this.#turn;
    const by = this.#parts.by();
    const sent = await this.#parts.compose(this.#parts.email(), optionsFor(by)).catch(() => undefined);
    this.#isBusy = false;
    if (turn === this.#turn) this.#parts.composed(sent, by);
    if (this.#isStale) void this.#compose();
  }
}
