import assert from 'node:assert/strict';
import { countRecords } from '../../../../src/service/client/count.ts';

const collection = (length: number) => {
  let looks = 0;
  return {
    look: async (offset: number) => ((looks += 1), offset < length ? `record ${offset}` : undefined),
    looks: () => looks,
  };
};

describe('countRecords', () => {
  for (const length of [0, 1, 2, 3, 99, 100, 101, 4096, 50_000]) {
    it(`counts ${length} records`, async () => {
      const { look, looks } = collection(length);
      assert.equal(await countRecords(look), length);
      assert.ok(looks() <= 36, String(looks()));
    });

    for (const hint of [1, 2, length, length + 1, length - 1, length * 2, 1_000_000]) {
      it(`counts ${length} records with a hint of ${hint}`, async () =>
        assert.equal(await countRecords(collection(length).look, hint), length));
    }
  }

  it('needs three reads if the hint is right', async () => {
    const { look, looks } = collection(50_000);
    await countRecords(look, 50_000);
    assert.equal(looks(), 3);
  });

  it('rejects if the service returns the same record at every offset', async () => {
    await assert.rejects(() => countRecords(async () => 'the first'), /can’t be counted/u);
  });
});
