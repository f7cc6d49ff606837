import assert from 'node:assert/strict';
import type { Campaign, MailingClient } from '../../../../src/service/client/index.ts';
import { NewestCampaigns, readNewestCampaigns } from '../../../../src/service/client/newestCampaigns.ts';

/** Creates a client of a service with the campaigns 1 to `total`, the oldest first, and at most `cap` per page. */
function createClient(total: number, cap = 500) {
  const service = { total, requests: 0 };
  const getCampaigns = async ({ offset = 0, limit = 100 }: { readonly offset?: number; readonly limit?: number }) => {
    service.requests += 1;
    const count = Math.max(0, Math.min(service.total - offset, limit, cap));
    return Array.from({ length: count }, (_, at): Partial<Campaign> => ({ id: offset + at + 1 }));
  };
  return { client: { getCampaigns } as object as MailingClient, service };
}

async function readAll(newest: NewestCampaigns, client: MailingClient, limit: number) {
  const ids: number[] = [];
  for (;;) {
    const page = await newest.read(client, { offset: ids.length, limit }, {}, {});
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
  }
}

const descending = (total: number) => Array.from({ length: total }, (_, at) => total - at);

describe('the newest campaigns', () => {
  for (const [total, limit, cap] of [
    [0, 100, 500],
    [3, 100, 500],
    [99, 500, 500],
    [100, 100, 500],
    [250, 100, 500],
    [1200, 500, 500],
    [250, 500, 100],
  ] as const) {
    it(`come first on each page: ${total} campaigns, pages of ${limit}, at most ${cap}`, async () => {
      const { client } = createClient(total, cap);
      assert.deepEqual(await readAll(new NewestCampaigns(), client, limit), descending(total));
    });
  }

  it('are a single page if the service ignores the offset', async () => {
    const getCampaigns = async () => Array.from({ length: 120 }, (_, at): Partial<Campaign> => ({ id: at + 1 }));
    const client = { getCampaigns } as object as MailingClient;
    const page = await new NewestCampaigns().read(client, { offset: 0, limit: 500 }, {}, {});
    assert.deepEqual(
      page.map(({ id }) => id),
      descending(120),
    );
  });

  it('take one request if they are few', async () => {
    const { client, service } = createClient(80);
    await new NewestCampaigns().read(client, { offset: 0, limit: 500 }, {}, {});
    assert.equal(service.requests, 1);
  });

  it('are counted again with few requests', async () => {
    const { client, service } = createClient(1200);
    const newest = new NewestCampaigns();
    await newest.read(client, { offset: 0, limit: 500 }, {}, {});
    Object.assign(service, { total: 1201, requests: 0 });
    const [first] = await newest.read(client, { offset: 0, limit: 500 }, {}, {});
    assert.equal(first?.id, 1201);
    assert.ok(service.requests < 20, String(service.requests));
  });

  it('are found behind thousands of older ones', async () => {
    const found = await readNewestCampaigns(createClient(5000).client, '', new AbortController().signal);
    assert.deepEqual([found.length, found[0]?.id], [500, 5000]);
  });
});
