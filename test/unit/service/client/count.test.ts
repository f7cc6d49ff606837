import assert from 'node:assert/strict';
import { countRecords } from '../../../../src/service/client/count.ts';

const collection = (length: number) => {
  let looks = 0;
  return {
    look: async (offset: number) => ((looks += 1), offset < length ? `record ${offset}` : undefined),
    looks: () => looks,
  };
};

describe('counting records', () => {
  for (const length of [0, 1, 2, 3, 99, 100, 101, 4096, 50_000]) {
    it(`finds ${length}`, async () => {
      const { look, looks } = collection(length);
      assert.equal(await countRecords(look), length);
      assert.ok(looks() <= 36, String(looks()));
    });

    for (const hint of [1, 2, length, length + 1, length - 1, length * 2, 1_000_000]) {
      it(`finds ${length} where ${hint} was expected`, async () =>
        assert.equal(await countRecords(collection(length).look, hint), length));
    }
  }

  it('needs three looks where the expectation is right', async () => {
    const { look, looks } = collection(50_000);
    await countRecords(look, 50_000);
    assert.equal(looks(), 3);
  });

  it('fails where the service gives the same at every offset', async () => {
    await assert.rejects(() => countRecords(async () => 'the first'), /can’t be counted/u);
  });
});
