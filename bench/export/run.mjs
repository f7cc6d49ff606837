// Measures the time and memory of exporting 50,000 subscribers to a CSV file, compared with a bare loop of the same requests.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import { paginatePages } from '../../src/service/client/paginate.ts';
import { subscriberColumns } from '../../src/features/subscriptions/model.ts';
import { createFileDraft, writeRecords } from '../../src/ui/export/write.ts';
import { growth, median, timed } from '../support.mjs';

const subscribers = 50_000;
/** A fifth of the subscribers, to measure whether memory depends on their number. */
const fewer = 10_000;
const pageSize = 500;
const rounds = 9;
const warmUp = 2;
/** The list with all subscribers. */
const list = 6;

export async function measure() {
  const many = await startService(subscribers);
  const few = await startService(fewer);
  const folder = makeScratch();
  try {
    /** @type {number[]} */ const exports = [];
    /** @type {number[]} */ const bare = [];
    for (let round = 0; round < rounds; round += 1) {
      exports.push(await timed(() => exportAll(many, join(folder, 'all.csv'))));
      bare.push(await timed(() => requestAll(many)));
    }
    if (statSync(join(folder, 'all.csv')).size < subscribers * 30)
      throw new Error('The file is too small to hold all subscribers.');
    const growths = { many: [], few: [] };
    for (let round = 0; round < 3; round += 1) {
      growths.many.push(await growth(() => exportAll(many, join(folder, 'all.csv'))));
      growths.few.push(await growth(() => exportAll(few, join(folder, 'few.csv'))));
    }
    const [own, floor] = [median(exports.slice(warmUp)), median(bare.slice(warmUp))];
    const [ofMany, ofFew] = [median(growths.many), median(growths.few)];
    return {
      title: 'Export to CSV (floors: bare requests; the memory for a fifth of the subscribers)',
      rows: [
        [`${subscribers.toLocaleString('en')} subscribers`, own, floor, own / floor, 'ms'],
        ['peak growth of memory in use', ofMany, ofFew, ofMany / ofFew, 'MB'],
      ],
    };
  } finally {
    removeScratch(folder);
    for (const { child } of [many, few]) child.disconnect();
  }
}

async function startService(count) {
  const child = fork(new URL('./service.mjs', import.meta.url), [String(count)]);
  const [{ baseUrl, apiKey }] = await once(child, 'message');
  return { child, baseUrl, apiKey };
}

/** Runs the command without its prompts. */
async function exportAll({ baseUrl, apiKey }, path) {
  const client = new MailingClient({ baseUrl, apiKey });
  try {
    const draft = await createFileDraft(path);
    const fetch = (page, options) => client.getSubscribersFromLists([list], page, options);
    const pages = paginatePages(fetch, { pageSize, prefetch: 2 });
    await writeRecords(draft, pages, { format: 'csv', fields: subscriberColumns().map(({ key }) => key), mark: true });
    await draft.publish();
  } finally {
    await client.close();
  }
}

/** Makes the same requests in a row and parses their JSON. */
async function requestAll({ baseUrl, apiKey }) {
  const dispatcher = new Agent();
  try {
    for (let offset = 0; ;) {
      const url = `${baseUrl}/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=getSubscribersFromLists&listIds[]=${list}&offset=${offset}&limit=${pageSize}`;
      const answer = await request(url, { dispatcher, headers: { 'Api-Key': apiKey } });
      const [records] = await answer.body.json();
      if (records.length === 0) return;
      offset += records.length;
    }
  } finally {
    await dispatcher.close();
  }
}
