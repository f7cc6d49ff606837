import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parsePeople } from '../../../../src/sync/mapping/peopleFile.ts';
import { createRendering, renderTags, tagLanguage } from '../../../../src/email/tags/index.ts';

describe('parsePeople', () => {
  it('reads people with the fields that tags and conditions use', () => {
    const [ann, bo] = parsePeople(
      JSON.stringify({
        people: [
          {
            title: 'Ann in Rome',
            name: 'Ann',
            email: 'ann@example.com',
            fields: { city: { label: 'City', value: 'Rome' } },
          },
          { email: 'bo@example.com', fields: { city: 'Paris', age: 4 } },
        ],
      }),
    );
    assert.deepEqual([ann?.title, bo?.title], ['Ann in Rome', 'bo@example.com']);
    const text = '{subscriber:city} {if:City=Rome}R{/if}{if:city=Paris}P{/if}{subscriber:age}';
    const rendered = [ann, bo].map(
      (each) => renderTags(text, tagLanguage('acymailing'), createRendering(each?.person ?? {})).text,
    );
    assert.deepEqual(rendered, ['Rome R', 'Paris P4']);
  });

  it('ignores invalid content', () => {
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      '{"people": 1}',
      '{"people": [1, null, "x", []]}',
      '{"people":'.repeat(100_000),
    ])
      assert.deepEqual(parsePeople(text), [], text.slice(0, 40));
    const [person] = parsePeople('{"people": [{"name": {"a": 1}, "email": "e@x.example", "fields": [1], "title": 7}]}');
    assert.deepEqual([person?.title, person?.person.name, person?.person.fields], ['7', undefined, []]);
  });

  it('limits the number of people', () => {
    assert.equal(
      parsePeople(JSON.stringify({ people: Array.from({ length: 500 }, () => ({ name: 'x' })) })).length,
      200,
    );
  });

  it('has a schema with the field names that are read', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../../../media/schemas/people.schema.json', import.meta.url), 'utf8'),
    ) as {
      properties: { people: { items: { properties: Record<string, { description: string }> } } };
    };
    const columns = new Set(
      tagLanguage('acymailing')
        .families.find(({ source }) => source === 'subscriber')
        ?.ids.map(({ id }) => id),
    );
    const names = Object.keys(schema.properties.people.items.properties);
    assert.deepEqual(
      names.filter((name) => !columns.has(name)),
      ['title', 'fields'],
    );
  });
});
