import assert from 'node:assert/strict';
import { createRefusal } from '../../../src/service/client/errors.ts';
import type { FieldTexts } from '../../../src/sync/fields/fields.ts';
import type { Target } from '../../../src/sync/mapping/mapping.ts';
import type { RemoteTemplates } from '../../../src/sync/push/sync.ts';
import { Clone, Service, template } from './fixtures.ts';

/** More than are read one by one. */
const COUNT = 25;
const PAGE_SIZE = 10;
const ids = Array.from({ length: COUNT }, (_, index) => index + 1);
const targets = ids.map((id): Target => ({
  template: { ...template, folder: `emails/${id}`, ids: { production: id } },
  connection: 'production',
  id,
}));

/** A service with more templates than are mapped. */
class PagedService extends Service {
  /** The templates that were read on their own. */
  readonly singleReads: number[] = [];
  readonly pages: number[] = [];
  readonly incomplete = new Set<number>();
  pageError: Error | undefined;

  override asRemote(): RemoteTemplates {
    const read = (id: number) => ({ body: `text ${id}` });
    return {
      ...super.asRemote(),
      read: ({ id }) => (this.singleReads.push(id), Promise.resolve(read(id))),
      readAll: async (_, onTemplate) => {
        for (let page = 0; page < 9; page += 1) {
          this.pages.push(page);
          if (page === 1 && this.pageError !== undefined) throw this.pageError;
          for (let id = page * PAGE_SIZE + 1; id <= (page + 1) * PAGE_SIZE; id += 1)
            if (await onTemplate(id, this.incomplete.has(id) ? undefined : read(id))) return;
        }
      },
    };
  }
}

describe('A comparison of many templates', () => {
  let service: PagedService;
  let clone: Clone;
  beforeEach(() => {
    service = new PagedService();
    clone = new Clone(service);
    for (const id of ids) clone.disk.files.set(`emails/${id}/body.html`, id === 3 ? 'mine' : `text ${id}`);
  });
  const listRemote = () =>
    targets.map((target) => {
      const status = clone.sync.getStatus(target);
      return status?.kind === 'compared' ? status.comparison.remote : status?.kind;
    });
  const everyText: readonly FieldTexts[] = ids.map((id) => ({ body: `text ${id}` }));

  it('takes each from its page, and reads no further page than needed', async () => {
    await clone.sync.refresh(targets);
    assert.deepEqual(listRemote(), everyText);
    assert.deepEqual([service.singleReads, service.pages], [[], [0, 1, 2]]);
    const changed = targets.filter((target) => {
      const status = clone.sync.getStatus(target);
      return status?.kind === 'compared' && status.comparison.changes.size > 0;
    });
    assert.deepEqual(
      changed.map(({ id }) => id),
      [3],
    );
    await clone.sync.whenStored();
    assert.equal(clone.storage.files.size, COUNT);
    assert.ok(targets.every((target) => clone.sync.hasRemote(target)));
  });

  it('reads a template on its own if its page leaves fields out', async () => {
    service.incomplete.add(4);
    await clone.sync.refresh(targets);
    assert.deepEqual([listRemote(), service.singleReads], [everyText, [4]]);
  });

  it('reads the others on their own if a page fails', async () => {
    service.pageError = new Error('No page.');
    await clone.sync.refresh(targets);
    assert.deepEqual([listRemote(), service.singleReads], [everyText, ids.slice(PAGE_SIZE)]);
  });

  it('ends if it is canceled between two pages', async () => {
    service.pageError = createRefusal('aborted', 'paginate', 'Canceled.');
    await assert.rejects(clone.sync.refresh(targets), service.pageError);
    assert.deepEqual(service.singleReads, []);
  });

  it('reports a folder that cannot be read, and compares the others', async () => {
    const read = clone.disk.read.bind(clone.disk);
    clone.disk.read = (path) =>
      path.startsWith('emails/7/') ? Promise.reject(new Error('The file is locked.')) : read(path);
    await clone.sync.refresh(targets);
    assert.deepEqual(
      listRemote(),
      everyText.map((texts, index) => (index === 6 ? 'failed' : texts)),
    );
    assert.deepEqual(service.singleReads, []);
  });
});
