import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isInside, readMapping } from '../../../src/folders/mapping.ts';

/** The parts of the schema that are read here. */
interface Schema {
  readonly properties: {
    readonly templates: {
      readonly items: {
        readonly properties: Readonly<Record<string, { readonly description?: string; readonly examples?: readonly unknown[] }>>;
        readonly dependencies: Readonly<Record<string, readonly string[]>>;
        readonly defaultSnippets: readonly { readonly body: object }[];
      };
    };
  };
}

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

  it('names what is built, of what, and by which task', () => {
    const { templates, problems } = readMapping(JSON.stringify({ templates: [
      { folder: 'a', source: './src/a.mjml', output: 'dist/a.html', task: 'npm: build' },
      { folder: 'b', source: ['src/b.tsx', 'src/parts/'], output: 'dist/b.html' },
      { folder: 'c', body: 'letters/c.html' },
    ] }));
    assert.deepEqual(problems, []);
    assert.deepEqual(templates.map(({ place, ids, ...template }) => template), [
      { folder: 'a', source: ['src/a.mjml'], output: 'dist/a.html', task: 'npm: build' },
      { folder: 'b', source: ['src/b.tsx', 'src/parts'], output: 'dist/b.html' },
      { folder: 'c', body: 'letters/c.html' },
    ]);
  });

  it('tells what does not go together, and leaves that out', () => {
    const text = JSON.stringify({ templates: [
      { folder: 'a', source: 'a.mjml', task: 'build' },
      { folder: 'b', body: 'b.html', output: 'dist/b.html' },
      { folder: 'c', source: ['c.html'], output: 'c.html' },
      { folder: 'd', source: ['x', '../y'], output: 'd.html' },
      { folder: 'e', source: 5, task: ' ', output: 'e.html' },
      { folder: 'f', body: 'dist/b.html' },
    ] });
    assert.deepEqual(wrong(text), [
      '"source" needs an "output": the HTML file that is built. | "a.mjml"',
      '"body" is written by hand, and "output" is built: a template has one of them. | "b.html"',
      '"source" is the "output" itself: name the files that it is built from. | ["c.html"]',
      '"source.1" must be a path below the folder of mailing.json, with slashes. | "../y"',
      '"source" must be a path in quotes. | 5',
      '"task" must be the name of a task: "npm: build". | " "',
      'The file "dist/b.html" is mapped twice, also by "b". | {"folder":"f","body":"dist/b.html"}',
    ]);
    assert.deepEqual(readMapping(text).templates.map(({ place, ids, ...template }) => template), [
      { folder: 'a' }, { folder: 'b', output: 'dist/b.html' }, { folder: 'c', output: 'c.html' },
    ]);
  });

  it('is described by its schema, key by key', () => {
    const schema = JSON.parse(readFileSync(new URL('../../../media/schemas/mapping.schema.json', import.meta.url), 'utf8')) as Schema;
    const { items } = schema.properties.templates;
    assert.deepEqual(Object.keys(items.properties).sort(), ['body', 'folder', 'ids', 'output', 'source', 'task']);
    for (const [key, { description, examples = [] }] of Object.entries(items.properties)) {
      assert.ok(description, key);
      assert.ok(examples.length > 0, key);
      for (const example of examples) {
        const template = { folder: 'emails/x', ...(items.dependencies[key] && { output: 'dist/x.html' }), [key]: example };
        assert.deepEqual(wrong(JSON.stringify({ templates: [template] })), [], key);
      }
    }
    // What the schema marks is told here as well.
    for (const [key, needed] of Object.entries(items.dependencies)) {
      assert.deepEqual(needed, ['output']);
      assert.equal(wrong(JSON.stringify({ templates: [{ folder: 'x', [key]: 'y' }] })).length, 1, key);
    }
    for (const { body } of items.defaultSnippets) {
      const text = JSON.stringify({ templates: [body] }).replace(/\$\{\d:(\w+)\}/gu, '$1').replace(/"\^(\d)"/gu, '$1');
      assert.deepEqual(wrong(text), []);
    }
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
