import assert from 'node:assert/strict';
import { createUrl, both, send, useService } from './support.ts';

const json = { 'Content-Type': 'application/json' };

describe('sandbox: addresses, keys and headers', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call } = service;
      const key = (): Record<string, string> => ({ 'Api-Key': service.sandbox.apiKey });
      const lists = () => createUrl(service.sandbox, 'getLists');
      /** Posts a list with these headers and returns the status. */
      const post = async (headers: Record<string, string>) =>
        (await send(createUrl(service.sandbox, 'createList'), { method: 'POST', headers, body: '{"name":"x"}' }))
          .status;

      it('serves the stylesheet of the drag-and-drop editor without a key', async () => {
        const path = '/wp-content/plugins/acymailing/media/css/libraries/foundation_email.min.css';
        const answer = await fetch(service.sandbox.baseUrl + path);
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/css']);
        assert.match(await answer.text(), /^#acym__wysid__template /);
      });

      it('explains why it refuses a request', async () => {
        const own = key();
        const types = ['application-json', 'application/json'];
        const [sendType, otherType = ''] = profile === 'documented' ? types : types.toReversed();
        for (const [operation, request, status, message] of [
          ['getLists', {}, 401, 'Header Api-Key is missing'],
          ['getLists', { headers: { 'Api-Key': 'no' } }, 401, 'API key is invalid'],
          ['constructor', { headers: own }, 403, 'Task not allowed.'],
          ['getLists', { headers: own, method: 'PUT' }, 405, 'Method not allowed.'],
          ['getLists', { headers: own, method: 'DELETE' }, 405, 'Method not allowed.'],
          [
            'createList',
            { headers: { ...own, 'Content-Type': 'text/plain' }, method: 'POST', body: '{"name":"x"}' },
            415,
            'Content-Type must be application/json',
          ],
          ['createList', { headers: { ...own, ...json }, method: 'POST', body: '{"name":' }, 422, 'List name missing.'],
          [
            'sendCampaign',
            { headers: { ...own, 'Content-Type': otherType }, method: 'POST' },
            415,
            `Content-Type must be ${sendType}`,
          ],
        ] as const) {
          const reply = await send(createUrl(service.sandbox, operation), request);
          assert.deepEqual([reply.status, reply.json], [status, { message }]);
        }
        assert.equal(service.sandbox.requests.at(-2)?.body, '{"name":');
      });
      it('responds with HTML pages outside the API', async () => {
        const { baseUrl } = service.sandbox;
        for (const [address, status, location] of [
          [`${baseUrl}/`, 200],
          [`${baseUrl}/other/index.php?ctrl=api&task=getLists`, 404],
          [`${baseUrl}/index.php?page=shop&option=com_shop&ctrl=api&task=getLists`, 404],
          [lists().replace('ctrl=api&task=getLists', 'ctrl=getLists'), 301, '/'],
        ] as const) {
          const { headers, text, ...reply } = await send(address, { headers: key() });
          assert.deepEqual([reply.status, headers.location], [status, location]);
          assert.match(headers['content-type'] ?? '', /^text\/html/);
          assert.match(text, /^<!DOCTYPE html>/);
        }
      });
      it(`matches header names ${profile === 'documented' ? 'in any case' : 'exactly'}`, async () => {
        const { apiKey } = service.sandbox;
        const statuses = [
          await post({ 'api-key': apiKey, ...json }),
          await post({ 'Api-Key': apiKey, 'content-type': 'application/json' }),
          await post({ 'Api-Key': apiKey, 'Content-Type': 'application/json; charset=utf-8' }),
          await post({ 'Api-Key': apiKey, ...json }),
        ];
        assert.deepEqual(statuses, profile === 'documented' ? [201, 201, 201, 201] : [401, 415, 415, 201]);
      });
      it('logs requests without the key', async () => {
        await call('getLists', 'filters[name]=News&limit=3');
        await call('createList', { name: 'New' });
        await send(lists(), { headers: { 'API-KEY': 'secret' } });
        const { requests } = service.sandbox;
        assert.deepEqual(
          requests.map(({ number, operation, method, status, body }) => [number, operation, method, status, body]),
          [
            [1, 'getLists', 'GET', 200, undefined],
            [2, 'createList', 'POST', 201, { name: 'New' }],
            [3, 'getLists', 'GET', 401, undefined],
          ],
        );
        assert.equal(requests[0]?.query['limit'], '3');
        assert.deepEqual({ ...Object(requests[0]?.query['filters']) }, { name: 'News' });
        const log = JSON.stringify(requests);
        assert.ok(!log.includes(service.sandbox.apiKey) && !log.includes('secret'));
      });
      it('supports the tasks of its profile', async () => {
        const { status, json: site } = await call('authenticate');
        const address = lists().replace('getLists', 'getFollowUps');
        const followUps = await send(address, { headers: key() });
        if (profile === 'documented') return assert.deepEqual([status, followUps.status], [403, 403]);
        assert.deepEqual([status, followUps.status, Object(site).message], [200, 200, 'Successfully authenticated']);
        assert.equal(typeof Object(site).siteName, 'string');
      });
    });
  }

  describe('with other options', () => {
    const service = useService({ basePath: '/site', profile: 'acymailing' });
    it('serves the configured path, and writes JSON as PHP does', async () => {
      assert.match(service.sandbox.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/site$/);
      const { text, json: rows } = await service.call('getOneTemplate', 'templateId=1');
      assert.match(text, /<\\\/h1>[^]*Gr\\u00fc\\u00dfe/);
      assert.match(String(Object(rows)[0].body), /Grüße/);
    });
  });
});
