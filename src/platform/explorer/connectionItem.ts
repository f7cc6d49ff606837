import { isApiError } from '../../service/client/guards.ts';
import { profileLabels, type Connection, type ConnectionState } from '../connections/model.ts';
import { joinParts } from '../ui/format.ts';
import { errorText } from '../ui/errors.ts';

/** The display of a connection's state. */
export interface StateItem {
  readonly codicon: string;
  /** Id of a theme color. */
  readonly color?: string;
  /** Shown beside the name; empty if the state is unknown. */
  readonly label: string;
  /** Suffix of `mailing.connection.`, for `when` clauses. */
  readonly context: string;
  /** How to fix it, for the tooltip. */
  readonly remedy?: string;
}

const keyRemedy = 'Set the API key with the button beside the name.';
const testRemedy = 'Test the connection with the button beside the name.';
const failedState = { color: 'list.errorForeground', context: 'failed', remedy: testRemedy } as const;
const keyRefusedState = { ...failedState, context: 'keyRefused', remedy: keyRemedy } as const;
const stateItems: Readonly<Record<Exclude<ConnectionState['kind'], 'failed'>, StateItem>> = {
  unknown: { codicon: 'globe', label: '', context: 'unknown' },
  connected: { codicon: 'globe', color: 'charts.green', label: 'connected', context: 'connected' },
  keyMissing: {
    codicon: 'key',
    color: 'list.warningForeground',
    label: 'key missing',
    context: 'keyMissing',
    remedy: keyRemedy,
  },
};

export function getStateItem(state: ConnectionState, sandbox: boolean): StateItem {
  if (state.kind === 'failed') {
    const { icon: codicon, stateText: label } = state.error.info;
    return { codicon, label, ...(needsNewKey(state.error) ? keyRefusedState : failedState) };
  }
  const item = stateItems[state.kind];
  return sandbox && state.kind !== 'keyMissing' ? { ...item, codicon: 'beaker' } : item;
}

/** Returns whether another API key would fix the error. */
export function needsNewKey(error: unknown): boolean {
  return isApiError(error) && error.info.buttons[0] === 'setApiKey';
}

/**
 * Returns the text beside the connection's name. The side bar is narrow, so problems come first. The sandbox's address
 * is omitted.
 */
export function describeConnection(connection: Connection, state: ConnectionState): string {
  const { label, remedy } = getStateItem(state, connection.sandbox === true);
  const place = connection.sandbox ? 'sandbox' : getHost(connection.baseUrl);
  return joinParts(remedy === undefined ? [place, label] : [label, place]);
}

export function getConnectionTooltip(
  connection: Connection,
  state: ConnectionState,
): readonly (readonly [name: string, value: string])[] {
  const { label, remedy } = getStateItem(state, connection.sandbox === true);
  return [
    ['Name', connection.name],
    ['Address', connection.baseUrl],
    ['Profile', profileLabels[connection.profile]],
    ['Sends emails', connection.composing === undefined ? '' : `as ${profileLabels[connection.composing]} does`],
    ['State', label || 'not asked yet'],
    ['Cause', state.kind === 'failed' ? errorText(state.error) : ''],
    ['To do', remedy ?? ''],
  ];
}

function getHost(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
}
