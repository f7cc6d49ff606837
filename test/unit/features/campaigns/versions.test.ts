import assert from 'node:assert/strict';
import { countVersions } from '../../../../src/features/campaigns/plan.ts';
import { describeVersions } from '../../../../src/features/campaigns/wording.ts';
import type { ProfileName } from '../../../../src/service/client/index.ts';
import { json } from '../../../support/wire.ts';
import { withService } from '../../service/client/setup.ts';

const main = "Saving changes the main version only. Change the others on the service's website.";
const sent = { mail_id: '164', total_subscribers: '1', sent: '0' };

describe('versions of a campaign', () => {
  for (const [what, answer, expected, profile = 'acymailing'] of [
    ['before sending', [null, null, null], 3],
    ['after sending', [{ ...sent, mail_id: '163' }, sent], 2],
    ['of which one was sent', [sent, null], 2],
    ['of which there is one', [null], 1],
    ['that the service describes otherwise', { message: 'Campaign not found.' }, 0],
    ['of another kind of service', [null, null], 0, 'documented'],
  ] as readonly (readonly [string, object, number, ProfileName?])[]) {
    it(`are counted ${what}`, () =>
      withService(
        () => json(200, answer),
        async (client, { requests }) => {
          assert.equal(await countVersions(client, 7), expected);
          assert.equal(requests.length, profile === 'acymailing' ? 1 : 0);
          for (const { head } of requests) assert.match(head, /task=getCampaignStatistics&campaignId=7 /u);
        },
        { profile },
      ));
  }

  it('are not counted if reading fails', () =>
    withService(
      () => json(403, { message: 'Task not allowed.' }),
      async (client) => assert.equal(await countVersions(client, 7), 0),
      { profile: 'acymailing' },
    ));

  for (const [count, siteParams, expected] of [
    [0, undefined, undefined],
    [1, { abtest: { B: 164 } }, undefined],
    [3, undefined, `3 language versions. ${main}`],
    [2, { utm_source: 'site', abtest: [] }, `2 language versions. ${main}`],
    [2, { abtest: { B: 164 } }, `2 A/B versions. ${main}`],
    [4, { abtest: { B: 164 } }, `4 versions. ${main}`],
  ] as const) {
    it(`are described by number and kind (${count}, ${JSON.stringify(siteParams)})`, () =>
      assert.equal(describeVersions({ id: 1, siteParams }, count), expected));
  }
});
