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

describe('Connection settings', () => {
  it('are parsed with normalized addresses and the default profile', () => {
    assert.deepEqual(
      parseConnections([{ id: 'production', name: ' Production ', baseUrl: 'HTTPS://Example.com:443/site/' }, staging]),
      { connections: [production, staging], problems: [] },
    );
  });

  for (const nothing of [undefined, null, []]) {
    it(`may be ${JSON.stringify(nothing)}`, () =>
      assert.deepEqual(parseConnections(nothing), { connections: [], problems: [] }));
  }

  const invalid: readonly (readonly [string, Json, string, RegExp])[] = [
    [
      'bad URL',
      { ...production, baseUrl: 'example' },
      '“Production” (entry 2)',
      /"baseUrl": The address must begin with https/,
    ],
    [
      'user-info',
      { ...production, baseUrl: 'https://a:b@example.com' },
      '“Production” (entry 2)',
      /"baseUrl": .*user name or password/,
    ],
    ['query', { ...production, baseUrl: 'https://example.com/?a' }, '“Production” (entry 2)', /"baseUrl": .*query/],
    ['missing id', { name: 'A', baseUrl: 'https://a.example' }, '“A” (entry 2)', /^"id" is missing/],
    ['missing name', { id: 'a', baseUrl: 'https://a.example' }, '“a” (entry 2)', /^"name" is missing/],
    ['missing URL', { id: 'a', name: 'A' }, '“A” (entry 2)', /^"baseUrl" is missing/],
    ['empty name', { id: 'a', name: ' ', baseUrl: 'https://a.example' }, '“a” (entry 2)', /^"name" is empty/],
    ['id as a number', { ...production, id: 7 }, '“Production” (entry 2)', /^"id" must be a text/],
    ['id in capitals', { ...production, id: 'Production' }, '“Production” (entry 2)', /lower-case letters/],
    ['id with a slash', { ...production, id: 'a/b' }, '“Production” (entry 2)', /lower-case letters/],
    ['reserved id', { ...production, id: 'sandbox' }, '“Production” (entry 2)', /reserved/],
    [
      'unsupported profile',
      { ...production, profile: 'other' },
      '“Production” (entry 2)',
      /"documented" or "acymailing"/,
    ],
    ['unsupported tags', { ...production, tags: 'mine' }, '“Production” (entry 2)', /"tags" must be/],
    ['agents in words', { ...production, agents: 'no' }, '“Production” (entry 2)', /"agents" must be true or false/],
    ['tags without families', { ...production, tags: { contact: {} } }, '“Production” (entry 2)', /"tags" must be/],
    ['equal id', { ...staging, name: 'Other' }, '“Other” (entry 2)', /“staging” is used by an entry before/],
    ['text instead of an object', 'https://example.com', 'entry 2', /must be an object/],
    ['null', null, 'entry 2', /must be an object/],
    ['list', [], 'entry 2', /must be an object/],
  ];
  for (const [what, entry, name, words] of invalid) {
    it(`report an invalid entry and use the others: ${what}`, () => {
      const { connections, problems } = parseConnections([staging, entry]);
      assert.deepEqual(connections, [staging]);
      assert.equal(problems.length, 1);
      assert.equal(problems[0]?.entry, name);
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
    assert.match(problems[0]?.message ?? '', /"apiKey".*does not belong/);
    assert.doesNotMatch(JSON.stringify(problems), /secret-value/);
  });

  for (const value of ['x', 1, true, { id: 'a' }]) {
    it(`must be a list: ${JSON.stringify(value)}`, () => {
      const { connections, problems } = parseConnections(value);
      assert.deepEqual(connections, []);
      assert.match(problems[0]?.message ?? '', /must be a list/);
      assert.throws(() => withConnection(value, staging), /must be a list/);
    });
  }

  it('are parsed without an exception for any value, into unique ids', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.array(
            fc.oneof(
              fc.jsonValue(),
              fc.record({ id: fc.constantFrom('a', 'b', 'B'), name: fc.string(), baseUrl: fc.webUrl() }),
            ),
          ),
        ),
        (value) => {
          const { connections } = parseConnections(value as Json);
          assert.equal(new Set(connections.map(({ id }) => id)).size, connections.length);
        },
      ),
    );
  });

  it('keep invalid entries when others are added, replaced or removed', () => {
    const broken = { id: 'broken' };
    const value = [broken, production, 'text'];
    assert.deepEqual(withConnection(value, staging), [...value, staging]);
    assert.deepEqual(withChangedEntry(value, 'production', { ...production, name: 'New' }), [
      broken,
      { ...production, name: 'New' },
      'text',
    ]);
    assert.deepEqual(withChangedEntry(value, 'production'), [broken, 'text']);
  });

  it('change the valid entry if an invalid one has the same id', () => {
    const broken = { id: 'production', name: 'Broken' };
    assert.deepEqual(withChangedEntry([broken, production], 'production'), [broken]);
    assert.equal(withChangedEntry([broken], 'production'), undefined);
  });

  it('reserve the ids of invalid entries', () => {
    assert.deepEqual(listIds([{ id: 'a' }, { id: 1 }, 'b', { id: 'C' }]), ['a', 'C']);
    assert.deepEqual(listIds('a'), []);
  });
});

describe('suggestId', () => {
  const names: readonly (readonly [string, readonly string[], string])[] = [
    ['Production', [], 'production'],
    ['Café & Söhne', [], 'cafe-sohne'],
    ['www.example.com', [], 'www-example-com'],
    ['日本', [], 'service'],
    ['Sandbox', [], 'sandbox-2'],
    ['A', ['a', 'a-2'], 'a-3'],
    ['--x--', [], 'x'],
  ];
  for (const [name, taken, id] of names)
    it(`returns ${id} for “${name}”`, () => assert.equal(suggestId(name, taken), id));

  it('always returns a valid, unused id', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.constantFrom<string>('service', 'a', 'sandbox')),
        (name, taken) => {
          const id = suggestId(name, taken);
          assert.equal(parseConnections([{ ...production, id }]).problems.length, 0);
          assert.ok(!taken.includes(id));
        },
      ),
    );
  });
});
