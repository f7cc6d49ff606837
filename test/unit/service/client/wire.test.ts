import assert from 'node:assert/strict';
import { profiles, type MailingClient, type ProfileName } from '../../../../src/service/client/index.ts';
import { json } from '../../../support/wire.ts';
import { KEY, withService } from './setup.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

/** The name begins with the operation. `request`: the method, and the query after the operation. */
type Row = readonly [
  name: string,
  call: (client: MailingClient) => Promise<object>,
  answer: Json,
  request: string,
  body?: string,
  /** Differences of this profile. */
  acymailing?: { readonly query?: string; readonly body?: string },
];

const list = [{ id: '1' }];

const rows: readonly Row[] = [
  ['getUserSubscriptionById', (c) => c.getUserSubscriptionById(7), [{}], 'GET userId=7'],
  ['getSubscribersFromLists', (c) => c.getSubscribersFromLists([1, 2]), [[]], 'GET listIds%5B%5D=1&listIds%5B%5D=2'],
  [
    'getSubscribersFromLists: a page',
    (c) => c.getSubscribersFromLists([1], { offset: 200, limit: 50 }),
    [[]],
    'GET listIds%5B%5D=1&offset=200&limit=50',
  ],
  [
    'getUnsubscribedUsersFromLists',
    (c) => c.getUnsubscribedUsersFromLists([3], { offset: 0, limit: 10 }),
    [[]],
    'GET listIds%5B%5D=3&offset=0&limit=10',
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
    'POST',
    '{"emails":["ann@example.com","bob@example.com"],"listIds":[1,2],"sendWelcomeEmail":false,"trigger":true}',
  ],
  [
    'subscribeUsers: without options',
    (c) => c.subscribeUsers({ emails: ['ann@example.com'], listIds: [1], sendWelcomeEmail: undefined }),
    [],
    'POST',
    '{"emails":["ann@example.com"],"listIds":[1]}',
  ],
  [
    'unsubscribeUsers',
    (c) =>
      c.unsubscribeUsers({ emails: ['ann@example.com'], listIds: [1], sendUnsubscribeEmail: true, trigger: false }),
    { message: 'Users unsubscribed.' },
    'POST',
    '{"emails":["ann@example.com"],"listIds":[1],"sendUnsubscribeEmail":true,"trigger":false}',
  ],
  ['getLists', (c) => c.getLists(), [[]], 'GET'],
  [
    'getLists: a filtered page',
    (c) => c.getLists({ filters: { id: 4, name: 'a&b=c d+é', active: 1 }, limit: 100, offset: 5 }),
    [list],
    'GET offset=5&limit=100&filters%5Bid%5D=4&filters%5Bname%5D=a%26b%3Dc%20d%2B%C3%A9&filters%5Bactive%5D=1',
  ],
  [
    'createList',
    (c) => c.createList({ name: 'Néws', active: 1, color: '#ff0000', welcomeId: 3, unsubscribeId: 4, visible: 2 }),
    { listId: 2 },
    'POST',
    '{"name":"Néws","active":1,"color":"#ff0000","welcomeId":3,"unsubscribeId":4,"visible":2}',
  ],
  ['deleteList', (c) => c.deleteList(9), {}, 'DELETE listId=9'],
  ['getTemplates', (c) => c.getTemplates(), [], 'GET'],
  [
    'getTemplates: a filtered page',
    (c) => c.getTemplates({ offset: 20, limit: 20, search: 'spring 50%', templateType: 'standard' }),
    list,
    'GET filters%5Bsearch%5D=spring%2050%25&filters%5BtemplateType%5D=standard&limit=20&offset=20',
  ],
  ['getOneTemplate', (c) => c.getOneTemplate(12), [{ id: '12' }], 'GET templateId=12'],
  [
    'createTemplate',
    (c) => c.createTemplate({ name: 'T', body: '<p>"é😀"</p>', stylesheet: 'a{}', headers: '', preheader: 'x' }),
    { templateId: 3 },
    'POST',
    '{"name":"T","body":"<p>\\"é😀\\"</p>","stylesheet":"a{}","headers":"","preheader":"x"}',
  ],
  [
    'updateTemplate',
    (c) => c.updateTemplate({ templateId: 5, subject: 'S', from_email: 'a@example.com' }),
    { templateId: 5 },
    'POST',
    '{"templateId":5,"subject":"S","from_email":"a@example.com"}',
    { body: '{"id":5,"subject":"S","from_email":"a@example.com"}' },
  ],
  ['deleteTemplate', (c) => c.deleteTemplate(5), { message: 'Template deleted.' }, 'DELETE templateId=5'],
  ['getFollowUps', (c) => c.getFollowUps(), [], 'GET'],
  [
    'getFollowUps: a filtered page',
    (c) =>
      c.getFollowUps({
        offset: 0,
        limit: 5,
        filters: { id: 1, name: 'wel', display_name: 'W', active: 1, send_once: 0, trigger: 'ecommerce_a_purchase' },
      }),
    [],
    'GET offset=0&limit=5&filter%5Bid%5D=1&filter%5Bname%5D=wel&filter%5Bdisplay_name%5D=W&filter%5Bactive%5D=1&filter%5Bsend_once%5D=0&filter%5Btrigger%5D=ecommerce_a_purchase',
    undefined,
    {
      query:
        'offset=0&limit=5&filters%5Bid%5D=1&filters%5Bname%5D=wel&filters%5Bdisplay_name%5D=W&filters%5Bactive%5D=1&filters%5Bsend_once%5D=0&filters%5Btrigger%5D=woocommerce_purchase',
    },
  ],
  ['getFollowUpById', (c) => c.getFollowUpById(8), [{ id: '8' }], 'GET followUpId=8'],
  ['deleteFollowUp', (c) => c.deleteFollowUp(8), { message: 'Follow-up deleted.' }, 'DELETE followUpId=8'],
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
    'POST',
    '{"name":"Welcome","display_name":"Welcome!","trigger":"ecommerce_b_purchase","condition":{"lists_status":"is","lists":[1,2]},"loop":1,"loop_delay":3600,"loop_mail_skip":[4]}',
    {
      body: '{"name":"Welcome","display_name":"Welcome!","trigger":"hikashop_purchase","condition":{"lists_status":"is","lists":[1,2]},"loop":1,"loop_delay":3600,"loop_mail_skip":[4]}',
    },
  ],
  [
    'createOrUpdateFollowUp: updates',
    (c) => c.createOrUpdateFollowUp({ followUpId: 3, trigger: 'birthday' }),
    { followUpId: 3 },
    'POST',
    '{"followUpId":3,"trigger":"birthday"}',
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
    'POST',
    '{"followUpId":3,"delay":2,"delay_unit":"days","mail":{"name":"M","subject":"S","body":"<p>"}}',
  ],
  [
    'deleteEmailFromFollowUp',
    (c) => c.deleteEmailFromFollowUp(3, 6),
    { message: 'Email deleted from follow-up.' },
    'DELETE followUpId=3&mailId=6',
  ],
  ['getCampaigns', (c) => c.getCampaigns(), [], 'GET'],
  [
    'getCampaigns: a filtered page',
    (c) => c.getCampaigns({ offset: 100, limit: 100, filters: { subject: 'Hello', sent: true, parent_id: undefined } }),
    [],
    'GET offset=100&limit=100&filters%5Bsubject%5D=Hello&filters%5Bsent%5D=1',
  ],
  ['getCampaignById', (c) => c.getCampaignById(2), [{ id: '2' }], 'GET campaignId=2'],
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
    'POST',
    '{"subject":"S","name":"N","sending_type":"auto","frequency":"every","frequency_options":{"unit":"day","value":2},"need_confirm":0,"start_date":"2026-11-20","listIds":[1]}',
    {
      body: '{"subject":"S","name":"N","sending_type":"auto","frequency":"every","frequency_options":{"unit":"day","value":2},"need_confirm":0,"start_date":1795132800,"listIds":[1]}',
    },
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
    'POST',
    '{"subject":"S","name":"N","sending_type":"auto","frequency":"cron","start_date":"2026-11-19T23:00:00Z"}',
    { body: '{"subject":"S","name":"N","sending_type":"auto","frequency":"cron","start_date":1795129200}' },
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
    'POST',
    '{"campaignId":4,"subject":"S","name":"N","sending_type":"scheduled","sending_date":"2026-12-01"}',
  ],
  ['sendCampaign', (c) => c.sendCampaign(4), { message: 'Campaign sent successfully.' }, 'POST campaignId=4'],
  ['deleteCampaign', (c) => c.deleteCampaign(4), {}, 'DELETE campaignId=4'],
  ['getCampaignStatistics', (c) => c.getCampaignStatistics(4), [null], 'GET campaignId=4'],
  [
    'getCampaignStatisticsDetailed',
    (c) => c.getCampaignStatisticsDetailed(4, { offset: 100, limit: 100 }),
    [[]],
    'GET campaignId=4&offset=100&limit=100',
  ],
  ['getCampaignStatisticsClicks', (c) => c.getCampaignStatisticsClicks(4), [], 'GET campaignId=4'],
  ['getCampaignStatisticsLinks', (c) => c.getCampaignStatisticsLinks(4), [], 'GET campaignId=4'],
  [
    'getCampaignStatisticsLinks',
    (c) => c.getCampaignStatisticsLinks(4, { offset: 100, limit: 500 }),
    [],
    'GET campaignId=4&offset=100&limit=500',
  ],
];

const constants: Readonly<Record<ProfileName, string>> = {
  documented: 'page=mailer_front&option=com_mailer',
  acymailing: 'page=acymailing_front&option=com_acym',
};

/** Returns the complete request head in order, and the body. */
function describeRequest([name, , , request, body, acymailing]: Row, profile: ProfileName, port: number) {
  const [operation = ''] = name.split(':');
  const [method = '', query = ''] = request.split(' ');
  const isFollowUp = operation.includes('FollowUp');
  const differences = profile === 'acymailing' ? acymailing : undefined;
  const route = isFollowUp && profile === 'documented' ? `ctrl=${operation}` : `ctrl=api&task=${operation}`;
  const target = [constants[profile], route, differences?.query ?? query].filter((part) => part !== '').join('&');
  const type = operation === 'sendCampaign' && profile === 'documented' ? 'application-json' : 'application/json';
  const sent = differences?.body ?? body ?? '';
  const head = [
    `${method} /site/index.php?${target} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: keep-alive',
    `Api-Key: ${KEY}`,
    'Accept: application/json',
    'Accept-Encoding: gzip, br',
    'User-Agent: mailing-studio',
    ...(method === 'POST' || isFollowUp ? [`Content-Type: ${type}`] : []),
    ...(method === 'POST' ? [`content-length: ${Buffer.byteLength(sent)}`] : []),
  ];
  return { head: head.join('\r\n'), body: sent };
}

describe('wire format', () => {
  for (const profile of ['documented', 'acymailing'] as const) {
    describe(`profile ${profile}`, () => {
      for (const row of rows) {
        const [name, call, answer] = row;
        it(name, () =>
          withService(
            () => json(200, answer),
            async (client, server) => {
              await call(client);
              assert.deepEqual(
                server.requests.map(({ head, body }) => ({ head, body })),
                [describeRequest(row, profile, server.port)],
              );
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
