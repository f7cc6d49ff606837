import assert from 'node:assert/strict';
import { createUrl, both, send, useService } from './support.ts';
import type { RawRequest, Service } from './support.ts';

/** Sends a request as it is. Returns the status and the parsed body of the response. */
async function sendRaw({ sandbox }: Service, operation: string, request?: RawRequest) {
  const { status, json } = await send(createUrl(sandbox, operation), request);
  return [status, json];
}

describe('sandbox: addresses, keys and headers', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call } = service;
      const key = (): Record<string, string> => ({ 'Api-Key': service.sandbox.apiKey });
      const lists = (): string => createUrl(service.sandbox, 'getLists');

      it('responds with 401 to a missing key', async () => {
        assert.deepEqual(await sendRaw(service, 'getLists'), [401, { message: 'Header Api-Key is missing' }]);
      });
      it('responds with 401 to a wrong key', async () => {
        assert.deepEqual(await sendRaw(service, 'getLists', { headers: { 'Api-Key': 'no' } }), [
          401,
          { message: 'API key is invalid' },
        ]);
      });
      it('responds with 403 to an unsupported task', async () => {
        assert.deepEqual(await sendRaw(service, 'constructor', { headers: key() }), [
          403,
          { message: 'Task not allowed.' },
        ]);
      });
      it('responds with 405 to another method', async () => {
        for (const method of ['PUT', 'DELETE']) {
          assert.deepEqual(await sendRaw(service, 'getLists', { method, headers: key() }), [
            405,
            { message: 'Method not allowed.' },
          ]);
        }
      });
      it('responds with 415 to a POST without its content type', async () => {
        assert.deepEqual(
          await sendRaw(service, 'createList', {
            method: 'POST',
            headers: { ...key(), 'Content-Type': 'text/plain' },
            body: '{"name":"x"}',
          }),
          [415, { message: 'Content-Type must be application/json' }],
        );
      });
      it('treats an invalid JSON body as empty', async () => {
        assert.deepEqual(
          await sendRaw(service, 'createList', {
            method: 'POST',
            headers: { ...key(), 'Content-Type': 'application/json' },
            body: '{"name":',
          }),
          [422, { message: 'List name missing.' }],
        );
        assert.equal(service.sandbox.requests.at(-1)?.body, '{"name":');
      });
      it('responds with an HTML page outside the API', async () => {
        const { baseUrl } = service.sandbox;
        for (const [address, expected] of [
          ['/', 200],
          ['/other/index.php?ctrl=api&task=getLists', 404],
          ['/index.php?page=shop&option=com_shop&ctrl=api&task=getLists', 404],
        ] as const) {
          const { status, headers } = await send(`${baseUrl}${address}`, { headers: key() });
          assert.equal(status, expected);
          assert.match(headers['content-type'] ?? '', /^text\/html/);
        }
      });
      it('responds with 301 to an unsupported controller', async () => {
        const { status, headers, text } = await send(lists().replace('ctrl=api&task=getLists', 'ctrl=getLists'), {
          headers: key(),
        });
        assert.deepEqual([status, headers.location], [301, '/']);
        assert.match(text, /^<!DOCTYPE html>/);
      });
      it('logs requests without the key', async () => {
        await call('getLists', 'filters[name]=News&limit=3');
        await call('createList', { name: 'New' });
        await send(lists(), { headers: { 'API-KEY': 'secret' } });
        const { requests } = service.sandbox;
        assert.deepEqual(
          requests.map(({ operation, method, status }) => [operation, method, status]),
          [
            ['getLists', 'GET', 200],
            ['createList', 'POST', 201],
            ['getLists', 'GET', 401],
          ],
        );
        assert.equal(requests[0]?.query['limit'], '3');
        assert.deepEqual({ ...Object(requests[0]?.query['filters']) }, { name: 'News' });
        assert.deepEqual(requests[1]?.body, { name: 'New' });
        assert.deepEqual(
          requests.map(({ number }) => number),
          [1, 2, 3],
        );
        const log = JSON.stringify(requests);
        assert.ok(!log.includes(service.sandbox.apiKey) && !log.includes('secret'));
      });
    });
  }

  describe('documented', () => {
    const service = useService();
    const { call } = service;
    it('has no authenticate task and no follow-up tasks', async () => {
      assert.equal((await call('authenticate')).status, 403);
      const address = createUrl(service.sandbox, 'getLists').replace('getLists', 'getFollowUps');
      assert.equal((await send(address, { headers: { 'Api-Key': service.sandbox.apiKey } })).status, 403);
    });
    it('accepts header names in any case and a content type with a charset', async () => {
      const { sandbox } = service;
      const reply = await send(createUrl(sandbox, 'createList'), {
        method: 'POST',
        headers: { 'api-key': sandbox.apiKey, 'content-type': 'application/json; charset=utf-8' },
        body: '{"name":"x"}',
      });
      assert.equal(reply.status, 201);
    });
    it('requires application-json for sendCampaign', async () => {
      const headers = { 'Api-Key': service.sandbox.apiKey, 'Content-Type': 'application/json' };
      assert.deepEqual(await sendRaw(service, 'sendCampaign', { method: 'POST', headers }), [
        415,
        { message: 'Content-Type must be application-json' },
      ]);
    });
  });

  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    const { call } = service;
    it('authenticates', async () => {
      const { status, json } = await call('authenticate');
      assert.equal(status, 200);
      assert.equal(Object(json).message, 'Successfully authenticated');
      assert.equal(typeof Object(json).siteName, 'string');
    });
    it('requires the exact case of Api-Key and Content-Type', async () => {
      const { sandbox } = service;
      const post = (headers: Record<string, string>) =>
        send(createUrl(sandbox, 'createList'), { method: 'POST', headers, body: '{"name":"x"}' });
      const { apiKey } = sandbox;
      assert.equal((await post({ 'api-key': apiKey, 'Content-Type': 'application/json' })).status, 401);
      assert.equal((await post({ 'Api-Key': apiKey, 'content-type': 'application/json' })).status, 415);
      assert.equal((await post({ 'Api-Key': apiKey, 'Content-Type': 'application/json; charset=utf-8' })).status, 415);
      assert.equal((await post({ 'Api-Key': apiKey, 'Content-Type': 'application/json' })).status, 201);
    });
    it('responds with 415 to application-json for sendCampaign', async () => {
      const headers = { 'Api-Key': service.sandbox.apiKey, 'Content-Type': 'application-json' };
      assert.deepEqual(await sendRaw(service, 'sendCampaign', { method: 'POST', headers }), [
        415,
        { message: 'Content-Type must be application/json' },
      ]);
    });
    it('writes JSON as PHP does', async () => {
      const { text, json } = await call('getOneTemplate', 'templateId=1');
      assert.match(text, /<\\\/h1>/);
      assert.match(text, /Gr\\u00fc\\u00dfe/);
      assert.match(String(Object(json)[0].body), /Grüße/);
    });
  });

  describe('under a path', () => {
    const service = useService({ basePath: '/site' });
    const { call } = service;
    it('serves the configured path', async () => {
      assert.match(service.sandbox.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/site$/);
      assert.equal((await call('getLists')).status, 200);
    });
  });
});
