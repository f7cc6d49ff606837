import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CheckOptions } from '../../../email/checks/index.ts';
import { createCustomFields, readTagLanguage, type TagLanguage } from '../../../email/tags/index.ts';
import type { JsonObject } from '../../../service/client/shapes.ts';
import { severitySchema } from '../../../sync/mapping/checkSettings.ts';
import type { SentOptions } from '../../../email/sent/index.ts';
import type { FindImages } from '../../../sync/mapping/assets.ts';
import { getEmailFiles, getProfile, getSentOptions, withPublicImages } from '../../../sync/mapping/mappedEmails.ts';
import { createEmail, type EmailTexts } from '../../../sync/mapping/placedFindings.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { getComposingProfile } from '../../../platform/connections/model.ts';
import type { ExtensionServices } from '../../services.ts';
import { findMapping, type LocalMail, type MailDocuments } from '../mailDocuments.ts';

/** Returns the valid entries of a setting. */
const readEntries = <Value>(setting: JsonObject | null | undefined, schema: v.GenericSchema<Value>) =>
  Object.fromEntries(
    Object.entries(setting ?? {}).flatMap(([key, value]) => (v.is(schema, value) ? [[key, value] as const] : [])),
  );

const tagLanguages = new WeakMap<object, TagLanguage>();

/** Returns the tag language of a document's connection. */
export function getTagLanguage(connections: Connections, { authority }: Pick<vscode.Uri, 'authority'>): TagLanguage {
  const tags = connections.get(authority)?.tags ?? 'acymailing';
  if (typeof tags === 'string') return readTagLanguage(tags);
  const language = tagLanguages.get(tags) ?? readTagLanguage(tags);
  tagLanguages.set(tags, language);
  return language;
}

/** Returns custom fields found in the service's subscribers. */
export const getCustomFields = (connections: Connections, { authority }: Pick<vscode.Uri, 'authority'>) =>
  createCustomFields(connections.getCustomFieldNames(authority), connections.getNamekeys(authority));

/** Prepares the texts of an email for its checks, and for composing it as its service does. */
export async function prepareEmail(
  { connections, worker }: Pick<ExtensionServices, 'connections' | 'worker'>,
  { local, uris: { body } }: MailDocuments,
  texts: EmailTexts,
) {
  const { template, mapping } = local ?? {};
  const running = await worker();
  const findImages: FindImages = (text, format) => running.run('images', { text, format });
  const sources =
    mapping && template ? await withPublicImages(texts, getEmailFiles(template), mapping.assets, findImages) : texts;
  const options = await getCheckOptions(connections, body, texts.body?.text, local);
  const sending: SentOptions = mapping
    ? { editorStylesheet: options.editorStylesheet, cms: options.cms, ...getSentOptions(mapping, template) }
    : await connections.getSending(body.authority, texts.body?.text);
  return { ...createEmail(sources), sources, options, sending, findImages };
}

/** Returns the check options for a document, from its connection, the user's settings and `mailing.json`. */
export async function getCheckOptions(
  connections: Connections,
  uri: vscode.Uri,
  body?: string,
  local?: LocalMail,
): Promise<CheckOptions> {
  const mapping = local?.mapping ?? (await findMapping(uri));
  const own = mapping.checks;
  const settings = vscode.workspace.getConfiguration('mailing.checks', uri);
  const [id = ''] = uri.scheme === 'mailing' ? [uri.authority] : Object.keys(local?.template?.ids ?? {});
  const connection = connections.get(id);
  const { editorStylesheet, cms } = await connections.getSending(id, body);
  const ownProfile = getProfile(mapping, local?.template);
  const clients = Object.values(readEntries(settings.get('clients'), v.string()));
  const { globalValue, workspaceValue, workspaceFolderValue } = settings.inspect('clients') ?? {};
  // The default clients don't replace those of the folder.
  const isDefault = [globalValue, workspaceValue, workspaceFolderValue].every((value) => value === undefined);
  return {
    clients: clients.length > 0 && !(isDefault && own.clients) ? clients : own.clients,
    rules: { ...own.rules, ...readEntries(settings.get('rules'), severitySchema) },
    shares: { ...own.clientShares, ...readEntries(settings.get('clientShares'), v.number()) },
    editorStylesheet,
    cms,
    ...(ownProfile && { profile: ownProfile }),
    ...(connection && {
      // For files, the command line must find the same.
      ...(!(local && ownProfile) && { profile: getComposingProfile(connection) }),
      language: getTagLanguage(connections, { authority: id }),
      fields: getCustomFields(connections, { authority: id }),
    }),
  };
}
