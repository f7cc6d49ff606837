import assert from 'node:assert/strict';
import { ApiKeys, parseConnectionId, getKeyName } from '../../../../src/platform/connections/keys.ts';
import { MemorySecrets } from '../../../support/secrets/memory.ts';

describe('ApiKeys', () => {
  it('returns a key for every spelling of its address', async () => {
    const keys = new ApiKeys(new MemorySecrets());
    await keys.set('a', 'https://example.com/site', 'k');
    for (const url of ['https://EXAMPLE.com/site/', 'https://example.com:443/site', 'https://example.com./x/../site//'])
      assert.equal(await keys.get('a', url), 'k', url);
  });

  const elsewhere = [
    'https://example.org/site',
    'http://example.com/site',
    'https://example.com:8443/site',
    'https://example.com/Site',
    'https://example.com',
    'https://example.com/site/x',
    'https://example.com.evil.example/site',
    'https://xn--example-.com/site',
  ];
  for (const url of elsewhere) {
    it(`returns no key for a redefined address: ${url}`, async () => {
      const keys = new ApiKeys(new MemorySecrets());
      await keys.set('a', 'https://example.com/site', 'k');
      assert.equal(await keys.get('a', url), undefined);
    });
  }

  it('returns no key for another connection, even with a similar id', async () => {
    const secrets = new MemorySecrets();
    const keys = new ApiKeys(secrets);
    await keys.set('a', 'https://example.com', 'k');
    await keys.set('a-b', 'https://example.com', 'other');
    assert.equal(await keys.get('b', 'https://example.com'), undefined);
    await keys.deleteAll('a');
    assert.deepEqual([...secrets.stored.values()], ['other']);
  });

  it('rejects an address with user-info', () => {
    assert.throws(() => getKeyName('a', 'https://example.com@evil.example'), /user name/);
  });

  it('deletes all keys of a connection, including those for earlier addresses', async () => {
    const secrets = new MemorySecrets();
    await new ApiKeys(secrets).set('a', 'https://old.example', 'k');
    const keys = new ApiKeys(secrets);
    await keys.set('a', 'https://new.example', 'k');
    secrets.stored.set('unrelated', 'x');
    await keys.deleteAll('a');
    assert.deepEqual([...secrets.stored], [['unrelated', 'x']]);
    assert.equal(await keys.get('a', 'https://new.example'), undefined);
  });

  it('keeps the keys for addresses that are still in use', async () => {
    const secrets = new MemorySecrets();
    const keys = new ApiKeys(secrets);
    await keys.set('a', 'https://old.example', 'old');
    await keys.set('a', 'https://new.example', 'new');
    await keys.deleteAll('a', ['https://OLD.example/']);
    assert.deepEqual([...secrets.stored.values()], ['old']);
  });

  it('caches keys until another window changes them', async () => {
    const secrets = new MemorySecrets();
    const keys = new ApiKeys(secrets);
    const name = getKeyName('a', 'https://example.com');
    assert.equal(await keys.get('a', 'https://example.com'), undefined);
    secrets.stored.set(name, 'k');
    assert.equal(await keys.get('a', 'https://example.com'), undefined);
    assert.equal(secrets.reads, 1);
    assert.equal(await keys.refresh(name), true);
    assert.equal(await keys.get('a', 'https://example.com'), 'k');
  });

  it('reports no change for a key that this window stored', async () => {
    const keys = new ApiKeys(new MemorySecrets());
    await keys.set('a', 'https://example.com', 'k');
    assert.equal(await keys.refresh(getKeyName('a', 'https://example.com')), false);
  });

  it('reads again after the store failed', async () => {
    const secrets = new MemorySecrets();
    const keys = new ApiKeys(secrets);
    const read = secrets.get.bind(secrets);
    secrets.get = () => Promise.reject(new Error('locked'));
    await assert.rejects(keys.get('a', 'https://example.com'), /locked/);
    secrets.get = read;
    secrets.stored.set(getKeyName('a', 'https://example.com'), 'k');
    assert.equal(await keys.get('a', 'https://example.com'), 'k');
  });

  it('parses the connection id from a storage name', () => {
    assert.equal(parseConnectionId(getKeyName('a-b', 'https://example.com/x@y')), 'a-b');
    assert.equal(parseConnectionId('something else'), undefined);
  });
});
