import assert from 'node:assert/strict';
import { ApiKeys, parseConnectionId, getKeyName } from '../../../../src/platform/connections/keys.ts';
import { MemorySecrets } from '../../../support/secrets/memory.ts';

const address = 'https://example.com';

/** Which addresses share a key is tested in `test/unit/secrets/redefinition.test.ts`. */
describe('ApiKeys', () => {
  let secrets: MemorySecrets;
  let keys: ApiKeys;
  beforeEach(() => {
    secrets = new MemorySecrets();
    keys = new ApiKeys(secrets);
  });

  it('returns no key for another connection, even with a similar id', async () => {
    await keys.set('a', address, 'k');
    await keys.set('a-b', address, 'other');
    assert.equal(await keys.get('b', address), undefined);
    await keys.deleteAll('a');
    assert.deepEqual([...secrets.stored.values()], ['other']);
  });

  it('deletes all keys of a connection, except for addresses that are still in use', async () => {
    secrets.stored.set('unrelated', 'x');
    await keys.set('a', 'https://old.example', 'old');
    await keys.set('a', 'https://new.example', 'new');
    await keys.deleteAll('a', ['https://OLD.example/']);
    assert.deepEqual([...secrets.stored.values()], ['x', 'old']);
    // Another window may have stored a key.
    await new ApiKeys(secrets).deleteAll('a');
    assert.deepEqual([...secrets.stored.values()], ['x']);
    assert.equal(await keys.get('a', 'https://new.example'), undefined);
  });

  it('caches keys until another window changes them', async () => {
    const name = getKeyName('a', address);
    assert.equal(await keys.get('a', address), undefined);
    secrets.stored.set(name, 'k');
    assert.equal(await keys.get('a', address), undefined);
    assert.equal(secrets.reads, 1);
    assert.equal(await keys.refresh(name), true);
    assert.equal(await keys.get('a', address), 'k');
    await keys.set('a', address, 'own');
    assert.equal(await keys.refresh(name), false, 'this window stored it');
  });

  it('does not report a key that this window stores while it reads', async () => {
    await keys.set('a', address, 'old');
    const name = getKeyName('a', address);
    secrets.stored.set(name, 'new');
    const refreshing = keys.refresh(name);
    await keys.set('a', address, 'new');
    assert.equal(await refreshing, false);
    assert.equal(await keys.get('a', address), 'new');
  });

  it('reads again after the store failed', async () => {
    secrets.gate = Promise.reject(new Error('locked'));
    await assert.rejects(keys.get('a', address), /locked/);
    secrets.gate = Promise.resolve();
    secrets.stored.set(getKeyName('a', address), 'k');
    assert.equal(await keys.get('a', address), 'k');
  });

  it('forgets a changed key that can not be read, and reads it later', async () => {
    const name = getKeyName('a', address);
    await keys.set('a', address, 'old');
    secrets.stored.set(name, 'new');
    secrets.gate = Promise.reject(new Error('locked'));
    assert.equal(await keys.refresh(name), true);
    secrets.gate = Promise.resolve();
    assert.equal(await keys.get('a', address), 'new');
  });

  it('parses the connection id from a storage name', () => {
    assert.equal(parseConnectionId(getKeyName('a-b', 'https://example.com/x@y')), 'a-b');
    assert.equal(parseConnectionId('something else'), undefined);
  });
});
