import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { MailingClient, ProfileName } from '../../../../src/service/client/index.ts';
import { json, respond } from '../../../support/wire.ts';
import { getFailure, useAnswers } from './setup.ts';
import { createRunOptions } from '../../fuzz/setup.ts';
import { isApiError, unreadableFields, type Json } from '../../../../src/service/client/shapes.ts';

type Call = (client: MailingClient) => Promise<object>;

/** `answer`: JSON of the response; a string is sent unchanged. `expected`: default: the same. */
type Row = readonly [
  name: string,
  call: Call,
  answer: Json | object,
  expected?: object,
  options?: { readonly status?: number; readonly profile?: ProfileName },
];

const subscriptionA = {
  id: '1',
  translation: '',
  name: 'News',
  display_name: null,
  color: '#ff0000',
  active: '1',
  visible: '0',
  description: '',
  status: '1',
  subscription_date: '2026-01-02 03:04:05',
  unsubscribe_date: null,
};
const subscriptionB = {
  ...subscriptionA,
  id: '2',
  name: 'Offers',
  status: '0',
  unsubscribe_date: '2026-02-02 03:04:05',
};
const readA = { ...subscriptionA, id: 1, active: 1, visible: 0, status: 1 };
const readB = { ...subscriptionB, id: 2, active: 1, visible: 0, status: 0 };

const subscriber = {
  email: 'ann@example.com',
  name: 'Ann',
  id: '7',
  confirmed: '1',
  status: '1',
  subscription_date: '2026-01-02 03:04:05',
};
const readSubscriber = { ...subscriber, id: 7, confirmed: 1, status: 1 };

const list = {
  id: '3',
  name: 'News',
  display_name: null,
  active: '1',
  visible: '1',
  clean: null,
  color: '#00ff00',
  creation_date: '2026-01-02 03:04:05',
  welcome_id: null,
  unsubscribe_id: '12',
  cms_user_id: '42',
  access: '',
  description: '',
  tracking: '1',
  type: 'standard',
  translation: '',
};
const readList = { ...list, id: 3, active: 1, visible: 1, unsubscribe_id: 12, cms_user_id: 42, tracking: 1 };

const template = {
  id: '5',
  name: 'T',
  creation_date: '2026-01-02 03:04:05',
  drag_editor: '0',
  body: '<p>x</p>',
  subject: 'S',
  from_name: '',
  from_email: '',
  reply_to_name: '',
  reply_to_email: '',
  settings: '',
  stylesheet: 'p{}',
  headers: '',
  preheader: '',
};
/** Appended by the site. */
const footer = '<p id="acym__powered_by_acymailing">By</p>';
const readTemplate = { ...template, id: 5, drag_editor: 0 };

const followUp = {
  id: 1,
  name: 'F',
  display_name: 'F!',
  creation_date: '2026-01-02 03:04:05',
  trigger: 'user_subscribe',
  condition: { lists_status: 'is', segments_status: 'is' },
  active: 1,
  send_once: 0,
  list_id: 9,
  last_trigger: 1767323045,
};
const readFollowUp = { ...followUp, loop: null, loop_delay: null, loop_mail_skip: null };
const mail = { mail_id: 4, followup_id: 1, delay: 2, delay_unit: 86400, send_once: 1 };

const campaign = {
  id: 2,
  sending_date: null,
  draft: 1,
  active: 0,
  mail_id: 25,
  sent: 0,
  sending_type: 'auto',
  sending_params: { trigger_type: 'every', every: { type: 86400, number: 2 }, need_confirm_to_send: 1 },
  parent_id: null,
  last_generated: null,
  next_trigger: null,
  visible: 1,
  subject: 'Hello',
  name: 'C1',
};

const both = { emails: ['ann@example.com', 'a@x.example', 'b@x.example'], listIds: [1] };

const subscribe = (c: MailingClient) => c.subscribeUsers(both);
const readSubscriptions = (c: MailingClient) => c.getUserSubscriptionById(1);
const readFollowUpById = (c: MailingClient) => c.getFollowUpById(1);
const readLists = (c: MailingClient) => c.getLists();
const readTemplates = (c: MailingClient) => c.getTemplates();
const readOneTemplate = (c: MailingClient) => c.getOneTemplate(5);
const readCampaign = (c: MailingClient) => c.getCampaignById(2);
const readCampaigns = (c: MailingClient) => c.getCampaigns();
const createTemplate = (c: MailingClient) => c.createTemplate({ name: 'T' });
const readFollowUps = (c: MailingClient) => c.getFollowUps();
const updateTemplate = (c: MailingClient) => c.updateTemplate({ templateId: 5 });
const deleteTemplate = (c: MailingClient) => c.deleteTemplate(5);
const createList = (c: MailingClient) => c.createList({ name: 'L' });
const readSubscribers = (c: MailingClient) => c.getSubscribersFromLists([1]);

const rows: readonly Row[] = [
  ['subscriptions keyed by list id', readSubscriptions, [{ 1: subscriptionA, 2: subscriptionB }], [readA, readB]],
  ['subscriptions in a flat array', readSubscriptions, [subscriptionA, subscriptionB], [readA, readB]],
  [
    'subscriptions whose id is only their key',
    readSubscriptions,
    [{ 1: { ...subscriptionA, id: undefined } }],
    [readA],
  ],
  [
    'subscribers in an array in an array',
    readSubscribers,
    [[subscriber, { ...subscriber, id: 8 }]],
    [readSubscriber, { ...readSubscriber, id: 8 }],
  ],
  [
    'subscribers in a flat array, with other fields',
    readSubscribers,
    [{ ...subscriber, language: 'en-GB' }],
    [{ ...readSubscriber, language: 'en-GB' }],
  ],
  [
    'unsubscribed users',
    (c) => c.getUnsubscribedUsersFromLists([1]),
    [[{ ...subscriber, status: '0' }]],
    [{ ...readSubscriber, status: 0 }],
  ],
  ['lists in an array in an array', readLists, [[list]], [readList]],
  [
    'lists in a flat array, with counts',
    readLists,
    [{ ...list, subscribers: '10', new_sub: '0' }],
    [{ ...readList, subscribers: 10, new_sub: 0 }],
  ],
  [
    'a list with nothing but an id',
    readLists,
    [[{ id: 3 }]],
    [Object.fromEntries(Object.keys(list).map((key) => [key, key === 'id' ? 3 : null]))],
  ],
  ['templates', readTemplates, [template], [readTemplate]],
  [
    'a template in a list without subject, with nulls',
    readTemplates,
    [{ ...template, subject: undefined, settings: null, stylesheet: null }],
    [{ ...readTemplate, subject: null, settings: null, stylesheet: null }],
  ],
  ['one template', readOneTemplate, [template], readTemplate],
  ...[readOneTemplate, readTemplates].map((read, index): Row => {
    const read5 = { ...readTemplate, footer };
    const answer = [{ ...template, body: template.body + footer }];
    return [
      `template ${index} without the footer of the site`,
      read,
      answer,
      index === 0 ? read5 : [read5],
      { profile: 'acymailing' },
    ];
  }),
  ...[readCampaign, readCampaigns].map((read, index): Row => {
    const stored = { ...campaign, body: '<p>b</p>', footer };
    const answer = [{ ...campaign, body: `<p>b</p>${footer}` }];
    return [
      `campaign ${index} without the footer of the site`,
      read,
      answer,
      index === 0 ? stored : [stored],
      { profile: 'acymailing' },
    ];
  }),
  [
    'the footer of a documented service as part of the email',
    readCampaign,
    [{ ...campaign, body: footer }],
    { ...campaign, body: footer },
  ],
  [
    'one template, not in an array, drag and drop',
    readOneTemplate,
    { ...template, drag_editor: 1, settings: { a: 1 } },
    { ...readTemplate, drag_editor: 1, settings: '{"a":1}' },
  ],
  [
    'escaped slashes and a byte order mark',
    readOneTemplate,
    '\uFEFF [{"id":"5","body":"<\\/p>"}]',
    { ...Object.fromEntries(Object.keys(template).map((key) => [key, null])), id: 5, body: '</p>' },
  ],
  ['a created template', createTemplate, { templateId: 5 }, { templateId: 5 }, { status: 201 }],
  ['a modified template', updateTemplate, { templateId: 5 }],
  ['a modified template, without its id', updateTemplate, '', { templateId: 5 }],
  ['a deleted template', deleteTemplate, { message: 'Template deleted.' }],
  ['a deleted template, without a word', deleteTemplate, '', {}, { status: 204 }],
  ['a created list', createList, { listId: 2 }, { listId: 2 }, { status: 201 }],
  ['a created list, without its id', createList, { message: 'Done.' }, { message: 'Done.' }, { status: 201 }],
  ['a deleted list', (c) => c.deleteList(2), { message: 'List deleted.' }],

  ['subscribed users', subscribe, { message: 'Users subscribed.' }, { message: 'Users subscribed.', notFound: [] }],
  [
    'subscribed users, some not found',
    subscribe,
    { message: 'Users subscribed.', errors: 'User not found: a@x.example, b@x.example' },
    { message: 'Users subscribed.', notFound: ['a@x.example', 'b@x.example'] },
  ],
  [
    'subscribed users, users and lists not found',
    subscribe,
    { message: 'Users subscribed.', errors: 'User not found: a@x.example, b@x.example, List not found: 99999' },
    { message: 'Users subscribed. List not found: 99999', notFound: ['a@x.example', 'b@x.example'] },
  ],
  [
    'subscribed users, errors in an array',
    subscribe,
    { message: 'Users subscribed.', errors: ['List not found: 99999', "User not found: o'neil@x.example."] },
    { message: 'Users subscribed. List not found: 99999', notFound: ["o'neil@x.example"] },
  ],
  [
    'subscribed users, not found in the message',
    subscribe,
    { message: 'Users subscribed. Users not found: a@x.example, b@x.example.' },
    { message: 'Users subscribed.', notFound: ['a@x.example', 'b@x.example'] },
  ],
  ['subscribed users, not found as an array', subscribe, ['a@x.example'], { notFound: ['a@x.example'] }],
  [
    'subscribed users, not found as records',
    subscribe,
    [{ email: 'a@x.example' }, { email: 'b@x.example' }],
    { notFound: ['a@x.example', 'b@x.example'] },
  ],
  [
    'subscribed users, not found under a name',
    subscribe,
    { subscribed: ['ann@example.com'], usersNotFound: ['a@x.example'], users: ['ann@example.com'] },
    { notFound: ['a@x.example'] },
  ],
  ['subscribed users, not found as users', subscribe, { users: { 0: 'a@x.example' } }, { notFound: ['a@x.example'] }],
  ['subscribed users, all found, no answer', subscribe, '[]', { notFound: [] }],
  [
    'unsubscribed users',
    (c) => c.unsubscribeUsers(both),
    { message: 'Users unsubscribed.' },
    { message: 'Users unsubscribed.', notFound: [] },
  ],

  ['follow-ups', readFollowUps, [followUp], [readFollowUp]],
  [
    'follow-ups in the field',
    readFollowUps,
    [
      {
        ...followUp,
        id: '1',
        trigger: 'woocommerce_purchase',
        condition: [],
        last_trigger: null,
        loop: '0',
        loop_delay: '',
        loop_mail_skip: '',
      },
    ],
    [
      {
        ...followUp,
        trigger: 'ecommerce_a_purchase',
        condition: {},
        last_trigger: null,
        loop: 0,
        loop_delay: null,
        loop_mail_skip: [],
      },
    ],
    { profile: 'acymailing' },
  ],
  [
    'a trigger no document knows',
    readFollowUps,
    [{ ...followUp, trigger: 'own' }],
    [{ ...readFollowUp, trigger: 'own' }],
    { profile: 'acymailing' },
  ],
  [
    'one follow-up with mails',
    readFollowUpById,
    [
      {
        ...followUp,
        condition: { lists_status: 'is', lists: ['1', '2'] },
        mails: [mail],
        loop: 1,
        loop_delay: 60,
        loop_mail_skip: ['4'],
      },
    ],
    {
      ...followUp,
      condition: { lists_status: 'is', lists: [1, 2] },
      mails: [mail],
      loop: 1,
      loop_delay: 60,
      loop_mail_skip: [4],
    },
  ],
  [
    'one follow-up with mails keyed by id',
    readFollowUpById,
    [{ ...followUp, mails: { 4: { ...mail, mail_id: '4', subject: 'S' } } }],
    { ...readFollowUp, mails: [{ ...mail, subject: 'S' }] },
  ],
  ['one follow-up without mails', readFollowUpById, [followUp], { ...readFollowUp, mails: [] }],
  [
    'a created follow-up',
    (c) => c.createOrUpdateFollowUp({ name: 'F' }),
    { followUpId: 3 },
    { followUpId: 3 },
    { status: 201 },
  ],
  ['an updated follow-up', (c) => c.createOrUpdateFollowUp({ followUpId: 3 }), {}, { followUpId: 3 }, { status: 200 }],
  [
    'an attached email',
    (c) => c.attachEmailToFollowUp({ followUpId: 3, delay: 1, delay_unit: 'days', mail: {} }),
    { message: 'Email attached to follow-up.', mailId: '6' },
    { mailId: 6, message: 'Email attached to follow-up.' },
  ],
  ['a deleted email', (c) => c.deleteEmailFromFollowUp(1, 2), { message: 'Email deleted from follow-up.' }],
  ['a deleted follow-up', (c) => c.deleteFollowUp(1), { message: 'Follow-up deleted.' }],

  ['campaigns', readCampaigns, [campaign]],
  [
    'campaigns in an array in an array, ids as text',
    readCampaigns,
    [[{ ...campaign, id: '2', mail_id: '25', sent: '0', sending_params: [] }]],
    [{ ...campaign, sending_params: {} }],
  ],
  [
    'one campaign',
    readCampaign,
    [{ ...campaign, body: '<p>', listIds: ['1', 2] }],
    { ...campaign, body: '<p>', listIds: [1, 2] },
  ],
  [
    'a campaign with a start date',
    readCampaign,
    [{ ...campaign, sending_params: { trigger_type: 'asap', start_date: '1795132800' }, start_date: 1795132800 }],
    {
      ...campaign,
      sending_params: { trigger_type: 'asap', start_date: '2026-11-20' },
      start_date: '2026-11-20',
    },
    { profile: 'acymailing' },
  ],
  [
    'a campaign with a start at the midnight of another zone',
    readCampaign,
    [{ ...campaign, sending_params: { trigger_type: 'asap', start_date: '1795129200' }, start_date: 1795129201.5 }],
    {
      ...campaign,
      sending_params: { trigger_type: 'asap', start_date: '2026-11-19T23:00:00Z' },
      start_date: 1795129201.5,
    },
    { profile: 'acymailing' },
  ],
  [
    'a created campaign',
    (c) => c.createOrUpdateCampaign({ name: 'N', subject: 'S' }),
    { campaignId: 1 },
    { campaignId: 1 },
    { status: 201 },
  ],
  [
    'an updated campaign',
    (c) => c.createOrUpdateCampaign({ campaignId: 1 }),
    { campaignId: 1, errors: ['List not found: 99999'] },
  ],
  ['a sent campaign', (c) => c.sendCampaign(1), { message: 'Campaign sent successfully.' }],
  ['a deleted campaign', (c) => c.deleteCampaign(1), { message: 'Campaign deleted successfully.' }],

  ...['[]', '[null]', '', '[[]]', 'null', ' \n', '\uFEFF'].map((answer): Row => [
    `no records: ${JSON.stringify(answer)}`,
    readSubscribers,
    answer,
    [],
  ]),
];

const bytes = (status: number, answer: Json | object) =>
  typeof answer === 'string' ? respond(status, answer) : json(status, answer);

/** Responses that resemble those of the service, with arbitrary fields. */
const field = fc.constantFrom(
  ...'id name active mail_id message error errors mails condition lists loop_mail_skip sending_params start_date listIds templateId campaignId __proto__ constructor toString success notFound email users 1'.split(
    ' ',
  ),
);
const hostile = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, '', '1', 'x@y.example', 0, -1, 1e300, true, false, 'User not found: '),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.array(fc.tuple(field, tie('node')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
})).node;

/** Plain objects, so that changes to a prototype are visible. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe('response parsing', () => {
  const answering = useAnswers();
  for (const [name, call, answer, expected = answer, { status = 200, profile } = {}] of rows) {
    it(name, async () => {
      assert.deepEqual(plain(await call(answering(bytes(status, answer), profile))), expected);
    });
  }

  const unreadable: readonly (readonly [
    name: string,
    call: Call,
    answer: Json | object,
    words: RegExp,
    outcome?: string,
  ])[] = [
    [
      'an id that is not a number',
      readTemplates,
      [template, template, { ...template, id: 'x1' }],
      /Field "id" of record 3 isn't a number/,
    ],
    [
      'an id above the safe integer range',
      readTemplates,
      [{ ...template, id: '99999999999999999999' }],
      /Field "id" of record 1 isn't a number/,
    ],
    ['a missing id', readLists, [[{ name: 'News' }]], /Field "id" of record 1 is missing/],
    [
      'an id of an invalid record',
      readLists,
      [list, { ...list, active: 'yes', id: {} }],
      /Field "id" of record 2 isn't/,
    ],
    ['an invalid flag', readOneTemplate, [{ ...template, drag_editor: 'yes' }], /"drag_editor" .* isn't a number/],
    [
      'a body that is not a string',
      readOneTemplate,
      [{ ...template, body: { a: 1 } }],
      /Field "body" of record 1 isn't text/,
    ],
    ['an invalid condition', readFollowUpById, [{ ...followUp, condition: 'is' }], /"condition" .* isn't an object/],
    [
      'a mail without its id',
      readFollowUpById,
      [{ ...followUp, mails: [{ delay: 1 }] }],
      /"mails.0.mail_id" of record 1 is missing/,
    ],
    [
      'a message instead of records',
      readLists,
      { message: 'Nothing today' },
      /a message instead of records.*Nothing today/,
    ],
    [
      'an error instead of records',
      (c) => c.getCampaignStatistics(1),
      [{ error: 'Broken' }],
      /a message instead of records.*Broken/,
    ],
    ['texts instead of records', readCampaigns, ['one', 'two'], /unexpected data instead of records/],
    ['a created template without its id', createTemplate, {}, /doesn't contain "templateId"/, 'unknown'],
    ['a template of another id', readOneTemplate, [{ id: 6, name: 'T' }], /contains record 6 instead of 5/],
    ['an id that is a boolean', readOneTemplate, [{ id: true, name: 'T' }], /Field "id" of record 1 isn't a number/],
    ['a template without a new id', createTemplate, { templateId: 0 }, /"templateId", but it isn't an ID/, 'unknown'],
    [
      'lists of a campaign that are booleans',
      readCampaign,
      [{ id: 1, name: 'C', listIds: { 7: true } }],
      /"listIds" .* isn't a list of numbers/,
    ],
    [
      'an attached email whose id is not a number',
      (c) => c.attachEmailToFollowUp({ followUpId: 1, delay: 1, delay_unit: 'days', mail: {} }),
      { mailId: 'x' },
      /"mailId", but it isn't an ID/,
      'unknown',
    ],
  ];
  for (const [name, call, answer, words, outcome = 'refused'] of unreadable) {
    it(`reports ${name}`, async () => {
      const error = await getFailure(() => call(answering(bytes(200, answer))));
      assert.match(error.message, words);
      assert.deepEqual([error.kind, error.status, error.outcome], ['notJson', 200, outcome]);
    });
  }

  describe('of a collection with an invalid record', () => {
    type ReadMany = (c: MailingClient) => Promise<readonly object[]>;
    const odd: readonly (readonly [name: string, call: ReadMany, answer: Json | object, fields: readonly string[]])[] =
      [
        [
          'headers that are an object',
          readTemplates,
          [template, { ...template, id: 6, headers: { 'X-A': '1' } }],
          ['headers'],
        ],
        ['several fields', readLists, [list, { ...list, id: 6, active: 'yes', name: ['a'] }], ['name', 'active']],
        [
          'a condition that is a text',
          readFollowUps,
          [followUp, { ...followUp, id: 6, condition: 'is' }],
          ['condition'],
        ],
        [
          'a condition of a flag',
          readFollowUps,
          [followUp, { ...followUp, id: 6, condition: { lists: true } }],
          ['condition'],
        ],
        [
          'lists that are words',
          readCampaigns,
          [
            { id: 1, name: 'C' },
            { id: 6, name: 'D', listIds: 'all' },
          ],
          ['listIds'],
        ],
        [
          'an address that is an object',
          readSubscribers,
          [
            { id: 1, email: 'a@b.c' },
            { id: 6, email: {} },
          ],
          ['email'],
        ],
      ];
    for (const [name, call, answer, fields] of odd) {
      it(`${name}: returns all records and names the invalid fields`, async () => {
        const [whole, other, ...more] = await call(answering(bytes(200, answer)));
        assert.ok(whole && other && more.length === 0);
        assert.deepEqual([unreadableFields(whole), unreadableFields(other)], [[], fields]);
        assert.equal('id' in other && other.id, 6);
        // An invalid value is absent and does not replace another one.
        for (const field of fields) assert.equal(new Map(Object.entries(other)).get(field) ?? null, null);
      });
    }

    it('does not blame the address if the record is read alone', async () => {
      const alone = answering(json(200, [{ ...template, headers: { 'X-A': '1' } }]));
      const error = await getFailure(() => readOneTemplate(alone));
      assert.match(
        error.message,
        /Field "headers" of record 1 isn't text.* Report the problem to the service's operator\.$/u,
      );
      assert.doesNotMatch(error.message, /address/u);
      assert.equal(error.field, 'headers');
    });
  });

  it('returns id lists as sorted sets', async () => {
    const client = answering(json(200, [{ id: 1, name: 'C', listIds: [7, '3', 7] }]));
    assert.deepEqual((await client.getCampaignById(1)).listIds, [3, 7]);
  });

  it('finds no record in an empty response', async () => {
    for (const [answer, call] of [
      ['[]', readOneTemplate],
      ['', readFollowUpById],
      ['[null]', readCampaign],
    ] as const)
      assert.equal((await getFailure(() => call(answering(respond(200, answer))))).kind, 'notFound');
  });

  it('does not treat an error with status 200 as success', async () => {
    const error = await getFailure(() => answering(json(200, { errors: ['No list selected'] })).sendCampaign(1));
    assert.deepEqual([error.kind, error.outcome, error.serverMessage], ['server', 'unknown', 'No list selected']);
  });

  describe('from a hostile service', () => {
    it('ignores __proto__ and keeps other fields', async () => {
      const [record] = await readTemplates(
        answering(respond(200, '[{"id":1,"__proto__":{"polluted":1},"x":{"__proto__":{"polluted":1},"other":2}}]')),
      );
      assert.equal(Reflect.get({}, 'polluted'), undefined);
      assert.equal(Reflect.get(Object.assign({}, record), 'polluted'), undefined);
      assert.equal(Object.getPrototypeOf(record), Object.prototype);
      assert.deepEqual(plain(record?.x), { other: 2 });
    });

    for (const [name, deep] of [
      ['arrays', '['.repeat(20_000) + ']'.repeat(20_000)],
      ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
      ['arrays in a record', `[{"id":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`],
    ] as const) {
      it(`rejects ${name} nested 20,000 deep`, async () => {
        for (const call of [readLists, subscribe, deleteTemplate]) {
          const error = await getFailure(() => call(answering(respond(200, deep))));
          assert.equal(error.kind, 'notJson');
          assert.match(error.message, /nested/);
        }
      });
    }

    it('removes control and direction characters from messages, and truncates them to 500 characters', async () => {
      const quote = (message: string) => getFailure(() => readLists(answering(json(422, { message }))));
      const error = await quote('a\u0000b\u001b[31mc\u202Ed\u2066e\nf\u200Bg');
      assert.equal(error.serverMessage, 'a b [31mcde fg');
      assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u);
      assert.equal((await quote('😀'.repeat(10_000))).serverMessage, `${'😀'.repeat(500)}…`);
    });

    it('rejects only with ApiError for any response', async () => {
      const calls = [...new Map(rows.map(([, call]) => [call.toString(), call])).values()];
      await fc.assert(
        fc.asyncProperty(
          hostile,
          fc.constantFrom(...calls),
          fc.constantFrom(200, 201, 422),
          async (value, call, status) => {
            const client = answering(json(status, value));
            await call(client).catch((error: Error) => assert.ok(isApiError(error), String(error)));
          },
        ),
        createRunOptions(1500),
      );
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });
  });
});
