import assert from 'node:assert/strict';
import { ToolbarStore } from '../../../../../src/platform/preview/host/toolbarStore.ts';

function memory(value: unknown): {
  stored: unknown;
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Promise<void>;
  keys(): readonly string[];
} {
  return {
    stored: value,
    get<T>() {
      return this.stored as T | undefined;
    },
    async update(_key, next) {
      this.stored = next;
    },
    keys: () => [],
  };
}

describe('ToolbarStore', () => {
  it('does not load remote content by default', () => {
    assert.deepEqual(new ToolbarStore(memory(undefined)).get(), {
      view: 'authored',
      lens: 'none',
      grid: false,
      width: 'full',
      zoom: 'fit',
      scheme: 'light',
      remote: false,
    });
  });

  it('returns the stored state', async () => {
    const storage = memory(undefined);
    const state = {
      view: 'text',
      lens: 'gmail',
      grid: true,
      width: '375',
      zoom: '150',
      scheme: 'dark',
      remote: true,
    } as const;
    await new ToolbarStore(storage).set(state);
    assert.deepEqual(new ToolbarStore(storage).get(), state);
  });

  it('replaces invalid stored values by defaults', () => {
    const stored = {
      view: 'everything',
      lens: 'glasses',
      grid: false,
      width: '9999',
      zoom: '75',
      scheme: 7,
      remote: 'yes',
    };
    assert.deepEqual(new ToolbarStore(memory(stored)).get(), {
      view: 'authored',
      lens: 'none',
      grid: false,
      width: 'full',
      zoom: '75',
      scheme: 'light',
      remote: false,
    });
  });
});
