import { createSandbox } from './sandbox.ts';
import type { Sandbox, SandboxOptions } from './model.ts';

export type * from './model.ts';
export type { Clock } from './clock.ts';

/**
 * Starts an embedded mailing service with sample data on 127.0.0.1: the whole interface of the API document, nothing leaves the
 * machine, and nothing is kept when it is closed.
 * Rejects when the starters can't be read or the port is taken.
 */
export function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  return createSandbox(options);
}
