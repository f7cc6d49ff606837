import assert from 'node:assert/strict';
import {
  isProtected,
  pushBlocker,
  readMapping,
  withEntry,
  withId,
  type MappedTemplate,
} from '../../../../src/sync/mapping/mapping.ts';
import { TemplateFolder } from '../../../../src/sync/mapping/folder.ts';
import { readJson } from '../../../support/manifest.ts';
import { Disk, findImages, layout } from '../fixtures.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

/** The parts of the schema that the tests use. */
interface Schema {
  readonly properties: {
    readonly templates: {
      readonly items: {
        readonly properties: Readonly<
          Record<string, { readonly description?: string; readonly examples?: readonly Json[] }>
        >;
        readonly dependencies: Readonly<Record<string, readonly string[]>>;
        readonly defaultSnippets: readonly { readonly body: object }[];
      };
    };
  };
}

describe('mailing.json', () => {
  /** Returns the problems with the text of their ranges. */
  const findProblems = (text: string) =>
    readMapping(text).problems.map(({ message, start, end }) => `${message} | ${text.slice(start, end)}`);

  const withoutRange = ({ range: _, ...template }: MappedTemplate) => template;

  it('contains folders, ids, sources, outputs, tasks and public addresses of images', () => {
    const templates = [
      { folder: './emails/welcome/', ids: { staging: 7, production: 12 }, output: 'dist/welcome.html' },
      { folder: 'a', source: './src/a.mjml', output: 'dist/a.html', task: 'npm: build' },
      { folder: 'b', source: ['src/b.tsx', 'src/parts/'], output: 'dist/b.html' },
      { folder: 'c', body: 'letters/c.html' },
    ];
    const mapping = readMapping(
      JSON.stringify({
        connections: { production: { protected: true }, staging: {} },
        templates,
        assets: { 'emails/img': 'https://cdn.example/', 'emails/img/icons': 'https://icons.example' },
      }),
    );
    assert.deepEqual(mapping.problems, []);
    assert.deepEqual(mapping.templates.map(withoutRange), [
      { ...templates[0], folder: 'emails/welcome' },
      { ...templates[1], ids: {}, source: ['src/a.mjml'] },
      { ...templates[2], ids: {}, source: ['src/b.tsx', 'src/parts'] },
      { ...templates[3], ids: {} },
    ]);
    const { production, staging } = mapping.connections;
    assert.deepEqual([production?.protected, staging?.protected], [true, false]);
    assert.deepEqual(mapping.assets, [
      ['emails/img/icons', 'https://icons.example'],
      ['emails/img', 'https://cdn.example'],
    ]);
  });

  it('reports each mistake at its range and keeps the valid entries', () => {
    const text =
      '{ "templates": [{ "folder": "../x" }, { "folder": "a", "ids": { "{0}{1}": "7" } }, { "ids": {} }, 5, { "folder": "b" }] }';
    assert.deepEqual(findProblems(text), [
      '"folder" must be a path below the folder of mailing.json, with slashes. | "../x"',
      '"ids.{0}{1}" must be the ID of a template. | "7"',
      '"folder" is missing. | { "ids": {} }',
      '"templates.3" must be an object, such as { "folder": "emails/welcome", "ids": { "production": 12 } }. | 5',
    ]);
    assert.deepEqual(
      readMapping(text).templates.map(({ folder }) => folder),
      ['b'],
    );
    assert.deepEqual(
      readMapping('{ "templates": [{ "folder": "a" }, ').templates.map(({ folder }) => folder),
      ['a'],
    );
    assert.equal(findProblems('{ "templates": [{ "folder": "a" }, ').length > 0, true);
  });

  it('reports conflicting keys and leaves them out', () => {
    const text = JSON.stringify({
      templates: [
        { folder: 'a', source: 'a.mjml', task: 'build' },
        { folder: 'b', body: 'b.html', output: 'dist/b.html' },
        { folder: 'c', source: ['c.html'], output: 'c.html' },
        { folder: 'd', source: ['x', '../y'], output: 'd.html' },
        { folder: 'e', source: 5, task: ' ', output: 'e.html' },
        { folder: 'f', body: 'dist/b.html' },
      ],
    });
    assert.deepEqual(findProblems(text), [
      '"source" needs an "output": the HTML file that is built. | "a.mjml"',
      '"body" is written by hand and "output" is built, so a template has only one of them. | "b.html"',
      '"source" is the "output" itself. Name the files that it is built from. | ["c.html"]',
      '"source.1" must be a path below the folder of mailing.json, with slashes. | "../y"',
      '"source" must be a path in quotes. | 5',
      '"task" must be the name of a task, such as "npm: build". | " "',
      'The file "dist/b.html" is already used by "b". | {"folder":"f","body":"dist/b.html"}',
    ]);
    assert.deepEqual(readMapping(text).templates.map(withoutRange), [
      { folder: 'a', ids: {} },
      { folder: 'b', ids: {}, output: 'dist/b.html' },
      { folder: 'c', ids: {}, output: 'c.html' },
    ]);
  });

  it('refuses files of Git, VS Code and Mailing Studio', () => {
    const reserved = 'is reserved for Git, VS Code or Mailing Studio. Choose another path.';
    const text = JSON.stringify({
      templates: [
        { folder: '.git' },
        { folder: 'a', body: 'mailing.json' },
        { folder: 'b', output: './x/../Mailing.Lock.json' },
        { folder: 'c', body: '.vscode/tasks.json' },
        { folder: 'd', body: 'MAILIN~1.JSO' },
        { folder: 'e', body: 'x.html:stream' },
        { folder: 'f', source: '.g\u200cit/x', output: 'f.html' },
      ],
    });
    assert.deepEqual(findProblems(text), [
      `"folder" ${reserved} | ".git"`,
      `"body" ${reserved} | "mailing.json"`,
      `"output" ${reserved} | "./x/../Mailing.Lock.json"`,
      `"body" ${reserved} | ".vscode/tasks.json"`,
      '"body" contains a Windows short name, such as "GIT~1". Use the full name. | "MAILIN~1.JSO"',
      '"body" must be a path below the folder of mailing.json, with slashes. | "x.html:stream"',
      `"source" ${reserved} | ".g\u200cit/x"`,
    ]);
    assert.deepEqual(readMapping(text).templates, []);
  });

  it('keeps the first of duplicate folders, files and ids, in any spelling', () => {
    const first = { folder: 'a', ids: { p: 1 }, body: 'x.html' };
    for (const [other, message] of [
      [{ folder: 'a', ids: { q: 1 } }, 'The folder "a" is already used by "a".'],
      [{ folder: 'x/../A./' }, 'The folder "A." is already used by "a".'],
      [{ folder: 'x.html' }, 'The folder "x.html" is already used by "a".'],
      [{ folder: 'b', output: 'X.HTML' }, 'The file "X.HTML" is already used by "a".'],
      [{ folder: 'b', body: 'a/Style.css' }, 'The file "a/Style.css" is already used by "a".'],
      [{ folder: 'b', body: 'b/template.json' }, 'The file "b/template.json" is already used by "b".'],
      [{ folder: 'b', body: 'a/body.html' }, undefined],
      [{ folder: 'b', ids: { p: 1, q: 1 } }, 'Template 1 on "p" is already mapped to "a".'],
      [{ folder: 'b', ids: { q: 1 } }, undefined],
    ] as const) {
      const { templates, problems } = readMapping(JSON.stringify({ templates: [first, other] }));
      assert.deepEqual(
        problems.map((problem) => problem.message),
        message === undefined ? [] : [message],
      );
      assert.equal(templates.length, message === undefined ? 2 : 1);
    }
  });

  it('uses a separate body file instead of the default one', () => {
    const {
      templates: [template],
    } = readMapping(JSON.stringify({ templates: [{ folder: 'a', body: 'letters/a.html' }] }));
    assert.ok(template);
    const folder = new TemplateFolder(new Disk(), layout, () => [], findImages);
    assert.deepEqual(folder.paths(template), ['letters/a.html', 'a/style.css', 'a/template.json']);
    assert.equal(folder.bodyPath(template), 'letters/a.html');
    assert.ok(folder.has(template, 'letters/a.html'));
  });

  it('keeps the line ends of a file', async () => {
    const [template] = readMapping('{ "templates": [{ "folder": "a" }] }').templates;
    assert.ok(template);
    for (const [before, expected] of [
      ['1\r\n2\r\n', '1\r\n3\r\n'],
      ['1\n2\n', '1\n3\n'],
      ['1', '1\n3\r\n'],
    ] as const) {
      const disk = new Disk([['a/body.html', before]]);
      const folder = new TemplateFolder(disk, layout, () => [], findImages);
      await folder.write(template, { body: '1\n3\r\n' }, { body: before });
      assert.equal(disk.files.get('a/body.html'), expected);
    }
  });

  describe('protection of a connection', () => {
    const write = (connections: string) =>
      `{ "connections": ${connections}, "templates": [{ "folder": "a", "ids": { "production": 1 } }] }`;
    const mapping = (connections: string) => readMapping(write(connections));

    it('is off by default and with false', () => {
      for (const connections of [
        '{}',
        '{ "production": {} }',
        '{ "production": { "protected": false } }',
        '{ "staging": { "protected": true } }',
      ]) {
        assert.equal(isProtected(mapping(connections), 'production'), false, connections);
        assert.equal(pushBlocker(mapping(connections)), undefined, connections);
      }
      assert.equal(isProtected(readMapping('{}'), 'production'), false);
      for (const name of ['__proto__', 'constructor', 'toString'])
        assert.equal(isProtected(mapping('{ "__proto__": { "protected": false } }'), name), false);
    });

    it('is on with true, for that connection only', () => {
      const both = mapping('{ "production": { "protected": true }, "staging": {} }');
      assert.deepEqual(
        [isProtected(both, 'production'), isProtected(both, 'staging'), pushBlocker(both)],
        [true, false, undefined],
      );
    });

    it('is on with any other value, which blocks every push', () => {
      const mistakes = {
        '{ "production": { "protected": "true" } }': '"protected" must be true or false. | "true"',
        '{ "production": { "protected": "false" } }': '"protected" must be true or false. | "false"',
        '{ "production": { "protected": [true] } }': '"protected" must be true or false. | [true]',
        '{ "production": { "protected": 0 } }': '"protected" must be true or false. | 0',
        '{ "production": { "protected": null } }': '"protected" must be true or false. | null',
        '{ "production": { "Protected": true } }':
          'Unknown key "Protected". Allowed keys: baseUrl, profile, cms, protected. | "Protected"',
        '{ "production": { "protect": true } }':
          'Unknown key "protect". Allowed keys: baseUrl, profile, cms, protected. | "protect"',
        '{ "production": { "toString": true } }':
          'Unknown key "toString". Allowed keys: baseUrl, profile, cms, protected. | "toString"',
        '{ "production": { "protected": true, "pr\\u006ftected": false } }':
          'Duplicate key "protected". | "pr\\u006ftected"',
        '{ "production": { "protected": true }, "production": { "protected": false } }':
          'Duplicate key "production". | "production"',
        '{ "production": true }': '"connections.production" must be an object, such as { "protected": true }. | true',
        '{ "production": ["protected"] }':
          '"connections.production" must be an object, such as { "protected": true }. | ["protected"]',
        '["production"]':
          '"connections" must be an object, such as { "production": { "protected": true } }. | ["production"]',
        null: '"connections" must be an object, such as { "production": { "protected": true } }. | null',
        '{}, "connections": { "production": { "protected": true } }': 'Duplicate key "connections". | "connections"',
        '{ "Production": { "protected": true } }': 'Unknown key "Production". Allowed keys: production. | "Production"',
        '{ "produc\\u200Btion": { "protected": true } }':
          'Unknown key "produc\u200Btion". Allowed keys: production. | "produc\\u200Btion"',
        '{}, "conections": { "production": { "protected": true } }':
          'Unknown key "conections". Allowed keys: $schema, connections, templates, assets, checks. | "conections"',
      };
      for (const [connections, expected] of Object.entries(mistakes)) {
        const text = write(connections);
        const read = readMapping(text);
        assert.deepEqual(findProblems(text), [expected]);
        assert.equal(pushBlocker(read)?.message, read.problems[0]?.message, connections);
        assert.equal(isProtected(read, 'production'), true, connections);
      }
      for (const entry of ['true', '["protected"]', '{ "protected": "false" }', '{ "protected": null }']) {
        assert.equal(mapping(`{ "production": ${entry} }`).connections['production']?.protected, true);
      }
    });

    it('is on with unsupported or duplicate keys and invalid JSON, which block every push', () => {
      const mistakes = {
        '{ "templates": [{ "folder": "a", "id": { "production": 1 } }] }': [
          'Unknown key "id". Allowed keys: folder, ids, body, output, source, task. | "id"',
        ],
        '{ "templates": [{ "folder": "a", "folder": "b" }] }': ['Duplicate key "folder". | "folder"'],
        '{ "templates": [{ "folder": "a", "ids": { "production": 1, "production": 2 } }] }': [
          'Duplicate key "production". | "production"',
        ],
        '{ "templates": [], "assets": { "a": "https://a", "a": "https://b" } }': ['Duplicate key "a". | "a"'],
      };
      for (const [text, expected] of Object.entries(mistakes)) {
        assert.deepEqual(findProblems(text), expected);
        assert.ok(pushBlocker(readMapping(text)));
      }
      for (const text of [
        '{ "templates": [] "connections": {} }',
        '[]',
        '{ "connections": { "production": { "protected": true }',
      ])
        assert.ok(isProtected(readMapping(text), 'other'), text);
    });

    it('is not affected by mistakes in templates and assets', () => {
      const text = '{ "templates": [{ "folder": "../x" }, { "folder": "b" }], "assets": { "../x": "https://a" } }';
      assert.equal(readMapping(text).problems.length, 2);
      assert.equal(pushBlocker(readMapping(text)), undefined);
    });
  });

  it('reports 20 problems at most, and refuses a file larger than 4 MB', () => {
    const many = Array.from({ length: 40_000 }, (_, index) => `"${index}": 0`).join();
    const { problems } = readMapping(`{ "templates": [{ "folder": "a", "ids": { ${many} } }] }`);
    assert.equal(problems.length, 20);
    assert.match(readMapping(' '.repeat(5 * 1024 * 1024)).problems[0]?.message ?? '', /larger than 4 MB/u);
  });

  it('matches its JSON schema', () => {
    const schema = readJson<Schema>('media/schemas/mapping.schema.json');
    const { items } = schema.properties.templates;
    assert.deepEqual(Object.keys(items.properties).sort(), ['body', 'folder', 'ids', 'output', 'source', 'task']);
    for (const [key, { description, examples = [] }] of Object.entries(items.properties)) {
      assert.ok(description, key);
      assert.ok(examples.length > 0, key);
      for (const example of examples) {
        const template = {
          folder: 'emails/x',
          ...(items.dependencies[key] && { output: 'dist/x.html' }),
          [key]: example,
        };
        assert.deepEqual(findProblems(JSON.stringify({ templates: [template] })), [], key);
      }
    }
    // Both report a missing output.
    for (const [key, needed] of Object.entries(items.dependencies)) {
      assert.deepEqual(needed, ['output']);
      assert.equal(findProblems(JSON.stringify({ templates: [{ folder: 'x', [key]: 'y' }] })).length, 1, key);
    }
    for (const { body } of items.defaultSnippets) {
      const text = JSON.stringify({ templates: [body] })
        .replace(/\$\{\d:(\w+)\}/gu, '$1')
        .replace(/"\^(\d)"/gu, '$1');
      assert.deepEqual(findProblems(text), []);
    }
  });

  it('never throws while reading', () => {
    for (const text of [
      '',
      '[]',
      'null',
      '{',
      '{"templates":{}}',
      '{"templates":[[]]}',
      '{"assets":{"../x":"https://a"}}',
      '['.repeat(100_000),
      '{"__proto__":{"a":1}}',
    ]) {
      assert.equal(readMapping(text).templates.length, 0, text.slice(0, 40));
    }
    assert.deepEqual(findProblems('{"assets":{"../x":"https://a"}}'), [
      '"../x" must be a path below the folder of mailing.json, with slashes. | "../x":"https://a"',
    ]);
  });
});

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
    assert.throws(() => withEntry('{ "templates": [', { folder: 'x', ids: {} }), /mailing\.json: Invalid JSON/u);
    assert.throws(() => withEntry('[]', { folder: 'x', ids: {} }), /a JSON object/u);
    assert.throws(() => withId(commented, 'emails/missing', 'p', 1), /no longer maps "emails\/missing"/u);
  });
});
