import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { exchange, type HttpResponse, type WireRequest } from '../../../../src/service/client/exchange.ts';
import { ApiError } from '../../../../src/service/client/index.ts';

const request: WireRequest = {
  origin: 'http://service.example',
  path: '/index.php',
  method: 'POST',
  headers: {},
  body: '{}',
};

/** A fake undici controller that records whether the request was aborted. */
class Started implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  readonly rawHeaders = null;
  readonly rawTrailers = null;

  abort(reason: Error) {
    this.aborted = true;
    this.reason = reason;
  }

  pause() {
    this.paused = true;
  }

  resume() {
    this.paused = false;
  }
}

type Simulate = (handler: Dispatcher.DispatchHandler, start: () => Started) => void;

/** Simulates undici in an exchange. Returns the result and all starts of the request. */
async function simulateExchange(
  play: Simulate,
  maxBytes?: number,
): Promise<{ readonly result: HttpResponse | ApiError; readonly starts: readonly Started[] }> {
  const starts: Started[] = [];
  const dispatch = (_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
    play(handler, () => {
      const started = new Started();
      starts.push(started);
      handler.onRequestStart?.(started, {});
      return started;
    });
    return true;
  };
  const { signal } = new AbortController();
  const call = {
    signal,
    operation: 'x',
    method: 'POST',
    recordType: 'list',
    describeFailure: () => 'Failed.',
  } as const;
  const result = await exchange(
    { dispatch } as Partial<Dispatcher> as Dispatcher,
    { ...request, maxBytes },
    10_000,
    call,
  ).catch((error: Error) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
  return { result, starts };
}

const answer = (handler: Dispatcher.DispatchHandler, started: Started) => {
  handler.onResponseStart?.(started, 200, {}, 'OK');
  handler.onResponseData?.(started, Buffer.from('[]'));
  handler.onResponseEnd?.(started, {});
};

describe('exchange', () => {
  it('writes the request when undici starts it', async () => {
    const { result, starts } = await simulateExchange((handler, start) => answer(handler, start()));
    assert.deepEqual(
      [result instanceof Error ? result.message : result.text, starts.map(({ aborted }) => aborted)],
      ['[]', [false]],
    );
  });

  it('does not write the request again if undici restarts it', async () => {
    const { result, starts } = await simulateExchange((handler, start) => {
      start();
      const second = start();
      // undici writes nothing only if the request was aborted.
      if (second.aborted) handler.onResponseError?.(second, second.reason ?? new Error());
      else answer(handler, second);
    });
    assert.deepEqual(
      starts.map(({ aborted }) => aborted),
      [true, true],
    );
    assert.ok(result instanceof ApiError);
    assert.deepEqual([result.kind, result.outcome], ['network', 'unknown']);
  });

  it('does not write the request again after the response headers', async () => {
    const { starts } = await simulateExchange((handler, start) => {
      handler.onResponseStart?.(start(), 200, {}, 'OK');
      const second = start();
      handler.onResponseError?.(second, second.reason ?? new Error());
    });
    assert.equal(starts[1]?.aborted, true);
  });

  for (const [type, data] of [
    ['plain', Buffer.alloc(20, ' ')],
    ['compressed', gzipSync(Buffer.alloc(20_000, ' '))],
  ] as const) {
    it(`stops reading a ${type} answer at the limit of the request`, async () => {
      const maxBytes = type === 'plain' ? 19 : 19_999;
      const { result } = await simulateExchange((handler, start) => {
        const started = start();
        handler.onResponseStart?.(started, 200, type === 'plain' ? {} : { 'content-encoding': 'gzip' }, 'OK');
        handler.onResponseData?.(started, data);
        handler.onResponseEnd?.(started, {});
      }, maxBytes);
      assert.ok(!(result instanceof ApiError) && result.isTooLarge);
    });
  }
});
