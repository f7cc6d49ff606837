import assert from 'node:assert/strict';
import { initialToolbar } from '../../../../src/features/preview/model.ts';
import { readToolbar } from '../../../../src/features/preview/protocol.ts';

describe('readToolbar', () => {
  it('does not load remote content by default', () => {
    assert.deepEqual(readToolbar(undefined), {
      view: 'authored',
      lens: 'none',
      width: 'full',
      scheme: 'light',
      remote: false,
      isInboxOpen: false,
    });
  });

  it('returns the stored state', () => {
    const state = {
      view: 'clients',
      lens: 'gmail',
      width: '375',
      scheme: 'dark',
      remote: true,
      isInboxOpen: true,
    } as const;
    assert.deepEqual(readToolbar(state), state);
  });

  it('replaces invalid stored values by defaults', () => {
    const stored = {
      view: 'everything',
      lens: 'glasses',
      width: '375',
      zoom: '75',
      scheme: 7,
      remote: 'yes',
    };
    assert.deepEqual(readToolbar(stored), { ...initialToolbar, width: '375' });
  });
});
