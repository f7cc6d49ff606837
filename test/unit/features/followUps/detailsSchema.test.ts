import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  followUpDetailsSchema,
  findFollowUpRefusal,
  findFollowUpRefusalPath,
  findFollowUpWarnings,
} from '../../../../src/features/followUps/validation.ts';
import { createFollowUpRecord, toMailText } from '../../../../src/features/followUps/record.ts';
import { findProblems } from '../../../../src/sync/fields/fieldSchemas.ts';
import type { Row } from '../../../../src/service/client/shapes.ts';

const validDetails = { name: 'Welcome', display_name: 'Getting started', trigger: 'user_subscribe' };

describe('follow-up validation', () => {
  it('accepts the required fields and fills in the defaults', () => {
    assert.deepEqual(v.parse(followUpDetailsSchema, validDetails), {
      ...validDetails,
      condition: { lists_status: 'is', lists: [], segments_status: 'is', segments: [] },
      active: 0,
      send_once: 0,
      loop: 0,
      loop_delay: 0,
      loop_mail_skip: [],
      mails: [],
    });
  });

  for (const [title, fields, path] of [
    ['a blank name', { name: ' ' }, 'name'],
    ['an empty display name', { display_name: '' }, 'display_name'],
    ['an empty trigger', { trigger: '' }, 'trigger'],
    ['an undocumented status', { condition: { lists_status: 'maybe' } }, 'condition.lists_status'],
    ['a list name instead of an id', { condition: { lists: ['News'] } }, 'condition.lists.0'],
    ['segments that are not an array', { condition: { segments: 4 } }, 'condition.segments'],
    ['a condition that is not an object', { condition: 'everybody' }, 'condition'],
    ['a flag other than 0 and 1', { active: 2 }, 'active'],
    ['a fractional loop delay', { loop_delay: 0.5 }, 'loop_delay'],
    ['a negative loop delay', { loop_delay: -1 }, 'loop_delay'],
    ['a mail without a delay unit', { mails: [{ mail_id: 1, delay: 1 }] }, 'mails.0.delay_unit'],
    [
      'a mail with an undocumented delay unit',
      { mails: [{ mail_id: 1, delay: 1, delay_unit: 'moons' }] },
      'mails.0.delay_unit',
    ],
    [
      'a mail with a delay that is not a number',
      { mails: [{ mail_id: 1, delay: '1', delay_unit: 'days' }] },
      'mails.0.delay',
    ],
    ['an undocumented field', { color: 'red' }, 'color'],
  ] as const) {
    it(`rejects ${title} at ${path}`, () => {
      const problems = findProblems(followUpDetailsSchema, { ...validDetails, ...fields });
      assert.deepEqual(
        problems.map((problem) => problem.path.join('.')),
        [path],
      );
      assert.match(problems[0]?.message ?? '', /\S\.$/u);
    });
  }

  it('warns about a loop that skips every mail and an exclusion without lists', () => {
    const mails = [{ mail_id: 1, delay: 1, delay_unit: 'days' }];
    const findPathsAndKinds = (fields: object) =>
      findFollowUpWarnings({ ...validDetails, ...fields }).map(({ path, kind }) => [path.join('.'), kind]);
    assert.deepEqual(findPathsAndKinds({ mails, loop: 1, loop_mail_skip: [1] }), [['loop_mail_skip', 'warning']]);
    assert.deepEqual(findPathsAndKinds({ mails, loop: 0, loop_mail_skip: [1] }), []);
    assert.deepEqual(findPathsAndKinds({ condition: { lists_status: 'is_not', lists: [] } }), [
      ['condition.lists', 'warning'],
    ]);
  });

  for (const [message, path] of [
    ['Invalid trigger.', 'trigger'],
    ['Follow-up name missing.', 'name'],
    ['Follow-up display name missing.', 'display_name'],
    ['Follow-up trigger missing.', 'trigger'],
    ['Invalid delay unit.', 'mails'],
    ['Follow-up not found.', ''],
  ] as const) {
    it(`assigns "${message}" to ${path === '' ? 'no field' : path}`, () =>
      assert.equal(findFollowUpRefusalPath(message).join('.'), path));
  }
});

describe('findFollowUpRefusal', () => {
  const mails = [
    { mail_id: 7, followup_id: 5, delay: 1, delay_unit: 86_400, send_once: 0 },
    { mail_id: 8, followup_id: 5, delay: 1, delay_unit: 7, send_once: 0 },
  ];
  const record = createFollowUpRecord(
    {
      id: 5,
      name: 'W',
      display_name: 'D',
      creation_date: null,
      trigger: 'moon_rises',
      condition: null,
      active: 0,
      send_once: 0,
      list_id: null,
      last_trigger: null,
      loop: 0,
      loop_delay: 0,
      loop_mail_skip: [3],
      mails,
    },
    new Map([
      [7, { text: toMailText({ name: 'N' }), sent: 1 }],
      [99, { text: toMailText({ name: 'Unrelated' }), sent: 1 }],
    ]),
  );
  const changeDelays = (...changed: readonly object[]) => ({
    mails: [
      { mail_id: 7, delay: 1, delay_unit: 'days' },
      { mail_id: 8, delay: 1, delay_unit: 7 },
    ].map((mail, index) => ({ ...mail, ...changed[index] })),
  });

  const undocumented = { lists_status: 'is_any', lists: [2], segments_status: 'is', segments: [] };
  const storedAny = { ...record, condition: { lists_status: 'is_any', lists: [1] } };
  const withoutDelay = {
    ...record,
    mails: [{ mail_id: 7, followup_id: 5, delay: null, delay_unit: 60, send_once: 0 }],
  };
  const [delay] = changeDelays().mails;
  const refusals: readonly (readonly [title: string, stored: typeof record, fields: Row, refusal: RegExp])[] = [
    ['a changed read-only field', record, { active: 1 }, /^"active": The service's API can't change this field/u],
    ['an undocumented trigger', record, { trigger: 'moon_sets' }, /must be one of user_subscribe/u],
    [
      'another undocumented status',
      storedAny,
      { condition: { ...undocumented, segments_status: 'is_any' } },
      /"condition.segments_status" must be/u,
    ],
    [
      'an undocumented status',
      record,
      { condition: undocumented },
      /"condition.lists_status" must be "is" or "is_not"\.$/u,
    ],
    [
      'a text whose mail has no delay, because requests contain both',
      withoutDelay,
      { 'mails/7/body': 'new' },
      /doesn't report the delay of email #7/u,
    ],
    ['a changed delay in an undocumented unit', record, changeDelays({}, { delay: 2 }), /email #8 needs a unit/u],
    [
      'a changed delay without a stored text',
      record,
      changeDelays({}, { delay: 2, delay_unit: 'days' }),
      /email #8 is saved together with its text/u,
    ],
    ['removed mails', record, { mails: [] }, /"Add Email to Follow-up"/u],
    ['a repeated mail', record, { mails: [delay, delay] }, /"Add Email to Follow-up"/u],
    ['a skipped mail of another follow-up', record, { loop_mail_skip: [4] }, /no email #4/u],
  ];
  for (const [title, stored, fields, refusal] of refusals)
    it(`rejects ${title}`, () => assert.match(findFollowUpRefusal(stored, fields, 'documented') ?? '', refusal));

  for (const [title, stored, fields] of [
    ['an undocumented trigger that is unchanged', record, { name: 'Other' }],
    ['a documented trigger', record, { trigger: 'birthday' }],
    ['an undocumented status that is unchanged', storedAny, { condition: undocumented }],
    [
      'a text together with the delay that its mail lacks',
      withoutDelay,
      { 'mails/7/body': 'new', mails: [{ mail_id: 7, delay: 2, delay_unit: 'days' }] },
    ],
    ['a text whose mail has a delay', record, { 'mails/7/body': 'new' }],
    ['a delay with a stored text', record, changeDelays({ delay: 3, delay_unit: 'weeks' })],
    ['an undocumented unit that is unchanged', record, changeDelays()],
    ['a mail that was skipped before', record, { loop_mail_skip: [3, 7] }],
  ] as const)
    it(`accepts ${title}`, () => assert.equal(findFollowUpRefusal(stored, fields, 'documented'), undefined));

  it('accepts changes of all fields on AcyMailing', () =>
    assert.equal(findFollowUpRefusal(record, { active: 1, send_once: 1 }, 'acymailing'), undefined));

  it('ignores stored texts of mails outside the follow-up', () => {
    assert.deepEqual(Object.keys(record.mailTexts), ['7']);
  });
});
