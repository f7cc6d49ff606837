import assert from 'node:assert/strict';
import { countRecords } from '../../../../src/service/client/paginate.ts';

const collection = (length: number) => {
  const offsets: number[] = [];
  return {
    readAt: async (offset: number) => (offsets.push(offset), offset < length ? `record ${offset}` : undefined),
    offsets,
    readCount: () => offsets.length,
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

  for (const hint of [0, -1, NaN, 2 ** 26]) {
    it(`reads the same offsets with an impossible hint of ${hint} as without one`, async () => {
      const [hinted, plain] = [collection(100), collection(100)];
      assert.equal(await countRecords(hinted.readAt, hint), await countRecords(plain.readAt));
      assert.deepEqual(hinted.offsets, plain.offsets);
    });
  }

  it('rejects if the service returns the same record at every offset', async () => {
    await assert.rejects(() => countRecords(async () => 'the first'), /can't be counted/u);
  });
});
