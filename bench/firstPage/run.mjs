// Measures reading and preparing the first page of 5,000 templates, compared with the bare request.
import { request, Agent } from 'undici';
import { MailingClient } from '../../src/service/client/index.ts';
import { RecordBranch } from '../../src/platform/explorer/recordBranch.ts';
import { startSandbox } from '../../test/support/sandbox/index.ts';
import { templateTree } from '../../src/features/templates/tree.ts';
import { median, root } from '../support.mjs';

const templates = 5000;
const rounds = 40;
const warmUp = 5;

export async function measure() {
  const sandbox = await startSandbox({ assets: `${root}/media/starters`, templates });
  const client = new MailingClient(sandbox);
  const dispatcher = new Agent();
  try {
    const url = `${sandbox.baseUrl}/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=getTemplates&limit=${templateTree.pageSize}&offset=0`;
    /** @type {number[]} */ const explorer = [];
    /** @type {number[]} */ const bare = [];
    for (let round = 0; round < rounds; round += 1) {
      explorer.push(await timed(() => firstPage(client, sandbox.baseUrl)));
      bare.push(
        await timed(async () => {
          const answer = await request(url, { dispatcher, headers: { 'Api-Key': sandbox.apiKey } });
          await answer.body.json();
        }),
      );
    }
    const [own, floor] = [median(explorer.slice(warmUp)), median(bare.slice(warmUp))];
    return {
      title: 'First page of 5,000 templates (floor: a bare request)',
      rows: [[`${templateTree.pageSize} templates`, own, floor, own / floor, 'ms']],
    };
  } finally {
    await client.close();
    await dispatcher.close();
    await sandbox.close();
  }
}

async function firstPage(client, connection) {
  const branch = new RecordBranch({
    pageSize: templateTree.pageSize,
    fetch: (page, signal) => templateTree.fetch(client, page, {}, { signal }),
    matchesFilter: () => true,
    toItem: (template) => templateTree.item(template, { connection, id: template.id }),
    onChanged: () => undefined,
  });
  await branch.load();
  if (branch.view.items.length !== templateTree.pageSize) throw new Error('The first page is not there.');
  branch.dispose();
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
