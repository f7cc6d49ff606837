import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { getComposingProfile } from '../../connections/model.ts';
import type { Email, Sent, SentOptions } from '../../../email/sent/index.ts';
import type { SendingService } from '../protocol.ts';

/** Composes the sent version of an email in a worker thread. */
export type Compose = (email: Email, options: SentOptions) => Promise<Sent>;

/** Delay after a change while the sent version is hidden. It is composed anyway because the toolbar shows its size. */
const HIDDEN_COMPOSE_DEBOUNCE_MS = 400;

/** Returns the service that sends a body. Local files are shown as AcyMailing would send them. */
export function getSendingService(body: vscode.Uri, connections: Connections): SendingService {
  if (body.scheme !== 'mailing') return { profile: 'acymailing', isAssumed: true };
  const connection = connections.get(body.authority);
  return {
    profile: getComposingProfile(connection),
    isAssumed: false,
    ...(connection ? { site: connection.baseUrl } : {}),
  };
}

/** Returns the options of `composeSent` for a service. */
export const getSentOptions = ({ profile, site }: SendingService): SentOptions => ({
  profile,
  ...(site === undefined ? {} : { site }),
});

export interface SentComposerOptions {
  readonly compose: Compose;
  readonly getEmail: () => Email;
  readonly getService: () => SendingService;
  /** Called with the sent version, or undefined if composing failed. */
  readonly onComposed: (sent: Sent | undefined, by: SendingService) => void;
}

/** Composes the sent version after each change of the email: one at a time, always the newest. */
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

  /** Sets whether the sent version is visible. If so, it follows each keystroke. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#timer) void this.#compose();
  }

  schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isVisible) void this.#compose();
    else this.#timer = setTimeout(() => void this.#compose(), HIDDEN_COMPOSE_DEBOUNCE_MS);
  }

  /** Composes another email and discards a result that is still pending. */
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
