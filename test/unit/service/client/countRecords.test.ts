import assert from 'node:assert/strict';
import { countRecords } from '../../../../src/service/client/paginate.ts';

const collection = (length: number) => {
  let count = 0;
  return {
    readAt: async (offset: number) => ((count += 1), offset < length ? `record ${offset}` : undefined),
    readCount: () => count,
  };
};

describe('countRecords', () => {
  for (const length of [0, 1, 2, 3, 99, 100, 101, 4096, 50_000]) {
    it(`counts ${length} records`, async () => {
      const { readAt, readCount } = collection(length);
      assert.equal(await countRecords(readAt), length);
      assert.ok(readCount() <= 36, String(readCount()));
    });

    for (const hint of [1, 2, length, length + 1, length - 1, length * 2, 1_000_000]) {
      it(`counts ${length} records with a hint of ${hint}`, async () =>
        assert.equal(await countRecords(collection(length).readAt, hint), length));
    }
  }

  it('needs three reads if the hint is right', async () => {
    const { readAt, readCount } = collection(50_000);
    await countRecords(readAt, 50_000);
    assert.equal(readCount(), 3);
  });

  it('rejects if the service returns the same record at every offset', async () => {
    await assert.rejects(() => countRecords(async () => 'the first'), /can't be counted/u);
  });
});
