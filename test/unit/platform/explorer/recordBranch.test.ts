import assert from 'node:assert/strict';
import { RecordBranch, MAX_RELOADED_PAGES } from '../../../../src/platform/explorer/recordBranch.ts';
import type { Page } from '../../../../src/service/client/paginate.ts';

interface Item {
  readonly id: number;
}

/** Blocks its waiters until it is opened. */
interface Gate {
  readonly promise: Promise<void>;
  open(): void;
}

function newGate(): Gate {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** A service that responds on demand, and a branch that reads from it. */
class Fixture {
  readonly requests: { readonly page: Page; readonly signal: AbortSignal }[] = [];
  changes = 0;
  readonly tailChanges: number[] = [];
  total: number;
  /** Maximum page size of the service. */
  cap = 1000;
  failures: Error[] = [];
  keep: (record: Item) => boolean = () => true;
  show: (id: number) => number = (id) => id;
  ignoresOffset = false;
  /** If set, requests wait for it. */
  gate: Gate | undefined;
  readonly branch: RecordBranch<Item, number>;

  constructor(total: number, pageSize = 10) {
    this.total = total;
    this.branch = new RecordBranch<Item, number>({
      pageSize,
      fetch: (page, signal) => this.#fetch(page, signal),
      matchesFilter: (record) => this.keep(record),
      toItem: (record) => this.show(record.id),
      onChanged: (what) => {
        this.changes += 1;
        if (what === 'tail') this.tailChanges.push(this.changes);
      },
    });
  }

  get offsets(): number[] {
    return this.requests.map(({ page }) => page.offset);
  }

  async #fetch(page: Page, signal: AbortSignal): Promise<readonly Item[]> {
    this.requests.push({ page, signal });
    await this.gate?.promise;
    signal.throwIfAborted();
    const failure = this.failures.shift();
    if (failure) throw failure;
    const offset = this.ignoresOffset ? 0 : page.offset;
    const size = Math.max(0, Math.min(page.limit, this.cap, this.total - offset));
    return Array.from({ length: size }, (_, index) => ({ id: offset + index + 1 }));
  }
}

/** Runs all pending microtasks. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('RecordBranch', () => {
  it('reads nothing before it is opened, then only the first page', async () => {
    const fixture = new Fixture(5000);
    await settled();
    assert.deepEqual(fixture.offsets, []);
    await fixture.branch.load();
    await settled();
    assert.deepEqual(
      fixture.requests.map(({ page }) => page),
      [{ offset: 0, limit: 10 }],
    );
    assert.deepEqual(fixture.branch.view, { items: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], tail: 'more' });
    assert.equal(fixture.branch.isComplete, false);
  });

  it('shares one request between concurrent loads', async () => {
    const fixture = new Fixture(30);
    await Promise.all([fixture.branch.load(), fixture.branch.load(), fixture.branch.loadMore()]);
    await fixture.branch.load();
    assert.deepEqual(fixture.offsets, [0]);
    await Promise.all([fixture.branch.loadMore(), fixture.branch.loadMore()]);
    assert.deepEqual(fixture.offsets, [0, 10]);
  });

  it('updates a record that was read elsewhere, without a request', async () => {
    const fixture = new Fixture(30);
    assert.equal(fixture.branch.updateRecord({ id: 2 }), true, 'a branch that was never opened has nothing to show');
    assert.equal(fixture.changes, 0);
    await fixture.branch.load();
    assert.equal(fixture.branch.updateRecord({ id: 2 }), true);
    assert.equal(fixture.changes, 0, 'it is shown as before');
    fixture.show = (id) => -id;
    assert.equal(fixture.branch.updateRecord({ id: 2 }), true);
    assert.deepEqual(fixture.branch.view.items.slice(0, 4), [1, -2, 3, 4]);
    assert.equal(fixture.changes, 1);
    assert.equal(fixture.branch.updateRecord({ id: 25 }), true, 'on a page that is not loaded');
    fixture.keep = ({ id }) => id !== 3;
    assert.equal(fixture.branch.updateRecord({ id: 3 }), true);
    assert.deepEqual(fixture.branch.view.items.slice(0, 3), [1, -2, 4]);
    fixture.keep = () => true;
    assert.equal(fixture.branch.updateRecord({ id: 3 }), false, 'it has no position');
    assert.deepEqual(fixture.offsets, [0]);
  });

  it('needs a reload if a record was read elsewhere while it was loading', async () => {
    const fixture = new Fixture(30);
    await fixture.branch.load();
    fixture.gate = newGate();
    const more = fixture.branch.loadMore();
    assert.equal(fixture.branch.updateRecord({ id: 2 }), false);
    fixture.gate.open();
    await more;
    fixture.branch.refresh();
    assert.equal(fixture.branch.updateRecord({ id: 2 }), false);
  });

  it('loads page by page, and reports loading and the end', async () => {
    const fixture = new Fixture(20);
    await fixture.branch.load();
    const more = fixture.branch.loadMore();
    assert.equal(fixture.branch.view.tail, 'loading');
    assert.equal(fixture.changes, 1);
    await more;
    assert.equal(fixture.changes, 2);
    assert.deepEqual(fixture.tailChanges, [1], 'the records stay as they are while more are read');
    assert.equal(fixture.branch.view.tail, 'more');
    await fixture.branch.loadMore();
    assert.deepEqual(fixture.offsets, [0, 10, 20]);
    assert.equal(fixture.branch.view.items.length, 20);
    assert.equal(fixture.branch.view.tail, 'end');
    await fixture.branch.loadMore();
    assert.equal(fixture.requests.length, 3);
  });

  it('shows a short first page at once, and checks in the background whether it was the last', async () => {
    const fixture = new Fixture(3);
    await fixture.branch.load();
    assert.deepEqual(fixture.branch.view, { items: [1, 2, 3], tail: 'none' });
    await settled();
    assert.deepEqual(fixture.offsets, [0, 3]);
    assert.deepEqual(fixture.branch.view, { items: [1, 2, 3], tail: 'none' });
    assert.equal(fixture.branch.isComplete, true);
    assert.equal(fixture.changes, 1);
    await fixture.branch.load();
    await settled();
    assert.equal(fixture.requests.length, 2);
  });

  it('reaches all records of a service that limits page sizes', async () => {
    const fixture = new Fixture(11);
    fixture.cap = 4;
    await fixture.branch.load();
    await settled();
    await fixture.branch.load();
    await settled();
    assert.deepEqual(fixture.offsets, [0, 4], 'continued once');
    assert.equal(fixture.branch.view.tail, 'more');
    await fixture.branch.loadMore();
    assert.deepEqual(fixture.branch.view, { items: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], tail: 'end' });
  });

  it('ends if a service repeats the same page', async () => {
    const fixture = new Fixture(10);
    fixture.ignoresOffset = true;
    await fixture.branch.load();
    await fixture.branch.loadMore();
    assert.equal(fixture.branch.view.items.length, 10);
    assert.equal(fixture.branch.isComplete, true);
  });

  it('shows a record once if it moved to a later page while loading', async () => {
    const branch = new RecordBranch<Item, number>({
      pageSize: 2,
      fetch: async ({ offset }) =>
        offset === 0 ? [{ id: 9 }, { id: 10 }] : offset === 2 ? [{ id: 10 }, { id: 11 }] : [],
      matchesFilter: () => true,
      toItem: ({ id }) => id,
      onChanged: () => undefined,
    });
    await branch.load();
    await branch.loadMore();
    assert.deepEqual(branch.view.items, [9, 10, 11]);
  });

  it('keeps loaded records when a later page fails, and continues from there', async () => {
    const fixture = new Fixture(25);
    await fixture.branch.load();
    const cause = new Error('reset');
    fixture.failures = [cause];
    await fixture.branch.loadMore();
    assert.equal(fixture.branch.view.tail, 'failed');
    assert.equal(fixture.branch.view.failure, cause);
    assert.equal(fixture.branch.view.items.length, 10);
    await fixture.branch.retry();
    assert.deepEqual(fixture.offsets, [0, 10, 10]);
    assert.equal(fixture.branch.view.items.length, 20);
  });

  it('reports why loading failed, and retries only on request', async () => {
    const fixture = new Fixture(25);
    const cause = new Error('refused');
    fixture.failures = [cause];
    await fixture.branch.load();
    await fixture.branch.load();
    assert.equal(fixture.requests.length, 1);
    assert.deepEqual(fixture.branch.view, { items: [], failure: cause, tail: 'none' });
    await fixture.branch.retry();
    assert.equal(fixture.branch.view.failure, undefined);
    assert.equal(fixture.branch.view.items.length, 10);
  });

  it('reloads as many records as were loaded', async () => {
    const fixture = new Fixture(100);
    await fixture.branch.load();
    await fixture.branch.loadMore();
    await fixture.branch.loadMore();
    fixture.total = 27;
    fixture.branch.refresh();
    assert.equal(fixture.branch.view.items.length, 30, 'the old ones stay until the new ones are there');
    await fixture.branch.load();
    assert.deepEqual(fixture.offsets.slice(3), [0, 10, 20]);
    assert.equal(fixture.branch.view.items.length, 27);
    assert.equal(fixture.branch.isComplete, true);
  });

  it('limits the number of reloaded records', async () => {
    const fixture = new Fixture(1000);
    await fixture.branch.load();
    for (let page = 0; page < MAX_RELOADED_PAGES + 5; page += 1) await fixture.branch.loadMore();
    const before = fixture.requests.length;
    fixture.branch.refresh();
    await fixture.branch.load();
    assert.equal(fixture.requests.length - before, MAX_RELOADED_PAGES);
    assert.equal(fixture.branch.view.items.length, MAX_RELOADED_PAGES * 10);
    assert.equal(fixture.branch.view.tail, 'more');
  });

  it('keeps its records when reloading fails', async () => {
    const fixture = new Fixture(100);
    await fixture.branch.load();
    fixture.failures = [new Error('down')];
    fixture.branch.refresh();
    await fixture.branch.load();
    assert.equal((fixture.branch.view.failure as Error).message, 'down');
    assert.equal(fixture.branch.view.items.length, 10);
  });

  it('cancels running requests on refresh, and resolves waiting loads with the new records', async () => {
    const fixture = new Fixture(100);
    const gate = (fixture.gate = newGate());
    const waiting = fixture.branch.load();
    fixture.branch.refresh();
    assert.equal(fixture.requests[0]?.signal.aborted, true);
    fixture.gate = undefined;
    const second = fixture.branch.load();
    gate.open();
    await Promise.all([waiting, second]);
    assert.equal(fixture.requests.length, 2);
    assert.equal(fixture.branch.view.items.length, 10);
    assert.equal(fixture.branch.view.failure, undefined);
  });

  it('ignores a canceled next page', async () => {
    const fixture = new Fixture(100);
    await fixture.branch.load();
    const gate = (fixture.gate = newGate());
    const more = fixture.branch.loadMore();
    fixture.branch.reset();
    assert.deepEqual(fixture.branch.view, { items: [], tail: 'none' });
    gate.open();
    await more;
    fixture.gate = undefined;
    assert.deepEqual(fixture.branch.view, { items: [], tail: 'none' });
    await fixture.branch.load();
    assert.equal(fixture.branch.view.items.length, 10);
  });

  it('sends no requests after the end', async () => {
    const fixture = new Fixture(100);
    const gate = (fixture.gate = newGate());
    const waiting = fixture.branch.load();
    fixture.branch.dispose();
    gate.open();
    await waiting;
    await fixture.branch.load();
    await fixture.branch.loadMore();
    assert.equal(fixture.requests.length, 1);
  });

  it('skips pages without matching records, up to a limit', async () => {
    const fixture = new Fixture(1000);
    fixture.keep = ({ id }) => id > 35;
    await fixture.branch.load();
    assert.deepEqual(fixture.offsets, [0, 10, 20, 30]);
    assert.deepEqual(fixture.branch.view, { items: [36, 37, 38, 39, 40], tail: 'more' });
    fixture.keep = () => false;
    fixture.branch.reset();
    await fixture.branch.load();
    assert.equal(fixture.requests.length, 4 + 10);
    assert.deepEqual(fixture.branch.view, { items: [], tail: 'more' });
    await fixture.branch.loadMore();
    assert.equal(fixture.requests.length, 4 + 20);
  });
});
