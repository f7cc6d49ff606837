import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { getComposingProfile } from '../../connections/model.ts';
import type { Email, Sent, SentOptions } from '../../../email/sent/index.ts';
import type { SendingService } from '../protocol.ts';

/** Works out what is sent of an email, in a thread of its own. */
export type Compose = (email: Email, options: SentOptions) => Promise<Sent>;

/** Milliseconds without a change before what is sent is composed, where nobody looks at it: its size is shown all the same. */
const HIDDEN_COMPOSE_DEBOUNCE_MS = 400;

/** What a service is known to send. A file that belongs to none is shown as the one would send it that says what it does. */
export function getSendingService(body: vscode.Uri, connections: Connections): SendingService {
  if (body.scheme !== 'mailing') return { profile: 'acymailing', isAssumed: true };
  const connection = connections.get(body.authority);
  return {
    profile: getComposingProfile(connection),
    isAssumed: false,
    ...(connection ? { site: connection.baseUrl } : {}),
  };
}

/** Options of `composeSent` for a service. */
export const getSentOptions = ({ profile, site }: SendingService): SentOptions => ({
  profile,
  ...(site === undefined ? {} : { site }),
});

export interface SentComposerOptions {
  readonly compose: Compose;
  /** The email as it is now. */
  readonly getEmail: () => Email;
  readonly getService: () => SendingService;
  /** What is sent of it; undefined where that could not be worked out. */
  readonly onComposed: (sent: Sent | undefined, by: SendingService) => void;
}

/** Composes what is sent each time that the email has changed: one at a time, and always the newest. */
export class SentComposer implements vscode.Disposable {
  readonly #options: SentComposerOptions;
  #isVisible = false;
  #isBusy = false;
  #isStale = false;
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SentComposerOptions) {
    this.#options = options;
  }

  /** Whether somebody looks at what is sent: then it follows each keystroke. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#timer) void this.#compose();
  }

  schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isVisible) void this.#compose();
    else this.#timer = setTimeout(() => void this.#compose(), HIDDEN_COMPOSE_DEBOUNCE_MS);
  }

  /** Another email: what is being composed is of no interest any more. */
  restart(): void {
    this.#generation += 1;
    clearTimeout(this.#timer);
    void this.#compose();
  }

  dispose(): void {
    this.#generation += 1;
    this.#isStale = false;
    clearTimeout(this.#timer);
  }

  async #compose(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStale = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    const generation = this.#generation;
    const service = this.#options.getService();
    const sent = await this.#options.compose(this.#options.getEmail(), getSentOptions(service)).catch(() => undefined);
    this.#isBusy = false;
    if (generation === this.#generation) this.#options.onComposed(sent, service);
    if (this.#isStale) void this.#compose();
  }
}
