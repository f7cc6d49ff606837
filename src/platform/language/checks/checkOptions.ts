import * as vscode from 'vscode';
import type { CheckOptions, Severity } from '../../../email/checks/index.ts';
import type { Connections } from '../../connections/connections.ts';
import { getComposingProfile } from '../../connections/model.ts';
import { TagContext } from '../tags/tagContext.ts';

const ruleSeverities: ReadonlySet<unknown> = new Set(['off', 'hint', 'info', 'warning', 'error']);
const isSeverity = (value: unknown): value is Severity | 'off' => ruleSeverities.has(value);

const getEntries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Returns whether emails are checked while they are edited. */
export const isCheckingEnabled = (uri?: vscode.Uri): boolean =>
  vscode.workspace.getConfiguration('mailing', uri).get('checks.enabled', true);

/** Returns the check options for a document, from its connection and the user's settings. */
export function getCheckOptions(
  connections: Connections,
  uri: vscode.Uri,
  tags = new TagContext(connections),
): CheckOptions {
  const settings = vscode.workspace.getConfiguration('mailing.checks', uri);
  const connection = uri.scheme === 'mailing' ? connections.get(uri.authority) : undefined;
  const clients = settings.get<unknown>('clients');
  const shares = getEntries(settings.get('clientShares')).filter(([, share]) => typeof share === 'number');
  const rules = getEntries(settings.get('rules')).filter(([, severity]) => isSeverity(severity));
  return {
    clients: Array.isArray(clients) ? clients.filter((client) => typeof client === 'string') : [],
    rules: Object.fromEntries(rules) as Record<string, Severity | 'off'>,
    shares: Object.fromEntries(shares) as Record<string, number>,
    ...(connection && {
      profile: getComposingProfile(connection),
      language: tags.language(uri),
      fields: tags.fields(uri),
    }),
  };
}
