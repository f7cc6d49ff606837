import assert from 'node:assert/strict';
import { profiles } from '../../../../src/service/client/index.ts';
import type { MailingClient, OperationName, ProfileName } from '../../../../src/service/client/index.ts';
import { json } from '../../../support/wire.ts';
import { KEY, withService } from './setup.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

interface Wire {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The query after the constants. */
  readonly query: string;
  readonly contentType?: string;
  readonly body?: string;
}

interface Row {
  readonly operation: OperationName;
  readonly what?: string;
  readonly call: (client: MailingClient) => Promise<object>;
  readonly answer: Json;
  readonly documented: Wire;
  /** Only if it differs. */
  readonly acymailing?: Partial<Wire>;
}

const jsonPost = { method: 'POST', contentType: 'application/json' } as const;
const list = [{ id: '1' }];

const rows: readonly Row[] = [
  {
    operation: 'getUserSubscriptionById',
    call: (c) => c.getUserSubscriptionById(7),
    answer: [{}],
    documented: { method: 'GET', query: 'ctrl=api&task=getUserSubscriptionById&userId=7' },
  },
  {
    operation: 'getSubscribersFromLists',
    call: (c) => c.getSubscribersFromLists([1, 2]),
    answer: [[]],
    documented: { method: 'GET', query: 'ctrl=api&task=getSubscribersFromLists&listIds%5B%5D=1&listIds%5B%5D=2' },
  },
  {
    operation: 'getSubscribersFromLists',
    what: 'a page',
    call: (c) => c.getSubscribersFromLists([1], { offset: 200, limit: 50 }),
    answer: [[]],
    documented: { method: 'GET', query: 'ctrl=api&task=getSubscribersFromLists&listIds%5B%5D=1&offset=200&limit=50' },
  },
  {
    operation: 'getUnsubscribedUsersFromLists',
    call: (c) => c.getUnsubscribedUsersFromLists([3], { offset: 0, limit: 10 }),
    answer: [[]],
    documented: {
      method: 'GET',
      query: 'ctrl=api&task=getUnsubscribedUsersFromLists&listIds%5B%5D=3&offset=0&limit=10',
    },
  },
  {
    operation: 'subscribeUsers',
    call: (c) =>
      c.subscribeUsers({
        emails: ['ann@example.com', 'bob@example.com'],
        listIds: [1, 2],
        sendWelcomeEmail: false,
        trigger: true,
      }),
    answer: { message: 'Users subscribed.' },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=subscribeUsers',
      body: '{"emails":["ann@example.com","bob@example.com"],"listIds":[1,2],"sendWelcomeEmail":false,"trigger":true}',
    },
  },
  {
    operation: 'subscribeUsers',
    what: 'without options',
    call: (c) => c.subscribeUsers({ emails: ['ann@example.com'], listIds: [1], sendWelcomeEmail: undefined }),
    answer: [],
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=subscribeUsers',
      body: '{"emails":["ann@example.com"],"listIds":[1]}',
    },
  },
  {
    operation: 'unsubscribeUsers',
    call: (c) =>
      c.unsubscribeUsers({ emails: ['ann@example.com'], listIds: [1], sendUnsubscribeEmail: true, trigger: false }),
    answer: { message: 'Users unsubscribed.' },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=unsubscribeUsers',
      body: '{"emails":["ann@example.com"],"listIds":[1],"sendUnsubscribeEmail":true,"trigger":false}',
    },
  },
  {
    operation: 'getLists',
    call: (c) => c.getLists(),
    answer: [[]],
    documented: { method: 'GET', query: 'ctrl=api&task=getLists' },
  },
  {
    operation: 'getLists',
    what: 'a filtered page',
    call: (c) => c.getLists({ filters: { id: 4, name: 'a&b=c d+é', active: 1 }, limit: 100, offset: 5 }),
    answer: [list],
    documented: {
      method: 'GET',
      query:
        'ctrl=api&task=getLists&offset=5&limit=100&filters%5Bid%5D=4&filters%5Bname%5D=a%26b%3Dc%20d%2B%C3%A9&filters%5Bactive%5D=1',
    },
  },
  {
    operation: 'createList',
    call: (c) =>
      c.createList({ name: 'Néws', active: 1, color: '#ff0000', welcomeId: 3, unsubscribeId: 4, visible: 2 }),
    answer: { listId: 2 },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=createList',
      body: '{"name":"Néws","active":1,"color":"#ff0000","welcomeId":3,"unsubscribeId":4,"visible":2}',
    },
  },
  {
    operation: 'deleteList',
    call: (c) => c.deleteList(9),
    answer: {},
    documented: { method: 'DELETE', query: 'ctrl=api&task=deleteList&listId=9' },
  },
  {
    operation: 'getTemplates',
    call: (c) => c.getTemplates(),
    answer: [],
    documented: { method: 'GET', query: 'ctrl=api&task=getTemplates' },
  },
  {
    operation: 'getTemplates',
    what: 'a filtered page',
    call: (c) => c.getTemplates({ offset: 20, limit: 20, search: 'spring 50%', templateType: 'standard' }),
    answer: list,
    documented: {
      method: 'GET',
      query:
        'ctrl=api&task=getTemplates&filters%5Bsearch%5D=spring%2050%25&filters%5BtemplateType%5D=standard&limit=20&offset=20',
    },
  },
  {
    operation: 'getOneTemplate',
    call: (c) => c.getOneTemplate(12),
    answer: [{ id: '12' }],
    documented: { method: 'GET', query: 'ctrl=api&task=getOneTemplate&templateId=12' },
  },
  {
    operation: 'createTemplate',
    call: (c) => c.createTemplate({ name: 'T', body: '<p>"é😀"</p>', stylesheet: 'a{}', headers: '', preheader: 'x' }),
    answer: { templateId: 3 },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=createTemplate',
      body: '{"name":"T","body":"<p>\\"é😀\\"</p>","stylesheet":"a{}","headers":"","preheader":"x"}',
    },
  },
  {
    operation: 'updateTemplate',
    call: (c) => c.updateTemplate({ templateId: 5, subject: 'S', from_email: 'a@example.com' }),
    answer: { templateId: 5 },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=updateTemplate',
      body: '{"templateId":5,"subject":"S","from_email":"a@example.com"}',
    },
    acymailing: { body: '{"id":5,"subject":"S","from_email":"a@example.com"}' },
  },
  {
    operation: 'deleteTemplate',
    call: (c) => c.deleteTemplate(5),
    answer: { message: 'Template deleted.' },
    documented: { method: 'DELETE', query: 'ctrl=api&task=deleteTemplate&templateId=5' },
  },
  {
    operation: 'getFollowUps',
    call: (c) => c.getFollowUps(),
    answer: [],
    documented: { method: 'GET', query: 'ctrl=getFollowUps', contentType: 'application/json' },
    acymailing: { query: 'ctrl=api&task=getFollowUps' },
  },
  {
    operation: 'getFollowUps',
    what: 'a filtered page',
    call: (c) =>
      c.getFollowUps({
        offset: 0,
        limit: 5,
        filters: { id: 1, name: 'wel', display_name: 'W', active: 1, send_once: 0, trigger: 'ecommerce_a_purchase' },
      }),
    answer: [],
    documented: {
      method: 'GET',
      contentType: 'application/json',
      query:
        'ctrl=getFollowUps&offset=0&limit=5&filter%5Bid%5D=1&filter%5Bname%5D=wel&filter%5Bdisplay_name%5D=W&filter%5Bactive%5D=1&filter%5Bsend_once%5D=0&filter%5Btrigger%5D=ecommerce_a_purchase',
    },
    acymailing: {
      query:
        'ctrl=api&task=getFollowUps&offset=0&limit=5&filters%5Bid%5D=1&filters%5Bname%5D=wel&filters%5Bdisplay_name%5D=W&filters%5Bactive%5D=1&filters%5Bsend_once%5D=0&filters%5Btrigger%5D=woocommerce_purchase',
    },
  },
  {
    operation: 'getFollowUpById',
    call: (c) => c.getFollowUpById(8),
    answer: [{ id: '8' }],
    documented: { method: 'GET', query: 'ctrl=getFollowUpById&followUpId=8', contentType: 'application/json' },
    acymailing: { query: 'ctrl=api&task=getFollowUpById&followUpId=8' },
  },
  {
    operation: 'deleteFollowUp',
    call: (c) => c.deleteFollowUp(8),
    answer: { message: 'Follow-up deleted.' },
    documented: { method: 'DELETE', query: 'ctrl=deleteFollowUp&followUpId=8', contentType: 'application/json' },
    acymailing: { query: 'ctrl=api&task=deleteFollowUp&followUpId=8' },
  },
  {
    operation: 'createOrUpdateFollowUp',
    what: 'creates',
    call: (c) =>
      c.createOrUpdateFollowUp({
        name: 'Welcome',
        display_name: 'Welcome!',
        trigger: 'ecommerce_b_purchase',
        condition: { lists_status: 'is', lists: [1, 2] },
        loop: 1,
        loop_delay: 3600,
        loop_mail_skip: [4],
      }),
    answer: { followUpId: 3 },
    documented: {
      ...jsonPost,
      query: 'ctrl=createOrUpdateFollowUp',
      body: '{"name":"Welcome","display_name":"Welcome!","trigger":"ecommerce_b_purchase","condition":{"lists_status":"is","lists":[1,2]},"loop":1,"loop_delay":3600,"loop_mail_skip":[4]}',
    },
    acymailing: {
      query: 'ctrl=api&task=createOrUpdateFollowUp',
      body: '{"name":"Welcome","display_name":"Welcome!","trigger":"hikashop_purchase","condition":{"lists_status":"is","lists":[1,2]},"loop":1,"loop_delay":3600,"loop_mail_skip":[4]}',
    },
  },
  {
    operation: 'createOrUpdateFollowUp',
    what: 'updates',
    call: (c) => c.createOrUpdateFollowUp({ followUpId: 3, trigger: 'birthday' }),
    answer: { followUpId: 3 },
    documented: { ...jsonPost, query: 'ctrl=createOrUpdateFollowUp', body: '{"followUpId":3,"trigger":"birthday"}' },
    acymailing: { query: 'ctrl=api&task=createOrUpdateFollowUp' },
  },
  {
    operation: 'attachEmailToFollowUp',
    call: (c) =>
      c.attachEmailToFollowUp({
        followUpId: 3,
        delay: 2,
        delay_unit: 'days',
        mail: { name: 'M', subject: 'S', body: '<p>' },
      }),
    answer: { message: 'Email attached to follow-up.', mailId: 6 },
    documented: {
      ...jsonPost,
      query: 'ctrl=attachEmailToFollowUp',
      body: '{"followUpId":3,"delay":2,"delay_unit":"days","mail":{"name":"M","subject":"S","body":"<p>"}}',
    },
    acymailing: { query: 'ctrl=api&task=attachEmailToFollowUp' },
  },
  {
    operation: 'deleteEmailFromFollowUp',
    call: (c) => c.deleteEmailFromFollowUp(3, 6),
    answer: { message: 'Email deleted from follow-up.' },
    documented: {
      method: 'DELETE',
      query: 'ctrl=deleteEmailFromFollowUp&followUpId=3&mailId=6',
      contentType: 'application/json',
    },
    acymailing: { query: 'ctrl=api&task=deleteEmailFromFollowUp&followUpId=3&mailId=6' },
  },
  {
    operation: 'getCampaigns',
    call: (c) => c.getCampaigns(),
    answer: [],
    documented: { method: 'GET', query: 'ctrl=api&task=getCampaigns' },
  },
  {
    operation: 'getCampaigns',
    what: 'a filtered page',
    call: (c) =>
      c.getCampaigns({ offset: 100, limit: 100, filters: { subject: 'Hello', sent: true, parent_id: undefined } }),
    answer: [],
    documented: {
      method: 'GET',
      query: 'ctrl=api&task=getCampaigns&offset=100&limit=100&filters%5Bsubject%5D=Hello&filters%5Bsent%5D=1',
    },
  },
  {
    operation: 'getCampaignById',
    call: (c) => c.getCampaignById(2),
    answer: [{ id: '2' }],
    documented: { method: 'GET', query: 'ctrl=api&task=getCampaignById&campaignId=2' },
  },
  {
    operation: 'createOrUpdateCampaign',
    what: 'creates',
    call: (c) =>
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
    answer: { campaignId: 4 },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=createOrUpdateCampaign',
      body: '{"subject":"S","name":"N","sending_type":"auto","frequency":"every","frequency_options":{"unit":"day","value":2},"need_confirm":0,"start_date":"2026-11-20","listIds":[1]}',
    },
    acymailing: {
      body: '{"subject":"S","name":"N","sending_type":"auto","frequency":"every","frequency_options":{"unit":"day","value":2},"need_confirm":0,"start_date":1795132800,"listIds":[1]}',
    },
  },
  {
    operation: 'createOrUpdateCampaign',
    what: 'starts at a moment',
    call: (c) =>
      c.createOrUpdateCampaign({
        subject: 'S',
        name: 'N',
        sending_type: 'auto',
        frequency: 'cron',
        start_date: '2026-11-19T23:00:00Z',
      }),
    answer: { campaignId: 1 },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=createOrUpdateCampaign',
      body: '{"subject":"S","name":"N","sending_type":"auto","frequency":"cron","start_date":"2026-11-19T23:00:00Z"}',
    },
    acymailing: { body: '{"subject":"S","name":"N","sending_type":"auto","frequency":"cron","start_date":1795129200}' },
  },
  {
    operation: 'createOrUpdateCampaign',
    what: 'updates',
    call: (c) =>
      c.createOrUpdateCampaign({
        campaignId: 4,
        subject: 'S',
        name: 'N',
        sending_type: 'scheduled',
        sending_date: '2026-12-01',
      }),
    answer: { campaignId: 4 },
    documented: {
      ...jsonPost,
      query: 'ctrl=api&task=createOrUpdateCampaign',
      body: '{"campaignId":4,"subject":"S","name":"N","sending_type":"scheduled","sending_date":"2026-12-01"}',
    },
  },
  {
    operation: 'sendCampaign',
    call: (c) => c.sendCampaign(4),
    answer: { message: 'Campaign sent successfully.' },
    documented: {
      method: 'POST',
      query: 'ctrl=api&task=sendCampaign&campaignId=4',
      contentType: 'application-json',
      body: '',
    },
    acymailing: { contentType: 'application/json' },
  },
  {
    operation: 'deleteCampaign',
    call: (c) => c.deleteCampaign(4),
    answer: {},
    documented: { method: 'DELETE', query: 'ctrl=api&task=deleteCampaign&campaignId=4' },
  },
  {
    operation: 'getCampaignStatistics',
    call: (c) => c.getCampaignStatistics(4),
    answer: [null],
    documented: { method: 'GET', query: 'ctrl=api&task=getCampaignStatistics&campaignId=4' },
  },
  {
    operation: 'getCampaignStatisticsDetailed',
    call: (c) => c.getCampaignStatisticsDetailed(4, { offset: 100, limit: 100 }),
    answer: [[]],
    documented: {
      method: 'GET',
      query: 'ctrl=api&task=getCampaignStatisticsDetailed&campaignId=4&offset=100&limit=100',
    },
  },
  {
    operation: 'getCampaignStatisticsClicks',
    call: (c) => c.getCampaignStatisticsClicks(4),
    answer: [],
    documented: { method: 'GET', query: 'ctrl=api&task=getCampaignStatisticsClicks&campaignId=4' },
  },
  {
    operation: 'getCampaignStatisticsLinks',
    call: (c) => c.getCampaignStatisticsLinks(4),
    answer: [],
    documented: { method: 'GET', query: 'ctrl=api&task=getCampaignStatisticsLinks&campaignId=4' },
  },
  {
    operation: 'getCampaignStatisticsLinks',
    call: (c) => c.getCampaignStatisticsLinks(4, { offset: 100, limit: 500 }),
    answer: [],
    documented: { method: 'GET', query: 'ctrl=api&task=getCampaignStatisticsLinks&campaignId=4&offset=100&limit=500' },
  },
];

/** Returns the complete request head in order. */
function head(wire: Wire, constants: string, port: number): string {
  const length = wire.body === undefined ? [] : [`content-length: ${Buffer.byteLength(wire.body)}`];
  return [
    `${wire.method} /site/index.php?${constants}&${wire.query} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: keep-alive',
    `Api-Key: ${KEY}`,
    'Accept: application/json',
    'Accept-Encoding: gzip, br',
    'User-Agent: mailing-studio',
    ...(wire.contentType === undefined ? [] : [`Content-Type: ${wire.contentType}`]),
    ...length,
  ].join('\r\n');
}

const constants: Readonly<Record<ProfileName, string>> = {
  documented: 'page=mailer_front&option=com_mailer',
  acymailing: 'page=acymailing_front&option=com_acym',
};

describe('wire format', () => {
  for (const profile of ['documented', 'acymailing'] as const) {
    describe(`profile ${profile}`, () => {
      for (const row of rows) {
        it(`${row.operation}${row.what === undefined ? '' : `: ${row.what}`}`, () =>
          withService(
            () => json(200, row.answer),
            async (client, server) => {
              await row.call(client);
              const expected: Wire = { ...row.documented, ...(profile === 'acymailing' ? row.acymailing : {}) };
              assert.equal(server.requests.length, 1);
              assert.equal(server.requests[0]?.head, head(expected, constants[profile], server.port));
              assert.equal(server.requests[0]?.body, expected.body ?? '');
            },
            { profile, path: '/site/' },
          ));
      }
    });
  }

  it('covers all 28 operations', () => {
    assert.equal(new Set(rows.map((row) => row.operation)).size, 28);
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

  it('reuses one connection for sequential requests', () =>
    withService(
      () => json(200, []),
      async (client, server) => {
        for (let i = 0; i < 5; i++) await client.getLists();
        await client.deleteList(1);
        assert.equal(server.connections, 1);
      },
    ));

  it('omits undefined arguments', () =>
    withService(
      () => json(404, {}),
      async (client, server) => {
        await client.getOneTemplate(undefined as never).catch(() => undefined);
        assert.ok(server.requests[0]?.target.endsWith('task=getOneTemplate'));
      },
    ));
});
