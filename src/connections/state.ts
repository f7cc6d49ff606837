import { isApiError, type ApiError } from '../api/errors.ts';
import type { ConnectionState } from './model.ts';

type Kind = ApiError['kind'];

/** How an operation on a connection ended. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/**
 * What each kind of failure tells of the connection: `failed`, the service can't be used as it is; `connected`, it answered, and
 * refused this one thing only; `nothing`, it wasn't asked.
 */
const verdicts: Readonly<Record<Kind, (error: ApiError) => 'failed' | 'connected' | 'nothing'>> = {
  unauthorized: () => 'failed',
  // A role that may not do one thing may do another: only an interface that is switched off concerns them all.
  forbidden: (error) => (isNotActivated(error) ? 'failed' : 'connected'),
  network: () => 'failed',
  timeout: () => 'failed',
  tls: () => 'failed',
  redirect: () => 'failed',
  // A service of which one record is odd is there all the same.
  notJson: ({ field }) => (field === undefined ? 'failed' : 'connected'),
  // A gateway answers these in the service's place.
  server: (error) => ([502, 503, 504].includes(error.status ?? 0) ? 'failed' : 'connected'),
  notFound: () => 'connected',
  // Without an answer it was refused before it was sent: for what was asked, or because no request can be made at all (a proxy's address).
  invalid: (error) => (error.status !== undefined ? 'connected' : error.operation === 'connect' ? 'failed' : 'nothing'),
  rateLimited: () => 'connected',
  aborted: () => 'nothing',
};

/** True where the site answers, but its REST interface is switched off. */
export function isNotActivated(error: ApiError): boolean {
  return error.kind === 'forbidden' && /not activated/i.test(error.serverMessage ?? '');
}

/** The state of a connection after an operation on it. An error that isn't an `ApiError` is our own, and tells nothing of it. */
export function stateAfter(state: ConnectionState, outcome: Outcome): ConnectionState {
  if (outcome.ok) return { kind: 'connected' };
  const { error } = outcome;
  if (!isApiError(error)) return state;
  const verdict = verdicts[error.kind](error);
  if (verdict === 'nothing') return state;
  return verdict === 'connected' ? { kind: 'connected' } : { kind: 'failed', error };
}

/** True where nothing that is shown differs. */
export function sameState(one: ConnectionState, other: ConnectionState): boolean {
  if (one.kind !== 'failed' || other.kind !== 'failed') return one.kind === other.kind;
  return one.error.kind === other.error.kind && one.error.status === other.error.status && one.error.message === other.error.message;
}
