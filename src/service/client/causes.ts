/*
 * What a failure means, and what can be done about it: one row for each cause. The client words its errors with it, and whoever shows an
 * error, or learns from one, reads the row of its cause: see `ApiError.means`.
 */

import { kindTraits, causeRows, type ApiErrorKind, type KindTraits, type CauseRow } from './data/causes.ts';

export type { ApiErrorKind, SetupProblem } from './data/causes.ts';

export type CauseName = keyof typeof causeRows;

/** A cause with all that is known of it. */
export type Cause = CauseRow & KindTraits;

const causeEntries: readonly (readonly [CauseName, CauseRow])[] = Object.entries(causeRows) as [CauseName, CauseRow][];

export const causes = Object.fromEntries(
  causeEntries.map(([name, row]) => [name, { ...kindTraits[row.kind], ...row }]),
) as {
  readonly [Name in CauseName]: Cause;
};

/** What the cause of an error is told from, beside its kind. */
interface Symptoms {
  readonly operation: string;
  readonly status?: number;
  readonly serverMessage?: string;
  readonly code?: string;
  readonly field?: string;
}

/** The cause that a status with these words of the service has. */
export function findCauseByStatus(
  status: number,
  said: string = '',
  isKind: (row: CauseRow) => boolean = () => true,
): CauseName | undefined {
  const exact = causeEntries.find(
    ([, row]) => isKind(row) && row.statuses?.includes(status) && (row.messagePattern?.test(said) ?? true),
  );
  const most = Math.max(...causeEntries.map(([, { minStatus: from = -1 }]) => (from <= status ? from : -1)));
  return (exact ?? causeEntries.find(([, row]) => isKind(row) && row.minStatus === most))?.[0];
}

/** The cause that a code of a failed connection has. */
export function findCauseByCode(code: string, isKind: (row: CauseRow) => boolean = () => true): CauseName | undefined {
  return causeEntries.find(([, row]) => isKind(row) && row.codePattern?.test(code))?.[0];
}

/** What an error is told as of which no more is known than its kind. */
const defaultCauses: Readonly<Record<ApiErrorKind, CauseName>> = {
  unauthorized: 'keyRefused',
  forbidden: 'forbidden',
  notFound: 'notFound',
  invalid: 'badArgument',
  server: 'serverError',
  rateLimited: 'rateLimited',
  redirect: 'moved',
  notJson: 'noService',
  network: 'connectionLost',
  timeout: 'responseTimedOut',
  tls: 'untrusted',
  aborted: 'aborted',
};

/** The cause of an error that was made without one. */
export function inferCause(kind: ApiErrorKind, { operation, status, serverMessage, code, field }: Symptoms): CauseName {
  const isKind = (row: CauseRow): boolean => row.kind === kind;
  if (field !== undefined) return 'invalidField';
  if (code !== undefined) return findCauseByCode(code, isKind) ?? defaultCauses[kind];
  if (status !== undefined) return findCauseByStatus(status, serverMessage, isKind) ?? defaultCauses[kind];
  return kind === 'invalid' && operation === 'connect' ? 'badSetting' : defaultCauses[kind];
}
