import assert from 'node:assert/strict';
import fc from 'fast-check';
import { campaignDetailsSchema } from '../../../../../src/features/campaigns/documents.ts';
import { campaignDetailFields } from '../../../../../src/features/campaigns/details.ts';
import {
  computeReplacement,
  divideChanges,
  parseDetails,
  type FieldChange,
} from '../../../../../src/platform/documents/form/text.ts';

const text = `{
  "name": "Winter",
  "note to self": [1,  2],
  "subject": "Sale",
  "listIds": [
    1,
    5
  ],
  "sending_type": "now"
}
`;

function edited(before: string, ...changes: FieldChange[]) {
  const replacement = computeReplacement(before, changes, campaignDetailFields);
  if (!replacement) return before;
  const { offset, length, text: inserted } = replacement;
  return before.slice(0, offset) + inserted + before.slice(offset + length);
}

describe('details text', () => {
  it('is parsed, or reports the line of the first error', () => {
    assert.deepEqual(parseDetails(text), {
      kind: 'details',
      details: { name: 'Winter', 'note to self': [1, 2], subject: 'Sale', listIds: [1, 5], sending_type: 'now' },
    });
    assert.deepEqual(parseDetails('{\n  "name": "a"\n  "subject": "b"\n}'), {
      kind: 'broken',
      line: 3,
      message: 'Not valid JSON: comma expected.',
    });
    assert.deepEqual(parseDetails(''), { kind: 'broken', line: 1, message: 'Not valid JSON: value expected.' });
    assert.deepEqual(parseDetails('\n[1]'), {
      kind: 'broken',
      line: 2,
      message: 'The details must be a JSON object.',
    });
    for (const broken of ['{', '{"a": 1,}', '// x\n{}', '{} {}', 'null', '"text"', '{"a": }'])
      assert.equal(parseDetails(broken).kind, 'broken', broken);
  });

  it('replaces only the changed value', () => {
    assert.deepEqual(computeReplacement(text, [{ path: ['subject'], value: 'Sales' }], campaignDetailFields), {
      offset: text.indexOf('Sale') + 4,
      length: 0,
      text: 's',
    });
    assert.equal(computeReplacement(text, [{ path: ['subject'], value: 'Sale' }], campaignDetailFields), undefined);
    assert.equal(
      computeReplacement(text, [{ path: ['bcc'] }], campaignDetailFields),
      undefined,
      'Removing a missing field changes nothing.',
    );
  });

  it('inserts new fields in order and preserves unrecognized fields', () => {
    const after = edited(
      text,
      { path: ['from_name'], value: 'Ann' },
      { path: ['sending_type'], value: 'scheduled' },
      { path: ['sending_date'], value: '2027-01-31' },
    );
    assert.equal(
      after,
      text
        .replace('"Sale",', '"Sale",\n  "from_name": "Ann",')
        .replace('"now"', '"scheduled",\n  "sending_date": "2027-01-31"'),
    );
  });

  it('removes fields and entries, and adds entries', () => {
    assert.equal(edited(text, { path: ['sending_type'] }), text.replace(',\n  "sending_type": "now"', ''));
    assert.deepEqual(JSON.parse(edited(text, { path: ['listIds', 0] })).listIds, [5]);
    assert.equal(edited(text, { path: ['listIds', -1], value: 7 }), text.replace('    5\n', '    5,\n    7\n'));
    assert.deepEqual(JSON.parse(edited('{}', { path: ['frequency_options', 'value'], value: 2 })), {
      frequency_options: { value: 2 },
    });
  });

  it('changes nothing if what is removed no longer exists', () => {
    for (const parent of ['', '"frequency_options": null,', '"frequency_options": "weekly",']) {
      const before = `{ ${parent} "subject": "Sale" }`;
      assert.equal(edited(before, { path: ['frequency_options', 'value'] }), before);
    }
  });

  it('preserves line endings', () => {
    const windows = text.replaceAll('\n', '\r\n');
    assert.doesNotMatch(edited(windows, { path: ['bcc'], value: '' }), /(?<!\r)\n/u);
  });

  it('stores any typed text exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 }), (typed) => {
        let now = text;
        for (const value of typed) now = edited(now, { path: ['subject'], value });
        assert.equal(
          now,
          text.replace('"Sale"', () => JSON.stringify(typed.at(-1))),
        );
      }),
    );
  });

  it('never splits a surrogate pair', () => {
    const smile = edited(text, { path: ['subject'], value: '😀' });
    const replacement = computeReplacement(smile, [{ path: ['subject'], value: '😁' }], campaignDetailFields);
    assert.deepEqual(replacement, { offset: smile.indexOf('😀'), length: 2, text: '😁' });
  });
});

describe('changes of a form', () => {
  const form = { schema: campaignDetailsSchema, fieldOrder: campaignDetailFields };
  const type = { path: ['sending_type'], value: 'scheduled' };
  const date = { path: ['sending_date'], value: '2099-01-31' };
  const subject = { path: ['subject'], value: 'Snow' };
  const noSubject = { path: ['subject'], value: '' };
  const plain = '{ "name": "Winter", "subject": "Sale", "sending_type": "now" }';
  const incomplete = '{ "name": "Winter", "subject": "Sale", "sending_type": "scheduled" }';

  for (const [what, before, held, change, expected] of [
    ['are written if they are complete', plain, [], subject, { written: [subject], held: [] }],
    ['are held back if a value is missing', plain, [], type, { written: [], held: [type] }],
    ['are written with the missing value', plain, [type], date, { written: [type, date], held: [] }],
    ['are written beside those held back', plain, [type], subject, { written: [subject], held: [type] }],
    ['are held back if they remove a required text', plain, [], noSubject, { written: [], held: [noSubject] }],
    ['replace those held back', plain, [noSubject, type], subject, { written: [subject], held: [type] }],
    ['are written if the text is already incomplete', incomplete, [], subject, { written: [subject], held: [] }],
    [
      'are written if they are invalid, because that is what the user typed',
      plain,
      [],
      { path: ['from_email'], value: 'ann@' },
      { written: [{ path: ['from_email'], value: 'ann@' }], held: [] },
    ],
  ] as const) {
    it(what, () => assert.deepEqual(divideChanges(before, held, [change], form), expected));
  }
});
