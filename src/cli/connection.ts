import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import * as v from 'valibot';
import { findImageAddresses } from '../email/checks/images.ts';
import { sendsKeyUnencrypted } from '../service/client/address.ts';
import { MailingClient, normalizeBaseUrl, paginate, probe, type ProfileName } from '../service/client/index.ts';
import { isObject, type Row } from '../service/client/shapes.ts';
import { profileSchema } from '../sync/mapping/checkSettings.ts';
import { findDifferent } from '../sync/fields/fields.ts';
import type { Files } from '../sync/files.ts';
import { TemplateFolder } from '../sync/mapping/folder.ts';
import { readMapping, type Mapping } from '../sync/mapping/mapping.ts';
import { mappingName } from '../sync/paths.ts';
import { getTemplateLockReason, readPages, readTemplateTexts, templateLayout } from '../sync/mapping/templateLayout.ts';
import type { RemoteTemplates } from '../sync/push/sync.ts';
import { updateOnce } from '../sync/requests/updateOnce.ts';
import { CommandError } from './output.ts';
import { requireFolder, resolveCommit, runGit, type Workspace } from './workspace.ts';

export interface ConnectionOptions {
  readonly connection?: string;
  readonly url?: string;
  readonly trustedRef?: string;
  /** Whether an agent uses the connection. */
  readonly isForAgent?: boolean;
}

/** The address of a service, which may get the key of its connection. */
export interface ServiceAddress {
  readonly id: string;
  readonly baseUrl: string;
  readonly profile: ProfileName | undefined;
}

/** A service, with the client that has its key. */
export interface ServiceConnection extends ServiceAddress {
  readonly profile: ProfileName;
  readonly client: MailingClient;
}

/** Connects to the service of mapped templates. @throws `CommandError` or `ApiError` */
export async function connect(workspace: Workspace, options: ConnectionOptions): Promise<ServiceConnection> {
  const ids = new Set(workspace.mapping.templates.flatMap((template) => Object.keys(template.ids)));
  const [id = '', ...others] = options.connection === undefined ? ids : [options.connection];
  if (others.length > 0 || !ids.has(id))
    throw new CommandError(
      options.connection === undefined
        ? 'mailing.json has no or several connections.'
        : `mailing.json maps nothing to "${id}".`,
      `Name one with --connection: ${[...ids].join(', ')}.`,
    );
  return openService(await findAddress(workspace, id, options));
}

/** Returns the address of a service. @throws `CommandError` if there is none that a key may be sent to */
export async function findAddress(
  workspace: Workspace,
  id: string,
  options: ConnectionOptions,
): Promise<ServiceAddress> {
  const { mapping } = workspace;
  const folder = requireFolder(workspace);
  const settings = await readSettings(folder, id);
  if (options.isForAgent === true && settings['agents'] === false)
    throw new CommandError(`"${id}" is hidden from agents.`, 'Change "agents" in .vscode/settings.json to show it.');
  const address = options.url ?? mapping.connections[id]?.baseUrl ?? settings['baseUrl'];
  if (typeof address !== 'string')
    throw new CommandError(`There is no address of "${id}".`, 'Set its "baseUrl" in mailing.json, or use --url.');
  const baseUrl = normalizeBaseUrl(address);
  if (sendsKeyUnencrypted(baseUrl))
    throw new CommandError(
      `The key isn't sent to ${baseUrl} without encryption.`,
      'Use an address that begins with https://.',
    );
  if (options.trustedRef !== undefined) await checkTrusted(folder, id, baseUrl, options.trustedRef);
  const profile = mapping.connections[id]?.profile ?? settings['profile'];
  return { id, baseUrl, profile: v.is(profileSchema, profile) ? profile : undefined };
}

/** Creates the client of a service. The key comes from the environment only. @throws `CommandError` or `ApiError` */
export async function openService({ id, baseUrl, profile }: ServiceAddress): Promise<ServiceConnection> {
  const name = `MAILING_API_KEY_${id.toUpperCase().replace(/[^A-Z0-9]+/gu, '_')}`;
  const apiKey = process.env[name] || process.env['MAILING_API_KEY'];
  if (!apiKey)
    throw new CommandError(`There is no key for "${id}".`, `Set the environment variable ${name} or MAILING_API_KEY.`);
  const used = profile ?? (await probe({ baseUrl, apiKey })).profile;
  return { id, baseUrl, profile: used, client: new MailingClient({ baseUrl, apiKey, profile: used }) };
}

/** Returns the entry of a connection in the settings of the workspace. */
async function readSettings(folder: string, id: string): Promise<Row> {
  const text = await readFile(join(folder, '.vscode', 'settings.json'), 'utf8').catch(() => '');
  const settings: unknown = parse(text);
  const entries = isObject(settings) ? settings['mailing.connections'] : undefined;
  return (Array.isArray(entries) ? entries.filter(isObject) : []).find((entry) => entry['id'] === id) ?? {};
}

/** @throws `CommandError` if another address is committed, so that a pull request can't send the key elsewhere */
async function checkTrusted(folder: string, id: string, baseUrl: string, revision: string) {
  const commit = await resolveCommit(folder, revision);
  const trusted = readMapping(await runGit(folder, ['show', `${commit}:./${mappingName}`])).connections[id]?.baseUrl;
  if (trusted === undefined || normalizeBaseUrl(trusted) !== baseUrl)
    throw new CommandError(
      `${baseUrl} isn't the address of "${id}" in mailing.json on ${revision}. The key wasn't sent.`,
      'Merge the change of the address first.',
    );
}

/** Opens the files of mapped templates. */
export function openFolder(files: Files, { assets }: Mapping): TemplateFolder {
  return new TemplateFolder(
    files,
    templateLayout,
    () => assets,
    async (text, format) => findImageAddresses(text, format),
  );
}

/** Returns the templates of a service. Writes are sent once. */
export function createRemote(client: MailingClient): RemoteTemplates {
  const read = async (id: number, signal?: AbortSignal) =>
    readTemplateTexts(await client.getOneTemplate(id, { signal }));
  return {
    read: ({ id }, signal) => read(id, signal),
    readAll: (_, onTemplate, signal) =>
      readPages(
        paginate((page) => client.getTemplates(page, { signal }), { signal }),
        onTemplate,
      ),
    store: async ({ id }, decide) => {
      const template = await client.getOneTemplate(id);
      const reason = getTemplateLockReason(template);
      if (reason !== undefined) throw new Error(reason);
      const before = readTemplateTexts(template);
      const fields = await decide(before);
      if (fields === undefined) return { after: before };
      return updateOnce(
        () => client.updateTemplate({ templateId: id, ...fields }),
        () => read(id),
        (after) => findDifferent(fields, after).length === 0,
      );
    },
  };
}
