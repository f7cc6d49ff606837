import assert from 'node:assert/strict';
import type { Campaign, FollowUp, MailingClient, MailingList, Template } from '../../../src/service/client/index.ts';
import { getCampaignState, readSchedule } from '../../../src/features/campaigns/details.ts';
import { createCampaignTree } from '../../../src/features/campaigns/tree.ts';
import { describeFrequency } from '../../../src/features/campaigns/wording.ts';
import { followUpTree } from '../../../src/features/followUps/tree.ts';
import { listTree } from '../../../src/features/lists/tree.ts';
import { templateTree } from '../../../src/features/templates/tree.ts';
import type { RecordItem } from '../../../src/platform/explorer/model.ts';
import { formatServiceDateTime } from '../../../src/service/format.ts';

const ref = { connection: 'c', id: 2 };
const date = '2026-11-20 08:24:55';
const formattedDate = formatServiceDateTime(date) ?? '';
const campaignTree = createCampaignTree(() => false);

const draft: Campaign = { id: 2, name: 'C1', subject: 'Hello', draft: 1, active: 0, sent: 0, sending_type: 'now' };
const started = { ...draft, draft: 0, active: 1 };
const scheduled: Campaign = { ...started, sending_type: 'scheduled', sending_date: date };
const auto: Campaign = {
  ...started,
  sending_type: 'auto',
  sending_params: { trigger_type: 'every', every: { type: 86400, number: 2 } },
};
const sent: Campaign = { ...started, sent: 1, sending_date: date };
const birthday: Campaign = { ...started, sending_type: 'birthday' };

const campaign = (record: Campaign) => campaignTree.item(record, ref);
const followUp = (fields: Partial<FollowUp>) =>
  followUpTree.item(
    { id: 5, name: 'Welcome', trigger: 'user_subscribe', active: 1, ...fields } as Partial<FollowUp> as FollowUp,
    ref,
  );
const list = (fields: Partial<MailingList>) =>
  listTree.item({ id: 3, name: 'Customers', active: 1, visible: 1, color: '#3366cc', ...fields } as MailingList, ref);
const template = (fields: Partial<Template>) =>
  templateTree.item({ id: 7, name: 'Sale', drag_editor: 0, subject: 'Half price', ...fields } as Template, ref);

describe('records in the tree', () => {
  for (const [what, item, expected] of [
    ['a draft', campaign(draft), { description: 'draft', contextValue: 'mailing.campaign.draft' }],
    [
      'a scheduled campaign',
      campaign(scheduled),
      { description: `scheduled ${formattedDate}`, contextValue: 'mailing.campaign.scheduled' },
    ],
    [
      'an automatic campaign',
      campaign(auto),
      { description: 'automatic · every 2 days', contextValue: 'mailing.campaign.auto' },
    ],
    [
      'a sent campaign',
      campaign(sent),
      { description: `sent ${formattedDate}`, contextValue: 'mailing.campaign.sent' },
    ],
    [
      'a campaign with a date that is not started',
      campaign({ ...scheduled, draft: 1 }),
      { description: `draft · to be sent ${formattedDate}` },
    ],
    [
      'a campaign with a frequency that is not started',
      campaign({ ...auto, draft: 1, active: 0 }),
      { description: 'automatic · every 2 days · draft' },
    ],
    ['an inactive campaign', campaign({ ...auto, active: 0 }), { description: 'automatic · every 2 days · inactive' }],
    [
      'an active campaign of an installation-specific type',
      campaign(birthday),
      { description: 'active, of the type "birthday"' },
    ],
    [
      'an inactive campaign of an installation-specific type',
      campaign({ ...birthday, draft: 1, active: 0 }),
      { description: 'draft' },
    ],
    ['a campaign without a name', campaign({ id: 9 }), { label: 'Campaign 9' }],
    ['a follow-up', followUp({}), { description: 'when a user subscribes', contextValue: 'mailing.followUp.active' }],
    [
      'a trigger of AcyMailing',
      followUp({ trigger: 'woocommerce_purchase' }),
      { description: 'when a user buys a product (WooCommerce)' },
    ],
    ['an undocumented trigger', followUp({ trigger: 'constructor' }), { description: 'constructor' }],
    ['no trigger', followUp({ trigger: null }), { description: '' }],
    [
      'an inactive follow-up whose response includes its mails',
      followUp({ active: 0, mails: [{}, {}] }),
      {
        description: 'inactive · when a user subscribes · 2 emails',
        contextValue: 'mailing.followUp.inactive',
        icon: { codicon: 'circle-slash', color: 'disabledForeground' },
      },
    ],
    [
      'a list',
      list({ subscribers: 12 }),
      {
        label: 'Customers',
        icon: { swatch: '#3366cc' },
        description: '12 subscribers',
        contextValue: 'mailing.list',
      },
    ],
    ['a list whose size the service does not report', list({}), { description: '' }],
    [
      'an unusual list',
      list({ active: 0, visible: 0, type: 'followup', color: null, subscribers: 1 }),
      {
        description: '1 subscriber · inactive · invisible · of a follow-up',
        accessibleName: 'List, Customers, 1 subscriber, inactive, invisible, of a follow-up',
        icon: { codicon: 'organization' },
      },
    ],
    ['a list with only a display name', list({ name: '', display_name: 'News' }), { label: 'News' }],
    ['a list without a name', list({ name: null }), { label: 'List 3' }],
    [
      'a template',
      template({}),
      { label: 'Sale', description: 'Half price', contextValue: 'mailing.template.standard' },
    ],
    [
      'a drag-and-drop template',
      template({ drag_editor: 1 }),
      {
        description: 'drag and drop · Half price',
        contextValue: 'mailing.template.drag',
        icon: { codicon: 'layout' },
        accessibleName: 'Template, Sale, drag and drop, subject Half price',
      },
    ],
    ['a template without fields', template({ name: null, subject: null }), { label: 'Template 7', description: '' }],
  ] satisfies readonly (readonly [string, RecordItem, Partial<RecordItem>])[]) {
    it(`describe ${what}`, () => assert.partialDeepStrictEqual(item, expected));
  }

  it('show the sender of a template', () =>
    assert.equal(
      new Map(template({ from_name: 'Ann', from_email: 'ann@example.com' }).tooltip).get('From'),
      'Ann · ann@example.com',
    ));

  it('show the state of a campaign by its icon', () =>
    assert.equal(new Set([draft, scheduled, auto, sent].map((each) => JSON.stringify(campaign(each).icon))).size, 4));

  it('show an unconfirmed send instead of the state in the record', () => {
    const tree = createCampaignTree(({ connection, id }) => connection === 'c' && id === 2);
    assert.partialDeepStrictEqual(tree.item(draft, ref), {
      description: 'sending, response lost',
      icon: { codicon: 'question', color: 'charts.orange' },
      contextValue: 'mailing.campaign.draft',
      accessibleName: 'Campaign, C1, sending, response lost',
    });
    assert.equal(tree.item(draft, { connection: 'c', id: 3 }).description, 'draft');
  });

  it('are drafts if a campaign contains no state', () => assert.equal(getCampaignState({ id: 1 }), 'draft'));

  for (const [frequency, fields] of [
    ['every week', { sending_params: { trigger_type: 'every', every: { type: 604800, number: '1' } } }],
    ['every 3 months', { frequency: 'every', frequency_options: { unit: 'month', value: 3 } }],
    ['each time the service runs its tasks', { sending_params: { trigger_type: 'asap' } }],
    ['each time the service runs its tasks', { frequency: 'cron' }],
    // Another rhythm than the one it once had.
    [undefined, { sending_params: { trigger_type: 'day', every: { type: 86_400, number: 2 } } }],
    ...[
      null,
      {},
      { every: 'x' },
      { every: { type: 1, number: 2 } },
      { every: { type: 'constructor', number: 2 } },
      { every: { type: 3600, number: -1 } },
    ].map((sending_params) => [undefined, { sending_params }] as const),
  ] as const) {
    it(`show the frequency ${frequency} for ${JSON.stringify(fields)}`, () =>
      assert.equal(describeFrequency(readSchedule({ id: 1, ...fields })), frequency));
  }

  for (const [tree, filter, expected] of [
    [
      campaignTree,
      { name: 'a', subject: 'b', state: 'sent', sending_type: 'now' },
      { filters: { name: 'a', subject: 'b', sent: 1 } },
    ],
    [campaignTree, { state: 'scheduled' }, { filters: { sent: 0 } }],
    [campaignTree, { state: 'auto' }, { filters: {} }],
    [
      followUpTree,
      { name: 'a', display_name: 'b', active: '1', send_once: '0', trigger: 'birthday' },
      { filters: { name: 'a', display_name: 'b', active: 1, send_once: 0, trigger: 'birthday' } },
    ],
    [followUpTree, {}, { filters: {} }],
    [listTree, { name: 'a', active: '0' }, { filters: { name: 'a', active: 0 } }],
    [listTree, {}, { filters: {} }],
    [templateTree, { search: 'sale', templateType: 'drag' }, { search: 'sale', templateType: 'drag' }],
    [templateTree, { templateType: 'other' }, {}],
  ] as const) {
    it(`are requested by page and filter: ${tree.label} ${JSON.stringify(filter)}`, async () => {
      let query = '';
      const client = new Proxy({} as MailingClient, {
        get: () => async (asked: object, given: object) => {
          assert.equal(given, options);
          query = JSON.stringify(asked);
          return [];
        },
      });
      const page = { offset: 100, limit: 100 };
      const options = { signal: new AbortController().signal };
      await tree.fetch(client, page, filter, options);
      assert.deepEqual(JSON.parse(query), { ...page, ...expected });
    });
  }

  for (const [filter, expected] of [
    [{}, [draft, scheduled, auto, sent]],
    [{ state: 'draft' }, [draft]],
    [{ state: 'auto' }, [auto]],
    [{ sending_type: 'now' }, [draft, sent]],
    [{ sending_type: 'now', state: 'sent' }, [sent]],
  ] as const) {
    it(`are filtered by fields that services can't filter by: ${JSON.stringify(filter)}`, () =>
      assert.deepEqual(
        [draft, scheduled, auto, sent].filter((each) => campaignTree.matchesFilter?.(each, filter)),
        expected,
      ));
  }
});
