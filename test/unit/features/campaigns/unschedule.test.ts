import assert from 'node:assert/strict';
import type { CampaignInput } from '../../../../src/service/client/requests.ts';
import { StandInConnections } from '../../../support/standInConnections.ts';
import { user } from '../../../support/vscodeStandIn.ts';

const { unscheduleCampaign } = await import('../../../../src/features/campaigns/unschedule.ts');
const { Campaigns } = await import('../../../../src/features/campaigns/campaigns.ts');

describe('unscheduleCampaign', () => {
  let connections: StandInConnections;
  let id: number;

  before(async () => {
    connections = await StandInConnections.start();
  });
  after(() => connections.end());
  beforeEach(async () => {
    user.reset();
    connections.reset();
    const fields = { name: 'Autumn', subject: 'Leaves', body: '<p>x</p>', listIds: [8], bcc: 'a@b.example' };
    const schedule = { sending_type: 'scheduled', sending_date: '2099-12-24 08:00:00' } as const;
    id = (await connections.client.createOrUpdateCampaign({ ...fields, ...schedule } satisfies CampaignInput))
      .campaignId;
    await connections.client.sendCampaign(id);
  });

  const unschedule = () => {
    const services = {
      connections,
      documents: { getRecord: async () => ({ read: async () => undefined }) },
      explorer: { refresh: () => undefined },
    };
    return unscheduleCampaign(new Campaigns(services as never), { connection: 'one', id });
  };
  const read = async () => {
    const { draft, active, sent, ...fields } = await connections.client.getCampaignById(id);
    return { state: [draft, active, sent], fields };
  };

  it('makes a scheduled campaign a draft, and keeps everything else', async () => {
    const before = await read();
    assert.deepEqual(before.state, [0, 1, 0]);
    assert.deepEqual(await unschedule(), { ...connections.service, id });
    assert.deepEqual(await read(), { ...before, state: [1, 0, 0] });
    assert.deepEqual(user.notifications, ['"Autumn" is a draft again. The service won\'t send it.']);
  });

  it('changes nothing unless the campaign is scheduled', async () => {
    await unschedule();
    const requests = connections.countRequests('createOrUpdateCampaign');
    await assert.rejects(unschedule(), /"Autumn" isn't scheduled\. Nothing was changed\./u);
    assert.equal(connections.countRequests('createOrUpdateCampaign'), requests);
  });

  it('reads what became of a lost response', async () => {
    connections.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'createOrUpdateCampaign', times: 1 });
    await unschedule();
    assert.deepEqual((await read()).state, [0, 1, 0]);
    assert.match(user.notifications[0] ?? '', /^"Autumn" may still be scheduled: .* Check it on the service/u);
  });
});
