import type { Documents } from './documents/documents.ts';
import type { Sending } from './sending/index.ts';
import type { SendingServices } from './sending/main.ts';
import type { MailWorker } from './worker/index.ts';

/** The shared services that `extension.ts` passes to each feature. */
export interface ExtensionServices extends SendingServices, Sending {
  readonly documents: Documents;
  /** Loads the worker thread that runs the `email` layer. Always resolves to the same instance. */
  readonly worker: () => Promise<MailWorker>;
}
