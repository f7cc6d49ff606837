/* One row for each cause of failure: the client takes its messages from it, and the interface reads it through `ApiError.info`. */

import { kindTraits, causeRows, type ApiErrorKind, type KindTraits, type CauseRow } from './data/causes.ts';

export type { ApiErrorKind, SetupProblem } from './data/causes.ts';

export type CauseName = keyof typeof causeRows;

/** A cause, merged with the traits of its kind. */
export type Cause = CauseRow & KindTraits;

const causeEntries: readonly (readonly [CauseName, CauseRow])[] = Object.entries(causeRows) as [CauseName, CauseRow][];

export const causes = Object.fromEntries(
  causeEntries.map(([name, row]) => [name, { ...kindTraits[row.kind], ...row }]),
) as {
  readonly [Name in CauseName]: Cause;
};

/** Properties of an error, besides its kind, that determine its cause. */
interface Symptoms {
  readonly operation: string;
  readonly status?: number;
  readonly serverMessage?: string;
  readonly code?: string;
  readonly field?: string;
}

/** Finds the cause of an HTTP status and the message of the service. */
export function findCauseByStatus(
  status: number,
  serverMessage: string = '',
  isKind: (row: CauseRow) => boolean = () => true,
): CauseName | undefined {
  const exact = causeEntries.find(
    ([, row]) => isKind(row) && row.statuses?.includes(status) && (row.messagePattern?.test(serverMessage) ?? true),
  );
  const closestMinStatus = Math.max(
    ...causeEntries.map(([, { minStatus = -1 }]) => (minStatus <= status ? minStatus : -1)),
  );
  return (exact ?? causeEntries.find(([, row]) => isKind(row) && row.minStatus === closestMinStatus))?.[0];
}

/** Finds the cause of a connection error code. */
export function findCauseByCode(code: string, isKind: (row: CauseRow) => boolean = () => true): CauseName | undefined {
  return causeEntries.find(([, row]) => isKind(row) && row.codePattern?.test(code))?.[0];
}

/** Causes of errors for which only the kind is available. */
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

/** Infers the cause of an error that was created without one. */
export function inferCause(kind: ApiErrorKind, { operation, status, serverMessage, code, field }: Symptoms): CauseName {
  const isKind = (row: CauseRow): boolean => row.kind === kind;
  if (field !== undefined) return 'invalidField';
  if (code !== undefined) return findCauseByCode(code, isKind) ?? defaultCauses[kind];
  if (status !== undefined) return findCauseByStatus(status, serverMessage, isKind) ?? defaultCauses[kind];
  return kind === 'invalid' && operation === 'connect' ? 'badSetting' : defaultCauses[kind];
}
