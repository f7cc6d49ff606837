import type { Connection, ConnectionState, ProfileName } from '../connections/model.ts';
import { joinParts } from '../ui/format.ts';
import { errorText } from '../ui/words.ts';

/** How a state of a connection looks. */
export interface StateLook {
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
const keyRefused: StateLook = {
  codicon: 'key',
  color: 'list.errorForeground',
  words: 'key refused',
  context: 'keyRefused',
  remedy: keyRemedy,
};

const looks: Readonly<Record<Exclude<ConnectionState['kind'], 'failed'>, StateLook>> = {
  unknown: { codicon: 'globe', words: '', context: 'unknown' },
  connected: { codicon: 'globe', color: 'charts.green', words: 'connected', context: 'connected' },
  keyMissing: { codicon: 'key', color: 'list.warningForeground', words: 'key missing', context: 'keyMissing', remedy: keyRemedy },
};

/** Failures that say more than "unreachable". */
const failures = new Map<string, StateLook>([
  ['unauthorized', keyRefused],
  ['forbidden', failed('access refused')],
  ['tls', failed('certificate not trusted')],
  ['redirect', failed('moved')],
  ['notJson', failed('no mailing service there')],
]);

const profileNames: Readonly<Record<ProfileName, string>> = { documented: 'as documented', acymailing: 'AcyMailing' };

export function stateLook(state: ConnectionState, sandbox: boolean): StateLook {
  if (state.kind === 'failed') return failures.get(state.error.kind) ?? failed('unreachable');
  const look = looks[state.kind];
  return sandbox && state.kind !== 'keyMissing' ? { ...look, codicon: 'beaker' } : look;
}

/**
 * What stands beside the connection's name. The side bar is narrow: what is wrong comes first. The sandbox's address is of no use to
 * anybody.
 */
export function describeConnection(connection: Connection, state: ConnectionState): string {
  const { words, remedy } = stateLook(state, connection.sandbox === true);
  const place = connection.sandbox ? 'sandbox' : hostOf(connection.baseUrl);
  return joinParts(remedy === undefined ? [place, words] : [words, place]);
}

export function connectionTooltip(connection: Connection, state: ConnectionState): readonly (readonly [name: string, value: string])[] {
  const { words, remedy } = stateLook(state, connection.sandbox === true);
  return [
    ['Name', connection.name],
    ['Address', connection.baseUrl],
    ['Profile', profileNames[connection.profile]],
    ['State', words || 'not asked yet'],
    ['Cause', state.kind === 'failed' ? errorText(state.error) : ''],
    ['To do', remedy ?? ''],
  ];
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
}

function failed(words: string): StateLook {
  return {
    codicon: 'debug-disconnect',
    color: 'list.errorForeground',
    words,
    context: 'failed',
    remedy: 'Test the connection with the button beside the name.',
  };
}
