import assert from 'node:assert/strict';
import { profiles } from '../../../../src/service/client/index.ts';
import type { MailingClient, ProfileName } from '../../../../src/service/client/index.ts';
import { json } from '../../../support/wire.ts';
import { KEY, withService } from './setup.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

/** A request: its method and its query after the constants, `Content-Type` and body. */
type Wire = readonly [target: string, contentType?: string, body?: string];

/** `acymailing`: only if it differs. The name begins with the operation. */
type Row = readonly [
  name: string,
  call: (client: MailingClient) => Promise<object>,
  answer: Json,
  documented: Wire,
  acymailing?: Wire,
];

const list = [{ id: '1' }];

const rows: readonly Row[] = [
  [
    'getUserSubscriptionById',
    (c) => c.getUserSubscriptionById(7),
    [{}],
    ['GET ctrl=api&task=getUserSubscriptionById&userId=7'],
  ],
  [
    'getSubscribersFromLists',
    (c) => c.getSubscribersFromLists([1, 2]),
    [[]],
    ['GET ctrl=api&task=getSubscribersFromLists&listIds%5B%5D=1&listIds%5B%5D=2'],
  ],
  [
    'getSubscribersFromLists: a page',
    (c) => c.getSubscribersFromLists([1], { offset: 200, limit: 50 }),
    [[]],
    ['GET ctrl=api&task=getSubscribersFromLists&listIds%5B%5D=1&offset=200&limit=50'],
  ],
  [
    'getUnsubscribedUsersFromLists',
    (c) => c.getUnsubscribedUsersFromLists([3], { offset: 0, limit: 10 }),
    [[]],
    ['GET ctrl=api&task=getUnsubscribedUsersFromLists&listIds%5B%5D=3&offset=0&limit=10'],
  ],
  [
    'subscribeUsers',
    (c) =>
      c.subscribeUsers({
        emails: ['ann@example.com', 'bob@example.com'],
        listIds: [1, 2],
        sendWelcomeEmail: false,
        trigger: true,
      }),
    { message: 'Users subscribed.' },
    [
      'POST ctrl=api&task=subscribeUsers',
      'application/json',
      '{"emails":["ann@example.com","bob@example.com"],"listIds":[1,2],"sendWelcomeEmail":false,"trigger":true}',
    ],
  ],
  [
    'subscribeUsers: without options',
    (c) => c.subscribeUsers({ emails: ['ann@example.com'], listIds: [1], sendWelcomeEmail: undefined }),
    [],
    ['POST ctrl=api&task=subscribeUsers', 'application/json', '{"emails":["ann@example.com"],"listIds":[1]}'],
  ],
  [
    'unsubscribeUsers',
    (c) =>
      c.unsubscribeUsers({ emails: ['ann@example.com'], listIds: [1], sendUnsubscribeEmail: true, trigger: false }),
    { message: 'Users unsubscribed.' },
    [
      'POST ctrl=api&task=unsubscribeUsers',
      'application/json',
      '{"emails":["ann@example.com"],"listIds":[1],"sendUnsubscribeEmail":true,"trigger":false}',
    ],
  ],
  ['getLists', (c) => c.getLists(), [[]], ['GET ctrl=api&task=getLists']],
  [
    'getLists: a filtered page',
    (c) => c.getLists({ filters: { id: 4, name: 'a&b=c d+é', active: 1 }, limit: 100, offset: 5 }),
    [list],
    [
      'GET ctrl=api&task=getLists&offset=5&limit=100&filters%5Bid%5D=4&filters%5Bname%5D=a%26b%3Dc%20d%2B%C3%A9&filters%5Bactive%5D=1',
    ],
  ],
  [
    'createList',
    (c) => c.createList({ name: 'Néws', active: 1, color: '#ff0000', welcomeId: 3, unsubscribeId: 4, visible: 2 }),
    { listId: 2 },
    [
      'POST ctrl=api&task=createList',
      'application/json',
      '{"name":"Néws","active":1,"color":"#ff0000","welcomeId":3,"unsubscribeId":4,"visible":2}',
    ],
  ],
  ['deleteList', (c) => c.deleteList(9), {}, ['DELETE ctrl=api&task=deleteList&listId=9']],
  ['getTemplates', (c) => c.getTemplates(), [], ['GET ctrl=api&task=getTemplates']],
  [
    'getTemplates: a filtered page',
    (c) => c.getTemplates({ offset: 20, limit: 20, search: 'spring 50%', templateType: 'standard' }),
    list,
    [
      'GET ctrl=api&task=getTemplates&filters%5Bsearch%5D=spring%2050%25&filters%5BtemplateType%5D=standard&limit=20&offset=20',
    ],
  ],
  ['getOneTemplate', (c) => c.getOneTemplate(12), [{ id: '12' }], ['GET ctrl=api&task=getOneTemplate&templateId=12']],
  [
    'createTemplate',
    (c) => c.createTemplate({ name: 'T', body: '<p>"é😀"</p>', stylesheet: 'a{}', headers: '', preheader: 'x' }),
    { templateId: 3 },
    [
      'POST ctrl=api&task=createTemplate',
      'application/json',
      '{"name":"T","body":"<p>\\"é😀\\"</p>","stylesheet":"a{}","headers":"","preheader":"x"}',
    ],
  ],
  [
    'updateTemplate',
    (c) => c.updateTemplate({ templateId: 5, subject: 'S', from_email: 'a@example.com' }),
    { templateId: 5 },
    [
      'POST ctrl=api&task=updateTemplate',
      'application/json',
      '{"templateId":5,"subject":"S","from_email":"a@example.com"}',
    ],
    ['POST ctrl=api&task=updateTemplate', 'application/json', '{"id":5,"subject":"S","from_email":"a@example.com"}'],
  ],
  [
    'deleteTemplate',
    (c) => c.deleteTemplate(5),
    { message: 'Template deleted.' },
    ['DELETE ctrl=api&task=deleteTemplate&templateId=5'],
  ],
  [
    'getFollowUps',
    (c) => c.getFollowUps(),
    [],
    ['GET ctrl=getFollowUps', 'application/json'],
    ['GET ctrl=api&task=getFollowUps', 'application/json'],
  ],
  [
    'getFollowUps: a filtered page',
    (c) =>
      c.getFollowUps({
        offset: 0,
        limit: 5,
        filters: { id: 1, name: 'wel', display_name: 'W', active: 1, send_once: 0, trigger: 'ecommerce_a_purchase' },
      }),
    [],
    [
      'GET ctrl=getFollowUps&offset=0&limit=5&filter%5Bid%5D=1&filter%5Bname%5D=wel&filter%5Bdisplay_name%5D=W&filter%5Bactive%5D=1&filter%5Bsend_once%5D=0&filter%5Btrigger%5D=ecommerce_a_purchase',
      'application/json',
    ],
    [
      'GET ctrl=api&task=getFollowUps&offset=0&limit=5&filters%5Bid%5D=1&filters%5Bname%5D=wel&filters%5Bdisplay_name%5D=W&filters%5Bactive%5D=1&filters%5Bsend_once%5D=0&filters%5Btrigger%5D=woocommerce_purchase',
      'application/json',
    ],
  ],
  [
    'getFollowUpById',
    (c) => c.getFollowUpById(8),
    [{ id: '8' }],
    ['GET ctrl=getFollowUpById&followUpId=8', 'application/json'],
    ['GET ctrl=api&task=getFollowUpById&followUpId=8', 'application/json'],
  ],
  [
    'deleteFollowUp',
    (c) => c.deleteFollowUp(8),
    { message: 'Follow-up deleted.' },
    ['DELETE ctrl=deleteFollowUp&followUpId=8', 'application/json'],
    ['DELETE ctrl=api&task=deleteFollowUp&followUpId=8', 'application/json'],
  ],
  [
    'createOrUpdateFollowUp: creates',
    (c) =>
      c.createOrUpdateFollowUp({
        name: 'Welcome',
        display_name: 'Welcome!',
        trigger: 'ecommerce_b_purchase',
        condition: { lists_status: 'is', lists: [1, 2] },
        loop: 1,
        loop_delay: 3600,
        loop_mail_skip: [4],
      }),
    { followUpId: 3 },
    [
      'POST ctrl=createOrUpdateFollowUp',
      'application/json',
      '{"name":"Welcome","display_name":"Welcome!","trigger":"ecommerce_b_purchase","condition":{"lists_status":"is","lists":[1,2]},"loop":1,"loop_delay":3600,"loop_mail_skip":[4]}',
    ],
    [
      'POST ctrl=api&task=createOrUpdateFollowUp',
      'application/json',
      '{"name":"Welcome","display_name":"Welcome!","trigger":"hikashop_purchase","condition":{"lists_status":"is","lists":[1,2]},"loop":1,"loop_delay":3600,"loop_mail_skip":[4]}',
    ],
  ],
  [
    'createOrUpdateFollowUp: updates',
    (c) => c.createOrUpdateFollowUp({ followUpId: 3, trigger: 'birthday' }),
    { followUpId: 3 },
    ['POST ctrl=createOrUpdateFollowUp', 'application/json', '{"followUpId":3,"trigger":"birthday"}'],
    ['POST ctrl=api&task=createOrUpdateFollowUp', 'application/json', '{"followUpId":3,"trigger":"birthday"}'],
  ],
  [
    'attachEmailToFollowUp',
    (c) =>
      c.attachEmailToFollowUp({
        followUpId: 3,
        delay: 2,
        delay_unit: 'days',
        mail: { name: 'M', subject: 'S', body: '<p>' },
      }),
    { message: 'Email attached to follow-up.', mailId: 6 },
    [
      'POST ctrl=attachEmailToFollowUp',
      'application/json',
      '{"followUpId":3,"delay":2,"delay_unit":"days","mail":{"name":"M","subject":"S","body":"<p>"}}',
    ],
    [
      'POST ctrl=api&task=attachEmailToFollowUp',
      'application/json',
      '{"followUpId":3,"delay":2,"delay_unit":"days","mail":{"name":"M","subject":"S","body":"<p>"}}',
    ],
  ],
  [
    'deleteEmailFromFollowUp',
    (c) => c.deleteEmailFromFollowUp(3, 6),
    { message: 'Email deleted from follow-up.' },
    ['DELETE ctrl=deleteEmailFromFollowUp&followUpId=3&mailId=6', 'application/json'],
    ['DELETE ctrl=api&task=deleteEmailFromFollowUp&followUpId=3&mailId=6', 'application/json'],
  ],
  ['getCampaigns', (c) => c.getCampaigns(), [], ['GET ctrl=api&task=getCampaigns']],
  [
    'getCampaigns: a filtered page',
    (c) => c.getCampaigns({ offset: 100, limit: 100, filters: { subject: 'Hello', sent: true, parent_id: undefined } }),
    [],
    ['GET ctrl=api&task=getCampaigns&offset=100&limit=100&filters%5Bsubject%5D=Hello&filters%5Bsent%5D=1'],
  ],
  ['getCampaignById', (c) => c.getCampaignById(2), [{ id: '2' }], ['GET ctrl=api&task=getCampaignById&campaignId=2']],
  [
    'createOrUpdateCampaign: creates',
    (c) =>
      c.createOrUpdateCampaign({
        subject: 'S',
        name: 'N',
        sending_type: 'auto',
        frequency: 'every',
        frequency_options: { unit: 'day', value: 2 },
        need_confirm: 0,
        start_date: '2026-11-20',
        listIds: [1],
      }),
    { campaignId: 4 },
    [
      'POST ctrl=api&task=createOrUpdateCampaign',
      'application/json',
      '{"subject":"S","name":"N","sending_type":"auto","frequency":"every","frequency_options":{"unit":"day","value":2},"need_confirm":0,"start_date":"2026-11-20","listIds":[1]}',
    ],
    [
      'POST ctrl=api&task=createOrUpdateCampaign',
      'application/json',
      '{"subject":"S","name":"N","sending_type":"auto","frequency":"every","frequency_options":{"unit":"day","value":2},"need_confirm":0,"start_date":1795132800,"listIds":[1]}',
    ],
  ],
  [
    'createOrUpdateCampaign: starts at a moment',
    (c) =>
      c.createOrUpdateCampaign({
        subject: 'S',
        name: 'N',
        sending_type: 'auto',
        frequency: 'cron',
        start_date: '2026-11-19T23:00:00Z',
      }),
    { campaignId: 1 },
    [
      'POST ctrl=api&task=createOrUpdateCampaign',
      'application/json',
      '{"subject":"S","name":"N","sending_type":"auto","frequency":"cron","start_date":"2026-11-19T23:00:00Z"}',
    ],
    [
      'POST ctrl=api&task=createOrUpdateCampaign',
      'application/json',
      '{"subject":"S","name":"N","sending_type":"auto","frequency":"cron","start_date":1795129200}',
    ],
  ],
  [
    'createOrUpdateCampaign: updates',
    (c) =>
      c.createOrUpdateCampaign({
        campaignId: 4,
        subject: 'S',
        name: 'N',
        sending_type: 'scheduled',
        sending_date: '2026-12-01',
      }),
    { campaignId: 4 },
    [
      'POST ctrl=api&task=createOrUpdateCampaign',
      'application/json',
      '{"campaignId":4,"subject":"S","name":"N","sending_type":"scheduled","sending_date":"2026-12-01"}',
    ],
  ],
  [
    'sendCampaign',
    (c) => c.sendCampaign(4),
    { message: 'Campaign sent successfully.' },
    ['POST ctrl=api&task=sendCampaign&campaignId=4', 'application-json', ''],
    ['POST ctrl=api&task=sendCampaign&campaignId=4', 'application/json', ''],
  ],
  ['deleteCampaign', (c) => c.deleteCampaign(4), {}, ['DELETE ctrl=api&task=deleteCampaign&campaignId=4']],
  [
    'getCampaignStatistics',
    (c) => c.getCampaignStatistics(4),
    [null],
    ['GET ctrl=api&task=getCampaignStatistics&campaignId=4'],
  ],
  [
    'getCampaignStatisticsDetailed',
    (c) => c.getCampaignStatisticsDetailed(4, { offset: 100, limit: 100 }),
    [[]],
    ['GET ctrl=api&task=getCampaignStatisticsDetailed&campaignId=4&offset=100&limit=100'],
  ],
  [
    'getCampaignStatisticsClicks',
    (c) => c.getCampaignStatisticsClicks(4),
    [],
    ['GET ctrl=api&task=getCampaignStatisticsClicks&campaignId=4'],
  ],
  [
    'getCampaignStatisticsLinks',
    (c) => c.getCampaignStatisticsLinks(4),
    [],
    ['GET ctrl=api&task=getCampaignStatisticsLinks&campaignId=4'],
  ],
  [
    'getCampaignStatisticsLinks',
    (c) => c.getCampaignStatisticsLinks(4, { offset: 100, limit: 500 }),
    [],
    ['GET ctrl=api&task=getCampaignStatisticsLinks&campaignId=4&offset=100&limit=500'],
  ],
];

/** Returns the complete request head in order. */
function head([target, contentType, body]: Wire, constants: string, port: number): string {
  const [method = '', query = ''] = target.split(' ');
  return [
    `${method} /site/index.php?${constants}&${query} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: keep-alive',
    `Api-Key: ${KEY}`,
    'Accept: application/json',
    'Accept-Encoding: gzip, br',
    'User-Agent: mailing-studio',
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ].join('\r\n');
}

const constants: Readonly<Record<ProfileName, string>> = {
  documented: 'page=mailer_front&option=com_mailer',
  acymailing: 'page=acymailing_front&option=com_acym',
};

describe('wire format', () => {
  for (const profile of ['documented', 'acymailing'] as const) {
    describe(`profile ${profile}`, () => {
      for (const [name, call, answer, documented, acymailing = documented] of rows) {
        const expected = profile === 'documented' ? documented : acymailing;
        it(name, () =>
          withService(
            () => json(200, answer),
            async (client, server) => {
              await call(client);
              assert.equal(server.requests.length, 1);
              assert.equal(server.requests[0]?.head, head(expected, constants[profile], server.port));
              assert.equal(server.requests[0]?.body, expected[2] ?? '');
            },
            { profile, path: '/site/' },
          ),
        );
      }
    });
  }

  it('covers all 28 operations', () => {
    assert.equal(new Set(rows.map(([name]) => name.split(':')[0])).size, 28);
  });

  it('supports a custom profile', () =>
    withService(
      () => json(200, []),
      async (client, server) => {
        await client.getFollowUps({ filters: { trigger: 'ecommerce_a_purchase' } });
        assert.equal(
          server.requests[0]?.target,
          '/index.php?page=p&option=o&ctrl=getFollowUps&filters%5Btrigger%5D=shop',
        );
      },
      {
        profile: {
          ...profiles.documented,
          query: { page: 'p', option: 'o' },
          followUpFilters: 'filters',
          triggers: { ecommerce_a_purchase: 'shop' },
        },
      },
    ));

  const bases: readonly (readonly [path: string, expected: string])[] = [
    ['', '/index.php?'],
    ['/', '/index.php?'],
    ['/a/b', '/a/b/index.php?'],
    ['/a/b///', '/a/b/index.php?'],
    ['/sité x', '/sit%C3%A9%20x/index.php?'],
    ['/site/index.php', '/site/index.php?'],
  ];
  for (const [path, expected] of bases) {
    it(`accepts a base URL that ends with “${path}”`, () =>
      withService(
        () => json(200, []),
        async (client, server) => {
          await client.getLists();
          assert.ok(server.requests[0]?.target.startsWith(expected), server.requests[0]?.target);
        },
        { path },
      ));
  }

  it('calls the key function before each request', async () => {
    const keys = ['first', 'second'];
    await withService(
      () => json(200, []),
      async (client, server) => {
        await client.getLists();
        await client.getLists();
        assert.deepEqual(
          server.requests.map((request) => request.headers.get('Api-Key')),
          ['first', 'second'],
        );
      },
      { apiKey: () => Promise.resolve(keys.shift()) },
    );
  });

  it('omits undefined arguments', () =>
    withService(
      () => json(404, {}),
      async (client, server) => {
        await client.getOneTemplate(undefined as never).catch(() => undefined);
        assert.ok(server.requests[0]?.target.endsWith('task=getOneTemplate'));
      },
    ));
});
