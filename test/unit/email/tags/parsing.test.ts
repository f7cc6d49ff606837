import assert from 'node:assert/strict';
import { parseTags, tagLanguage } from '../../../../src/email/tags/index.ts';
import { language } from './setup.ts';

const slice = (text: string, { start, end }: { start: number; end: number }) => text.slice(start, end);

describe('parseTags', () => {
  it('returns the ranges of a tag, its name, id and parameters', () => {
    const text = 'Hi 🙂 {Subscriber: name |part: first|upper}!';
    const [tag, ...others] = parseTags(text, language);
    assert.ok(tag);
    assert.equal(others.length, 0);
    assert.equal(slice(text, tag), '{Subscriber: name |part: first|upper}');
    assert.deepEqual(
      [tag.kind, tag.family, tag.name, tag.id, slice(text, tag.nameRange), slice(text, tag.idRange)],
      ['value', 'subscriber', 'Subscriber', 'name', 'Subscriber', ' name '],
    );
    assert.deepEqual(
      tag.params.map((param) => [param.name, param.value, slice(text, param)]),
      [
        ['part', 'first', 'part: first'],
        ['upper', true, 'upper'],
      ],
    );
  });

  it('decodes percent-encoded braces, colons and bars', () => {
    const text = '<a href="?n=%7Bsubtag%3Aname%7cdefault%3aa%20b%7D">';
    const [tag] = parseTags(text, language);
    assert.ok(tag);
    assert.deepEqual(
      [slice(text, tag), tag.family, tag.name, tag.id, tag.isEncoded, tag.isClosed],
      ['%7Bsubtag%3Aname%7cdefault%3aa%20b%7D', 'subscriber', 'subtag', 'name', true, true],
    );
    assert.deepEqual(
      tag.params.map((param) => [param.name, param.value, slice(text, param)]),
      [['default', 'a b', 'default%3aa%20b']],
    );
  });

  it('links halves of pairs like the service', () => {
    const text =
      '{unsubscribe}a{/unsubscribe} {readonline|theme:1}b{/modify_profile} {unsubscribe}c{unsubscribe}d{/confirm}e{/unsubscribe}';
    const tags = parseTags(text, language);
    assert.deepEqual(
      tags.map(({ kind, family, partner }) => [kind, family, partner]),
      [
        ['open', 'unsubscribe', 1],
        ['close', 'unsubscribe', 0],
        ['open', 'readonline', 3],
        ['close', 'modify_profile', 2],
        ['open', 'unsubscribe', 6],
        ['open', 'unsubscribe', undefined],
        ['close', 'confirm', 4],
        ['close', 'unsubscribe', undefined],
      ],
    );
  });

  it('links nested conditions that contain tags', () => {
    const text = '{if:City=x}{if:var.{list:name}=y}{subscriber:name}{/if}{/if}{/if}';
    const tags = parseTags(text, language);
    assert.deepEqual(
      tags.map(({ kind, partner, level, id }) => [kind, partner, level, id]),
      [
        ['if', 5, 1, 'City=x'],
        ['if', 4, 2, 'var.{list:name}=y'],
        ['value', undefined, undefined, 'name'],
        ['value', undefined, undefined, 'name'],
        ['endIf', 1, 2, ''],
        ['endIf', 0, 1, ''],
        ['endIf', undefined, undefined, ''],
      ],
    );
  });

  for (const [text, tag] of [
    ['Hi {subscriber:na', '{subscriber:na'],
    ['Hi {subscriber:\nname}', '{subscriber:'],
    ['{subscriber:na</p>', '{subscriber:na'],
    ['{subscriber:name|', '{subscriber:name|'],
    ['{unsubscribe', '{unsubscribe'],
    ['{unsubscribe|redirect:', '{unsubscribe|redirect:'],
    ['{/unsubscribe', '{/unsubscribe'],
    ['{if:City', '{if:City'],
    ['{date:%', '{date:%'],
    ['{subscriber:na {date:Y}', '{subscriber:na '],
  ] as const) {
    it(`ends unfinished tags: ${JSON.stringify(text)}`, () => {
      const [first] = parseTags(text, language);
      assert.ok(first);
      assert.deepEqual([slice(text, first), first.isClosed], [tag, false]);
    });
  }

  it('recognizes tag-like text', () => {
    const text =
      '{name} {foo:bar|x} {{name}} ${name} {a;b} <style>p{color:red} {name}</style> <script>{name}</script> {b c} { } {}';
    assert.deepEqual(
      parseTags(text, language).map((tag) => [tag.kind, slice(text, tag), tag.family]),
      [
        ['unknown', '{name}', 'name'],
        ['unknown', '{foo:bar|x}', 'foo'],
        ['unknown', '{b c}', 'b'],
      ],
    );
  });

  it('returns nothing if the service has no tags', () =>
    assert.deepEqual(parseTags('{subscriber:name} {name}', tagLanguage('none')), []));
});
