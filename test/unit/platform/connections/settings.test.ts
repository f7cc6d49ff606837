import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/service/client/shapes.ts';
import {
  listIds,
  parseConnections,
  suggestId,
  withChangedEntry,
  withConnection,
} from '../../../../src/platform/connections/settings.ts';
import { anyCodePoint } from '../../fuzz/setup.ts';

const production = {
  id: 'production',
  name: 'Production',
  baseUrl: 'https://example.com/site',
  profile: 'documented',
} as const;
const staging = {
  id: 'staging',
  name: 'Staging',
  baseUrl: 'https://staging.example.com',
  profile: 'acymailing',
} as const;

/** Values of any type are tested in `test/unit/fuzz/connections.test.ts`. */
describe('Connection settings', () => {
  it('are parsed with normalized addresses and the default profile', () => {
    assert.deepEqual(
      parseConnections([{ id: 'production', name: ' Production ', baseUrl: 'HTTPS://Example.com:443/site/' }, staging]),
      { connections: [production, staging], problems: [] },
    );
    for (const nothing of [undefined, null, []])
      assert.deepEqual(parseConnections(nothing), { connections: [], problems: [] });
  });

  it('keep the content management system, and refuse an unknown one', () => {
    for (const cms of ['wordpress', 'joomla'] as const) {
      const { connections, problems } = parseConnections([{ ...staging, cms }]);
      assert.deepEqual([connections, problems], [[{ ...staging, cms }], []]);
      assert.deepEqual(withConnection([], { ...staging, cms }), [{ ...staging, cms }]);
    }
    const { connections, problems } = parseConnections([{ ...staging, cms: 'drupal' }]);
    assert.deepEqual(connections, []);
    assert.match(String(problems[0]?.message), /^"cms" must be "wordpress" or "joomla"/);
  });

  const invalid: readonly (readonly [string, object | string | null, RegExp, string?])[] = [
    ['bad URL', { baseUrl: 'example' }, /"baseUrl": The URL must begin with https/],
    ['missing id', { id: undefined }, /^"id" is missing/],
    ['missing name', { name: undefined }, /^"name" is missing/, '"production" (entry 2)'],
    ['missing URL', { baseUrl: undefined }, /^"baseUrl" is missing/],
    ['empty name', { name: ' ' }, /^"name" is empty/, '"production" (entry 2)'],
    ['id as a number', { id: 7 }, /^"id" must be text/],
    ['id in capitals', { id: 'Production' }, /lowercase letters/],
    ['id with a slash', { id: 'a/b' }, /lowercase letters/],
    ['reserved id', { id: 'sandbox' }, /reserved/],
    ['used id', { id: 'staging' }, /earlier entry already uses the ID "staging"/],
    ['unsupported profile', { profile: 'other' }, /"documented" or "acymailing"/],
    ['unsupported tags', { tags: 'mine' }, /"tags" must be/],
    ['tags without families', { tags: { contact: {} } }, /"tags" must be/],
    ['agents in words', { agents: 'no' }, /"agents" must be true or false/],
    ['text instead of an object', 'https://example.com', /must be an object/, 'Entry 2'],
    ['null', null, /must be an object/, 'Entry 2'],
    ['list', [], /must be an object/, 'Entry 2'],
  ];
  for (const [what, change, words, name = '"Production" (entry 2)'] of invalid) {
    it(`report an invalid entry and use the others: ${what}`, () => {
      const entry = name === 'Entry 2' ? change : Object.assign({}, production, change);
      const { connections, problems } = parseConnections([staging, entry as Json]);
      assert.deepEqual([connections, problems.map((problem) => problem.entry)], [[staging], [name]]);
      assert.match(problems[0]?.message ?? '', words);
    });
  }

  const tagSettings = ['acymailing', 'none', { families: { contact: { fields: { first: 'Ann' } } } }];
  for (const optional of [...tagSettings.map((tags) => ({ tags })), { agents: true }, { agents: false }]) {
    it(`keep the tag language and the access of agents in an edit: ${JSON.stringify(optional)}`, () => {
      const entry = { ...production, ...optional };
      const { connections, problems } = parseConnections([entry]);
      assert.deepEqual([connections, problems], [[entry], []]);
      const edited = { ...production, ...connections[0], name: 'Other' };
      assert.deepEqual(withChangedEntry([entry], 'production', edited), [{ ...entry, name: 'Other' }]);
    });
  }

  it('report all problems of an entry', () => {
    assert.equal(parseConnections([{ id: 'A B', baseUrl: 'x', profile: 1 }]).problems.length, 4);
  });

  it('report a key in an entry without repeating it, and use the entry', () => {
    const { connections, problems } = parseConnections([{ ...production, apiKey: 'secret-value' }]);
    assert.deepEqual(connections, [production]);
    assert.match(problems[0]?.message ?? '', /"apiKey".*don't belong/);
    assert.doesNotMatch(JSON.stringify(problems), /secret-value/);
  });

  it('must be a list', () => {
    for (const value of ['x', 1, true, { id: 'a' }]) {
      const { connections, problems } = parseConnections(value);
      assert.deepEqual(connections, []);
      assert.match(problems[0]?.message ?? '', /must be a list/);
      assert.throws(() => withConnection(value, staging), /must be a list/);
    }
  });

  it('keep invalid entries when others are added, replaced or removed', () => {
    const broken = { id: 'production', name: 'Broken' };
    const value = [broken, production, 'text'];
    assert.deepEqual(withConnection(value, staging), [...value, staging]);
    const renamed = { ...production, name: 'New' };
    assert.deepEqual(withChangedEntry(value, 'production', renamed), [broken, renamed, 'text']);
    assert.deepEqual(withChangedEntry(value, 'production'), [broken, 'text']);
    assert.equal(withChangedEntry([broken], 'production'), undefined);
  });

  it('reserve the ids of invalid entries', () => {
    assert.deepEqual(listIds([{ id: 'a' }, { id: 1 }, 'b', { id: 'C' }]), ['a', 'C']);
    assert.deepEqual(listIds('a'), []);
  });
});

describe('suggestId', () => {
  it('derives an unused id from a name', () => {
    for (const [name, taken, id] of [
      ['Production', [], 'production'],
      ['Café & Söhne', [], 'cafe-sohne'],
      ['www.example.com', [], 'www-example-com'],
      ['日本', [], 'service'],
      ['Sandbox', [], 'sandbox-2'],
      ['A', ['a', 'a-2'], 'a-3'],
      ['--x--', [], 'x'],
    ] as const)
      assert.equal(suggestId(name, taken), id);
  });

  it('always returns a valid, unused id', () => {
    const taken = fc.array(fc.constantFrom('service', 'a', 'sandbox'));
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), taken, (name, used: readonly string[]) => {
        const id = suggestId(name, used);
        assert.equal(parseConnections([{ ...production, id }]).problems.length, 0);
        assert.ok(!used.includes(id));
      }),
    );
  });
});
