import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findTagTextAt, getTagTexts } from '../../../../../src/platform/language/tags/tagTexts.ts';

const details = (fields: object): string => JSON.stringify(fields, null, 2);

describe('Tag texts', () => {
  it('cover a whole body with identical offsets', () => {
    const [text] = getTagTexts('html', '<p>{subscriber:name}</p>');
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
      getTagTexts('json', text).map((each) => [each.where, each.text]),
      [
        ['subject', 'S {date:0}'],
        ['preheader', 'P'],
        ['headers', 'H'],
        ['subject', 'M'],
      ],
    );
    assert.deepEqual(getTagTexts('css', text), []);
  });

  it('map offsets across escapes', () => {
    const document = '{"subject": "\\u00e9\\n\\"{date:0}"}';
    const [text] = getTagTexts('json', document);
    assert.equal(text?.text, 'é\n"{date:0}');
    const [start, end] = [text?.toDocument(3) ?? 0, text?.toDocument(11) ?? 0];
    assert.equal(document.slice(start, end), '{date:0}');
    assert.equal(text?.fromDocument(start), 3);
    assert.equal(findTagTextAt([text], start), text);
    assert.equal(findTagTextAt([text], 3), undefined);
  });

  it('are found in incomplete documents', () => {
    assert.deepEqual(
      getTagTexts('json', '{\n "subject": "Hi {subscr\n "preheader": "P"').map(({ text, range }) => [text, range.end]),
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
      for (const { range } of getTagTexts('json', half))
        assert.ok(range.start <= range.end && range.end <= half.length, half);
    }
  });

  it('round-trip through JSON for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 0, max: 40 }), (subject, place) => {
        const document = details({ subject });
        const [text] = getTagTexts('json', document);
        assert.equal(text?.text, JSON.parse(JSON.stringify(subject)));
        assert.equal(`"${text?.write(subject)}"`, JSON.stringify(subject));
        const at = Math.min(place, subject.length);
        assert.equal(text?.fromDocument(text.toDocument(at)), at);
      }),
      { examples: [['\0', 0]] },
    );
  });

  it('are not searched in documents that are nested too deeply', () => {
    assert.deepEqual(getTagTexts('json', '{"a":'.repeat(1_000_000) + '{"subject": "x"'), []);
  });
});
