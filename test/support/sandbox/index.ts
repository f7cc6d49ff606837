import { startSandbox as start } from '../../../src/service/sandbox/index.ts';
import type { Sandbox as Service, SandboxOptions } from '../../../src/service/sandbox/index.ts';
import { createFaults, type Faults } from './faults.ts';

export type { SandboxOptions, SandboxProfile } from '../../../src/service/sandbox/index.ts';
export type { FaultHandle, FaultRule, Faults } from './faults.ts';
export type { FaultKind } from './faultKinds.ts';

/** The embedded service, with what a test can let go wrong between it and its clients. */
export interface Sandbox extends Service {
  readonly faults: Faults;
}

/** Like the sandbox's own `startSandbox`. `reset` removes the faults too. */
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
