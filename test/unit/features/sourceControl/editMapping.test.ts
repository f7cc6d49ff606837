import assert from 'node:assert/strict';
import { withEntry, withId } from '../../../../src/features/sourceControl/editMapping.ts';

describe('editing mailing.json', () => {
  const commented = `{
    // Ours
    "templates": [
        { "folder": "emails/a", "ids": { "staging": 7 } }, // the first
        { "folder": "emails/b" },
    ],
    /* images */
    "assets": {}
}
`;

  it('creates the content of a new file', () => {
    assert.deepEqual(JSON.parse(withEntry(undefined, { folder: 'emails/a', ids: { p: 1 } })), {
      templates: [{ folder: 'emails/a', ids: { p: 1 } }],
    });
    assert.deepEqual(JSON.parse(withEntry('{}', { folder: 'emails/a', ids: {} })), {
      templates: [{ folder: 'emails/a', ids: {} }],
    });
  });

  it('keeps comments, order and indentation', () => {
    const added = withEntry(commented, {
      folder: 'emails/c',
      ids: { p: 3 },
      source: 'emails/c.mjml',
      output: 'dist/c.html',
    });
    for (const line of commented.split('\n').filter((text) => /\/\/|\/\*|assets/u.test(text)))
      assert.ok(added.includes(line), line);
    assert.match(added, /\n {12}"source": "emails\/c\.mjml"/u);
    const tabs = withEntry('{\n\t"templates": []\n}\n', { folder: 'x', ids: {} });
    assert.match(tabs, /\n\t{3}"folder": "x"/u);
    assert.doesNotMatch(
      withEntry('{\r\n  "templates": []\r\n}\r\n', { folder: 'x', ids: {} }).replaceAll('\r\n', ''),
      /\n/u,
    );
  });

  it('adds an id only to the template of the given folder', () => {
    const first = withId(commented, 'emails/a', 'production', 12);
    assert.match(
      first,
      /\n {12}"folder": "emails\/a",\n {12}"ids": \{\n {16}"staging": 7,\n {16}"production": 12\n {12}\}\n {8}\}, \/\/ the first/u,
    );
    assert.ok(first.includes('{ "folder": "emails/b" },\n    ],\n    /* images */'));
    const second = withId(commented, 'emails/b', 'production', 13);
    assert.match(second, /"folder": "emails\/b",\s*"ids": \{\s*"production": 13/u);
    assert.ok(second.includes('{ "folder": "emails/a", "ids": { "staging": 7 } }, // the first'));
  });

  it('refuses invalid JSON and unmapped folders', () => {
    assert.throws(() => withEntry('{ "templates": [', { folder: 'x', ids: {} }), /mended: Not valid JSON/u);
    assert.throws(() => withEntry('[]', { folder: 'x', ids: {} }), /one JSON object/u);
    assert.throws(() => withId(commented, 'emails/gone', 'p', 1), /does not map "emails\/gone" any more/u);
  });
});
