import assert from 'node:assert/strict';
import { user } from '../../../support/vscodeStandIn.ts';

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
});
