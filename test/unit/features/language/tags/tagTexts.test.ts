import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tagLanguage } from '../../../../../src/email/tags/index.ts';
import {
  findNameProblem,
  findPairAt,
  findTagTextAt,
  getPairRanges,
  getTagTexts,
} from '../../../../../src/features/language/tags/tagTexts.ts';
import { anyCodePoint } from '../../../fuzz/setup.ts';

const language = tagLanguage('acymailing');

const details = (fields: object) => JSON.stringify(fields, null, 2);

describe('Tag texts', () => {
  it('cover a whole body with identical offsets', () => {
    const [text] = getTagTexts('html', '<p>{subscriber:name}</p>', language);
    assert.deepEqual(
      [text?.where, text?.text, text?.toDocument(5), text?.fromDocument(5)],
      ['body', '<p>{subscriber:name}</p>', 5, 5],
    );
    assert.equal(text?.write('a"b'), 'a"b');
  });

  it('are subject, preheader and headers of the details only', () => {
    const text = details({
      name: '{subscriber:name}',
      subject: 'S {date:0}',
      preheader: 'P',
      headers: 'H',
      from_name: '{list:name}',
      mails: [{ subject: 'M' }],
    });
    assert.deepEqual(
      getTagTexts('json', text, language).map((each) => [each.where, each.text]),
      [
        ['subject', 'S {date:0}'],
        ['preheader', 'P'],
        ['headers', 'H'],
        ['subject', 'M'],
      ],
    );
    assert.deepEqual(getTagTexts('css', text, language), []);
  });

  it('map offsets across escapes', () => {
    const document = '{"subject": "\\u00e9\\n\\"{date:0}"}';
    const [text] = getTagTexts('json', document, language);
    assert.equal(text?.text, 'é\n"{date:0}');
    const [start, end] = [text?.toDocument(3) ?? 0, text?.toDocument(11) ?? 0];
    assert.equal(document.slice(start, end), '{date:0}');
    assert.equal(text?.fromDocument(start), 3);
    assert.equal(findTagTextAt([text], start), text);
    assert.equal(findTagTextAt([text], 3), undefined);
  });

  it('are found in incomplete documents', () => {
    assert.deepEqual(
      getTagTexts('json', '{\n "subject": "Hi {subscr\n "preheader": "P"', language).map(({ text, range }) => [
        text,
        range.end,
      ]),
      [
        ['Hi {subscr', 25],
        ['P', 42],
      ],
    );
    for (const half of [
      '',
      '{',
      '{"subject"',
      '{"subject":',
      '{"subject": "',
      '{"subject": "\\',
      '{"subject": "\\u00',
      '{"subject": 1}',
      '"subject" "x"',
    ]) {
      for (const { range } of getTagTexts('json', half, language))
        assert.ok(range.start <= range.end && range.end <= half.length, half);
    }
  });

  it('round-trip through JSON for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCodePoint, maxLength: 40 }),
        fc.integer({ min: 0, max: 40 }),
        (subject, place) => {
          const document = details({ subject });
          const [text] = getTagTexts('json', document, language);
          assert.equal(text?.text, JSON.parse(JSON.stringify(subject)));
          assert.equal(`"${text?.write(subject)}"`, JSON.stringify(subject));
          const at = Math.min(place, subject.length);
          assert.equal(text?.fromDocument(text.toDocument(at)), at);
        },
      ),
      { examples: [['\0', 0]] },
    );
  });

  it('are not searched in documents that are nested too deeply', () => {
    assert.deepEqual(getTagTexts('json', '{"a":'.repeat(1_000_000) + '{"subject": "x"', language), []);
  });
});

describe('Tag pairs', () => {
  it('are found from either tag', () => {
    const text = '<p>{if:City=Rome}{unsubscribe}x{/unsubscribe}{/if}</p>';
    const at = (sign: string) =>
      findPairAt(getTagTexts('html', text, language), text.indexOf(sign) + 2)?.map(({ nameRange: { start, end } }) =>
        text.slice(start, end),
      );
    assert.deepEqual(at('{if'), ['if', 'if']);
    assert.deepEqual(at('{/if'), ['if', 'if']);
    assert.deepEqual(at('{unsub'), ['unsubscribe', 'unsubscribe']);
    assert.deepEqual(at('{/unsub'), ['unsubscribe', 'unsubscribe']);
    assert.equal(at('<p>'), undefined);
    assert.equal(findPairAt(getTagTexts('html', '{unsubscribe}', language), 3), undefined, 'The other tag is missing.');
  });

  it('map to document offsets in a JSON string', () => {
    const text = '{"subject": "\\u00e9{if:a=b}c{/if}"}';
    const halves = findPairAt(getTagTexts('json', text, language), text.indexOf('{/if'));
    assert.deepEqual(
      halves?.map(({ start, end }) => text.slice(start, end)),
      ['{/if}', '{if:a=b}'],
    );
  });

  it('fold from the opening to the closing tag', () => {
    const text = 'a\n{if:a=b}\nx\n{/if}\n{unsubscribe}y{/unsubscribe}';
    assert.deepEqual(
      getPairRanges(getTagTexts('html', text, language)).map(({ start, end }) => text.slice(start, end)),
      ['{if:a=b}\nx\n', '{unsubscribe}y'],
    );
  });

  it('allow renaming links to other links, but not conditions', () => {
    const allowed = (name: string, wanted: string) => findNameProblem(language, name, wanted) === undefined;
    assert.ok(
      allowed('unsubscribe', 'confirm') &&
        allowed('UNSUBSCRIBE', 'unsubscribe') &&
        allowed('if', 'IF') &&
        allowed('info', 'info'),
    );
    for (const [name, wanted] of [
      ['unsubscribe', 'if'],
      ['unsubscribe', 'info'],
      ['unsubscribe', 'nothing'],
      ['if', 'unsubscribe'],
      ['info', 'confirm'],
      ['confirm', 'a}b'],
    ] as const)
      assert.ok(!allowed(name, wanted), `${name} → ${wanted}`);
  });
});
