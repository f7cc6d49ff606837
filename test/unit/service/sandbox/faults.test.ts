import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { FaultRule } from '../../../support/sandbox/index.ts';
import { createUrl, both, send, useService } from './support.ts';

describe('sandbox: faults', function () {
  // Streaming 70 MB is slow on a busy machine.
  this.timeout(60_000);
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call, reply, rows } = service;
      const hasList = async (name: string): Promise<boolean> =>
        (await rows('getLists', `filters[name]=${name}`)).length > 0;
      /** Returns the pieces of a response as they arrive. */
      const receive = (operation: string, query?: string) =>
        new Promise<Buffer[]>((resolve, reject) => {
          const headers = { 'Api-Key': service.sandbox.apiKey };
          const sent = request(createUrl(service.sandbox, operation, query), { headers, agent: false }, (response) => {
            const pieces: Buffer[] = [];
            response.on('data', (piece: Buffer) => pieces.push(piece));
            response.on('end', () => resolve(pieces));
          });
          sent.on('error', reject).end();
        });

      /** Creates a list under a one-time fault. Returns what the client received and whether the list exists. */
      const createUnder = async (rule: FaultRule) => {
        service.sandbox.faults.add({ times: 1, operation: 'createList', ...rule });
        const outcome = await call('createList', { name: 'Faulty' }).catch((error: NodeJS.ErrnoException) => error);
        return {
          reply: outcome instanceof Error ? undefined : outcome,
          code: outcome instanceof Error ? outcome.code : undefined,
          isThere: await hasList('Faulty'),
        };
      };

      for (const status of [400, 401, 403, 404, 409, 422, 500, 502, 503, 504]) {
        it(`responds with status ${status} and does nothing`, async () => {
          const { reply, isThere } = await createUnder({ kind: 'status', status, message: 'License is expired' });
          assert.deepEqual([reply?.status, reply?.json, isThere], [status, { message: 'License is expired' }, false]);
        });
      }
      it('responds with an HTML page', async () => {
        const { reply, isThere } = await createUnder({ kind: 'html' });
        assert.equal(reply?.status, 200);
        assert.match(reply?.headers['content-type'] ?? '', /^text\/html/);
        assert.match(reply?.text ?? '', /^<!DOCTYPE html>/);
        assert.equal(isThere, false);
      });
      it('performs the operation and responds with broken JSON of the declared length', async () => {
        const { reply, isThere } = await createUnder({ kind: 'brokenJson' });
        assert.deepEqual([reply?.status, reply?.json, isThere], [201, undefined, true]);
        assert.equal(Number(reply?.headers['content-length']), Buffer.byteLength(reply?.text ?? ''));
        assert.match(reply?.text ?? '', /^\{"li/);
      });
      for (const answer of ['gatewayTimeout', 'none'] as const) {
        it(`performs the operation later: ${answer}`, async () => {
          const late = service.sandbox.faults.add({ kind: 'late', answer, times: 1, operation: 'createList' });
          const call = service.call('createList', { name: 'Faulty' }).catch((error: NodeJS.ErrnoException) => error);
          if (answer === 'gatewayTimeout')
            assert.equal(await call.then((reply) => 'status' in reply && reply.status), 504);
          else while (late.hits === 0) await new Promise((resolve) => setImmediate(resolve));
          assert.equal(await hasList('Faulty'), false);
          late.land();
          assert.equal(await hasList('Faulty'), true);
        });
      }
      it('performs the operation and cuts the response', async () => {
        const { code, isThere } = await createUnder({ kind: 'cut' });
        assert.deepEqual([code, isThere], ['ECONNRESET', true]);
      });
      for (const kind of ['resetBeforeRead', 'resetAfterRead'] as const) {
        it(`resets the connection: ${kind}`, async () => {
          const { code, isThere } = await createUnder({ kind });
          assert.deepEqual([code, isThere], ['ECONNRESET', false]);
          const logged = service.sandbox.requests[0];
          assert.deepEqual(
            [logged?.status, logged?.fault, logged?.body],
            [null, kind, kind === 'resetBeforeRead' ? undefined : { name: 'Faulty' }],
          );
        });
      }
      it('performs the operation and resets the connection', async () => {
        const { code, isThere } = await createUnder({ kind: 'lostAnswer' });
        assert.deepEqual([code, isThere], ['ECONNRESET', true]);
        assert.equal(service.sandbox.requests[0]?.status, null);
      });
      it('responds with an empty body', async () => {
        const { reply, isThere } = await createUnder({ kind: 'empty' });
        assert.deepEqual([reply?.status, reply?.text, isThere], [200, '', false]);
      });
      it('responds with 429 and Retry-After', async () => {
        const { reply, isThere } = await createUnder({ kind: 'rateLimited', retryAfter: 7 });
        assert.deepEqual([reply?.status, reply?.headers['retry-after'], isThere], [429, '7', false]);
        const { reply: dated } = await createUnder({
          kind: 'rateLimited',
          retryAfter: 'Wed, 20 May 2026 10:00:05 GMT',
        });
        assert.equal(dated?.headers['retry-after'], 'Wed, 20 May 2026 10:00:05 GMT');
      });
      it('performs the operation and responds with errors', async () => {
        const { reply, isThere } = await createUnder({ kind: 'errors', errors: ['Color ignored'] });
        assert.deepEqual([reply?.status, Object(reply?.json).errors, isThere], [200, ['Color ignored'], true]);
        assert.equal(typeof Object(reply?.json).listId, 'number');
      });
      it('responds with errors instead of an array', async () => {
        service.sandbox.faults.add({ kind: 'errors', errors: 'Nothing found', message: 'Hm.' });
        assert.deepEqual((await call('getLists')).json, { message: 'Hm.', errors: 'Nothing found' });
      });
      it('redirects to another path of the same origin', async () => {
        const { sandbox } = service;
        const { json } = await call('getLists', 'limit=2');
        sandbox.faults.add({ kind: 'redirect', to: 'same' });
        const reply = await call('getLists', 'limit=2');
        assert.equal(reply.status, 302);
        const target = new URL(reply.headers.location ?? '', sandbox.baseUrl);
        assert.equal(target.origin, new URL(sandbox.baseUrl).origin);
        assert.deepEqual((await send(target.href, { headers: { 'Api-Key': sandbox.apiKey } })).json, json);
      });
      it('redirects to another origin', async () => {
        const { reply, isThere } = await createUnder({ kind: 'redirect', to: 'other', status: 308 });
        assert.equal(reply?.status, 308);
        assert.notEqual(new URL(reply?.headers.location ?? '').origin, new URL(service.sandbox.baseUrl).origin);
        assert.equal(isThere, false);
        const { reply: given } = await createUnder({ kind: 'redirect', to: 'other', location: 'http://127.0.0.2:9/x' });
        assert.equal(given?.headers.location, 'http://127.0.0.2:9/x');
      });
      it('sends the response slowly', async () => {
        const right = await call('getOneTemplate', 'templateId=2');
        service.sandbox.faults.add({ kind: 'slow', bytes: 100, intervalMs: 1 });
        const pieces = await receive('getOneTemplate', 'templateId=2');
        assert.equal(Buffer.concat(pieces).toString('utf8'), right.text);
        assert.ok(pieces.length > 1);
      });
      it('sends an oversized JSON response', async () => {
        service.sandbox.faults.add({ kind: 'oversized', bytes: 1_000_000 });
        const { text, json } = await call('getLists');
        assert.ok(text.length >= 1_000_000);
        assert.ok(Array.isArray(json));
      });
      it('streams 70 MB until the client disconnects', async () => {
        service.sandbox.faults.add({ kind: 'oversized' });
        const pieces = await receive('getLists');
        assert.ok(pieces.reduce((bytes, piece) => bytes + piece.length, 0) > 70 * 1024 * 1024);
      });

      for (const [operation, message, detail] of [
        ['getTemplates', 'Error getting the collection of templates: table is locked', 'table is locked'],
        ['createTemplate', 'Error creating template.'],
        ['updateTemplate', 'Error modifying template.'],
        ['deleteTemplate', 'Failed deleting template.'],
        ['createList', 'Error creating list.'],
        ['deleteList', 'Error deleting list.'],
        ['createOrUpdateFollowUp', 'Error creating follow-up.'],
        ['attachEmailToFollowUp', 'Error attaching email to follow-up.'],
        ['deleteEmailFromFollowUp', 'Error deleting email from follow-up.'],
        ['deleteFollowUp', 'Error deleting follow-up.'],
        ['getCampaigns', 'Error getting the collection of campaigns: deleted', 'deleted'],
        ['sendCampaign', 'Could not send campaign: deleted', 'deleted'],
        ['deleteCampaign', 'Error deleting the campaign: deleted', 'deleted'],
      ] as const) {
        it(`responds with the documented 500 of ${operation}`, async () => {
          service.sandbox.faults.add({ kind: 'operationError', detail });
          assert.deepEqual(await reply(operation), [500, { message }]);
        });
      }
    });
  }

  describe('rules', () => {
    const service = useService();
    const { call } = service;
    const statuses = async (...operations: string[]): Promise<number[]> => {
      const statuses: number[] = [];
      for (const operation of operations) statuses.push((await call(operation)).status);
      return statuses;
    };

    it('apply only to their operation', async () => {
      service.sandbox.faults.add({ kind: 'status', status: 503, operation: 'getLists' });
      assert.deepEqual(await statuses('getTemplates', 'getLists', 'getFollowUps'), [200, 503, 200]);
    });
    it('apply the given number of times', async () => {
      const fault = service.sandbox.faults.add({ kind: 'status', status: 503, times: 2 });
      assert.deepEqual(await statuses('getLists', 'getTemplates', 'getLists'), [503, 503, 200]);
      assert.equal(fault.hits, 2);
    });
    it('apply newest first, until removed or cleared', async () => {
      const { faults } = service.sandbox;
      faults.add({ kind: 'status', status: 500 });
      const second = faults.add({ kind: 'status', status: 502 });
      assert.deepEqual(await statuses('getLists'), [502]);
      second.remove();
      assert.deepEqual(await statuses('getLists'), [500]);
      faults.clear();
      assert.deepEqual(await statuses('getLists'), [200]);
    });
    it('appear in the request log', async () => {
      service.sandbox.faults.add({ kind: 'status', status: 503, times: 1 });
      await statuses('getLists', 'getLists');
      assert.deepEqual(
        service.sandbox.requests.map(({ fault, status }) => [fault, status]),
        [
          ['status', 503],
          [null, 200],
        ],
      );
    });
  });

  describe('hanging', () => {
    const service = useService();
    /** Sends a request whose connection the server closes. Resolves to the received status, if any. */
    const hang = (): { arrived: Promise<IncomingMessage>; ended: Promise<string | undefined> } => {
      const { sandbox } = service;
      const sent = request(createUrl(sandbox, 'getLists'), { headers: { 'Api-Key': sandbox.apiKey }, agent: false });
      const arrived = new Promise<IncomingMessage>((resolve) => sent.on('response', resolve));
      const ended = new Promise<string | undefined>((resolve) => {
        sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        sent.on('response', (response) =>
          response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).resume(),
        );
      });
      sent.end();
      return { arrived, ended };
    };

    it('ends without a response when the sandbox closes', async () => {
      const { sandbox } = service;
      sandbox.faults.add({ kind: 'hang' });
      const { ended } = hang();
      while (sandbox.requests.length === 0) await new Promise(setImmediate);
      await sandbox.close();
      assert.equal(await ended, 'ECONNRESET');
      assert.equal(sandbox.requests[0]?.status, null);
    });
    it('ends after the headers when the sandbox closes', async () => {
      const { sandbox } = service;
      sandbox.faults.add({ kind: 'hang', after: 'headers' });
      const { arrived, ended } = hang();
      assert.equal((await arrived).statusCode, 200);
      await sandbox.close();
      assert.equal(await ended, 'ECONNRESET');
    });
  });
});
