import assert from 'node:assert/strict';
import type { MailingClient } from '../../../../src/service/client/index.ts';
import { respond, type Reply } from '../../../support/wire.ts';
import { getFailure, withService } from './setup.ts';

const read = (client: MailingClient) => client.getLists();
const write = (client: MailingClient) => client.createTemplate({ name: 'T' });

describe('MailingClient cancellation', () => {
  const hang: Reply = () => undefined;

  it('sends nothing if the signal is already aborted', () =>
    withService(
      () => hang,
      async (client, server) => {
        for (const call of [
          () => client.getLists({}, { signal: AbortSignal.abort() }),
          () => client.getLists({ signal: AbortSignal.abort() }),
          () => client.sendCampaign(1, { signal: AbortSignal.abort() }),
        ]) {
          const error = await getFailure(call);
          assert.deepEqual([error.kind, error.outcome], ['aborted', 'refused']);
        }
        assert.equal(server.connections, 0);
      },
    ));

  for (const [name, call, outcome] of [
    ['a read', read, 'refused'],
    ['a write', write, 'unknown'],
  ] as const) {
    it(`cancels ${name} that waits for its response`, async () => {
      const stop = new AbortController();
      await withService(
        () => {
          stop.abort();
          return hang;
        },
        async (client, server) => {
          const error = await getFailure(() =>
            call === read
              ? client.getLists({}, { signal: stop.signal })
              : client.createTemplate({ name: 'T' }, { signal: stop.signal }),
          );
          assert.deepEqual([error.kind, error.outcome], ['aborted', outcome]);
          assert.equal(server.requests.length, 1);
        },
      );
    });
  }

  it('cancels a read during its retry delay', async () => {
    const stop = new AbortController();
    await withService(
      () => {
        setTimeout(() => stop.abort(), 10);
        return respond(503, '', { 'Retry-After': '20' });
      },
      async (client, server) => {
        const error = await getFailure(() => client.getLists({}, { signal: stop.signal }));
        assert.deepEqual([error.kind, error.outcome, server.requests.length], ['aborted', 'refused', 1]);
      },
      { wait: undefined },
    );
  });

  it('cancels while the key is being read', async () => {
    const stop = new AbortController();
    await withService(
      () => hang,
      async (client, server) => {
        const call = getFailure(() => client.sendCampaign(1, { signal: stop.signal }));
        stop.abort();
        assert.equal((await call).kind, 'aborted');
        assert.equal(server.connections, 0);
      },
      { apiKey: () => new Promise<string>(() => undefined) },
    );
  });

  it('cancels when the client is closed', () =>
    withService(
      () => hang,
      async (client, server) => {
        const call = getFailure(() => client.getLists());
        while (server.requests.length === 0) await new Promise(setImmediate);
        await client.close();
        assert.equal((await call).kind, 'aborted');
        assert.equal((await getFailure(() => client.getLists())).kind, 'aborted');
      },
    ));
});
