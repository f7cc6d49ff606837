import type { ApiError } from '../../service/client/errors.ts';
import { REDACTED } from '../../service/client/redact.ts';

/** Actions offered when connecting fails. */
export type Fix = 'retry' | 'takeRedirect' | 'editConnection' | 'setApiKey' | 'saveAnyway';

/** Returns the actions for a failed connection, the most likely one first. */
export function listFixes({ info, kind, location }: ApiError, usesProxy: boolean): readonly Fix[] {
  const likelyFix = info.setupFix ?? info.buttons[0];
  // The network also fails if the proxy does, which no change of the address fixes.
  const isProxyProblem = usesProxy && kind === 'network';
  // A redirect that contains the key was redacted and can't be used.
  const canTakeRedirect = location !== undefined && !location.includes(REDACTED);
  const fixes = new Set<Fix>(canTakeRedirect ? ['takeRedirect'] : []);
  if (likelyFix === 'setApiKey' || (likelyFix === 'editConnection' && !isProxyProblem)) fixes.add(likelyFix);
  return [...fixes.add('retry').add('editConnection').add('setApiKey').add('saveAnyway')];
}
