import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isApiError } from '../../../../src/service/client/index.ts';
import type { MailingClient, ProfileName } from '../../../../src/service/client/index.ts';
import { json, respond } from '../../../support/wire.ts';
import { getFailure, withService } from './setup.ts';
import { createRunOptions } from '../../fuzz/setup.ts';
import { unreadableFields, type Json } from '../../../../src/service/client/shapes.ts';

interface Row {
  readonly name: string;
  readonly call: (client: MailingClient) => Promise<object>;
  /** JSON of the response; a string is sent unchanged. */
  readonly answer: Json | object;
  readonly status?: number;
  readonly expected: object | undefined;
  readonly profile?: ProfileName;
}

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

const statistics = {
  mail_id: '24',
  total_subscribers: '1',
  sent: '0',
  send_date: '2026-11-20 08:24:55',
  fail: '0',
  open_unique: '0',
  open_total: '0',
  click_unique: '0',
  click_total: '0',
  bounce_unique: '0',
  bounce_details: null,
  unsubscribe_total: '0',
  tracking_sale: null,
  currency: null,
};
const readStatistics = {
  ...statistics,
  mail_id: 24,
  total_subscribers: 1,
  sent: 0,
  fail: 0,
  open_unique: 0,
  open_total: 0,
  click_unique: 0,
  click_total: 0,
  bounce_unique: 0,
  unsubscribe_total: 0,
};
const userRow = {
  user_id: '2',
  mail_id: '24',
  send_date: 'x',
  fail: '0',
  sent: '1',
  open: '2',
  open_date: 'y',
  bounce: '0',
  bounce_rule: null,
  tracking_sale: '12.50',
  currency: 'EUR',
  unsubscribe: '0',
  device: null,
  opened_with: null,
  email: 'ann@example.com',
};
const readUserRow = {
  ...userRow,
  user_id: 2,
  mail_id: 24,
  fail: 0,
  sent: 1,
  open: 2,
  bounce: 0,
  tracking_sale: 12.5,
  unsubscribe: 0,
};

const both = { emails: ['ann@example.com', 'a@x.example', 'b@x.example'], listIds: [1] };

const rows: readonly Row[] = [
  {
    name: 'subscriptions keyed by list id',
    call: (c) => c.getUserSubscriptionById(1),
    answer: [{ 1: subscriptionA, 2: subscriptionB }],
    expected: [readA, readB],
  },
  {
    name: 'subscriptions in a flat array',
    call: (c) => c.getUserSubscriptionById(1),
    answer: [subscriptionA, subscriptionB],
    expected: [readA, readB],
  },
  {
    name: 'subscriptions keyed, not in an array',
    call: (c) => c.getUserSubscriptionById(1),
    answer: { 2: subscriptionB },
    expected: [readB],
  },
  {
    name: 'subscriptions whose id is only their key',
    call: (c) => c.getUserSubscriptionById(1),
    answer: [{ 1: { ...subscriptionA, id: undefined } }],
    expected: [readA],
  },
  { name: 'no subscriptions, keyed', call: (c) => c.getUserSubscriptionById(1), answer: [{}], expected: [] },
  {
    name: 'subscribers in an array in an array',
    call: (c) => c.getSubscribersFromLists([1]),
    answer: [[subscriber, { ...subscriber, id: 8 }]],
    expected: [readSubscriber, { ...readSubscriber, id: 8 }],
  },
  {
    name: 'subscribers in a flat array, with other fields',
    call: (c) => c.getSubscribersFromLists([1]),
    answer: [{ ...subscriber, language: 'en-GB' }],
    expected: [{ ...readSubscriber, language: 'en-GB' }],
  },
  {
    name: 'unsubscribed users',
    call: (c) => c.getUnsubscribedUsersFromLists([1]),
    answer: [[{ ...subscriber, status: '0' }]],
    expected: [{ ...readSubscriber, status: 0 }],
  },
  { name: 'lists in an array in an array', call: (c) => c.getLists(), answer: [[list]], expected: [readList] },
  {
    name: 'lists in a flat array, with counts',
    call: (c) => c.getLists(),
    answer: [{ ...list, subscribers: '10', new_sub: '0' }],
    expected: [{ ...readList, subscribers: 10, new_sub: 0 }],
  },
  {
    name: 'a list with nothing but an id',
    call: (c) => c.getLists(),
    answer: [[{ id: 3 }]],
    expected: [Object.fromEntries(Object.keys(list).map((key) => [key, key === 'id' ? 3 : null]))],
  },
  { name: 'templates', call: (c) => c.getTemplates(), answer: [template], expected: [readTemplate] },
  {
    name: 'templates in an array in an array',
    call: (c) => c.getTemplates(),
    answer: [[template]],
    expected: [readTemplate],
  },
  {
    name: 'a template in a list without subject, with nulls',
    call: (c) => c.getTemplates(),
    answer: [{ ...template, subject: undefined, settings: null, stylesheet: null }],
    expected: [{ ...readTemplate, subject: null, settings: null, stylesheet: null }],
  },
  { name: 'one template', call: (c) => c.getOneTemplate(5), answer: [template], expected: readTemplate },
  {
    name: 'one template, not in an array, drag and drop',
    call: (c) => c.getOneTemplate(5),
    answer: { ...template, drag_editor: 1, settings: { a: 1 } },
    expected: { ...readTemplate, drag_editor: 1, settings: '{"a":1}' },
  },
  {
    name: 'escaped slashes and a byte order mark',
    call: (c) => c.getOneTemplate(5),
    answer: '\uFEFF [{"id":"5","body":"<\\/p>"}]',
    expected: { ...Object.fromEntries(Object.keys(template).map((key) => [key, null])), id: 5, body: '</p>' },
  },
  {
    name: 'a created template',
    call: (c) => c.createTemplate({ name: 'T' }),
    answer: { templateId: 5 },
    status: 201,
    expected: { templateId: 5 },
  },
  {
    name: 'a created template, id as text',
    call: (c) => c.createTemplate({ name: 'T' }),
    answer: { templateId: '5' },
    status: 201,
    expected: { templateId: 5 },
  },
  {
    name: 'a modified template',
    call: (c) => c.updateTemplate({ templateId: 5 }),
    answer: { templateId: 5 },
    expected: { templateId: 5 },
  },
  {
    name: 'a modified template, without its id',
    call: (c) => c.updateTemplate({ templateId: 5 }),
    answer: '',
    expected: { templateId: 5 },
  },
  {
    name: 'a deleted template',
    call: (c) => c.deleteTemplate(5),
    answer: { message: 'Template deleted.' },
    expected: { message: 'Template deleted.' },
  },
  {
    name: 'a deleted template, message in an array',
    call: (c) => c.deleteTemplate(5),
    answer: ['Template deleted.'],
    expected: { message: 'Template deleted.' },
  },
  {
    name: 'a deleted template, without a word',
    call: (c) => c.deleteTemplate(5),
    answer: '',
    status: 204,
    expected: {},
  },
  {
    name: 'a created list',
    call: (c) => c.createList({ name: 'L' }),
    answer: { listId: 2 },
    status: 201,
    expected: { listId: 2 },
  },
  {
    name: 'a created list, without its id',
    call: (c) => c.createList({ name: 'L' }),
    answer: { message: 'Done.' },
    status: 201,
    expected: { message: 'Done.' },
  },
  {
    name: 'a deleted list',
    call: (c) => c.deleteList(2),
    answer: { message: 'List deleted.' },
    expected: { message: 'List deleted.' },
  },

  {
    name: 'subscribed users',
    call: (c) => c.subscribeUsers(both),
    answer: { message: 'Users subscribed.' },
    expected: { message: 'Users subscribed.', notFound: [] },
  },
  {
    name: 'subscribed users, some not found',
    call: (c) => c.subscribeUsers(both),
    answer: { message: 'Users subscribed.', errors: 'User not found: a@x.example, b@x.example' },
    expected: { message: 'Users subscribed.', notFound: ['a@x.example', 'b@x.example'] },
  },
  {
    name: 'subscribed users, users and lists not found',
    call: (c) => c.subscribeUsers(both),
    answer: { message: 'Users subscribed.', errors: 'User not found: a@x.example, b@x.example, List not found: 99999' },
    expected: { message: 'Users subscribed. List not found: 99999', notFound: ['a@x.example', 'b@x.example'] },
  },
  {
    name: 'subscribed users, errors in an array',
    call: (c) => c.subscribeUsers(both),
    answer: { message: 'Users subscribed.', errors: ['List not found: 99999', "User not found: o'neil@x.example."] },
    expected: { message: 'Users subscribed. List not found: 99999', notFound: ["o'neil@x.example"] },
  },
  {
    name: 'subscribed users, not found as an array',
    call: (c) => c.subscribeUsers(both),
    answer: ['a@x.example'],
    expected: { notFound: ['a@x.example'] },
  },
  {
    name: 'subscribed users, not found as an array in an array',
    call: (c) => c.subscribeUsers(both),
    answer: [['a@x.example', 'b@x.example']],
    expected: { notFound: ['a@x.example', 'b@x.example'] },
  },
  {
    name: 'subscribed users, not found as records',
    call: (c) => c.subscribeUsers(both),
    answer: [{ email: 'a@x.example' }, { email: 'b@x.example' }],
    expected: { notFound: ['a@x.example', 'b@x.example'] },
  },
  {
    name: 'subscribed users, one record',
    call: (c) => c.subscribeUsers(both),
    answer: [{ email: 'a@x.example' }],
    expected: { notFound: ['a@x.example'] },
  },
  {
    name: 'subscribed users, not found under a name',
    call: (c) => c.subscribeUsers(both),
    answer: { subscribed: ['ann@example.com'], usersNotFound: ['a@x.example'], users: ['ann@example.com'] },
    expected: { notFound: ['a@x.example'] },
  },
  {
    name: 'subscribed users, not found as users',
    call: (c) => c.subscribeUsers(both),
    answer: { users: { 0: 'a@x.example' } },
    expected: { notFound: ['a@x.example'] },
  },
  {
    name: 'subscribed users, all found, no answer',
    call: (c) => c.subscribeUsers(both),
    answer: '[]',
    expected: { notFound: [] },
  },
  {
    name: 'unsubscribed users',
    call: (c) => c.unsubscribeUsers(both),
    answer: { message: 'Users unsubscribed.' },
    expected: { message: 'Users unsubscribed.', notFound: [] },
  },
  {
    name: 'unsubscribed users, some not found',
    call: (c) => c.unsubscribeUsers(both),
    answer: { message: 'Users unsubscribed.', errors: ['User not found: a@x.example'] },
    expected: { message: 'Users unsubscribed.', notFound: ['a@x.example'] },
  },

  { name: 'follow-ups', call: (c) => c.getFollowUps(), answer: [followUp], expected: [readFollowUp] },
  {
    name: 'follow-ups in the field',
    call: (c) => c.getFollowUps(),
    profile: 'acymailing',
    answer: [
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
    expected: [
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
  },
  {
    name: 'a trigger no document knows',
    call: (c) => c.getFollowUps(),
    profile: 'acymailing',
    answer: [{ ...followUp, trigger: 'own' }],
    expected: [{ ...readFollowUp, trigger: 'own' }],
  },
  {
    name: 'one follow-up with mails',
    call: (c) => c.getFollowUpById(1),
    answer: [
      {
        ...followUp,
        condition: { lists_status: 'is', lists: ['1', '2'] },
        mails: [mail],
        loop: 1,
        loop_delay: 60,
        loop_mail_skip: ['4'],
      },
    ],
    expected: {
      ...followUp,
      condition: { lists_status: 'is', lists: [1, 2] },
      mails: [mail],
      loop: 1,
      loop_delay: 60,
      loop_mail_skip: [4],
    },
  },
  {
    name: 'one follow-up with mails keyed by id',
    call: (c) => c.getFollowUpById(1),
    answer: [{ ...followUp, mails: { 4: { ...mail, mail_id: '4', subject: 'S' } } }],
    expected: { ...readFollowUp, mails: [{ ...mail, subject: 'S' }] },
  },
  {
    name: 'one follow-up without mails',
    call: (c) => c.getFollowUpById(1),
    answer: [followUp],
    expected: { ...readFollowUp, mails: [] },
  },
  {
    name: 'a created follow-up',
    call: (c) => c.createOrUpdateFollowUp({ name: 'F' }),
    answer: { followUpId: 3 },
    status: 201,
    expected: { followUpId: 3 },
  },
  {
    name: 'an updated follow-up',
    call: (c) => c.createOrUpdateFollowUp({ followUpId: 3 }),
    answer: {},
    status: 200,
    expected: { followUpId: 3 },
  },
  {
    name: 'an attached email',
    call: (c) => c.attachEmailToFollowUp({ followUpId: 3, delay: 1, delay_unit: 'days', mail: {} }),
    answer: { message: 'Email attached to follow-up.', mailId: '6' },
    expected: { mailId: 6, message: 'Email attached to follow-up.' },
  },
  {
    name: 'a deleted email',
    call: (c) => c.deleteEmailFromFollowUp(1, 2),
    answer: { message: 'Email deleted from follow-up.' },
    expected: { message: 'Email deleted from follow-up.' },
  },
  {
    name: 'a deleted follow-up',
    call: (c) => c.deleteFollowUp(1),
    answer: { message: 'Follow-up deleted.' },
    expected: { message: 'Follow-up deleted.' },
  },

  { name: 'campaigns', call: (c) => c.getCampaigns(), answer: [campaign], expected: [campaign] },
  {
    name: 'campaigns in an array in an array, ids as text',
    call: (c) => c.getCampaigns(),
    answer: [[{ ...campaign, id: '2', mail_id: '25', sent: '0', sending_params: [] }]],
    expected: [{ ...campaign, sending_params: {} }],
  },
  {
    name: 'one campaign',
    call: (c) => c.getCampaignById(2),
    answer: [{ ...campaign, body: '<p>', listIds: ['1', 2] }],
    expected: { ...campaign, body: '<p>', listIds: [1, 2] },
  },
  {
    name: 'a campaign with a start date',
    call: (c) => c.getCampaignById(2),
    profile: 'acymailing',
    answer: [
      { ...campaign, sending_params: { trigger_type: 'asap', start_date: '1795132800' }, start_date: 1795132800 },
    ],
    expected: {
      ...campaign,
      sending_params: { trigger_type: 'asap', start_date: '2026-11-20' },
      start_date: '2026-11-20',
    },
  },
  {
    name: 'a campaign with a start at the midnight of another zone',
    call: (c) => c.getCampaignById(2),
    profile: 'acymailing',
    answer: [
      { ...campaign, sending_params: { trigger_type: 'asap', start_date: '1795129200' }, start_date: 1795129201.5 },
    ],
    expected: {
      ...campaign,
      sending_params: { trigger_type: 'asap', start_date: '2026-11-19T23:00:00Z' },
      start_date: 1795129201.5,
    },
  },
  ...[200, 201].flatMap((status): Row[] => [
    {
      name: `a created campaign, ${status}`,
      call: (c) => c.createOrUpdateCampaign({ name: 'N', subject: 'S' }),
      answer: { campaignId: 1 },
      status,
      expected: { campaignId: 1 },
    },
    {
      name: `an updated campaign, ${status}`,
      call: (c) => c.createOrUpdateCampaign({ campaignId: 1, name: 'N', subject: 'S' }),
      status,
      profile: 'acymailing',
      answer: { campaignId: 1, errors: ['List not found: 99999'] },
      expected: { campaignId: 1, errors: ['List not found: 99999'] },
    },
  ]),
  {
    name: 'a sent campaign',
    call: (c) => c.sendCampaign(1),
    answer: { message: 'Campaign sent successfully.' },
    expected: { message: 'Campaign sent successfully.' },
  },
  {
    name: 'a deleted campaign',
    call: (c) => c.deleteCampaign(1),
    answer: { message: 'Campaign deleted successfully.' },
    expected: { message: 'Campaign deleted successfully.' },
  },

  { name: 'statistics', call: (c) => c.getCampaignStatistics(1), answer: [statistics], expected: [readStatistics] },
  {
    name: 'statistics of columns no document knows',
    call: (c) => c.getCampaignStatistics(1),
    answer: [{ new_column: '7' }],
    expected: [{ new_column: '7' }],
  },
  { name: 'statistics before any send', call: (c) => c.getCampaignStatistics(1), answer: [null], expected: [] },
  {
    name: 'statistics per user, by version',
    call: (c) => c.getCampaignStatisticsDetailed(1),
    answer: [[userRow], [{ ...userRow, user_id: 3 }]],
    expected: [readUserRow, { ...readUserRow, user_id: 3 }],
  },
  {
    name: 'clicks per user',
    call: (c) => c.getCampaignStatisticsClicks(1),
    answer: [{ url_id: '1', user_id: '2', click: '3', date_click: 'd', email: 'e', url: 'https://example.com/a' }],
    expected: [{ url_id: 1, user_id: 2, click: 3, date_click: 'd', email: 'e', url: 'https://example.com/a' }],
  },
  {
    name: 'clicks per address',
    call: (c) => c.getCampaignStatisticsLinks(1),
    answer: [
      {
        id: '1',
        name: 'https://example.com/a',
        total_click: '3',
        unique_click: '1',
        mail_subject: 'Hello',
        mail_name: 'C1',
      },
    ],
    expected: [
      { id: 1, name: 'https://example.com/a', total_click: 3, unique_click: 1, mail_subject: 'Hello', mail_name: 'C1' },
    ],
  },
  ...['[]', '[null]', '', '[[]]', 'null', ' \n', '\uFEFF'].map((answer): Row => ({
    name: `no records: ${JSON.stringify(answer)}`,
    call: (c) => c.getSubscribersFromLists([1]),
    answer,
    expected: [],
  })),
];

const bytes = (status: number, answer: Json | object) =>
  typeof answer === 'string' ? respond(status, answer) : json(status, answer);

/** Responses that resemble those of the service, with arbitrary fields. */
const field = fc.constantFrom(
  'id',
  'name',
  'active',
  'mail_id',
  'message',
  'error',
  'errors',
  'mails',
  'condition',
  'lists',
  'loop_mail_skip',
  'sending_params',
  'start_date',
  'listIds',
  'templateId',
  'campaignId',
  '__proto__',
  'constructor',
  'toString',
  'success',
  'notFound',
  'email',
  'users',
  '1',
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
  for (const row of rows) {
    it(row.name, () =>
      withService(
        () => bytes(row.status ?? 200, row.answer),
        async (client) => {
          assert.deepEqual(plain(await row.call(client)), row.expected);
        },
        { profile: row.profile },
      ),
    );
  }

  const unreadable: readonly (readonly [
    name: string,
    call: Row['call'],
    answer: Json | object,
    words: RegExp,
    outcome: string,
  ])[] = [
    [
      'an id that is not a number',
      (c) => c.getTemplates(),
      [template, template, { ...template, id: 'x1' }],
      /“id” of record 3 of getTemplates is not a number/,
      'refused',
    ],
    [
      'an id above the safe integer range',
      (c) => c.getTemplates(),
      [{ ...template, id: '99999999999999999999' }],
      /“id” of record 1 of getTemplates is not a number/,
      'refused',
    ],
    ['a missing id', (c) => c.getLists(), [[{ name: 'News' }]], /“id” of record 1 of getLists is missing/, 'refused'],
    [
      'an id of an invalid record',
      (c) => c.getLists(),
      [list, { ...list, active: 'yes', id: {} }],
      /“id” of record 2 of getLists is not/,
      'refused',
    ],
    [
      'an invalid flag',
      (c) => c.getOneTemplate(1),
      [{ ...template, drag_editor: 'yes' }],
      /“drag_editor” .* is not a number/,
      'refused',
    ],
    [
      'a body that is not a string',
      (c) => c.getOneTemplate(1),
      [{ ...template, body: { a: 1 } }],
      /“body” of record 1 of getOneTemplate is not a text/,
      'refused',
    ],
    [
      'an invalid condition',
      (c) => c.getFollowUpById(1),
      [{ ...followUp, condition: 'is' }],
      /“condition” .* is not an object/,
      'refused',
    ],
    [
      'a mail without its id',
      (c) => c.getFollowUpById(1),
      [{ ...followUp, mails: [{ delay: 1 }] }],
      /“mails.0.mail_id” of record 1 of getFollowUpById is missing/,
      'refused',
    ],
    [
      'a message instead of records',
      (c) => c.getLists(),
      { message: 'Nothing today' },
      /a message instead of records.*Nothing today/,
      'refused',
    ],
    [
      'an error instead of records',
      (c) => c.getCampaignStatistics(1),
      [{ error: 'Broken' }],
      /a message instead of records.*Broken/,
      'refused',
    ],
    ['texts instead of records', (c) => c.getCampaigns(), ['one', 'two'], /something else than records/, 'refused'],
    ['a number', (c) => c.getCampaigns(), 5, /something else than records/, 'refused'],
    [
      'a created template without its id',
      (c) => c.createTemplate({ name: 'T' }),
      {},
      /“templateId” is missing/,
      'unknown',
    ],
    [
      'a created campaign without its id',
      (c) => c.createOrUpdateCampaign({ name: 'T' }),
      '',
      /“campaignId” is missing/,
      'unknown',
    ],
    [
      'a template of another id',
      (c) => c.getOneTemplate(5),
      [{ id: 6, name: 'T' }],
      /it is record 6 instead of 5/,
      'refused',
    ],
    [
      'a campaign of another id',
      (c) => c.getCampaignById(5),
      [{ id: '6', name: 'C' }],
      /it is record 6 instead of 5/,
      'refused',
    ],
    [
      'a follow-up of another id',
      (c) => c.getFollowUpById(5),
      [{ id: 6, name: 'F' }],
      /it is record 6 instead of 5/,
      'refused',
    ],
    [
      'an id that is a boolean',
      (c) => c.getOneTemplate(1),
      [{ id: true, name: 'T' }],
      /“id” of record 1 of getOneTemplate is not a number/,
      'refused',
    ],
    [
      'a template without a new id',
      (c) => c.createTemplate({ name: 'T' }),
      { templateId: 0 },
      /“templateId” is not an id/,
      'unknown',
    ],
    [
      'lists of a campaign that are booleans',
      (c) => c.getCampaignById(1),
      [{ id: 1, name: 'C', listIds: { 7: true } }],
      /“listIds” .* is not a list of numbers/,
      'refused',
    ],
    [
      'lists of a campaign that are words',
      (c) => c.getCampaignById(1),
      [{ id: 1, name: 'C', listIds: 'version 1.5' }],
      /“listIds” .* is not a list of numbers/,
      'refused',
    ],
    [
      'a body that is an object',
      (c) => c.getCampaignById(1),
      [{ id: 1, name: 'C', body: { html: 'x' } }],
      /“body” .* is not a text/,
      'refused',
    ],
    [
      'lists that are a boolean',
      (c) => c.getFollowUpById(1),
      [{ ...followUp, condition: { lists: true } }],
      /“condition” .* of lists/,
      'refused',
    ],
    [
      'an attached email whose id is not a number',
      (c) => c.attachEmailToFollowUp({ followUpId: 1, delay: 1, delay_unit: 'days', mail: {} }),
      { mailId: 'x' },
      /“mailId” is not an id/,
      'unknown',
    ],
  ];
  for (const [name, call, answer, words, outcome] of unreadable) {
    it(`reports ${name}`, () =>
      withService(
        () => bytes(200, answer),
        async (client, server) => {
          const error = await getFailure(() => call(client));
          assert.match(error.message, words);
          assert.deepEqual([error.kind, error.status, error.outcome], ['notJson', 200, outcome]);
          assert.equal(server.requests.length, 1);
        },
      ));
  }

  describe('of a collection with an invalid record', () => {
    type ReadMany = (c: MailingClient) => Promise<readonly object[]>;
    const odd: readonly (readonly [name: string, call: ReadMany, answer: Json | object, fields: readonly string[]])[] =
      [
        [
          'headers that are an object',
          (c) => c.getTemplates(),
          [template, { ...template, id: 6, headers: { 'X-A': '1' } }],
          ['headers'],
        ],
        [
          'several fields',
          (c) => c.getLists(),
          [list, { ...list, id: 6, active: 'yes', name: ['a'] }],
          ['name', 'active'],
        ],
        [
          'a condition that is a text',
          (c) => c.getFollowUps(),
          [followUp, { ...followUp, id: 6, condition: 'is' }],
          ['condition'],
        ],
        [
          'a condition of a flag',
          (c) => c.getFollowUps(),
          [followUp, { ...followUp, id: 6, condition: { lists: true } }],
          ['condition'],
        ],
        [
          'lists that are words',
          (c) => c.getCampaigns(),
          [
            { id: 1, name: 'C' },
            { id: 6, name: 'D', listIds: 'all' },
          ],
          ['listIds'],
        ],
        [
          'an address that is an object',
          (c) => c.getSubscribersFromLists([1]),
          [
            { id: 1, email: 'a@b.c' },
            { id: 6, email: {} },
          ],
          ['email'],
        ],
      ];
    for (const [name, call, answer, fields] of odd) {
      it(`${name}: returns all records and names the invalid fields`, () =>
        withService(
          () => bytes(200, answer),
          async (client) => {
            const [whole, other, ...more] = await call(client);
            assert.ok(whole && other && more.length === 0);
            assert.deepEqual([unreadableFields(whole), unreadableFields(other)], [[], fields]);
            assert.equal('id' in other && other.id, 6);
            // An invalid value is absent and does not replace another one.
            for (const field of fields)
              assert.equal(Object.entries(other).find(([key]) => key === field)?.[1] ?? null, null);
          },
        ));
    }

    const alone = bytes(200, [{ ...template, id: 5, headers: { 'X-A': '1' } }]);
    it('does not blame the address if the record is read alone', () =>
      withService(
        () => alone,
        async (client) => {
          const error = await getFailure(() => client.getOneTemplate(5));
          assert.match(
            error.message,
            /“headers” of record 1 of getOneTemplate is not a text.*; report it to the operator/u,
          );
          assert.doesNotMatch(error.message, /address/u);
          assert.equal(error.field, 'headers');
        },
      ));
  });

  const repeated = bytes(200, [{ id: 1, name: 'C', listIds: [7, '3', 7] }]);
  it('returns id lists as sorted sets', () =>
    withService(
      () => repeated,
      async (client) => {
        assert.deepEqual((await client.getCampaignById(1)).listIds, [3, 7]);
      },
    ));

  const none: readonly (readonly [answer: string, call: Row['call']])[] = [
    ['[]', (c) => c.getOneTemplate(1)],
    ['', (c) => c.getFollowUpById(1)],
    ['[null]', (c) => c.getCampaignById(1)],
  ];
  for (const [answer, call] of none) {
    it(`finds no record in ${JSON.stringify(answer)}`, () =>
      withService(
        () => respond(200, answer),
        async (client) => {
          assert.equal((await getFailure(() => call(client))).kind, 'notFound');
        },
      ));
  }

  it('does not treat an error with status 200 as success', () =>
    withService(
      () => json(200, { errors: ['No list selected'] }),
      async (client) => {
        const error = await getFailure(() => client.sendCampaign(1));
        assert.deepEqual([error.kind, error.outcome, error.serverMessage], ['server', 'unknown', 'No list selected']);
      },
    ));

  describe('from a hostile service', () => {
    it('ignores __proto__ and keeps other fields', () =>
      withService(
        () => respond(200, '[{"id":1,"__proto__":{"polluted":1},"x":{"__proto__":{"polluted":1},"other":2}}]'),
        async (client) => {
          const [record] = await client.getTemplates();
          assert.equal(Reflect.get({}, 'polluted'), undefined);
          assert.equal(Reflect.get(Object.assign({}, record), 'polluted'), undefined);
          assert.equal(Object.getPrototypeOf(record), Object.prototype);
          assert.deepEqual(plain(record?.x), { other: 2 });
        },
      ));

    for (const [name, deep] of [
      ['arrays', '['.repeat(20_000) + ']'.repeat(20_000)],
      ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
      ['arrays in a record', `[{"id":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`],
    ] as const) {
      it(`rejects ${name} nested 20,000 deep`, () =>
        withService(
          () => respond(200, deep),
          async (client) => {
            for (const call of [
              () => client.getLists(),
              () => client.subscribeUsers(both),
              () => client.deleteList(1),
            ]) {
              const error = await getFailure(call);
              assert.equal(error.kind, 'notJson');
              assert.match(error.message, /nested/);
            }
          },
        ));
    }

    it('removes control and direction characters from messages', () =>
      withService(
        () => json(422, { message: 'a\u0000b\u001b[31mc\u202Ed\u2066e\nf\u200Bg' }),
        async (client) => {
          const error = await getFailure(() => client.getLists());
          assert.equal(error.serverMessage, 'a b [31mcde fg');
          assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u);
        },
      ));

    it('rejects only with ApiError for any response', async () => {
      let answer = '';
      await withService(
        (_request, index) => respond([200, 201, 422][index % 3] ?? 200, answer),
        async (client) => {
          const calls = [...new Map(rows.map((row) => [row.call.toString(), row.call])).values()];
          await fc.assert(
            fc.asyncProperty(hostile, fc.constantFrom(...calls), async (value, call) => {
              answer = JSON.stringify(value);
              await call(client).catch((error: Error) => assert.ok(isApiError(error), String(error)));
            }),
            createRunOptions(1500),
          );
        },
      );
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });

    it('truncates messages to 500 characters', () =>
      withService(
        () => json(422, { message: '😀'.repeat(10_000) }),
        async (client) => {
          const error = await getFailure(() => client.getLists());
          assert.equal(error.serverMessage, `${'😀'.repeat(500)}…`);
        },
      ));
  });
});
