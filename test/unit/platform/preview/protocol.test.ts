import assert from 'node:assert/strict';
import { initialToolbar } from '../../../../src/platform/preview/model.ts';
import { readToolbar } from '../../../../src/platform/preview/protocol.ts';

describe('readToolbar', () => {
  it('does not load remote content by default', () => {
    assert.deepEqual(readToolbar(undefined), {
      view: 'authored',
      lens: 'none',
      grid: false,
      width: 'full',
      zoom: 'fit',
      scheme: 'light',
      remote: false,
    });
  });

  it('returns the stored state', () => {
    const state = {
      view: 'text',
      lens: 'gmail',
      grid: true,
      width: '375',
      zoom: '150',
      scheme: 'dark',
      remote: true,
    } as const;
    assert.deepEqual(readToolbar(state), state);
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
    assert.deepEqual(readToolbar(stored), { ...initialToolbar, zoom: '75' });
  });
});
