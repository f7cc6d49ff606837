import { startSandbox as start } from '../../../src/service/sandbox/index.ts';
import type { Sandbox as Service, SandboxOptions } from '../../../src/service/sandbox/index.ts';
import { createFaults, type Faults } from './faults.ts';

export type { SandboxOptions, SandboxProfile } from '../../../src/service/sandbox/index.ts';
export type { FaultHandle, FaultRule, Faults } from './faults.ts';
export type { FaultKind } from './faultKinds.ts';

/** The embedded service with configurable faults. */
export interface Sandbox extends Service {
  readonly faults: Faults;
}

/** Starts a sandbox with faults. `reset` also removes the faults. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const faults = createFaults();
  const service = await start({ ...options, intercept: faults.intercept });
  return {
    ...service,
    faults,
    reset() {
      faults.clear();
      service.reset();
    },
  };
}
