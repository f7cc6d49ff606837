import { isApiError } from '../../service/client/guards.ts';
import type { Connection, ConnectionState, ProfileName } from '../connections/model.ts';
import { joinParts } from '../ui/format.ts';
import { errorText } from '../ui/errors.ts';

/** What the tree shows of a connection's state. */
export interface StateItem {
  readonly codicon: string;
  /** Id of a theme colour. */
  readonly color?: string;
  /** Shown beside the name; nothing where nothing is known. */
  readonly words: string;
  /** Ends `mailing.connection.`, for `when` clauses. */
  readonly context: string;
  /** What mends it, for the tooltip. */
  readonly remedy?: string;
}

const keyRemedy = 'Set the API key with the button beside the name.';
const testRemedy = 'Test the connection with the button beside the name.';
const failed = { color: 'list.errorForeground', context: 'failed', remedy: testRemedy } as const;
const keyRefused = { ...failed, context: 'keyRefused', remedy: keyRemedy } as const;
const known: Readonly<Record<Exclude<ConnectionState['kind'], 'failed'>, StateItem>> = {
  unknown: { codicon: 'globe', words: '', context: 'unknown' },
  connected: { codicon: 'globe', color: 'charts.green', words: 'connected', context: 'connected' },
  keyMissing: {
    codicon: 'key',
    color: 'list.warningForeground',
    words: 'key missing',
    context: 'keyMissing',
    remedy: keyRemedy,
  },
};

const profileNames: Readonly<Record<ProfileName, string>> = { documented: 'as documented', acymailing: 'AcyMailing' };

export function stateItem(state: ConnectionState, sandbox: boolean): StateItem {
  if (state.kind === 'failed') {
    const { icon: codicon, stateText: words } = state.error.info;
    return { codicon, words, ...(isAboutKey(state.error) ? keyRefused : failed) };
  }
  const item = known[state.kind];
  return sandbox && state.kind !== 'keyMissing' ? { ...item, codicon: 'beaker' } : item;
}

/** True where another API key is what helps. */
export function isAboutKey(error: unknown): boolean {
  return isApiError(error) && error.info.buttons[0] === 'setApiKey';
}

/**
 * What stands beside the connection's name. The side bar is narrow: what is wrong comes first. The sandbox's address is of no use to
 * anybody.
 */
export function describeConnection(connection: Connection, state: ConnectionState): string {
  const { words, remedy } = stateItem(state, connection.sandbox === true);
  const place = connection.sandbox ? 'sandbox' : hostOf(connection.baseUrl);
  return joinParts(remedy === undefined ? [place, words] : [words, place]);
}

export function connectionTooltip(
  connection: Connection,
  state: ConnectionState,
): readonly (readonly [name: string, value: string])[] {
  const { words, remedy } = stateItem(state, connection.sandbox === true);
  return [
    ['Name', connection.name],
    ['Address', connection.baseUrl],
    ['Profile', profileNames[connection.profile]],
    ['Sends emails', connection.composing === undefined ? '' : `as ${profileNames[connection.composing]} does`],
    ['State', words || 'not asked yet'],
    ['Cause', state.kind === 'failed' ? errorText(state.error) : ''],
    ['To do', remedy ?? ''],
  ];
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
}
