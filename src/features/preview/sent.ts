import type * as vscode from 'vscode';
import { Debouncer } from '../../ui/async.ts';
import type { Sent } from '../../email/sent/index.ts';
import type { SendingService } from './protocol.ts';
import type { LiveEmail } from './liveEmail.ts';
import type { PreviewServices } from './source.ts';

/** What the preview shows of a sent email. */
export type SentParts = Pick<Sent, 'html' | 'text' | 'missing'>;

/** Delay after a change while the sent version is hidden. It is composed anyway because the toolbar shows its size. */
const [HIDDEN_COMPOSE_DEBOUNCE_MS, MAX_COMPOSE_DEBOUNCE_MS] = [400, 2000];

/** Returns the service that sends an email, and how. Local files are shown as AcyMailing would send them. */
async function getSending({ source, email }: LiveEmail, { connections }: PreviewServices) {
  const { body, connection = body.authority } = source;
  const { profile, site, ...styles } = await connections.getSending(connection, email.body);
  const service: SendingService =
    body.scheme === 'mailing'
      ? { profile, site, isAssumed: false }
      : { profile: 'acymailing', isAssumed: source.message === undefined };
  return { service, options: { ...styles, ...service } };
}

/** Composes the sent version after each change of the email: one at a time, always the newest. */
export class SentComposer implements vscode.Disposable {
  readonly #services: PreviewServices;
  readonly #onComposed: (service: SendingService, sent: SentParts | undefined) => void;
  readonly #debouncer = new Debouncer(HIDDEN_COMPOSE_DEBOUNCE_MS, MAX_COMPOSE_DEBOUNCE_MS);
  #email: LiveEmail | undefined;
  #isVisible = false;
  #isBusy = false;
  #isStale = false;
  #generation = 0;

  /** `onComposed` is called without a sent version if composing failed. */
  constructor(services: PreviewServices, onComposed: (service: SendingService, sent: SentParts | undefined) => void) {
    this.#services = services;
    this.#onComposed = onComposed;
  }

  schedule(): void {
    if (this.#isVisible) void this.#run();
    else this.#debouncer.run(() => this.#run());
  }

  /** Sets whether the sent version is visible. If so, it follows each keystroke. */
  setVisible(visible: boolean): void {
    this.#isVisible = visible;
    if (visible && this.#debouncer.isWaiting) void this.#run();
  }

  /** Composes another email and discards a result that is still pending. */
  restart(email: LiveEmail): void {
    this.#email = email;
    this.#generation += 1;
    void this.#run();
  }

  dispose(): void {
    this.#generation += 1;
    this.#isStale = false;
    this.#debouncer.dispose();
  }

  async #run() {
    this.#debouncer.dispose();
    this.#isStale = this.#isBusy;
    const email = this.#email;
    if (this.#isBusy || !email) return;
    this.#isBusy = true;
    const started = this.#generation;
    const { service, options } = await getSending(email, this.#services);
    const { message } = email.source;
    const sent = message
      ? { html: email.text('body'), text: message.text }
      : await this.#services.compose(email.email, options).catch(() => undefined);
    this.#isBusy = false;
    if (started === this.#generation) this.#onComposed(service, sent);
    if (this.#isStale) void this.#run();
  }
}
