import assert from 'node:assert/strict';
import { StandInConnections } from '../../../support/standInConnections.ts';
import { StandInPanel, Uri } from '../../../support/vscodeStandIn.ts';

const { FollowUpFormSession } = await import('../../../../src/features/followUps/session.ts');

describe('FollowUpFormSession', () => {
  it('stays open without the emails of a removed connection', async () => {
    const connections = await StandInConnections.start();
    const address = { connection: 'one', id: 1, kind: { collection: 'follow-ups' } };
    const services = { connections, documents: { find: () => address }, context: { extensionUri: Uri.file('/') } };
    const document = { uri: Uri.parse('mailing://one/follow-ups/1/Series.follow-up.json') };
    const session = new FollowUpFormSession(document as never, new StandInPanel() as never, { services } as never);
    connections.setConnections([]);
    try {
      await assert.doesNotReject(session['refreshExtras']());
    } finally {
      session.dispose();
      await connections.end();
    }
  });
});
