import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { followUpDetailsSchema } from '../../../../src/features/followUps/detailsSchema.ts';
import { createFollowUpRecord } from '../../../../src/features/followUps/storage.ts';
import { findFollowUpRefusal } from '../../../../src/features/followUps/refusals.ts';
import { followUpDetailFields } from '../../../../src/features/followUps/model.ts';
import { mailDetailFields, toMailText } from '../../../../src/features/followUps/mailText.ts';
import { mailSchema } from '../../../../src/features/followUps/detailsSchema.ts';
import { findFollowUpRefusalPath, findFollowUpProblems } from '../../../../src/features/followUps/host/problems.ts';
import { validateFollowUp } from '../../../../src/features/followUps/detailsSchema.ts';

const good = { name: 'Welcome', display_name: 'Getting started', trigger: 'user_subscribe' };

interface Schema {
  readonly properties: Readonly<
    Record<
      string,
      { readonly description: string; readonly markdownDescription: string; readonly examples: readonly unknown[] }
    >
  >;
  readonly required: readonly string[];
  readonly defaultSnippets: readonly { readonly body: object }[];
}

function schemaOf(name: string): Schema {
  return JSON.parse(
    readFileSync(new URL(`../../../../media/schemas/${name}.schema.json`, import.meta.url), 'utf8'),
  ) as Schema;
}

describe('the validation of a follow-up', () => {
  it('takes what a creation needs, and gives every field a value', () => {
    assert.deepEqual(v.parse(followUpDetailsSchema, good), {
      ...good,
      condition: { lists_status: 'is', lists: [], segments_status: 'is', segments: [] },
      active: 0,
      send_once: 0,
      loop: 0,
      loop_delay: 0,
      loop_mail_skip: [],
      mails: [],
    });
  });

  for (const [what, fields, path] of [
    ['no name', { name: ' ' }, 'name'],
    ['no display name', { display_name: '' }, 'display_name'],
    ['no trigger', { trigger: '' }, 'trigger'],
    ['a status nobody knows', { condition: { lists_status: 'maybe' } }, 'condition.lists_status'],
    ['a list by its name', { condition: { lists: ['News'] } }, 'condition.lists.0'],
    ['segments that are no list', { condition: { segments: 4 } }, 'condition.segments'],
    ['a condition that is a list', { condition: 'everybody' }, 'condition'],
    ['a flag that is none', { active: 2 }, 'active'],
    ['half a second', { loop_delay: 0.5 }, 'loop_delay'],
    ['a wait before the beginning', { loop_delay: -1 }, 'loop_delay'],
    ['a mail without a unit', { mails: [{ mail_id: 1, delay: 1 }] }, 'mails.0.delay_unit'],
    ['a mail of a unit nobody knows', { mails: [{ mail_id: 1, delay: 1, delay_unit: 'moons' }] }, 'mails.0.delay_unit'],
    ['a mail with a delay of nobody', { mails: [{ mail_id: 1, delay: '1', delay_unit: 'days' }] }, 'mails.0.delay'],
    ['a field nobody knows', { colour: 'red' }, 'colour'],
  ] as const) {
    it(`refuses ${what}, at its place`, async () => {
      const problems = await validateFollowUp({ ...good, ...fields });
      assert.deepEqual(
        problems.map((problem) => problem.path.join('.')),
        [path],
      );
      assert.match(problems[0]?.message ?? '', /\S\.$/u);
    });
  }

  it('warns of a loop that sends nothing, and of a condition that leaves nobody out', async () => {
    const mails = [{ mail_id: 1, delay: 1, delay_unit: 'days' }];
    const said = async (fields: object) =>
      (await findFollowUpProblems({ ...good, ...fields })).map(({ path, kind }) => [path.join('.'), kind]);
    assert.deepEqual(await said({ mails, loop: 1, loop_mail_skip: [1] }), [['loop_mail_skip', 'warning']]);
    assert.deepEqual(await said({ mails, loop: 0, loop_mail_skip: [1] }), []);
    assert.deepEqual(await said({ condition: { lists_status: 'is_not', lists: [] } }), [
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
    it(`puts a refusal ${path === '' ? 'above all' : `beside ${path}`}: ${message}`, () =>
      assert.equal(findFollowUpRefusalPath(message).join('.'), path));
  }
});

describe('what only some services take', () => {
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
      [99, { text: toMailText({ name: 'Of no mail' }), sent: 1 }],
    ]),
  );
  const delays = (...changed: readonly object[]) => ({
    mails: [
      { mail_id: 7, delay: 1, delay_unit: 'days' },
      { mail_id: 8, delay: 1, delay_unit: 7 },
    ].map((mail, index) => ({ ...mail, ...changed[index] })),
  });

  it('is refused elsewhere, with the reason', () => {
    assert.match(findFollowUpRefusal(record, { active: 1 }, 'documented') ?? '', /^"active" can't be changed here/u);
    assert.equal(findFollowUpRefusal(record, { active: 1, send_once: 1 }, 'acymailing'), undefined);
  });

  it('is a trigger of the document; one of the installation alone may stay', () => {
    assert.equal(findFollowUpRefusal(record, { name: 'Other' }, 'documented'), undefined);
    assert.match(
      findFollowUpRefusal(record, { trigger: 'moon_sets' }, 'documented') ?? '',
      /must be one of user_subscribe/u,
    );
    assert.equal(findFollowUpRefusal(record, { trigger: 'birthday' }, 'documented'), undefined);
  });

  it('is a condition of the document; a status of the installation alone may stay', async () => {
    const held = { ...record, condition: { lists_status: 'is_any', lists: [1] } };
    const changed = { lists_status: 'is_any', lists: [2], segments_status: 'is', segments: [] };
    assert.equal(findFollowUpRefusal(held, { condition: changed }, 'documented'), undefined);
    assert.match(
      findFollowUpRefusal(held, { condition: { ...changed, segments_status: 'is_any' } }, 'documented') ?? '',
      /"condition.segments_status" must be/u,
    );
    assert.match(
      findFollowUpRefusal(record, { condition: changed }, 'documented') ?? '',
      /"condition.lists_status" must be "is" or "is_not"\.$/u,
    );
  });

  it('is a text of a mail whose delay is told: it is stored together with it', () => {
    const untold = { ...record, mails: [{ mail_id: 7, followup_id: 5, delay: null, delay_unit: 60, send_once: 0 }] };
    assert.match(
      findFollowUpRefusal(untold, { 'mails/7/body': 'new' }, 'documented') ?? '',
      /does not tell the delay of mail #7/u,
    );
    assert.equal(
      findFollowUpRefusal(
        untold,
        { 'mails/7/body': 'new', mails: [{ mail_id: 7, delay: 2, delay_unit: 'days' }] },
        'documented',
      ),
      undefined,
    );
    assert.equal(findFollowUpRefusal(record, { 'mails/7/body': 'new' }, 'documented'), undefined);
  });

  it('is a delay of a mail whose text is known, in a unit that can be sent', () => {
    assert.equal(findFollowUpRefusal(record, delays({ delay: 3, delay_unit: 'weeks' }), 'documented'), undefined);
    assert.equal(
      findFollowUpRefusal(record, delays(), 'documented'),
      undefined,
      'A unit of the installation may stay.',
    );
    assert.match(findFollowUpRefusal(record, delays({}, { delay: 2 }), 'documented') ?? '', /mail #8 needs a unit/u);
    assert.match(
      findFollowUpRefusal(record, delays({}, { delay: 2, delay_unit: 'days' }), 'documented') ?? '',
      /mail #8 can't be changed yet/u,
    );
    assert.match(findFollowUpRefusal(record, { mails: [] }, 'documented') ?? '', /"Attach Mail"/u);
    assert.match(
      findFollowUpRefusal(record, { mails: [delays().mails[0], delays().mails[0]] }, 'documented') ?? '',
      /"Attach Mail"/u,
    );
  });

  it('is a mail of its own that is skipped; one that was gone before may stay', () => {
    assert.equal(findFollowUpRefusal(record, { loop_mail_skip: [3, 7] }, 'documented'), undefined);
    assert.match(findFollowUpRefusal(record, { loop_mail_skip: [4] }, 'documented') ?? '', /no mail #4/u);
  });

  it('never includes a text of a mail that is not in the follow-up', () => {
    assert.deepEqual(Object.keys(record.view.texts), ['.follow-up.json', 'mails/7.html', 'mails/7.json']);
  });
});

describe('the schemas of follow-ups', () => {
  for (const [name, fields, schema, required] of [
    ['follow-up', followUpDetailFields, followUpDetailsSchema, ['name', 'display_name', 'trigger']],
    ['follow-up-mail', mailDetailFields, mailSchema, ['name', 'subject']],
  ] as const) {
    it(`list what ${name} has, each with words and an example that saving takes`, () => {
      const { properties, ...rest } = schemaOf(name);
      assert.deepEqual(Object.keys(properties), [...fields]);
      assert.deepEqual(Object.keys(schema.entries), [...fields]);
      assert.deepEqual(rest.required, required);
      const base = Object.fromEntries(required.map((field) => [field, properties[field]?.examples[0]]));
      for (const [field, { description, markdownDescription, examples }] of Object.entries(properties)) {
        assert.match(description, /\S.*\.$/u, field);
        assert.match(markdownDescription, /^\*\*/u, field);
        assert.ok(examples.length > 0, field);
        for (const example of examples) assert.ok(v.safeParse(schema, { ...base, [field]: example }).success, field);
      }
      for (const { body } of rest.defaultSnippets)
        assert.deepEqual(
          Object.keys(body).filter((field) => !(fields as readonly string[]).includes(field)),
          [],
        );
    });
  }
});
