import type * as vscode from 'vscode';
import { getComposingProfile } from '../../connections/model.ts';
import type { Sent } from '../../../email/sent/index.ts';
import type { SendingService } from '../protocol.ts';
import type { LiveEmail } from './liveEmail.ts';
import type { PreviewServices, PreviewSource } from './source.ts';

/** Delay after a change while the sent version is hidden. It is composed anyway because the toolbar shows its size. */
const HIDDEN_COMPOSE_DEBOUNCE_MS = 400;

/** Returns the service that sends a body. Local files are shown as AcyMailing would send them. */
export function getSendingService({ body }: PreviewSource, { connections }: PreviewServices): SendingService {
  if (body.scheme !== 'mailing') return { profile: 'acymailing', isAssumed: true };
  const connection = connections.get(body.authority);
  return { profile: getComposingProfile(connection), isAssumed: false, site: connection?.baseUrl };
}

/** Composes the sent version after each change of the email: one at a time, always the newest. */
export class SentComposer implements vscode.Disposable {
  readonly #services: PreviewServices;
  readonly #getEmail: () => LiveEmail;
  readonly #onComposed: (service: SendingService, sent: Sent | undefined) => void;
  #isVisible = false;
  #isBusy = false;
  #isStale = false;
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onComposed` is called without a sent version if composing failed. */
  constructor(
    services: PreviewServices,
    getEmail: () => LiveEmail,
    onComposed: (service: SendingService, sent: Sent | undefined) => void,
  ) {
    this.#services = services;
    this.#getEmail = getEmail;
    this.#onComposed = onComposed;
  }

  /** Sets whether the sent version is visible. If so, it follows each keystroke. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#timer) void this.#run();
  }

  schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isVisible) void this.#run();
    else this.#timer = setTimeout(() => void this.#run(), HIDDEN_COMPOSE_DEBOUNCE_MS);
  }

  /** Composes another email and discards a result that is still pending. */
  restart(): void {
    this.#generation += 1;
    void this.#run();
  }

  dispose(): void {
    this.#generation += 1;
    this.#isStale = false;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStale = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    const generation = this.#generation;
    const { source, email } = this.#getEmail();
    const service = getSendingService(source, this.#services);
    const sent = await this.#services.compose(email, service).catch(() => undefined);
    this.#isBusy = false;
    if (generation === this.#generation) this.#onComposed(service, sent);
    if (this.#isStale) void this.#run();
  }
}
