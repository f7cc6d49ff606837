import assert from 'node:assert/strict';
import { ApiError, type MailingClient, type ProfileName } from '../../../../src/service/client/index.ts';
import { isApiError } from '../../../../src/service/client/shapes.ts';
import { CampaignSource, type StatisticsConnections } from '../../../../src/features/statistics/source.ts';

const { signal } = new AbortController();
const failed = (kind: 'notFound' | 'server', operation: string) =>
  new ApiError({ kind, operation, outcome: 'refused', message: `${operation} failed.` });

/** Creates a source whose service uses the given client. */
function sourceOn(client: Partial<MailingClient>, profile: ProfileName = 'documented') {
  const services: StatisticsConnections = {
    run: (_, operation) => operation(client as MailingClient),
    getService: (connection) => ({ connection, baseUrl: 'http://127.0.0.1' }),
    get: (id) => ({ id, name: 'Test', baseUrl: 'http://127.0.0.1', profile }),
  };
  return new CampaignSource(services, { connection: 'test', id: 1 });
}

describe('the source of a campaign', () => {
  const reads = {
    getCampaignStatistics: (source: CampaignSource) => source.figures(signal),
    getCampaignStatisticsClicks: (source: CampaignSource) => source.clicks(signal),
    getCampaignStatisticsLinks: (source: CampaignSource) => source.links(signal),
    getCampaignStatisticsDetailed: (source: CampaignSource) =>
      source.recipients().fetchRows({ offset: 0, limit: 500 }, { signal }),
  };
  for (const [operation, read] of Object.entries(reads)) {
    const refusing = { [operation]: async () => Promise.reject(failed('notFound', operation)) };

    it(`returns no rows if ${operation} answers "not found" for an existing campaign`, async () => {
      assert.deepEqual(await read(sourceOn({ ...refusing, getCampaignById: async () => ({ id: 1 }) })), []);
    });

    it(`throws notFound if ${operation} answers "not found" for a deleted campaign`, async () => {
      await assert.rejects(
        read(
          sourceOn({ ...refusing, getCampaignById: async () => Promise.reject(failed('notFound', 'getCampaignById')) }),
        ),
        (error) => isApiError(error) && error.kind === 'notFound',
      );
    });

    it('throws other errors, also those of the check whether the campaign exists', async () => {
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

  describe('links', () => {
    const all = Array.from({ length: 730 }, (_, id) => ({ id, name: `https://example.com/${id}` }));
    const serving = (answer: (offset: number, limit: number | undefined) => readonly { readonly id: number }[]) => {
      const asked: object[] = [];
      const client: Partial<MailingClient> = {
        getCampaignStatisticsLinks: async (_, page = {}) => {
          asked.push(page);
          return [...answer(page.offset ?? 0, page.limit)];
        },
      };
      return { client, asked };
    };

    it('reads all links with one request, as documented', async () => {
      const { client, asked } = serving(() => all.slice(0, 100));
      assert.equal((await sourceOn(client).links(signal)).length, 100);
      assert.deepEqual(asked, [{}]);
    });

    it('reads further pages from AcyMailing, which may truncate the response', async () => {
      const { client, asked } = serving((offset, limit = 100) => all.slice(offset, offset + Math.min(limit, 500)));
      assert.deepEqual(await sourceOn(client, 'acymailing').links(signal), all);
      assert.deepEqual(asked, [
        {},
        { offset: 100, limit: 500 },
        { offset: 600, limit: 500 },
        { offset: 730, limit: 500 },
      ]);
    });

    it('stops if there are few links or the service ignores the offset', async () => {
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
