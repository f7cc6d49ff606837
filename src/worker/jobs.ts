import { check } from '../checks/index.ts';
import type { CheckOptions, Email, Finding } from '../checks/index.ts';
import { composeSent } from '../sent/index.ts';
import type { Sent, SentOptions } from '../sent/index.ts';

/** What the worker can do, by name: each takes one plain object, and gives one. Only `thread.ts` loads this; others import its types. */
export const jobs = {
  /** What is wrong with an e-mail. */
  check: ({ email, options }: { readonly email: Email; readonly options: CheckOptions }): readonly Finding[] => check(email, options),
  /** What the service sends of an e-mail. */
  compose: ({ email, options }: { readonly email: Parameters<typeof composeSent>[0]; readonly options: SentOptions }): Sent =>
    composeSent(email, options),
} as const;

export type Jobs = typeof jobs;
