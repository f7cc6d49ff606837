import assert from 'node:assert/strict';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { wasSent } from '../../../../src/features/sending/sendState.ts';
import type { SendState } from '../../../../src/sync/requests/kinds.ts';
import type { FaultRule } from '../../../support/sandbox/index.ts';
import { WATCH_MS } from '../../../../src/features/sending/campaignSender.ts';
import { SendStage, type SendWindow } from './stage.ts';
import { ManualTimeout } from '../../../support/manualTimeout.ts';

const recipients = 3;

describe('CampaignSender', () => {
  let stage: SendStage;
  let window: SendWindow;
  const ref = () => ({ connection: 'one', id: stage.campaignId });
  const service = () => ({ connection: 'one', baseUrl: stage.sandbox.baseUrl });
  const what = () => `campaigns/${stage.campaignId}`;
  const fault = (rule: FaultRule) => stage.sandbox.faults.add({ operation: 'sendCampaign', times: 1, ...rule });
  const countEntries = async () => (await window.journal.all()).length;
  const loseResponse = async () => {
    const late = fault({ kind: 'late' });
    assert.equal(await window.sends.send(await stage.order()), 'unknown');
    return late;
  };

  beforeEach(async () => {
    stage = await SendStage.start();
    window = stage.open();
  });
  afterEach(() => stage.end());

  it('sends one request and leaves no journal entry', async () => {
    assert.equal(await window.sends.send(await stage.order()), 'sent');
    assert.deepEqual(
      [stage.requests, stage.sandbox.outbox.count, await countEntries(), window.sends.isTracked(ref())],
      [1, recipients, 0, false],
    );
  });

  it('reads the record right before sending, and sends nothing if it changed since the confirmation', async () => {
    const order = await stage.order();
    const check = (): void => {
      throw new Error('changed');
    };
    await assert.rejects(window.sends.send({ ...order, check }), /changed/u);
    assert.deepEqual([stage.requests, await countEntries()], [0, 0]);
    assert.deepEqual(stage.sandbox.requests.at(-1)?.operation, 'getCampaignById');
    await window.sends.send(order);
    assert.deepEqual(
      stage.sandbox.requests.slice(-2).map(({ operation }) => operation),
      ['getCampaignById', 'sendCampaign'],
    );
  });

  for (const status of [401, 403, 404, 422, 429]) {
    it(`reports that nothing was sent if the service responds with ${status}`, async () => {
      fault({ kind: 'status', status });
      await assert.rejects(window.sends.send(await stage.order()), { name: 'ApiError', outcome: 'refused' });
      assert.deepEqual([await countEntries(), window.sends.isTracked(ref())], [0, false]);
      assert.equal(await window.sends.send(await stage.order()), 'sent', 'It can be sent at once.');
    });
  }

  it('reports that nothing was sent if the service is unreachable', async () => {
    const order = await stage.order();
    const away = new MailingClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', wait: () => Promise.resolve() });
    const other = stage.open(away);
    await assert.rejects(other.sends.send(order), { name: 'ApiError', outcome: 'refused' });
    assert.equal(await countEntries(), 0);
    await away.close();
  });

  for (const rule of [
    { kind: 'late' },
    { kind: 'late', answer: 'none' },
    { kind: 'resetAfterRead' },
    { kind: 'resetBeforeRead' },
    { kind: 'operationError' },
    { kind: 'html' },
  ] as const) {
    it(`reports an uncertain outcome after ${rule.kind}${'answer' in rule ? ' without a response' : ''}`, async () => {
      const { baseUrl, apiKey } = stage.sandbox;
      const timeout = new ManualTimeout();
      const impatientClient = new MailingClient({ baseUrl, apiKey, timeoutMs: timeout.ms });
      const other = stage.open(impatientClient);
      const added = fault(rule);
      const outcome = other.sends.send(await stage.order());
      if (rule.kind === 'late') await timeout.end('head', () => assert.ok(added.hits > 0));
      assert.equal(await outcome, 'unknown');
      assert.deepEqual([stage.requests, await countEntries(), other.sends.isTracked(ref())], [1, 1, true]);
      other.sends.dispose();
      await impatientClient.close();
    });
  }

  for (const check of [1, 2, 3]) {
    it(`reports the send if check ${check} confirms it after a lost response`, async () => {
      const late = fault({ kind: 'late' });
      // The first read is the one before the request.
      window.beforeRead = (readCount) => {
        if (readCount === check) late.land();
      };
      assert.equal(await window.sends.send(await stage.order()), 'sent');
      assert.deepEqual([window.pauses.length, stage.requests, await countEntries()], [check - 1, 1, 0]);
    });
  }

  it('watches the record after a lost response, and reports the send once the record shows it', async () => {
    const late = await loseResponse();
    await window.tick();
    await window.tick();
    assert.deepEqual([window.settled, window.sends.isTracked(ref())], [[], true]);
    late.land();
    await window.tick();
    assert.deepEqual(
      [window.settled, window.sends.isTracked(ref()), await countEntries(), window.isWaiting],
      [[[what(), 'sent']], false, 0, false],
    );
    assert.deepEqual([stage.requests, stage.sandbox.outbox.count], [1, recipients]);
  });

  it('keeps watching when the service fails', async () => {
    const late = await loseResponse();
    const down = stage.sandbox.faults.add({ kind: 'status', status: 500, operation: 'getCampaignById' });
    late.land();
    await window.tick();
    assert.deepEqual(window.settled, []);
    down.remove();
    await window.tick();
    assert.deepEqual(window.settled, [[what(), 'sent']]);
  });

  it('watches with growing pauses until the time limit, then reports an uncertain outcome', async () => {
    const start = stage.now;
    await loseResponse();
    while (window.isWaiting) await window.tick();
    assert.deepEqual(window.pauses.slice(0, 9), [1000, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    assert.ok(stage.now - start >= WATCH_MS && stage.now - start < WATCH_MS + 61_000);
    assert.deepEqual(
      [window.settled, window.sends.isTracked(ref()), await countEntries()],
      [[[what(), 'unknown']], true, 1],
    );
    const next = stage.open();
    await next.sends.resume(true);
    assert.deepEqual(
      [next.sends.isTracked(ref()), next.isWaiting],
      [true, false],
      'A later window reports it without watching it.',
    );
  });

  it('stops watching on request, with the outcome still uncertain', async () => {
    await loseResponse();
    await window.sends.stopWatching({ ...service(), id: stage.campaignId });
    const { readCount } = window;
    await window.tick();
    assert.deepEqual(
      [window.readCount, window.isWaiting, window.settled, window.sends.isTracked(ref())],
      [readCount, false, [], true],
    );
    const next = stage.open();
    await next.sends.resume(true);
    assert.deepEqual([next.sends.isTracked(ref()), next.isWaiting], [true, false]);
  });

  it('does not offer to repeat a send while another window may still get the response', async () => {
    const { check: _, resendOf: __, ...order } = await stage.order();
    const entry = { ...order, ...window.journal.start(), watchUntil: stage.now + WATCH_MS };
    await stage.open().journal.acquire(entry);
    await assert.rejects(window.sends.findUnconfirmed(service(), what()), /already being sent.*nothing else was sent/u);
    stage.now += 3 * 60_000;
    assert.deepEqual(await window.sends.findUnconfirmed(service(), what()), entry);
  });

  it('refuses a second send while the first is unconfirmed', async () => {
    const late = await loseResponse();
    const order = await stage.order();
    for (const other of [window, stage.open()]) {
      assert.equal((await other.sends.findUnconfirmed(service(), what()))?.campaignId, stage.campaignId);
      await assert.rejects(other.sends.send(order), /already being sent.*nothing else was sent/u);
    }
    late.land();
    assert.equal(await window.sends.findUnconfirmed(service(), what()), undefined, 'The record confirms the send.');
    assert.deepEqual([stage.requests, window.sends.isTracked(ref()), await countEntries()], [1, false, 0]);
  });

  it('reports an unconfirmed send under every connection to its service', async () => {
    const late = await loseResponse();
    const next = stage.open();
    await next.sends.resume(true);
    for (const sends of [window.sends, next.sends])
      assert.equal(sends.isTracked({ connection: 'two', id: stage.campaignId }), true);
    const resendOf = await next.sends.findUnconfirmed({ ...service(), connection: 'two' }, what());
    assert.equal(resendOf?.connection, 'one');
    const order = { ...(await stage.order()), connection: 'two' };
    await assert.rejects(next.sends.send(order), /already being sent.*nothing else was sent/u);
    assert.equal(await next.sends.send({ ...order, resendOf }), 'sent');
    await assert.rejects(window.sends.send(await stage.order(resendOf)), /so nothing was sent now/u);
    late.land();
    assert.deepEqual([stage.requests, await countEntries()], [2, 0]);
  });

  it('does not repeat a send that was confirmed after the user agreed', async () => {
    const late = await loseResponse();
    const again = await window.sends.findUnconfirmed(service(), what());
    const order = await stage.order(again);
    late.land();
    await window.tick();
    await assert.rejects(window.sends.send(order), /so nothing was sent now/u);
    assert.deepEqual([stage.requests, await countEntries()], [1, 0]);
  });

  it('keeps the first send unconfirmed if the repeated one is refused', async () => {
    const late = await loseResponse();
    const again = await window.sends.findUnconfirmed(service(), what());
    fault({ kind: 'status', status: 422 });
    await assert.rejects(window.sends.send(await stage.order(again)), { name: 'ApiError', outcome: 'refused' });
    assert.deepEqual([window.sends.isTracked(ref()), await window.journal.all()], [true, [again]]);
    late.land();
    while (window.isWaiting) await window.tick();
    assert.deepEqual(window.settled, [[what(), 'sent']]);
  });

  it('confirms a repeated send with a lost response by its date', async () => {
    await window.sends.send(await stage.order());
    const order = await stage.order();
    stage.now += 60_000;
    const late = fault({ kind: 'late' });
    assert.equal(await window.sends.send(order), 'unknown', 'The record already showed an earlier send.');
    late.land();
    await window.tick();
    assert.deepEqual([window.settled, stage.requests], [[[what(), 'sent']], 2]);
  });

  it('sends from only one of two windows that confirm at the same time', async () => {
    const other = stage.open();
    const order = await stage.order();
    const results = await Promise.allSettled([window.sends.send(order), other.sends.send(order)]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.deepEqual([stage.requests, stage.sandbox.outbox.count], [1, recipients]);
  });

  describe('with entries of an earlier window', () => {
    it('resumes watching after a reload until the send is confirmed', async () => {
      const late = await loseResponse();
      window.sends.dispose();
      const next = stage.open();
      await next.sends.resume(true);
      assert.equal(next.sends.isTracked(ref()), true);
      late.land();
      await next.tick();
      assert.deepEqual(
        [next.settled, next.sends.isTracked(ref()), await countEntries()],
        [[[what(), 'sent']], false, 0],
      );
    });

    it('reports a send as unconfirmed if its window ended during the request', async () => {
      const late = fault({ kind: 'late', answer: 'none' });
      const { baseUrl, apiKey } = stage.sandbox;
      const closedClient = new MailingClient({ baseUrl, apiKey });
      const order = await stage.order();
      const sending = stage.open(closedClient);
      const outcome = sending.sends.send(order);
      while (late.hits === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      sending.sends.dispose();
      await closedClient.close();
      assert.equal(await outcome, 'unknown');
      await window.sends.resume(true);
      assert.equal(window.sends.isTracked(ref()), true);
      await assert.rejects(window.sends.send(order), /already being sent/u);
      assert.equal(stage.requests, 1);
    });

    it('reports the outcome in only one of the watching windows', async () => {
      const late = await loseResponse();
      const other = stage.open();
      await other.sends.resume(true);
      late.land();
      await window.tick();
      await other.tick();
      assert.deepEqual([...window.settled, ...other.settled], [[what(), 'sent']]);
      assert.equal(other.sends.isTracked(ref()), false);
    });

    it('leaves recent sends to the window that may still get the response, and takes over lost ones at once', async () => {
      const { check: _, resendOf: __, ...order } = await stage.order();
      const entry = { ...order, ...window.journal.start(), watchUntil: stage.now + WATCH_MS };
      await window.journal.acquire(entry);
      const other = stage.open();
      await other.sends.resume(false);
      assert.equal(other.sends.isTracked(ref()), false);
      stage.now += 3 * 60_000;
      await other.sends.resume(false);
      assert.equal(other.sends.isTracked(ref()), true);
      await window.journal.release(entry);
      await other.sends.resume(false);
      assert.deepEqual([other.sends.isTracked(ref()), await countEntries()], [false, 0]);
      await loseResponse();
      await other.sends.resume(false);
      assert.equal(other.sends.isTracked(ref()), true);
      await window.sends.handleDeleted({ ...service(), id: stage.campaignId });
      await other.sends.resume(false);
      assert.deepEqual([other.sends.isTracked(ref()), await countEntries()], [false, 0]);
    });

    for (const minutes of [125 / 60, 9]) {
      it(`lets no second window send after ${minutes.toFixed(1)} minutes if requests may take ten`, async () => {
        stage.timeoutMs = 600_000;
        const { check: _, resendOf: __, ...order } = await stage.order();
        await window.journal.acquire({ ...order, ...window.journal.start(), watchUntil: stage.now + WATCH_MS });
        stage.now += minutes * 60_000;
        const other = stage.open();
        await other.sends.resume(false);
        assert.equal(other.sends.isTracked(ref()), false);
        await assert.rejects(other.sends.findUnconfirmed(service(), what()), /already being sent/u);
        await assert.rejects(other.sends.send(await stage.order()), /already being sent/u);
        assert.equal(stage.requests, 0);
      });
    }

    it('sends nothing if another window replaced its entry while it read the record', async () => {
      const order = await stage.order();
      const check = async () => {
        const own = await window.journal.find({ ...service(), what: what() });
        assert.ok(own);
        await window.journal.acquire({ ...own, asked: own.asked + 1 }, own);
      };
      await assert.rejects(window.sends.send({ ...order, check }), /Another window has continued this\. Nothing was/u);
      assert.deepEqual([stage.requests, await countEntries()], [0, 1]);
    });

    it('sends nothing to another service if the address of the connection changed after the confirmation', async () => {
      const order = await stage.order();
      window.baseUrl = 'https://elsewhere.example.com';
      await assert.rejects(window.sends.send(order), /has another URL now.*Nothing was sent there/u);
      assert.deepEqual([stage.requests, window.readCount, await countEntries()], [0, 0, 0]);
    });

    it('sends no requests to another address under the same connection', async () => {
      await loseResponse();
      const next = stage.open();
      next.baseUrl = 'https://elsewhere.example.com';
      await next.sends.resume(true);
      await next.tick();
      assert.deepEqual([next.sends.isTracked(ref()), next.readCount, next.isWaiting], [false, 0, false]);
    });

    it('keeps an unconfirmed send, however long ago the clock says that it was requested', async () => {
      await loseResponse();
      stage.now += 800 * 24 * 3600_000;
      const next = stage.open();
      await next.sends.resume(true);
      assert.deepEqual([await countEntries(), next.sends.isTracked(ref())], [1, true]);
      await assert.rejects(next.sends.send(await stage.order()), /already being sent/u);
    });
  });
});

describe('wasSent', () => {
  const draft: SendState = { draft: 1, active: 0, sent: 0, sending_date: null };
  const sent: SendState = { draft: 0, active: 1, sent: 1, sending_date: '2026-05-20 10:00:00' };
  for (const [name, before, after, shown] of [
    ['went out', draft, sent, true],
    ['began to wait for its date', draft, { draft: 0, active: 1, sent: 0, sending_date: '2027-01-01 00:00:00' }, true],
    ['became active', { ...draft, draft: 0 }, { ...draft, draft: 0, active: 1 }, true],
    ['is as it was', draft, draft, false],
    ['has another date only', draft, { ...draft, sending_date: '2027-01-01' }, false],
    ['was sent before, and is as it was', sent, sent, false],
    ['was sent before, and has another date', sent, { ...sent, sending_date: '2026-05-20 10:05:00' }, true],
    ['was sent before, and was made a draft by a save', sent, draft, false],
    ['says nothing', draft, {}, false],
  ] as const satisfies readonly (readonly [string, SendState, SendState, boolean])[]) {
    it(`${name}: ${shown ? 'sent' : 'no proof'}`, () => assert.equal(wasSent(before, after), shown));
  }
});
