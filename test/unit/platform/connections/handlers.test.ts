import assert from 'node:assert/strict';
import { MemorySecrets } from '../../../support/secrets/memory.ts';
import { settingsChanged, user } from '../../../support/vscodeStandIn.ts';

const { Connections } = await import('../../../../src/platform/connections/connections.ts');
const { createHandlers } = await import('../../../../src/platform/connections/handlers.ts');

describe('connection commands', () => {
  beforeEach(() => user.reset());

  it('ask for a key with its address, and with the place of the key in each version of the service', async () => {
    const prompts: (string | undefined)[] = [];
    user.useInput = ({ prompt }) => {
      prompts.push(prompt);
      return undefined;
    };
    const connection = { id: 'shop', name: 'Shop', baseUrl: 'https://shop.example', profile: 'acymailing' };
    const handlers = createHandlers({} as never, { get: () => connection } as never, {} as never);
    assert.equal(await handlers['mailing.connection.setApiKey']({ connection: 'shop' }), undefined);
    assert.match(
      prompts.join('\n'),
      /^https:\/\/shop\.example: .*Configuration > Security > REST API.*License tab.*secret storage\.$/u,
    );
  });

  it('store no key for an address that the settings got while the user typed the key', async () => {
    const secrets = Object.assign(new MemorySecrets(), { onDidChange: () => undefined });
    const define = (baseUrl: string) =>
      user.settings.set('.mailing.connections', [{ id: 'shop', name: 'Shop', baseUrl, profile: 'documented' }]);
    define('https://shop.example');
    const connections = new Connections({ secrets, globalStorageUri: {} } as never, { warn: () => undefined } as never);
    user.useInput = () => {
      define('https://other.example');
      settingsChanged.fire({ affectsConfiguration: () => true });
      return 'key-of-the-shop';
    };
    const handlers = createHandlers({} as never, connections, {} as never);
    await assert.rejects(
      async () => handlers['mailing.connection.setApiKey']({ connection: 'shop' }),
      /has another URL now: https:\/\/other\.example/u,
    );
    assert.deepEqual([...secrets.stored], []);
  });
});
