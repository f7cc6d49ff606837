/*
 * What a failure means, and what can be done about it: one row for each cause. The client words its errors with it, and whoever shows an
 * error, or learns from one, reads the row of its cause: see `ApiError.means`.
 */

import { kinds, rows, type ApiErrorKind, type KindTraits, type Row } from './data/causes.ts';

export type { ApiErrorKind, SetupProblem } from './data/causes.ts';

export type CauseName = keyof typeof rows;

/** A cause with all that is known of it. */
export type Cause = Row & KindTraits;

const all: readonly (readonly [CauseName, Row])[] = Object.entries(rows) as [CauseName, Row][];

export const causes = Object.fromEntries(all.map(([name, row]) => [name, { ...kinds[row.kind], ...row }])) as {
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
export function causeOfStatus(
  status: number,
  said: string = '',
  isKind: (row: Row) => boolean = () => true,
): CauseName | undefined {
  const exact = all.find(([, row]) => isKind(row) && row.status?.includes(status) && (row.said?.test(said) ?? true));
  const most = Math.max(...all.map(([, { from = -1 }]) => (from <= status ? from : -1)));
  return (exact ?? all.find(([, row]) => isKind(row) && row.from === most))?.[0];
}

/** The cause that a code of a failed connection has. */
export function causeOfCode(code: string, isKind: (row: Row) => boolean = () => true): CauseName | undefined {
  return all.find(([, row]) => isKind(row) && row.code?.test(code))?.[0];
}

/** What an error is told as of which no more is known than its kind. */
const usual: Readonly<Record<ApiErrorKind, CauseName>> = {
  unauthorized: 'keyRefused',
  forbidden: 'forbidden',
  notFound: 'notFound',
  invalid: 'badArgument',
  server: 'serverError',
  rateLimited: 'rateLimited',
  redirect: 'moved',
  notJson: 'noService',
  network: 'lost',
  timeout: 'noAnswerInTime',
  tls: 'untrusted',
  aborted: 'aborted',
};

/** The cause of an error that was made without one. */
export function causeOf(kind: ApiErrorKind, { operation, status, serverMessage, code, field }: Symptoms): CauseName {
  const isKind = (row: Row): boolean => row.kind === kind;
  if (field !== undefined) return 'oddField';
  if (code !== undefined) return causeOfCode(code, isKind) ?? usual[kind];
  if (status !== undefined) return causeOfStatus(status, serverMessage, isKind) ?? usual[kind];
  return kind === 'invalid' && operation === 'connect' ? 'badSetting' : usual[kind];
}
