import assert from 'node:assert/strict';
import { request, type ClientRequest } from 'node:http';
import { eventually } from '../../../support/eventually.ts';
import { createUrl, send, useService } from './support.ts';

const megabyte = 1024 * 1024;

describe('sandbox: request bodies', () => {
  const service = useService();
  const headers = (key = service.sandbox.apiKey) => ({ 'Api-Key': key, 'Content-Type': 'application/json' });
  const open: ClientRequest[] = [];
  /** Starts a request and keeps its body open. Resolves to the response status. */
  const begin = (sent: Readonly<Record<string, string>>, first?: Buffer) => {
    const outgoing = request(createUrl(service.sandbox, 'createTemplate'), {
      method: 'POST',
      headers: sent,
      agent: false,
    });
    open.push(outgoing);
    const status = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    // Some responses are never awaited.
    status.catch(() => undefined);
    if (first) outgoing.write(first);
    else outgoing.flushHeaders();
    return { outgoing, status };
  };
  afterEach(() => {
    for (const outgoing of open.splice(0)) outgoing.destroy();
  });

  it('responds before reading the body if the key is missing', async () => {
    const length = { 'Content-Length': String(1024 * megabyte) };
    for (const sent of [{ 'Content-Type': 'application/json' }, headers('wrong'), headers('')]) {
      assert.equal(await begin({ ...sent, ...length }).status, 401);
      assert.equal(await begin({ ...sent, 'Transfer-Encoding': 'chunked' }, Buffer.alloc(1000, ' ')).status, 401);
    }
    const whole = { method: 'POST', headers: headers('wrong'), body: '{"name":"x"}' };
    const { status, json } = await send(createUrl(service.sandbox, 'createTemplate'), whole);
    assert.deepEqual([status, json], [401, { message: 'API key is invalid' }]);
    assert.deepEqual(
      service.sandbox.requests.map(({ body }) => body),
      Array.from({ length: 7 }, () => undefined),
    );
  });

  it('refuses more than 8 MiB, by the declared length or while reading', async () => {
    assert.equal(await begin({ ...headers(), 'Content-Length': String(8 * megabyte + 1) }).status, 413);
    assert.equal(
      await begin({ ...headers(), 'Transfer-Encoding': 'chunked' }, Buffer.alloc(8 * megabyte + 1, ' ')).status,
      413,
    );
    const text = JSON.stringify({ name: 'Long', body: 'x' });
    const longest = { method: 'POST', headers: headers(), body: text.padEnd(8 * megabyte) };
    const { status } = await send(createUrl(service.sandbox, 'createTemplate'), longest);
    assert.equal(status, 201);
  });

  it('buffers up to 32 MiB in total and refuses more until memory is free', async () => {
    const sevenMegabytes = () =>
      begin({ ...headers(), 'Transfer-Encoding': 'chunked' }, Buffer.alloc(7 * megabyte, ' '));
    const requests = Array.from({ length: 5 }, sevenMegabytes);
    assert.equal(await Promise.race(requests.map(({ status }) => status)), 503);
    for (const { outgoing } of requests) outgoing.end();
    assert.deepEqual((await Promise.all(requests.map(({ status }) => status))).toSorted(), [422, 422, 422, 422, 503]);
    // A disconnected client must not leave buffered data behind.
    const before = service.sandbox.requests.length;
    const aborted = Array.from({ length: 4 }, sevenMegabytes);
    await eventually(() => assert.equal(service.sandbox.requests.length, before + 4));
    for (const { outgoing } of aborted) outgoing.destroy();
    await eventually(async () => {
      const next = Array.from({ length: 4 }, sevenMegabytes);
      for (const { outgoing } of next) outgoing.end();
      assert.deepEqual(await Promise.all(next.map(({ status }) => status)), [422, 422, 422, 422]);
    });
  });
});
