import assert from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import type { FaultRule } from '../../../support/sandbox/index.ts';
import { createUrl, send, useService } from './support.ts';

describe('sandbox: faults', () => {
  const service = useService();
  const { call, rows } = service;
  const hasList = async () => (await rows('getLists', 'filters[name]=Faulty')).length > 0;
  const createList = () =>
    call('createList', { name: 'Faulty' }).catch((error: NodeJS.ErrnoException) => ({
      status: error.code,
      text: '',
      headers: {} as IncomingMessage['headers'],
    }));
  const statuses = async (...operations: string[]) => {
    const found: number[] = [];
    for (const operation of operations) found.push((await call(operation)).status);
    return found;
  };

  // The status or error code, the response, whether the operation was performed, and a header.
  for (const [rule, status, text, isPerformed, header] of [
    [{ kind: 'status', status: 403, message: 'Expired' }, 403, /^\{"message":"Expired"\}$/, false],
    [{ kind: 'operationError' }, 500, /^\{"message":"Error creating list\."\}$/, false],
    [{ kind: 'html' }, 200, /^<!DOCTYPE html>/, false, ['content-type', 'text/html; charset=utf-8']],
    [{ kind: 'empty' }, 200, /^$/, false],
    [{ kind: 'brokenJson' }, 201, /^\{"li[^}]*$/, true],
    [{ kind: 'errors', errors: ['Ignored'] }, 200, /^\{"listId":\d+,"errors":\["Ignored"\]\}$/, true],
    [{ kind: 'rateLimited', retryAfter: 7 }, 429, /Too many/, false, ['retry-after', '7']],
    [{ kind: 'redirect', to: 'other', status: 308 }, 308, /Moved/, false],
    [{ kind: 'redirect', to: 'other', location: 'http://a/x' }, 302, /Moved/, false, ['location', 'http://a/x']],
    [{ kind: 'cut' }, 'ECONNRESET', /^$/, true],
    [{ kind: 'resetBeforeRead' }, 'ECONNRESET', /^$/, false],
    [{ kind: 'resetAfterRead' }, 'ECONNRESET', /^$/, false],
    [{ kind: 'lostAnswer' }, 'ECONNRESET', /^$/, true],
  ] satisfies readonly (readonly [FaultRule, number | string, RegExp, boolean, (readonly string[])?])[]) {
    it(`responds to a write: ${JSON.stringify(rule)}`, async () => {
      service.sandbox.faults.add({ times: 1, operation: 'createList', ...rule });
      const reply = await createList();
      assert.deepEqual([reply.status, await hasList()], [status, isPerformed]);
      assert.match(reply.text, text);
      const [name = '', value] = header ?? [];
      assert.equal(reply.headers[name], value);
      const [logged] = service.sandbox.requests;
      assert.deepEqual(
        [logged?.fault, logged?.status, logged?.body],
        [
          rule.kind,
          rule.kind === 'cut' ? 201 : typeof status === 'number' ? status : null,
          rule.kind === 'resetBeforeRead' ? undefined : { name: 'Faulty' },
        ],
      );
    });
  }
  for (const answer of ['gatewayTimeout', 'none'] as const) {
    it(`performs the operation later: ${answer}`, async () => {
      const late = service.sandbox.faults.add({ kind: 'late', answer, times: 1, operation: 'createList' });
      const reply = createList();
      if (answer === 'gatewayTimeout') assert.equal((await reply).status, 504);
      else while (late.hits === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(await hasList(), false);
      late.land();
      assert.equal(await hasList(), true);
    });
  }
  it('redirects to another path of the same origin', async () => {
    const { sandbox } = service;
    const { json } = await call('getLists', 'limit=2');
    sandbox.faults.add({ kind: 'redirect', to: 'same' });
    const reply = await call('getLists', 'limit=2');
    const target = new URL(reply.headers.location ?? '', sandbox.baseUrl);
    assert.deepEqual([reply.status, target.origin], [302, new URL(sandbox.baseUrl).origin]);
    assert.deepEqual((await send(target.href, { headers: { 'Api-Key': sandbox.apiKey } })).json, json);
  });
  it('sends a response slowly, and an oversized one', async () => {
    const { text } = await call('getOneTemplate', 'templateId=2');
    const slow = service.sandbox.faults.add({ kind: 'slow', bytes: 1000, intervalMs: 1 });
    assert.equal((await call('getOneTemplate', 'templateId=2')).text, text);
    slow.remove();
    service.sandbox.faults.add({ kind: 'oversized', bytes: 1_000_000 });
    const oversized = await call('getLists');
    assert.ok(oversized.text.length >= 1_000_000 && Array.isArray(oversized.json));
  });
  it('apply to their operation, the given number of times', async () => {
    const fault = service.sandbox.faults.add({ kind: 'status', status: 503, operation: 'getLists', times: 2 });
    assert.deepEqual(await statuses('getTemplates', 'getLists', 'getLists', 'getLists'), [200, 503, 503, 200]);
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
  for (const after of ['request', 'headers'] as const) {
    it(`hangs after the ${after} until the sandbox closes`, async () => {
      const { sandbox } = service;
      sandbox.faults.add({ kind: 'hang', after });
      const headers = { 'Api-Key': sandbox.apiKey };
      const sent = request(createUrl(sandbox, 'getLists'), { headers, agent: false });
      const ended = new Promise<string | undefined>((resolve) => {
        sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        sent.on('response', (response) =>
          response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).resume(),
        );
      });
      const arrived = new Promise<IncomingMessage>((resolve) => sent.on('response', resolve));
      sent.end();
      if (after === 'headers') assert.equal((await arrived).statusCode, 200);
      else while (sandbox.requests.length === 0) await new Promise(setImmediate);
      await sandbox.close();
      assert.equal(await ended, 'ECONNRESET');
      assert.equal(sandbox.requests[0]?.status, after === 'headers' ? 200 : null);
    });
  }
});
