import assert from 'node:assert/strict';
import { ApiError, type MailingClient, type ProfileName } from '../../../../../src/service/client/index.ts';
import {
  CampaignSource,
  isNotFound,
  type StatisticsConnections,
} from '../../../../../src/features/statistics/host/source.ts';

const { signal } = new AbortController();
const failed = (kind: 'notFound' | 'server', operation: string): ApiError =>
  new ApiError({ kind, operation, outcome: 'refused', message: `${operation} failed.` });

/** A source on a service that answers with what is given. */
function sourceOn(client: Partial<MailingClient>, profile: ProfileName = 'documented'): CampaignSource {
  const services: StatisticsConnections = {
    run: (_, operation) => operation(client as MailingClient),
    get: (id) => ({ id, name: 'Test', baseUrl: 'http://127.0.0.1', profile }),
  };
  return new CampaignSource(services, { connection: 'test', id: 1 });
}

describe('the source of a campaign’s statistics', () => {
  const reads = {
    getCampaignStatistics: (source: CampaignSource) => source.figures(signal),
    getCampaignStatisticsClicks: (source: CampaignSource) => source.clicks(signal),
    getCampaignStatisticsLinks: (source: CampaignSource) => source.links(signal),
    getCampaignStatisticsDetailed: (source: CampaignSource) =>
      source.recipients().fetchRows({ offset: 0, limit: 500 }, { signal }),
  };
  for (const [operation, read] of Object.entries(reads)) {
    const refusing = { [operation]: async () => Promise.reject(failed('notFound', operation)) };

    it(`takes "not found" of ${operation} for nothing, where the campaign is there`, async () => {
      assert.deepEqual(await read(sourceOn({ ...refusing, getCampaignById: async () => ({ id: 1 }) })), []);
    });

    it(`takes it for gone where the campaign is not there`, async () => {
      await assert.rejects(
        read(
          sourceOn({ ...refusing, getCampaignById: async () => Promise.reject(failed('notFound', 'getCampaignById')) }),
        ),
        (error) => isNotFound(error),
      );
    });

    it('fails where that can’t be found out, and with whatever else it fails', async () => {
      await assert.rejects(
        read(
          sourceOn({ ...refusing, getCampaignById: async () => Promise.reject(failed('server', 'getCampaignById')) }),
        ),
        /getCampaignById failed/u,
      );
      await assert.rejects(
        read(sourceOn({ [operation]: async () => Promise.reject(failed('server', operation)) })),
        new RegExp(`${operation} failed`, 'u'),
      );
    });
  }

  describe('of links', () => {
    const all = Array.from({ length: 730 }, (_, id) => ({ id, name: `https://example.com/${id}` }));
    const serving = (answer: (offset: number, limit: number | undefined) => readonly { readonly id: number }[]) => {
      const asked: unknown[] = [];
      const client: Partial<MailingClient> = {
        getCampaignStatisticsLinks: async (_, page = {}) => {
          asked.push(page);
          return [...answer(page.offset ?? 0, page.limit)];
        },
      };
      return { client, asked };
    };

    it('asks once, and for no page, as the API document has it', async () => {
      const { client, asked } = serving(() => all.slice(0, 100));
      assert.equal((await sourceOn(client).links(signal)).length, 100);
      assert.deepEqual(asked, [{}]);
    });

    it('reads on in the field, where the answer may have been cut', async () => {
      const { client, asked } = serving((offset, limit = 100) => all.slice(offset, offset + Math.min(limit, 500)));
      assert.deepEqual(await sourceOn(client, 'acymailing').links(signal), all);
      assert.deepEqual(asked, [
        {},
        { offset: 100, limit: 500 },
        { offset: 600, limit: 500 },
        { offset: 730, limit: 500 },
      ]);
    });

    it('does not where there are few, and ends where the offset is passed over', async () => {
      const few = serving(() => all.slice(0, 5));
      assert.equal((await sourceOn(few.client, 'acymailing').links(signal)).length, 5);
      assert.equal(few.asked.length, 1);
      const same = serving(() => all.slice(0, 100));
      assert.equal((await sourceOn(same.client, 'acymailing').links(signal)).length, 100);
      assert.equal(same.asked.length, 2);
      const none = serving(() => []);
      assert.deepEqual(await sourceOn(none.client, 'acymailing').links(signal), []);
    });
  });
});
