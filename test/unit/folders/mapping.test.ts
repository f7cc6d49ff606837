import assert from 'node:assert/strict';
import { isInside, readMapping } from '../../../src/folders/mapping.ts';

describe('mailing.json', () => {
  /** What is wrong, with the text at its place. */
  const wrong = (text: string): string[] => readMapping(text).problems.map(({ message, start, end }) => `${message} | ${text.slice(start, end)}`);

  it('names folders, ids, what is built, and addresses of images', () => {
    const { templates, connections, assets, problems } = readMapping(JSON.stringify({
      connections: { production: { protected: true }, staging: {} },
      templates: [{ folder: './emails/welcome/', ids: { staging: 7, production: 12 }, output: 'dist/welcome.html' }],
      assets: { 'emails/img': 'https://cdn.example/', 'emails/img/icons': 'https://icons.example' },
    }));
    assert.deepEqual(problems, []);
    assert.deepEqual(templates.map(({ place, ...template }) => template), [
      { folder: 'emails/welcome', ids: { staging: 7, production: 12 }, output: 'dist/welcome.html' },
    ]);
    assert.deepEqual(connections, { production: { protected: true }, staging: { protected: false } });
    assert.deepEqual(assets, [['emails/img/icons', 'https://icons.example'], ['emails/img', 'https://cdn.example']]);
  });

  it('tells each mistake at its place, and keeps the rest', () => {
    const text = '{ "templates": [{ "folder": "../x" }, { "folder": "a", "ids": { "p": "7" } }, { "ids": {} }, 5, { "folder": "b" }] }';
    assert.deepEqual(wrong(text), [
      '"folder" must be a path below the folder of mailing.json, with slashes. | "../x"',
      '"ids.p" must be the id of a template. | "7"',
      '"folder" is missing. | { "ids": {} }',
      'This must be an object: { "folder": "emails/welcome", "ids": { "production": 12 } }. | 5',
    ]);
    assert.deepEqual(readMapping(text).templates.map(({ folder }) => folder), ['b']);
    assert.deepEqual(readMapping('{ "templates": [{ "folder": "a" }, ').templates.map(({ folder }) => folder), ['a']);
    assert.equal(wrong('{ "templates": [{ "folder": "a" }, ').length > 0, true);
  });

  it('maps nothing twice: no folder, no file, no template', () => {
    const text = JSON.stringify({ templates: [
      { folder: 'a', ids: { p: 1 }, output: 'dist/a.html' }, { folder: 'A' }, { folder: 'b', output: 'dist/a.html' }, { folder: 'c', ids: { p: 1, q: 1 } },
    ] });
    assert.deepEqual(readMapping(text).problems.map(({ message }) => message), [
      'The folder "A" is mapped twice, also by "a".',
      'The file "dist/a.html" is mapped twice, also by "a".',
      'Template 1 of "p" is mapped twice, also by "a".',
    ]);
    assert.deepEqual(readMapping(text).templates.map(({ folder }) => folder), ['a']);
  });

  it('leads to no place outside its folder', () => {
    for (const path of ['..', '../a', 'a/../../b', '/etc', 'C:/x', '\\\\server\\x', 'a\\b', '', '.', './', '.git/hooks', 'a/../.git', 'a\u0000b']) {
      assert.equal(isInside(path), false, JSON.stringify(path));
    }
    for (const path of ['a', 'a/b', './a', 'a/../b', 'a b/ü', '.github/x', '..a']) assert.equal(isInside(path), true, path);
  });

  it('never throws', () => {
    for (const text of ['', '[]', 'null', '{', '{"templates":{}}', '{"templates":[[]]}', '{"assets":{"../x":"https://a"}}', '['.repeat(100_000), '{"__proto__":{"a":1}}']) {
      assert.equal(readMapping(text).templates.length, 0, text.slice(0, 40));
    }
    assert.deepEqual(wrong('{"assets":{"../x":"https://a"}}'), ['"../x" must be a path below the folder of mailing.json, with slashes. | "../x":"https://a"']);
  });
});
