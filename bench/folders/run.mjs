// Measures the state of 500 mapped templates during a refresh, compared with the bare requests, reading the files, and hashing all texts.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import { RevisionStore, StateFiles } from '../../src/sync/push/revisions.ts';
import { LockFile } from '../../src/sync/push/lock.ts';
import { NodeFiles } from '../../src/sync/files.ts';
import { Sync } from '../../src/sync/push/sync.ts';
import { TemplateFolder } from '../../src/sync/mapping/folder.ts';
import { templateDocuments } from '../../src/features/templates/documents.ts';
import { readPages, templateLayout } from '../../src/sync/mapping/templateLayout.ts';
import { median, timed } from '../support.mjs';

const templates = 500;
/** The arguments of the list of templates. */
const pageSize = 100;
/** Every nth template differs from the service. */
const changedEvery = 10;
const rounds = 25;
const warmUp = 5;
const lockName = 'mailing.lock.json';
const connection = 'production';

export async function measure() {
  const service = await startService();
  const root = makeScratch();
  const client = new MailingClient(service);
  const dispatcher = new Agent();
  try {
    const ids = await write(client, root);
    const targets = ids.map((id) => ({
      template: { folder: `emails/t${id}`, ids: { [connection]: id }, range: { start: 0, end: 0 } },
      connection,
      id,
    }));
    const open = () => openSync(root, client);
    const window = open();
    await writeLock(window, targets, join(root, lockName));
    for (const { template } of targets.filter(isChanged))
      writeFileSync(join(root, template.folder, 'body.html'), 'Changed.');
    const paths = targets.flatMap(({ template }) => [...window.folder.paths(template)]);
    /** @type {Record<'again' | 'opened' | 'compared' | 'bare' | 'hashed', number[]>} */
    const times = { again: [], opened: [], compared: [], bare: [], hashed: [] };
    for (let round = 0; round < rounds; round += 1) {
      times.again.push(await timed(() => window.sync.refresh(targets)));
      check(window.sync, targets);
      await window.sync.whenStored();
      times.bare.push(await timed(() => bare(service, dispatcher, root, paths)));
      const { sync } = open();
      times.opened.push(await timed(() => sync.refresh(targets)));
      check(sync, targets);
      await sync.whenStored();
      times.compared.push(await timed(() => window.sync.compareAgain(targets)));
      times.hashed.push(await timed(() => hashed(root, paths)));
    }
    const [again, opened, compared, floor, files] = [
      times.again,
      times.opened,
      times.compared,
      times.bare,
      times.hashed,
    ].map((all) => median(all.slice(warmUp)));
    return {
      title: `State of ${templates} mapped templates (floors: bare requests, reading and hashing files; reading and hashing files)`,
      rows: [
        ['refreshed', again, floor, again / floor, 'ms'],
        ['in a new window', opened, floor, opened / floor, 'ms'],
        ['after a change of a file', compared, files, compared / files, 'ms'],
      ],
    };
  } finally {
    removeScratch(root);
    await client.close();
    await dispatcher.close();
    service.child.disconnect();
  }
}

async function startService() {
  const child = fork(new URL('./service.mjs', import.meta.url), [String(templates)]);
  const [{ baseUrl, apiKey }] = await once(child, 'message');
  return { child, baseUrl, apiKey };
}

/** Writes the folders of all templates with the service's texts. */
async function write(client, root) {
  const { folder } = openSync(root, client);
  /** @type {number[]} */ const ids = [];
  /** @type {Promise<unknown>[]} */ const writes = [];
  await readAll(client, async (id, texts) => {
    ids.push(id);
    mkdirSync(join(root, `emails/t${id}`), { recursive: true });
    writes.push(folder.write({ folder: `emails/t${id}`, ids: {}, range: { start: 0, end: 0 } }, texts, {}));
    return false;
  });
  await Promise.all(writes);
  if (ids.length !== templates) throw new Error('The service has another number of templates.');
  return ids;
}

/** Writes a lock whose base is equal on both sides. */
async function writeLock({ sync, lock }, targets, path) {
  await sync.refresh(targets);
  const first = await lock.read();
  const { mergeBase } = await import('../../src/sync/fields/fields.ts');
  const text = targets
    .reduce((all, target) => {
      const { comparison } = sync.getStatus(target);
      return all.with(target.template.folder, connection, mergeBase({}, comparison.local, comparison.remote));
    }, first)
    .toString();
  writeFileSync(path, text);
}

/** Opens the sync of a folder on disk, as a new window does. */
function openSync(root, client) {
  const files = new NodeFiles(root);
  const folder = new TemplateFolder(files, templateLayout, () => []);
  const lock = new LockFile(files);
  const revisions = new RevisionStore(new StateFiles(join(root, '.history')), () => 'service');
  const rejectRequest = () => Promise.reject(new Error("This measurement doesn't read single templates or write."));
  const remote = {
    read: rejectRequest,
    store: rejectRequest,
    readAll: (_, onTemplate, signal) => readAll(client, onTemplate, signal),
  };
  return { sync: new Sync({ folder, remote, lock, revisions, merge: rejectRequest }), folder, lock };
}

/** Reads all templates page by page, as the extension does. */
function readAll(client, onTemplate, signal) {
  return readPages(templateDocuments.list(client, { signal }), onTemplate);
}

function isChanged(_, index) {
  return index % changedEvery === 0;
}

/** Throws if a template has another status than expected. */
function check(sync, targets) {
  for (const [index, target] of targets.entries()) {
    const status = sync.getStatus(target);
    const found = status?.kind === 'compared' ? JSON.stringify([...status.comparison.changes]) : status?.kind;
    if (found !== (isChanged(target, index) ? '[["body","push"]]' : '[]'))
      throw new Error(`Template ${target.id} has the status ${found}.`);
  }
}

/** Makes the same requests in a row, reads the same files meanwhile, and hashes everything. */
async function bare(service, dispatcher, root, paths) {
  const files = hashed(root, paths);
  for (let offset = 0; offset < templates; offset += pageSize) {
    const url = `${service.baseUrl}/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=getTemplates&limit=${pageSize}&offset=${offset}`;
    const answer = await request(url, { dispatcher, headers: { 'Api-Key': service.apiKey } });
    for (const record of await answer.body.json()) {
      for (const field of ['body', 'stylesheet', ...templateLayout.details.fields]) hash(record[field] ?? '');
    }
  }
  await files;
}

async function hashed(root, paths) {
  await Promise.all(paths.map(async (path) => hash(await readFile(join(root, path), 'utf8'))));
}

function hash(text) {
  return createHash('sha256').update(text).digest('base64url');
}
