import assert from 'node:assert/strict';
import type { Campaign, MailingClient, Template } from '../../../../src/service/client/index.ts';
import { campaignPicking, sentCampaignPicking } from '../../../../src/features/campaigns/picker.ts';
import { templatePicking } from '../../../../src/features/templates/model.ts';

const { signal } = new AbortController();

/** Creates a client that returns these campaigns, the oldest first. */
function createClient(campaigns: readonly Partial<Campaign>[]) {
  const asked: (object | undefined)[] = [];
  const getCampaigns = async ({
    offset = 0,
    limit = 100,
    filters,
  }: {
    offset?: number;
    limit?: number;
    filters?: object;
  }) => {
    asked.push(filters);
    return campaigns.slice(offset, offset + limit);
  };
  return { client: { getCampaigns } as object as MailingClient, asked };
}

const draft = (id: number) => ({ id, name: `D${id}`, draft: 1, sent: 0, sending_type: 'now' }) as const;
const sent = (id: number) => ({ id, name: `S${id}`, draft: 0, sent: 1, sending_type: 'now' }) as const;
const auto = (id: number) => ({ id, name: `A${id}`, draft: 0, sent: 0, sending_type: 'auto' }) as const;

describe('picking', () => {
  it('groups campaigns by state, the newest first', async () => {
    const { client } = createClient([sent(1), draft(2), auto(3), sent(4), draft(5)]);
    const found = await campaignPicking.search(client, '', signal);
    assert.deepEqual(
      found.map(({ id, group }) => [id, group]),
      [
        [5, 'Drafts'],
        [2, 'Drafts'],
        [3, 'Automatic'],
        [4, 'Sent'],
        [1, 'Sent'],
      ],
    );
  });

  it('finds the newest campaigns behind many pages of older ones', async () => {
    const { client } = createClient(Array.from({ length: 250 }, (_, at) => sent(at + 1)));
    assert.equal((await campaignPicking.search(client, '', signal))[0]?.id, 250);
  });

  it('searches campaign names on the service', async () => {
    const { client, asked } = createClient([sent(1)]);
    await campaignPicking.search(client, 'letter', signal);
    assert.deepEqual(asked[0], { name: 'letter' });
  });

  it('offers only sent and automatic campaigns for statistics', async () => {
    const { client } = createClient([sent(1), draft(2), auto(3), sent(4)]);
    assert.deepEqual(
      (await sentCampaignPicking.search(client, '', signal)).map(({ id }) => id),
      [4, 1, 3],
    );
  });

  it('sorts templates by creation date, the newest first', async () => {
    const templates = [
      ['a', '2026-01-02 00:00:00'],
      ['b', null],
      ['c', '2026-05-01 10:00:00'],
      ['d', '2026-05-01 10:00:00'],
    ].map(([name, creation_date], at) => ({ id: at + 1, name, creation_date }));
    const client = {
      getTemplates: async () => templates as readonly Partial<Template>[] as readonly Template[],
    } as Partial<MailingClient> as MailingClient;
    assert.deepEqual(
      (await templatePicking.search(client, '', signal)).map(({ name }) => name),
      ['d', 'c', 'a', 'b'],
    );
  });
});
