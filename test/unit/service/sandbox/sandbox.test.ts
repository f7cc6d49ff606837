import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../support/sandbox/index.ts';
import { NOW, createCaller, getFirstRecord, makeAssets, getRecords } from './support.ts';

const reads = [
  ['getLists'],
  ['getTemplates', 'limit=100'],
  ['getCampaigns'],
  ['getFollowUps'],
  ['getFollowUpById', 'followUpId=1'],
  ['getSubscribersFromLists', 'listIds[]=1&limit=500'],
  ['getUnsubscribedUsersFromLists', 'listIds[]=1&limit=500'],
  ['getUserSubscriptionById', 'userId=1'],
  ['getCampaignStatistics', 'campaignId=1'],
  ['getCampaignStatisticsDetailed', 'campaignId=3&limit=500'],
] as const;

/** Returns all readable data as text. */
async function snapshot(sandbox: Sandbox) {
  const call = createCaller(sandbox);
  const texts: string[] = [];
  for (const [operation, query] of reads) texts.push((await call(operation, query)).text);
  return texts;
}

/** Opens and closes a connection. Rejects if it is refused. */
function reach(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}

describe('sandbox', function () {
  // Reading tens of thousands of records is slow on a busy machine.
  let assets: Awaited<ReturnType<typeof makeAssets>>;
  const running: Sandbox[] = [];
  const start = async (options: Partial<SandboxOptions> = {}) => {
    const sandbox = await startSandbox({ assets: assets.folder, now: () => new Date(NOW), ...options });
    running.push(sandbox);
    return sandbox;
  };
  before(async () => {
    assets = await makeAssets();
  });
  afterEach(() => Promise.all(running.splice(0).map((sandbox) => sandbox.close())));
  after(() => assets.remove());

  it('resets everything to the sample data, which is the same on each start', async () => {
    const [sandbox, other] = [await start(), await start()];
    assert.notEqual(sandbox.apiKey, other.apiKey);
    const call = createCaller(sandbox);
    const before = await snapshot(other);
    assert.deepEqual(await snapshot(sandbox), before);
    await call('updateTemplate', { templateId: 1, subject: 'changed' });
    await call('deleteTemplate', 'templateId=2');
    await call('createList', { name: 'New' });
    await call('deleteList', 'listId=2');
    await call('unsubscribeUsers', { emails: ['test.phone@example.com'], listIds: [1, 6] });
    await call('deleteFollowUp', 'followUpId=1');
    await call('sendCampaign', 'campaignId=7');
    sandbox.clock.advance(30 * 86_400_000);
    sandbox.faults.add({ kind: 'status', status: 503, operation: 'createTemplate' });
    assert.notDeepEqual(await snapshot(sandbox), before);
    sandbox.reset();
    assert.deepEqual([sandbox.outbox.count, sandbox.requests.length], [0, 0]);
    assert.deepEqual(await snapshot(sandbox), before);
    assert.equal((await call('createTemplate', { name: 'x' })).status, 201);
  });
  it('has complete sample data with example domains only', async () => {
    const call = createCaller(await start());
    const users = getRecords((await call('getSubscribersFromLists', 'listIds[]=6&limit=500')).json);
    assert.deepEqual([users.length, new Set(users.map(({ email }) => email)).size], [240, 240]);
    assert.ok(users.every(({ email }) => /^[a-z0-9.]+@example\.(com|org|net)$/.test(String(email))));
    const lists = getRecords((await call('getLists')).json);
    assert.ok(lists.every(({ color }) => /^#[0-9a-f]{6}$/.test(String(color))));
    assert.equal(getRecords((await call('getSubscribersFromLists', 'listIds[]=8')).json).length, 3);
  });
  it('accepts a key and a port, and rejects a port in use', async () => {
    const first = await start({ apiKey: 'k' });
    assert.equal(first.apiKey, 'k');
    await assert.rejects(start({ port: Number(new URL(first.baseUrl).port) }), { code: 'EADDRINUSE' });
  });
  it('accepts connections from this computer only', async () => {
    const port = Number(new URL((await start()).baseUrl).port);
    const cards = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const own = cards.map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address));
    // Linux accepts connections to all of 127.0.0.0/8.
    const others = [...own, ...(process.platform === 'linux' ? ['127.0.0.2'] : [])].filter(
      (address) => address !== '127.0.0.1',
    );
    for (const host of others) await assert.rejects(reach(host, port), { code: 'ECONNREFUSED' }, host);
    await reach('127.0.0.1', port);
  });
  it('keeps page positions consistent after deletes, adds and changes', async () => {
    const call = createCaller(await start({ templates: 5000 }));
    for (const id of [1, 2500, 5000]) await call('deleteTemplate', `templateId=${id}`);
    await call('createTemplate', { name: 'Added' });
    await call('updateTemplate', { templateId: 2501, name: 'Changed' });
    const page = async (query: string) =>
      getRecords((await call('getTemplates', query)).json).map(({ name }) => String(name).replace(/^\D* 0*/, ''));
    assert.deepEqual(await page('offset=2497&limit=3'), ['2499', 'Changed', '2502']);
    assert.deepEqual(await page('filters[search]=4321'), ['4321']);
    const all = await page('limit=9999');
    assert.deepEqual([all.length, all.at(-1)], [4998, 'Added']);
  });
  it('sends to 50,000 recipients, reads them by pages and composes messages on demand', async () => {
    const sandbox = await start({ subscribers: 50_000, profile: 'acymailing' });
    const call = createCaller(sandbox);
    const { json } = await call('createOrUpdateCampaign', { name: 'C', subject: 'S', listIds: [6] });
    await call('sendCampaign', `campaignId=${Object(json).campaignId}`);
    assert.equal(sandbox.outbox.count, 50_000);
    const to = String(sandbox.outbox.get(50_000)?.to);
    assert.match(await sandbox.outbox.eml(50_000), new RegExp(`To: .*${to}`));
    const statistics = await call('getCampaignStatistics', `campaignId=${Object(json).campaignId}`);
    assert.equal(getFirstRecord(statistics.json)['total_subscribers'], '50000');
    for (const [offset, count] of [
      [0, 500],
      [49_600, 400],
      [50_000, 0],
    ] as const) {
      const page = getRecords((await call('getSubscribersFromLists', `listIds[]=6&offset=${offset}&limit=5000`)).json);
      assert.deepEqual(
        page.map(({ id }) => id),
        Array.from({ length: count }, (_, at) => String(offset + at + 1)),
      );
    }
  });
  it('names the starter that can not be read', async () => {
    const broken = await makeAssets();
    try {
      for (const [index, message] of [
        ['[{"name":"x"}]', /Entry 1 of .*index\.json should have a file and a name/],
        ['[{"name":"x","file":"missing.html"}]', /missing\.html/],
        ['{}', /should hold an array/],
      ] as const) {
        await writeFile(join(broken.folder, 'index.json'), index);
        await assert.rejects(startSandbox({ assets: broken.folder }), message);
      }
    } finally {
      broken.remove();
    }
  });
});
