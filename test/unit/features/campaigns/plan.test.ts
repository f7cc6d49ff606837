import assert from 'node:assert/strict';
import { MAX_LISTS } from '../../../../src/service/client/allLists.ts';
import type { Campaign, MailingClient } from '../../../../src/service/client/index.ts';
import {
  assertSameAudience,
  assertSamePlan,
  findChangedFields,
  findEditedFields,
  createSendPlan,
} from '../../../../src/features/campaigns/plan.ts';

const agreed: Campaign = {
  id: 2,
  name: 'Autumn',
  subject: 'Leaves',
  body: '<p>x</p>',
  from_name: 'Ann',
  listIds: [8, 3],
  draft: 1,
  active: 0,
  sent: 0,
  sending_type: 'now',
  sending_date: null,
  preheader: 'Look',
  views: 10,
  last_seen: '2026-05-20 10:00:00',
};

describe('findChangedFields', () => {
  for (const [what, now] of [
    ['a counter of views', { views: 11, last_seen: '2026-05-20 10:00:05' }],
    ['the order of the lists', { listIds: [3, 8] }],
    ['a field that comes and goes', { cache: 'x', views: undefined }],
  ] as const) {
    it(`ignores ${what}`, () => assert.deepEqual(findChangedFields(agreed, { ...agreed, ...now }), []));
  }

  for (const [field, now] of [
    ['name', { name: 'Winter' }],
    ['subject', { subject: 'Snow' }],
    ['body', { body: '<p>y</p>' }],
    ['preheader', { preheader: 'Other' }],
    ['from_name', { from_name: 'Bob' }],
    ['listIds', { listIds: [8] }],
    ['listIds', { listIds: [8, 3, 6] }],
    ['sending_type', { sending_type: 'birthday' }],
    ['sending_params', { sending_params: { trigger_type: 'asap' } }],
    ['sending state', { draft: 0, active: 1, sent: 1, sending_date: '2026-05-20 10:00:00' }],
    ['sending state', { draft: 0, active: 1 }],
    ['sending_date', { sending_date: '2027-01-01 00:00:00' }],
    ['stylesheet', { stylesheet: 'p { color: red }' }],
    ['headers', { headers: 'X-Other: 1' }],
    ['attachments', { attachments: [{ filename: 'other.pdf', size: 10 }] }],
    ['bounce_email', { bounce_email: 'other@example.com' }],
    ['tracking', { tracking: 0 }],
    ['footer_of_the_site', { footer_of_the_site: '<p>Unknown to everybody</p>' }],
  ] as const) {
    it(`reports ${field}: ${JSON.stringify(now)}`, () =>
      assert.deepEqual(findChangedFields(agreed, { ...agreed, ...now }), [field]));
  }
});

describe('findEditedFields', () => {
  /** `readings`: the fields of the record on each read. The last one repeats. */
  const readEdited = async (...readings: readonly object[]) => {
    const records = readings.map((fields) => ({ ...agreed, hits: 5, ...fields }));
    let read = 0;
    const next = async () => records[Math.min(read++, records.length - 1)] ?? assert.fail();
    const fields = await findEditedFields({ ...agreed, hits: 4, attachments: [{ name: 'a.pdf' }] }, await next(), next);
    return { fields, read };
  };
  const attachments = [{ name: 'a.pdf' }];

  it('ignores an undocumented counter that differs on each read', async () => {
    assert.deepEqual(await readEdited({ attachments, hits: 5 }, { attachments, hits: 6 }), { fields: [], read: 2 });
  });

  it('reports an undocumented number that was set once', async () => {
    assert.deepEqual((await readEdited({ attachments, hits: 5 })).fields, ['hits']);
  });

  it('reports a text and a structure immediately, even if they change on each read', async () => {
    assert.deepEqual(
      await readEdited({ hits: 4, attachments: [{ name: 'b.pdf' }] }, { hits: 4, attachments: [{ name: 'c.pdf' }] }),
      { fields: ['attachments'], read: 1 },
    );
    assert.deepEqual(
      (await readEdited({ attachments, hits: 4, stylesheet: 'a' }, { attachments, hits: 4, stylesheet: 'b' })).fields,
      ['stylesheet'],
    );
  });

  it('reports an edit between the two reads', async () => {
    assert.deepEqual((await readEdited({ attachments, hits: 5 }, { attachments, hits: 6, subject: 'Snow' })).fields, [
      'subject',
    ]);
  });
});

interface ServiceOptions {
  readonly reported?: number;
  readonly cap?: number;
  readonly fails?: boolean;
}

describe('the recipients of a send plan', () => {
  /** Creates a client that returns at most `cap` subscribers per page. */
  const service = (
    total: number,
    { reported, cap = 500, fails = false, ...fields }: Partial<Campaign> & ServiceOptions = {},
  ) => {
    const asked: string[] = [];
    const client = {
      getCampaignById: async () => (asked.push('campaign'), { ...agreed, listIds: [8], ...fields }),
      getLists: async (_: object, { signal }: { signal: AbortSignal }) => {
        // A request that is canceled immediately is never sent.
        await new Promise(setImmediate);
        signal.throwIfAborted();
        asked.push('lists');
        return [{ id: 8, name: 'Test', subscribers: reported ?? null }];
      },
      getSubscribersFromLists: async (
        _: readonly number[],
        { offset = 0, limit = 100 }: { offset?: number; limit?: number },
      ) => {
        asked.push(`people from ${offset}`);
        if (fails) throw new Error('no people');
        return Array.from({ length: Math.max(0, Math.min(total - offset, limit, cap)) }, (_each, index) => ({
          id: offset + index + 1,
        }));
      },
    } as object as MailingClient;
    return {
      asked,
      plan: () =>
        createSendPlan(client, {
          id: agreed.id,
          profile: 'documented',
          unconfirmed: undefined,
          signal: new AbortController().signal,
        }),
    };
  };

  for (const [total, options, requests, sampled] of [
    [3, {}, ['campaign', 'lists', 'people from 0', 'people from 3'], 3],
    [7, { cap: 4 }, ['campaign', 'lists', 'people from 0', 'people from 4'], 4],
    [8, { cap: 4 }, ['campaign', 'lists', 'people from 0', 'people from 4', 'people from 8'], 4],
    [900, { reported: 900 }, ['campaign', 'lists', 'people from 0'], 500],
  ] as const) {
    it(`are read once for the count and the sample: ${total}, ${JSON.stringify(options)}`, async () => {
      const { asked, plan } = service(total, options);
      const { audience, sample } = await plan();
      assert.deepEqual([audience, sample.length], [{ count: total, exact: true }, sampled]);
      assert.deepEqual(asked.toSorted(), [...requests].toSorted());
    });
  }

  it('leave the sample empty if they can not be read but the list reports its count', async () => {
    const { audience, sample } = await service(3, { reported: 3, fails: true }).plan();
    assert.deepEqual([audience, sample], [{ count: 3, exact: true }, []]);
  });

  for (const [what, fields, reason] of [
    [
      'an empty body',
      { body: ' ' },
      /^Error: The campaign has no text: open its body to write it\. Nothing was sent\.$/u,
    ],
    ['no list', { listIds: [] }, /The campaign has no lists/u],
    ['lists without subscribers', {}, /The lists of the campaign have no subscribers/u],
    ['an empty subject', { subject: '' }, /"subject" is invalid: a campaign needs a subject/u],
  ] as const) {
    it(`prevent a send with ${what}`, () => assert.rejects(service(0, fields).plan(), reason));
  }

  it('prevent a send if they can not be counted', async () => {
    await assert.rejects(service(3, { fails: true }).plan(), /no people/u);
  });
});

describe('the lists of a send plan', () => {
  /** Creates a plan with a client that has the lists 1 to `count`. */
  const plan = (count: number, listIds: readonly number[]) => {
    const lists = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      name: `List ${index + 1}`,
      subscribers: 5,
    }));
    const client = {
      getCampaignById: async () => ({ ...agreed, listIds }),
      getLists: async ({ offset = 0, limit = 100 }: { offset?: number; limit?: number }) =>
        lists.slice(offset, offset + limit),
      share: <T>(_: string, read: (signal: AbortSignal) => T, signal: AbortSignal) => read(signal),
    } as object as MailingClient;
    return createSendPlan(client, {
      id: agreed.id,
      profile: 'documented',
      unconfirmed: undefined,
      signal: new AbortController().signal,
    });
  };

  it('are returned with the number of their subscribers', async () => {
    const { lists, audience } = await plan(3, [2]);
    assert.deepEqual([lists?.map(({ id }) => id), audience], [[2], { count: 5, exact: true }]);
  });

  it('are reported as missing if the service does not have them', async () => {
    await assert.rejects(plan(3, [2, 7]), /The service has no list #7\. Nothing was sent\./u);
  });

  it('are not reported as missing if the lists are truncated', async () => {
    await assert.rejects(plan(MAX_LISTS + 10, [2, MAX_LISTS + 5]), (error: Error) => {
      assert.doesNotMatch(error.message, /has no list/u);
      assert.match(error.message, /Couldn't check list #10005\. .* Nothing was sent\./u);
      return true;
    });
  });
});

describe('the audience right before a send', () => {
  const list = { id: 8, name: 'Test' };
  /** Creates a client of a service with this many subscribers. */
  const client = (count: number, lists: readonly object[] = [list]) =>
    ({
      getLists: async () => lists,
      getSubscribersFromLists: async (
        _: readonly number[],
        { offset = 0, limit = 100 }: { offset?: number; limit?: number },
      ) => Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (__, at) => ({ id: offset + at })),
    }) as object as MailingClient;
  const check = (count: number, now: MailingClient, reviewed: readonly object[] = [list]) =>
    assertSameAudience(now, {
      lists: reviewed,
      audience: { count: Math.min(count, 5000), exact: count <= 5000 },
    } as Parameters<typeof assertSameAudience>[1]);

  it('is accepted if it is the reviewed one', async () => {
    await check(3, client(3));
    await check(700, client(700));
    await check(6000, client(6000));
  });

  for (const [what, reviewed, now, numbers] of [
    ['grew', 3, 303, 'recipients: 3, now 303'],
    ['grew by one', 3, 4, 'recipients: 3, now 4'],
    ['shrank', 3, 2, 'recipients: 3, now 2'],
    ['is empty', 3, 0, 'recipients: 3, now 0'],
    ['grew beyond the limit', 5000, 5001, 'recipients: 5,000, now more than 5,000'],
  ] as const) {
    it(`is refused with both numbers if it ${what}`, () =>
      assert.rejects(check(reviewed, client(now)), {
        message: `The recipients changed during the confirmation (${numbers}). Nothing was sent.`,
      }));
  }

  it('is refused if the service reports another number', () =>
    assert.rejects(check(3, client(3, [{ ...list, subscribers: 9 }])), /recipients: 3, now 9/u));

  for (const [what, lists] of [
    ['has another name', [{ ...list, name: 'Everybody' }]],
    ['was deleted', []],
  ] as const) {
    it(`is refused if a list ${what}`, () =>
      assert.rejects(
        check(3, client(3, lists)),
        /changed during the confirmation \(the lists\)\. Nothing was sent\./u,
      ));
  }
});

describe('a plan right before a send', () => {
  const campaign = { ...agreed, sending_type: 'scheduled', sending_date: '2099-01-31' };
  const check = (description: string, now: Partial<Campaign> = {}) =>
    assertSamePlan(
      {} as MailingClient,
      {
        campaign,
        profile: 'documented',
        effect: { description, isImmediate: false },
        lists: undefined,
        audience: undefined,
        sample: [],
        unconfirmed: undefined,
      },
      { ...campaign, ...now },
    );

  it('is accepted if it is the reviewed one', () => check('Sends on Jan 31, 2099.'));

  it('is refused if the time that the user confirmed has passed since', () =>
    assert.rejects(
      check('Sends on Jan 30, 2099.'),
      /changed during the confirmation \(sending_date\)\. Nothing was sent/u,
    ));

  it('is refused with the fields that changed', () =>
    assert.rejects(check('Sends on Jan 31, 2099.', { subject: 'Snow' }), /\(subject\)\. Nothing was sent/u));
});
