import assert from 'node:assert/strict';
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
});
