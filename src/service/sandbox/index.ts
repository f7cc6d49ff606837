export type * from './model.ts';
export type { Outbox } from './outbox.ts';
export { startSandbox } from './sandbox.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
