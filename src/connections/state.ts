import { isApiError } from '../api/recognized.ts';
import type { ConnectionState } from './model.ts';

/** How an operation on a connection ended. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** The state of a connection after an operation on it. An error that isn't an `ApiError` is our own, and tells nothing of it. */
export function stateAfter(state: ConnectionState, outcome: Outcome): ConnectionState {
  if (outcome.ok) return { kind: 'connected' };
  const { error } = outcome;
  if (!isApiError(error)) return state;
  const { connection } = error.meaning;
  if (connection === 'nothing') return state;
  return connection === 'connected' ? { kind: 'connected' } : { kind: 'failed', error };
}

/** True where nothing that is shown differs. */
export function sameState(one: ConnectionState, other: ConnectionState): boolean {
  if (one.kind !== 'failed' || other.kind !== 'failed') return one.kind === other.kind;
  return one.error.kind === other.error.kind && one.error.status === other.error.status && one.error.message === other.error.message;
}
