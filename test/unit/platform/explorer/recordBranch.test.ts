import assert from 'node:assert/strict';
import { RecordBranch, MAX_RELOADED_PAGES } from '../../../../src/platform/explorer/recordBranch.ts';
import type { Page } from '../../../../src/service/client/paginate.ts';

interface Item {
  readonly id: number;
}

/** A branch, and the service that it reads from. */
class Fixture {
  readonly requests: { readonly page: Page; readonly signal: AbortSignal }[] = [];
  readonly changes: ('tail' | 'view')[] = [];
  total: number;
  /** Maximum page size of the service. */
  cap = 1000;
  failures: Error[] = [];
  keep: (record: Item) => boolean = () => true;
  show: (id: number) => number = (id) => id;
  /** The offset from which a page is read. */
  shift: (offset: number) => number = (offset) => offset;
  /** If set, requests wait for it. */
  gate: Promise<void> | undefined;
  readonly branch = new RecordBranch<Item, number>({
    pageSize: 10,
    fetch: (page, signal) => this.#fetch(page, signal),
    matchesFilter: (record) => this.keep(record),
    toItem: (record) => this.show(record.id),
    onChanged: (what) => this.changes.push(what),
  });

  constructor(total: number) {
    this.total = total;
  }

  /** Returns a fixture whose first page is loaded. */
  static async load(total: number) {
    const fixture = new Fixture(total);
    await fixture.branch.load();
    return fixture;
  }

  get offsets() {
    return this.requests.map(({ page }) => page.offset);
  }

  get items() {
    return this.branch.view.items;
  }

  /** Lets requests wait until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gate = promise;
    return resolve;
  }

  async #fetch(page: Page, signal: AbortSignal): Promise<readonly Item[]> {
    this.requests.push({ page, signal });
    await this.gate;
    signal.throwIfAborted();
    const failure = this.failures.shift();
    if (failure) throw failure;
    const offset = this.shift(page.offset);
    const size = Math.max(0, Math.min(page.limit, this.cap, this.total - offset));
    return Array.from({ length: size }, (_, index) => ({ id: offset + index + 1 }));
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
/** Runs all pending microtasks. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

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
    assert.deepEqual(fixture.branch.view, { items: range(1, 10), tail: 'more' });
    assert.equal(fixture.branch.isComplete, false);
  });

  it('shares one request between concurrent loads', async () => {
    const { branch, ...fixture } = new Fixture(30);
    await Promise.all([branch.load(), branch.load(), branch.loadMore()]);
    await branch.load();
    assert.equal(fixture.requests.length, 1);
    await Promise.all([branch.loadMore(), branch.loadMore()]);
    assert.equal(fixture.requests.length, 2);
  });

  it('updates a record that was read elsewhere, without a request', async () => {
    const fixture = new Fixture(30);
    const { branch, changes } = fixture;
    assert.equal(branch.updateRecord({ id: 2 }), true, 'a branch that was never opened has nothing to show');
    await branch.load();
    assert.equal(branch.updateRecord({ id: 2 }), true);
    assert.deepEqual(changes, [], 'it is shown as before');
    fixture.show = (id) => -id;
    assert.equal(branch.updateRecord({ id: 2 }), true);
    assert.deepEqual([fixture.items.slice(0, 4), changes], [[1, -2, 3, 4], ['view']]);
    assert.equal(branch.updateRecord({ id: 25 }), true, 'on a page that is not loaded');
    fixture.keep = ({ id }) => id !== 3;
    assert.equal(branch.updateRecord({ id: 3 }), true);
    assert.deepEqual(fixture.items.slice(0, 3), [1, -2, 4]);
    fixture.keep = () => true;
    assert.equal(branch.updateRecord({ id: 3 }), false, 'it has no position');
    assert.deepEqual(fixture.offsets, [0]);
  });

  it('needs a reload if a record was read elsewhere while it was loading', async () => {
    const fixture = await Fixture.load(30);
    const release = fixture.hold();
    const more = fixture.branch.loadMore();
    assert.equal(fixture.branch.updateRecord({ id: 2 }), false);
    release();
    await more;
    fixture.branch.refresh();
    assert.equal(fixture.branch.updateRecord({ id: 2 }), false);
  });

  it('loads page by page, and reports loading and the end', async () => {
    const fixture = await Fixture.load(20);
    const { branch, changes } = fixture;
    const more = branch.loadMore();
    assert.deepEqual([branch.view.tail, changes], ['loading', ['tail']], 'the records stay as they are');
    await more;
    assert.deepEqual([branch.view.tail, changes], ['more', ['tail', 'view']]);
    await branch.loadMore();
    await branch.loadMore();
    assert.deepEqual(fixture.offsets, [0, 10, 20]);
    assert.deepEqual(branch.view, { items: range(1, 20), tail: 'end' });
  });

  it('shows a short first page at once, and checks in the background whether it was the last', async () => {
    const fixture = await Fixture.load(3);
    assert.deepEqual(fixture.branch.view, { items: [1, 2, 3], tail: 'none' });
    await settled();
    assert.deepEqual(fixture.branch.view, { items: [1, 2, 3], tail: 'none' });
    assert.equal(fixture.branch.isComplete, true);
    await fixture.branch.load();
    await settled();
    assert.deepEqual([fixture.offsets, fixture.changes], [[0, 3], ['view']]);
  });

  it('reaches all records of a service that limits page sizes', async () => {
    const fixture = new Fixture(11);
    fixture.cap = 4;
    for (let count = 0; count < 2; count += 1) {
      await fixture.branch.load();
      await settled();
    }
    assert.deepEqual(fixture.offsets, [0, 4], 'continued once');
    assert.equal(fixture.branch.view.tail, 'more');
    await fixture.branch.loadMore();
    assert.deepEqual(fixture.branch.view, { items: range(1, 11), tail: 'end' });
  });

  it('ends if a service repeats the same page', async () => {
    const fixture = new Fixture(10);
    fixture.shift = () => 0;
    await fixture.branch.load();
    await fixture.branch.loadMore();
    assert.deepEqual([fixture.items.length, fixture.branch.isComplete], [10, true]);
  });

  it('shows a record once if it moved to a later page while loading', async () => {
    const fixture = await Fixture.load(30);
    fixture.shift = (offset) => offset - 1;
    await fixture.branch.loadMore();
    assert.deepEqual(fixture.items, range(1, 19));
  });

  it('keeps loaded records when a later page fails, and continues from there', async () => {
    const fixture = await Fixture.load(25);
    const failure = new Error('reset');
    fixture.failures = [failure];
    await fixture.branch.loadMore();
    assert.deepEqual(fixture.branch.view, { items: range(1, 10), failure, tail: 'failed' });
    await fixture.branch.retry();
    assert.deepEqual([fixture.offsets, fixture.items.length], [[0, 10, 10], 20]);
  });

  it('reports why loading failed, and retries only on request', async () => {
    const fixture = new Fixture(25);
    const failure = new Error('refused');
    fixture.failures = [failure];
    await fixture.branch.load();
    await fixture.branch.load();
    assert.equal(fixture.requests.length, 1);
    assert.deepEqual(fixture.branch.view, { items: [], failure, tail: 'none' });
    await fixture.branch.retry();
    assert.deepEqual(fixture.branch.view, { items: range(1, 10), tail: 'more' });
  });

  it('reloads as many records as were loaded', async () => {
    const fixture = await Fixture.load(100);
    await fixture.branch.loadMore();
    await fixture.branch.loadMore();
    fixture.total = 27;
    fixture.branch.refresh();
    assert.equal(fixture.items.length, 30, 'the old ones stay until the new ones are there');
    await fixture.branch.load();
    assert.deepEqual(fixture.offsets.slice(3), [0, 10, 20]);
    assert.deepEqual([fixture.items.length, fixture.branch.isComplete], [27, true]);
  });

  it('limits the number of reloaded records', async () => {
    const fixture = await Fixture.load(1000);
    for (let page = 0; page < MAX_RELOADED_PAGES + 5; page += 1) await fixture.branch.loadMore();
    fixture.requests.length = 0;
    fixture.branch.refresh();
    await fixture.branch.load();
    assert.equal(fixture.requests.length, MAX_RELOADED_PAGES);
    assert.deepEqual(fixture.branch.view, { items: range(1, MAX_RELOADED_PAGES * 10), tail: 'more' });
  });

  it('keeps its records when reloading fails', async () => {
    const fixture = await Fixture.load(100);
    const failure = new Error('down');
    fixture.failures = [failure];
    fixture.branch.refresh();
    await fixture.branch.load();
    assert.deepEqual(fixture.branch.view, { items: range(1, 10), failure, tail: 'none' });
  });

  it('cancels running requests on refresh, and resolves waiting loads with the new records', async () => {
    const fixture = new Fixture(100);
    const release = fixture.hold();
    const waiting = fixture.branch.load();
    fixture.branch.refresh();
    assert.equal(fixture.requests[0]?.signal.aborted, true);
    fixture.gate = undefined;
    const second = fixture.branch.load();
    release();
    await Promise.all([waiting, second]);
    assert.equal(fixture.requests.length, 2);
    assert.deepEqual(fixture.branch.view, { items: range(1, 10), tail: 'more' });
  });

  it('ignores a canceled next page', async () => {
    const fixture = await Fixture.load(100);
    const release = fixture.hold();
    const more = fixture.branch.loadMore();
    fixture.branch.reset();
    assert.deepEqual(fixture.branch.view, { items: [], tail: 'none' });
    release();
    await more;
    assert.deepEqual(fixture.branch.view, { items: [], tail: 'none' });
    await fixture.branch.load();
    assert.equal(fixture.items.length, 10);
  });

  it('sends no requests after the end', async () => {
    const fixture = new Fixture(100);
    const release = fixture.hold();
    const waiting = fixture.branch.load();
    fixture.branch.dispose();
    release();
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
    assert.deepEqual(fixture.branch.view, { items: range(36, 40), tail: 'more' });
    fixture.keep = () => false;
    fixture.branch.reset();
    for (const count of [14, 24]) {
      await fixture.branch.loadMore();
      assert.equal(fixture.requests.length, count);
      assert.deepEqual(fixture.branch.view, { items: [], tail: 'more' });
    }
  });
});
