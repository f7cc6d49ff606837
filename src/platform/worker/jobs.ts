import {
  findAddresses,
  runChecks,
  explain,
  type CheckResult,
  type CheckOptions,
  type Email,
  type Finding,
} from '../../email/checks/index.ts';
import { formatEmail, shrinkEmail } from '../../email/format/index.ts';
import { createReportSection } from '../../email/report/index.ts';
import { convertPasted } from '../../email/compose/pasted.ts';
import { findImageAddresses } from '../../email/checks/images.ts';
import { searchEmail } from '../../sync/search.ts';
import { mergeTexts, type MergeInput } from '../../sync/merge/merge.ts';
import { compareReceived } from '../../email/received/compare.ts';
import { checkParts, findUpdatedParts, withLineEnds } from '../../sync/parts/check.ts';
import { extractPart } from '../../sync/parts/extract.ts';
import { applyParts } from '../../sync/parts/index.ts';
import { serve } from './serve.ts';
import { composeForDisplay, type SentOptions } from '../../email/sent/index.ts';

const checkWithLineEnds = ([text, parts]: Parameters<typeof checkParts>) => checkParts(text, withLineEnds(parts, text));

/** The jobs of the worker. Inputs and results are plain objects. This module is the thread's script: others import only its types. */
const jobs = {
  /** Checks an email, and its file with the texts of linked parts. */
  check: ({
    email,
    options,
    parts,
  }: {
    readonly email: Email;
    readonly options: CheckOptions;
    readonly parts?: Parameters<typeof checkParts> | undefined;
  }): CheckResult =>
    runChecks(email, { ...options, ...(parts && { checkParts: () => checkWithLineEnds(parts).findings }) }),
  /** Explains a finding and lists mail client support. */
  explain: ({
    finding,
    options,
  }: {
    readonly finding: Pick<Finding, 'rule' | 'url'>;
    readonly options: CheckOptions;
  }) => explain(finding, options),
  /** Returns the links and images of an email. */
  addresses: ({ body }: Pick<Email, 'body'>) => findAddresses(body),
  /** Finds image URLs in an email or a stylesheet. */
  images: ({ text, format }: { readonly text: string; readonly format: 'html' | 'css' }) =>
    findImageAddresses(text, format),
  /** Composes an email as the service sends it. */
  compose: ({ email, options }: { readonly email: Email; readonly options: SentOptions }) =>
    composeForDisplay(email, options),
  /** Compares an email with a received message. */
  received: ([email, options, bytes]: readonly [Email, SentOptions, Uint8Array]) =>
    compareReceived({ ...email, ...composeForDisplay(email, options) }, bytes),
  /** Formats an email without changing what is sent. */
  format: ({ body, options }: { readonly body: string; readonly options: Parameters<typeof formatEmail>[1] }) =>
    formatEmail(body, options),
  /** Removes what no recipient sees. */
  shrink: ({
    body,
    options: { profile, stylesheet },
  }: {
    readonly body: string;
    readonly options: { readonly profile: SentOptions['profile']; readonly stylesheet: string };
  }) => shrinkEmail(body, profile, stylesheet),
  /** Returns an email's section of a review report. */
  review: ([email, index, base, update]: [
    ...Parameters<typeof createReportSection>,
    update?: Readonly<Parameters<typeof findUpdatedParts>>,
  ]) => createReportSection({ ...email, updatedParts: update && findUpdatedParts(...update) }, index, base),
  /** Converts HTML of the clipboard. */
  paste: ({ html }: { readonly html: string }) => convertPasted(html),
  /** Returns the matches in an email. */
  search: (input: Parameters<typeof searchEmail>) => searchEmail(...input),
  /** Merges two versions of a text. */
  merge: (input: MergeInput) => mergeTexts(input),
  /** Checks the linked parts of an email. */
  parts: checkWithLineEnds,
  /** Updates the linked parts of an email. */
  applyParts: ([text, parts]: Parameters<typeof applyParts>) => applyParts(text, withLineEnds(parts, text)),
  /** Returns the edits that make a part of some code. */
  extractPart: (input: Parameters<typeof extractPart>) => extractPart(...input),
} as const;

export type Jobs = typeof jobs;

serve(jobs);
