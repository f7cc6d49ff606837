import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CheckOptions } from '../../../email/checks/index.ts';
import { createCustomFields, readTagLanguage, type TagLanguage } from '../../../email/tags/index.ts';
import type { JsonObject } from '../../../service/client/shapes.ts';
import type { Connections } from '../../connections/connections.ts';
import { getComposingProfile } from '../../connections/model.ts';

const severitySetting = v.picklist(['off', 'hint', 'info', 'warning', 'error']);

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

/** Returns the check options for a document, from its connection and the user's settings. */
export function getCheckOptions(connections: Connections, uri: vscode.Uri): CheckOptions {
  const settings = vscode.workspace.getConfiguration('mailing.checks', uri);
  const connection = uri.scheme === 'mailing' ? connections.get(uri.authority) : undefined;
  return {
    clients: Object.values(readEntries(settings.get('clients'), v.string())),
    rules: readEntries(settings.get('rules'), severitySetting),
    shares: readEntries(settings.get('clientShares'), v.number()),
    ...(connection && {
      profile: getComposingProfile(connection),
      language: getTagLanguage(connections, uri),
      fields: getCustomFields(connections, uri),
    }),
  };
}
