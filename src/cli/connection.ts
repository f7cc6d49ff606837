import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getNodeValue, parseTree } from 'jsonc-parser';
import { sendsKeyUnencrypted } from '../service/client/address.ts';
import {
  MailingClient,
  normalizeBaseUrl,
  paginate,
  probe,
  type ProfileName,
  type Template,
} from '../service/client/index.ts';
import { isApiError, isObject } from '../service/client/shapes.ts';
import { findDifferent, type FieldTexts } from '../sync/fields.ts';
import { readFieldTexts } from '../sync/folder.ts';
import { readMapping } from '../sync/mapping.ts';
import { mappingName } from '../sync/paths.ts';
import type { RemoteTemplates } from '../sync/sync.ts';
import { getTemplateLockReason, templateLayout } from '../sync/templateLayout.ts';
import { CommandError } from './output.ts';
import { requireFolder, resolveCommit, runGit, type Workspace } from './workspace.ts';

export interface ConnectionOptions {
  readonly connection?: string;
  readonly url?: string;
  readonly trustedRef?: string;
}

/** A service, with the client that has its key. */
export interface ServiceConnection {
  readonly id: string;
  readonly baseUrl: string;
  readonly profile: ProfileName;
  readonly client: MailingClient;
}

/** Connects to the service of a connection. The key comes from the environment only. @throws `CommandError` or `ApiError` */
export async function connect(workspace: Workspace, options: ConnectionOptions): Promise<ServiceConnection> {
  const { mapping } = workspace;
  const folder = requireFolder(workspace);
  const ids = new Set(mapping.templates.flatMap((template) => Object.keys(template.ids)));
  const [id = '', ...others] = options.connection === undefined ? ids : [options.connection];
  if (others.length > 0 || !ids.has(id))
    throw new CommandError(
      options.connection === undefined
        ? 'mailing.json has no or several connections.'
        : `mailing.json maps nothing to "${id}".`,
      `Name one with --connection: ${[...ids].join(', ')}.`,
    );
  const settings = await readSettings(folder, id);
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
  const name = `MAILING_API_KEY_${id.toUpperCase().replace(/[^A-Z0-9]+/gu, '_')}`;
  const apiKey = process.env[name] || process.env['MAILING_API_KEY'];
  if (!apiKey)
    throw new CommandError(`There is no key for "${id}".`, `Set the environment variable ${name} or MAILING_API_KEY.`);
  const written = mapping.connections[id]?.profile ?? settings['profile'];
  const profile =
    written === 'documented' || written === 'acymailing' ? written : (await probe({ baseUrl, apiKey })).profile;
  return { id, baseUrl, profile, client: new MailingClient({ baseUrl, apiKey, profile }) };
}

/** Returns the entry of a connection in the settings of the workspace. */
async function readSettings(folder: string, id: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(join(folder, '.vscode', 'settings.json'), 'utf8').catch(() => '');
  const root = parseTree(text);
  const settings: unknown = root && getNodeValue(root);
  const entries = isObject(settings) ? settings['mailing.connections'] : undefined;
  return (Array.isArray(entries) ? entries.filter(isObject) : []).find((entry) => entry['id'] === id) ?? {};
}

/** @throws `CommandError` if another address is committed, so that a pull request can't send the key elsewhere */
async function checkTrusted(folder: string, id: string, baseUrl: string, revision: string): Promise<void> {
  const commit = await resolveCommit(folder, revision);
  const trusted = readMapping(await runGit(folder, ['show', `${commit}:./${mappingName}`])).connections[id]?.baseUrl;
  if (trusted === undefined || normalizeBaseUrl(trusted) !== baseUrl)
    throw new CommandError(
      `${baseUrl} isn't the address of "${id}" in mailing.json on ${revision}. The key wasn't sent.`,
      'Merge the change of the address first.',
    );
}

function readTexts(template: Template): FieldTexts {
  const values = new Map<string, unknown>(Object.entries(template));
  return readFieldTexts(templateLayout, (name) => values.get(name));
}

/** Returns the templates of a service. Writes are sent once. */
export function createRemote(client: MailingClient): RemoteTemplates {
  const read = async (id: number, signal?: AbortSignal) => readTexts(await client.getOneTemplate(id, { signal }));
  return {
    read: ({ id }, signal) => read(id, signal),
    readAll: async (_, onTemplate, signal) => {
      const records = paginate((page) => client.getTemplates(page, { signal }), { pageSize: 100, signal });
      for await (const record of records) {
        const isWhole = templateLayout.texts.every(({ field }) => field in record);
        if (await onTemplate(record.id, isWhole ? readTexts(record) : undefined)) return;
      }
    },
    store: async ({ id }, decide) => {
      const template = await client.getOneTemplate(id);
      const reason = getTemplateLockReason(template);
      if (reason !== undefined) throw new Error(reason);
      const decision = await decide(readTexts(template));
      if (decision.fields === undefined) return { decision, after: readTexts(template) };
      try {
        await client.updateTemplate({ templateId: id, ...decision.fields });
      } catch (error) {
        if (!isApiError(error) || error.outcome !== 'unknown') throw error;
        // Only a read that shows the texts confirms that they were stored.
        const after = await read(id).catch(() => undefined);
        if (after === undefined || findDifferent(decision.fields, after).length > 0) throw error;
        return { decision, after };
      }
      try {
        return { decision, after: await read(id) };
      } catch (readBackError) {
        return { decision, readBackError };
      }
    },
  };
}
