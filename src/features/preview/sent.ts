import { Debouncer } from '../../ui/async.ts';
import type { Sent } from '../../email/sent/index.ts';
import type { SendingService } from './protocol.ts';
import type { LiveEmail } from './liveEmail.ts';
import type { PreviewServices } from './source.ts';

/** Delay after a change while the sent version is hidden. It is composed anyway because the toolbar shows its size. */
const HIDDEN_COMPOSE_DEBOUNCE_MS = 400;

/** Returns the service that sends an email, and how. Local files are shown as AcyMailing would send them. */
async function getSending({ source, email }: LiveEmail, { connections }: PreviewServices) {
  const { body, connection = body.authority } = source;
  const { profile, site, ...styles } = await connections.getSending(connection, email.body);
  const service: SendingService =
    body.scheme === 'mailing' ? { profile, site, isAssumed: false } : { profile: 'acymailing', isAssumed: true };
  return { service, options: { ...styles, ...service } };
}

/**
 * Composes the sent version after each change of the email: one at a time, always the newest. `onComposed` is called without a sent version if
 * composing failed.
 */
export function createSentComposer(
  services: PreviewServices,
  getEmail: () => LiveEmail,
  onComposed: (service: SendingService, sent: Sent | undefined) => void,
) {
  const debouncer = new Debouncer(HIDDEN_COMPOSE_DEBOUNCE_MS);
  let isVisible = false;
  let isBusy = false;
  let isStale = false;
  let generation = 0;

  async function run() {
    debouncer.dispose();
    isStale = isBusy;
    if (isBusy) return;
    isBusy = true;
    const started = generation;
    const live = getEmail();
    const { service, options } = await getSending(live, services);
    const sent = await services.compose(live.email, options).catch(() => undefined);
    isBusy = false;
    if (started === generation) onComposed(service, sent);
    if (isStale) void run();
  }

  return {
    schedule: () => (isVisible ? void run() : debouncer.run(run)),
    /** Sets whether the sent version is visible. If so, it follows each keystroke. */
    setVisible(visible: boolean) {
      isVisible = visible;
      if (visible && debouncer.isWaiting) void run();
    },
    /** Composes another email and discards a result that is still pending. */
    restart() {
      generation += 1;
      void run();
    },
    dispose() {
      generation += 1;
      isStale = false;
      debouncer.dispose();
    },
  };
}
