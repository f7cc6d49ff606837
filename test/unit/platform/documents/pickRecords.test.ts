import assert from 'node:assert/strict';
import { user, type StandInPick } from '../../../support/vscodeStandIn.ts';

const { TargetPicker } = await import('../../../../src/platform/documents/recordCommands.ts');

const connection = { id: 'shop', name: 'Shop', baseUrl: 'https://shop.example', profile: 'acymailing' };
const found = ['Spring', 'Summer'].map((label, at) => ({ id: at + 1, label }));

/** Picks records as a user does. Resolves with their ids; undefined if the user cancels. */
async function pick(use: (shown: StandInPick) => void) {
  user.usePick = (shown) => use(shown);
  const connections = {
    all: [connection],
    resolve: async () => connection,
    run: async (_: object, read: (client: object) => Promise<object>) => read({}),
  };
  const source = { collection: 'templates', title: 'Map', placeholder: 'Select templates', search: async () => found };
  const picked = await new TargetPicker(connections as never).pickRecords({}, source as never);
  return picked?.ids;
}

describe('a picker of several records', () => {
  beforeEach(() => user.reset());

  it('focuses the first row, which Enter checks before it takes it', async () => {
    const ids = await pick((shown) => {
      assert.deepEqual(shown.activeItems, [found[0]]);
      shown.accept();
      assert.deepEqual(shown.selectedItems, [found[0]]);
      shown.accept();
    });
    assert.deepEqual(ids, [1]);
  });

  it('takes a row that the user moved to or typed', async () => {
    assert.deepEqual(await pick((shown) => shown.accept('Summer')), [2]);
    const ids = await pick((shown) => {
      shown.value = 'Spr';
      shown.accept('Spring');
    });
    assert.deepEqual(ids, [1]);
  });
});
