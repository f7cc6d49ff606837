import { findAddresses, runChecks, explain } from '../../email/checks/index.ts';
import type {
  CheckResult,
  CheckOptions,
  Email,
  Explanation,
  Finding,
  MailAddresses,
} from '../../email/checks/index.ts';
import { findImageAddresses, type ImageAddress } from '../../email/checks/images.ts';
import { mergeTexts } from '../../sync/merge/index.ts';
import type { Merged, MergeInput } from '../../sync/merge/index.ts';
import { composeSent } from '../../email/sent/index.ts';
import type { Sent, SentOptions } from '../../email/sent/index.ts';

/** What the worker can do, by name: each takes one plain object, and gives one. Only `thread.ts` loads this; others import its types. */
export const jobs = {
  /** What is wrong with an email. */
  check: ({ email, options }: { readonly email: Email; readonly options: CheckOptions }): CheckResult =>
    runChecks(email, options),
  /** What is behind a finding, with what mail clients support. */
  explain: ({
    finding,
    options,
  }: {
    readonly finding: Pick<Finding, 'rule' | 'url'>;
    readonly options: CheckOptions;
  }): Explanation | undefined => explain(finding, options),
  /** What an email leads to and shows. */
  addresses: ({ body }: Pick<Email, 'body'>): MailAddresses => findAddresses(body),
  /** Where an email or a stylesheet names images. */
  images: ({ text, format }: { readonly text: string; readonly format: 'html' | 'css' }): readonly ImageAddress[] =>
    findImageAddresses(text, format),
  /** What the service sends of an email. */
  compose: ({
    email,
    options,
  }: {
    readonly email: Parameters<typeof composeSent>[0];
    readonly options: SentOptions;
  }): Sent => composeSent(email, options),
  /** Merges two versions of a text. */
  merge: (input: MergeInput): Merged => mergeTexts(input),
} as const;

export type Jobs = typeof jobs;
