import assert from 'node:assert/strict';
import { eventually } from '../../../../support/eventually.ts';
import { StandInConnections } from '../../../../support/standInConnections.ts';
import { Uri, user, type StandInPanel } from '../../../../support/vscodeStandIn.ts';

const { TargetPicker } = await import('../../../../../src/platform/documents/recordCommands.ts');
const { UserPanels } = await import('../../../../../src/features/subscriptions/user/panel.ts');

describe('UserPanels', () => {
  let connections: StandInConnections;
  before(async () => {
    user.reset();
    connections = await StandInConnections.start();
  });
  after(() => connections.end());

  it('never shows the address of one user with the subscriptions of another', async () => {
    const shown: StandInPanel[] = [];
    user.usePanel = (panel) => {
      shown.push(panel);
      panel.receive({ type: 'ready' });
    };
    const services = { connections, context: { extensionUri: Uri.file('/') } };
    const panels = new UserPanels({ services, targets: new TargetPicker(connections) } as never);
    const show = async (email: string) => {
      await panels.show({ connection: 'one', id: 1, email });
      await new Promise(setImmediate);
    };
    await show('ann@example.com');
    // The user 1 of another service is another person.
    connections.move();
    await show('bob@example.com');
    await show('bob@example.com');
    panels.dispose();
    const emails = shown.map(({ posted }) => posted.map((message) => (message as { readonly email: string }).email));
    assert.deepEqual(emails, [['ann@example.com'], ['bob@example.com', 'bob@example.com']]);
  });

  it('stays busy until a change ends, even if the page asks for a refresh', async () => {
    const { promise: opened, resolve } = Promise.withResolvers<StandInPanel>();
    user.usePanel = resolve;
    const change = Promise.withResolvers<undefined>();
    const services = { connections, context: { extensionUri: Uri.file('/') } };
    const changes = { services, targets: new TargetPicker(connections), change: () => change.promise };
    const panels = new UserPanels(changes as never);
    await panels.show({ connection: 'one', id: 1, email: 'ann@example.com' });
    const panel = await opened;
    const isBusy = () => (panel.posted.at(-1) as { readonly busy: boolean }).busy;
    for (const message of [{ type: 'ready' }, { type: 'change', kind: 'unsubscribe', listId: 1 }, { type: 'refresh' }])
      panel.receive(message);
    // A read of the panel would be answered before these.
    for (let reads = 0; reads < 3; reads += 1) await connections.client.getUserSubscriptionById(1);
    assert.equal(isBusy(), true);
    change.resolve(undefined);
    await eventually(() => assert.equal(isBusy(), false));
    panels.dispose();
  });
});
