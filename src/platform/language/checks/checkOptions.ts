import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CheckOptions } from '../../../email/checks/index.ts';
import { createCustomFields, readTagLanguage, type TagLanguage } from '../../../email/tags/index.ts';
import type { JsonObject } from '../../../service/client/shapes.ts';
import { severitySchema, type CheckSettings } from '../../../sync/checkSettings.ts';
import { readMapping } from '../../../sync/mapping.ts';
import { mappingName } from '../../../sync/paths.ts';
import type { Connections } from '../../connections/connections.ts';
import { getComposingProfile } from '../../connections/model.ts';

/** Returns the valid entries of a setting. */
const readEntries = <Value>(setting: JsonObject | null | undefined, schema: v.GenericSchema<Value>) =>
  Object.fromEntries(
    Object.entries(setting ?? {}).flatMap(([key, value]) => (v.is(schema, value) ? [[key, value] as const] : [])),
  );

const tagLanguages = new WeakMap<object, TagLanguage>();

/** Returns the tag language of a document's connection. */
export function getTagLanguage(connections: Connections, { authority }: vscode.Uri): TagLanguage {
  const tags = connections.get(authority)?.tags ?? 'acymailing';
  if (typeof tags === 'string') return readTagLanguage(tags);
  const language = tagLanguages.get(tags) ?? readTagLanguage(tags);
  tagLanguages.set(tags, language);
  return language;
}

/** Returns custom fields found in the service's subscribers. */
export const getCustomFields = (connections: Connections, { authority }: vscode.Uri) =>
  createCustomFields(connections.getCustomFieldNames(authority));

/** Returns the checks of the `mailing.json` in a document's folder. For a document of a service: those of the first folder that has any. */
async function readFolderChecks(uri: vscode.Uri): Promise<CheckSettings> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  for (const { uri: root } of folder ? [folder] : (vscode.workspace.workspaceFolders ?? [])) {
    const bytes = await Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.joinPath(root, mappingName))).catch(
      () => undefined,
    );
    const { checks } = readMapping(new TextDecoder().decode(bytes ?? new TextEncoder().encode('{}')));
    if (Object.keys(checks).length > 0) return checks;
  }
  return {};
}

/** Returns the check options for a document, from its connection, the user's settings and `mailing.json`. */
export async function getCheckOptions(connections: Connections, uri: vscode.Uri): Promise<CheckOptions> {
  const own = await readFolderChecks(uri);
  const settings = vscode.workspace.getConfiguration('mailing.checks', uri);
  const connection = uri.scheme === 'mailing' ? connections.get(uri.authority) : undefined;
  const clients = Object.values(readEntries(settings.get('clients'), v.string()));
  const { globalValue, workspaceValue, workspaceFolderValue } = settings.inspect('clients') ?? {};
  // The default clients don't replace those of the folder.
  const isDefault = [globalValue, workspaceValue, workspaceFolderValue].every((value) => value === undefined);
  return {
    clients: clients.length > 0 && !(isDefault && own.clients) ? clients : own.clients,
    rules: { ...own.rules, ...readEntries(settings.get('rules'), severitySchema) },
    shares: { ...own.clientShares, ...readEntries(settings.get('clientShares'), v.number()) },
    ...(own.profile && { profile: own.profile }),
    ...(connection && {
      profile: getComposingProfile(connection),
      language: getTagLanguage(connections, uri),
      fields: getCustomFields(connections, uri),
    }),
  };
}
