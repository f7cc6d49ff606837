import { composeSent } from '../../../src/email/sent/index.ts';
import { startSandbox as start } from '../../../src/service/sandbox/index.ts';
import type { Compose, Sandbox as Service, SandboxOptions as Options } from '../../../src/service/sandbox/index.ts';
import { createFaults, type Faults } from './faults.ts';

export type { SandboxProfile } from '../../../src/service/sandbox/index.ts';
export type { FaultHandle, FaultRule, Faults } from './faults.ts';
export type { FaultKind } from './faultKinds.ts';

export type SandboxOptions = Omit<Options, 'compose' | 'intercept'>;

/** The embedded service with configurable faults. */
export interface Sandbox extends Service {
  readonly faults: Faults;
}

/** Composes in this thread. The extension host uses a worker. */
export const compose: Compose = async (email, options) => composeSent(email, options);

/** Starts a sandbox with faults. `reset` also removes the faults. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const faults = createFaults();
  const service = await start({ ...options, compose, intercept: faults.intercept });
  return {
    ...service,
    faults,
    reset() {
      faults.clear();
      service.reset();
    },
  };
}
