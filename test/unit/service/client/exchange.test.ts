import assert from 'node:assert/strict';
import type { Dispatcher } from 'undici';
import { ExchangeFailure, exchange } from '../../../../src/service/client/exchange.ts';
import type { HttpResponse, WireRequest } from '../../../../src/service/client/exchange.ts';

const request: WireRequest = {
  origin: 'http://service.example',
  path: '/index.php',
  method: 'POST',
  headers: {},
  body: '{}',
};

/** What undici gives with a request that it is about to write; notes whether it was told not to. */
class Started implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  readonly rawHeaders = null;
  readonly rawTrailers = null;

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

type Play = (handler: Dispatcher.DispatchHandler, start: () => Started) => void;

/** Plays undici's part of an exchange. Gives what came of it, and every start of the request. */
async function played(
  play: Play,
  signal = new AbortController().signal,
): Promise<{ readonly told: HttpResponse | ExchangeFailure; readonly starts: readonly Started[] }> {
  const starts: Started[] = [];
  const dispatch = (_options: unknown, handler: Dispatcher.DispatchHandler): boolean => {
    play(handler, () => {
      const started = new Started();
      starts.push(started);
      handler.onRequestStart?.(started, {});
      return started;
    });
    return true;
  };
  const told = await exchange({ dispatch } as unknown as Dispatcher, request, 10_000, signal).catch(
    (error: unknown) => {
      if (error instanceof ExchangeFailure) return error;
      throw error;
    },
  );
  return { told, starts };
}

const answer = (handler: Dispatcher.DispatchHandler, started: Started): void => {
  handler.onResponseStart?.(started, 200, {}, 'OK');
  handler.onResponseData?.(started, Buffer.from('[]'));
  handler.onResponseEnd?.(started, {});
};

describe('one request of the transport', () => {
  it('is written where undici starts it', async () => {
    const { told, starts } = await played((handler, start) => answer(handler, start()));
    assert.deepEqual(
      [told instanceof Error ? told.message : told.text, starts.map(({ aborted }) => aborted)],
      ['[]', [false]],
    );
  });

  it('is not written again where undici starts it a second time', async () => {
    const { told, starts } = await played((handler, start) => {
      start();
      const second = start();
      // Only where it was told to stop does undici write nothing.
      if (second.aborted) handler.onResponseError?.(second, second.reason ?? new Error());
      else answer(handler, second);
    });
    assert.deepEqual(
      starts.map(({ aborted }) => aborted),
      [true, true],
    );
    assert.ok(told instanceof ExchangeFailure);
    assert.deepEqual([told.reason, told.sent], ['failed', true]);
  });

  it('is not written again after the head of an answer', async () => {
    const { starts } = await played((handler, start) => {
      handler.onResponseStart?.(start(), 200, {}, 'OK');
      const second = start();
      handler.onResponseError?.(second, second.reason ?? new Error());
    });
    assert.equal(starts[1]?.aborted, true);
  });

  it('is not written at all where it was given up while the connection was made', async () => {
    const stop = new AbortController();
    const { told, starts } = await played((_handler, start) => {
      stop.abort();
      start();
    }, stop.signal);
    assert.ok(told instanceof ExchangeFailure);
    assert.deepEqual([told.reason, told.sent, starts.map(({ aborted }) => aborted)], ['aborted', false, [true]]);
  });
});
