import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CheckOptions } from '../../../email/checks/index.ts';
import type { JsonObject } from '../../../service/client/shapes.ts';
import type { Connections } from '../../connections/connections.ts';
import { getComposingProfile } from '../../connections/model.ts';
import { TagContext } from '../tags/tagContext.ts';

const severitySetting = v.picklist(['off', 'hint', 'info', 'warning', 'error']);

/** Returns the valid entries of a setting. */
const readEntries = <Value>(setting: JsonObject | null | undefined, schema: v.GenericSchema<Value>) =>
  Object.fromEntries(
    Object.entries(setting ?? {}).flatMap(([key, value]) => (v.is(schema, value) ? [[key, value] as const] : [])),
  );

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
  return {
    clients: Object.values(readEntries(settings.get('clients'), v.string())),
    rules: readEntries(settings.get('rules'), severitySetting),
    shares: readEntries(settings.get('clientShares'), v.number()),
    ...(connection && {
      profile: getComposingProfile(connection),
      language: tags.language(uri),
      fields: tags.fields(uri),
    }),
  };
}
