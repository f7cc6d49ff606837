import assert from 'node:assert/strict';
import type { Campaign } from '../../../../src/service/client/index.ts';
import { Uri, user } from '../../../support/vscodeStandIn.ts';

const { CampaignNotices } = await import('../../../../src/features/campaigns/notices.ts');

const uri = Uri.from({ scheme: 'mailing', authority: 'shop', path: '/campaigns/7/News.html' });
const editorBody = '<div id="acym__wysid__template"></div>';

describe('notices about a campaign', () => {
  let campaign: Campaign;
  let collection: string;
  let profile: string;
  let versions: readonly null[];
  let requests: number;

  beforeEach(() => {
    user.reset();
    [collection, profile, versions, requests] = ['campaigns', 'acymailing', [null, null, null], 0];
    campaign = { id: 7, draft: 1, sent: 0, body: '<p>b</p>' };
  });

  const open = () => {
    const client = { getCampaignVersions: async () => ((requests += 1), versions) };
    const services = {
      connections: {
        get: () => ({ id: 'shop', baseUrl: 'https://shop.example/blog', profile }),
        run: async (_: object, operation: (given: object) => unknown) => operation(client),
      },
      documents: {
        find: () => ({ connection: 'shop', id: 7, kind: { collection } }),
        getRecord: async () => ({ read: async () => campaign }),
      },
    };
    return new CampaignNotices(services as never);
  };
  const showLenses = async (notices = open(), document = { uri }) =>
    (await notices.provideCodeLenses(document as never)).map(({ command }) => [
      command?.title,
      command?.command,
      String(command?.arguments?.[0]),
    ]);

  it('show above its documents how many versions the email has, and open the site', async () => {
    const [[title, command, address] = []] = await showLenses();
    assert.match(title ?? '', /^3 language versions\. Saving changes the main version only\./u);
    assert.deepEqual([command, address], ['vscode.open', 'https://shop.example/blog']);
  });

  it('count the versions once for each open document', async () => {
    const [notices, document] = [open(), { uri }];
    await showLenses(notices, document);
    await showLenses(notices, document);
    assert.equal(requests, 1);
  });

  it('show no versions if there is one, or if the campaign is read-only', async () => {
    versions = [null];
    assert.deepEqual(await showLenses(), []);
    [versions, campaign] = [[null, null], { ...campaign, draft: 0, sent: 1 }];
    assert.deepEqual(await showLenses(), []);
  });

  it('name the element that the visual editor needs, at the first save in a session', async () => {
    campaign = { ...campaign, body: editorBody };
    const notices = open();
    await notices.noteSave(uri as never);
    await notices.noteSave(uri as never);
    assert.equal(user.notifications.length, 1);
    assert.match(user.notifications[0] ?? '', /acym__wysid__template/u);
  });

  for (const [what, set] of [
    ['of another email', () => (campaign = { ...campaign, body: '<p>b</p>' })],
    ['of another kind of service', () => (profile = 'documented')],
    ['of a template', () => (collection = 'templates')],
  ] as const) {
    it(`name no element at the save ${what}`, async () => {
      campaign = { ...campaign, body: editorBody };
      set();
      await open().noteSave(uri as never);
      assert.deepEqual(user.notifications, []);
    });
  }
});
