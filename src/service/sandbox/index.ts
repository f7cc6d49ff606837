import { createSandbox } from './sandbox.ts';
import type { Sandbox, SandboxOptions } from './model.ts';

export type * from './model.ts';
export type { Outbox } from './outbox.ts';
export type { Clock } from './time.ts';

/**
 * Starts an embedded mailing service with sample data on 127.0.0.1. It implements the complete API document, sends nothing and stores
 * nothing after it is closed. Rejects if the starters are invalid or the port is in use.
 */
export function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  return createSandbox(options);
}
