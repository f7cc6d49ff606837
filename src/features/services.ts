import type { Documents } from '../platform/documents/documents.ts';
import type { Sending } from './sending/index.ts';
import type { SendingServices } from './sending/load.ts';
import type { MailWorker } from '../platform/worker/index.ts';

/** The shared services that `extension.ts` passes to each feature. */
export interface ExtensionServices extends SendingServices, Sending {
  readonly documents: Documents;
  /** Loads the worker thread that runs the `email` layer. Always resolves to the same instance. */
  readonly worker: () => Promise<MailWorker>;
}
