import assert from 'node:assert/strict';
import {
  createCustomFields,
  createRendering,
  findTagProblems,
  listPossibleFields,
  parseTags,
  renderTags,
  tagLanguage,
  type TagLocation,
} from '../../../../src/email/tags/index.ts';
import type { TextEdit } from '../../../../src/email/html/text.ts';
import { language } from './setup.ts';

const fields = [
  { namekey: 'city', label: 'City' },
  { namekey: 'company', label: 'Company' },
];
const find = (text: string, where: TagLocation = 'body') => findTagProblems(text, language, where, { fields });
const apply = (text: string, edits: readonly TextEdit[]) =>
  [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);

/** A text, the broken rule, the marked range, and the text after the first fix (null: no fix). */
const brokenTags: readonly (readonly [
  text: string,
  rule: string,
  marked: string,
  fixed: string | null,
  where?: TagLocation,
])[] = [
  ['Hi {name}', 'tag-unrecognized', '{name}', 'Hi {subscriber:name}'],
  ['Hi {firstname}', 'tag-unrecognized', '{firstname}', 'Hi {subscriber:name}'],
  ['{foo:bar}', 'tag-add-on', '{foo:bar}', null],
  ['{subscribr:name}', 'tag-unrecognized', '{subscribr:name}', '{subscriber:name}'],
  ['{date}', 'tag-unrecognized', '{date}', '{date:j F Y}'],
  ['{subscriber:nmae}', 'tag-field', 'nmae', '{subscriber:name}'],
  ['?n=%7Bsubscriber%3Anmae%7D', 'tag-field', 'nmae', '?n=%7Bsubscriber%3Aname%7D'],
  ['{list:nmae}', 'tag-field', 'nmae', '{list:name}'],
  ['{subscriber:Name}', 'tag-name-case', 'Name', '{subscriber:name}'],
  ['{subscriber:City}', 'tag-name-case', 'City', '{subscriber:city}'],
  ['{subscriber:name|Upper}', 'tag-name-case', 'Upper', '{subscriber:name|upper}'],
  ['{Rand:a;b}', 'tag-name-case', 'Rand', '{rand:a;b}'],
  ['{UNSUBSCRIBE}x{/unsubscribe}', 'tag-name-case', 'UNSUBSCRIBE', '{unsubscribe}x{/unsubscribe}'],
  ['{unsubscribe}', 'tag-half-pair', '{unsubscribe}', '{unsubscribe}{/unsubscribe}'],
  ['{/unsubscribe}', 'tag-half-pair', '{/unsubscribe}', ''],
  ['{unsubscribe}x{/unsubscibe}', 'tag-half-pair', '{unsubscribe}', '{unsubscribe}x{/unsubscribe}'],
  ['{if:City=x}y', 'tag-half-pair', '{if:City=x}', 'y'],
  ['{subscriber:name', 'tag-unclosed', '{subscriber:name', '{subscriber:name}'],
  ['{subscriber:name|default:{subscriber:email}}', 'tag-unclosed', '{subscriber:name|default:', null],
  ['{subscriber :name}', 'tag-blank', '{subscriber :name}', '{subscriber:name}'],
  ['{ unsubscribe }', 'tag-blank', '{ unsubscribe }', '{unsubscribe}'],
  ['{readonline}x{/readonline}', 'tag-not-here', '{readonline}', null, 'subject'],
  ['{unsubscribe}x{/unsubscribe}', 'tag-not-here', '{unsubscribe}', null, 'subject'],
  ['{if:City=x}y{/if}', 'tag-not-here', '{if:City=x}', null, 'preheader'],
  ['{mail:subject}', 'tag-not-here', '{mail:subject}', null, 'subject'],
  ['{date:Y}', 'tag-not-here', '{date:Y}', null, 'headers'],
  ['{subscriber:<b>name</b>}', 'tag-cut-by-markup', '{subscriber:<b>name</b>}', '{subscriber:name}'],
  ['{sub<i>scriber</i>:name}', 'tag-cut-by-markup', '{sub<i>scriber</i>:name}', '{subscriber:name}'],
  [
    '<a href="{unsubscribe}Leave{/unsubscribe}">',
    'tag-link-in-link',
    'Leave',
    '<a href="{unsubscribe}{/unsubscribe}">',
  ],
  ['{subscriber:name|trim}', 'tag-parameter-name', 'trim', '{subscriber:name|rtrim}'],
  ['{usertag:user_login|default:x}', 'tag-parameter-name', 'default:x', '{usertag:user_login}'],
  ['{subscriber:name|default}', 'tag-parameter-value', 'default', '{subscriber:name|default:friend}'],
  ['{subscriber:name|part:lats}', 'tag-parameter-value', 'part:lats', '{subscriber:name|part:last}'],
  ['{subscriber:name|part: last}', 'tag-parameter-value', 'part: last', '{subscriber:name|part:last}'],
  ['{subscriber:name|type:date |upper}', 'tag-parameter-value', 'type:date ', '{subscriber:name|type:date|upper}'],
  ['{subscriber:name |default:friend}', 'tag-field', 'name ', '{subscriber:name|default:friend}'],
  ['{date:Y|add:1 day}', 'tag-parameter-value', 'add:1 day', null],
  [
    '{subscriber:name|part:first|default:dear friend}',
    'tag-default-formatted',
    'default:dear friend',
    '{subscriber:name|part:first|default:dear}',
  ],
  ['{if:City}x{/if}', 'tag-condition-operator', '{if:City}', null],
  ['{if:City==x}y{/if}', 'tag-condition-operator', 'City==x', '{if:City=x}y{/if}'],
  ['{if:City<>x}y{/if}', 'tag-condition-operator', 'City<>x', '{if:City!=x}y{/if}'],
  ['{if:id>=42}y{/if}', 'tag-condition-operator', 'id>=42', '{if:id>41}y{/if}'],
  ['{if:id&lt;=42}y{/if}', 'tag-condition-operator', 'id&lt;=42', '{if:id<43}y{/if}'],
  ['{if:City=}y{/if}', 'tag-condition-value', '{if:City=}', null],
  ['{if:city=x}y{/if}', 'tag-name-case', 'city', '{if:City=x}y{/if}'],
  ['{if:City=x}a{else}b{/if}', 'tag-condition-else', '{else}', '{if:City=x}a{/if}{if:City!=x}b{/if}'],
  ['{if:City!~x}a{else}b{/if}', 'tag-condition-else', '{else}', '{if:City!~x}a{/if}{if:City~x}b{/if}'],
  // `!=` compares with the whole text, and `=` with each of its parts.
  ['{if:City!=x;y}a{else}b{/if}', 'tag-condition-else', '{else}', null],
  ['{if:id=1}{if:id=1}{if:id=1}{if:id=1}x{/if}{/if}{/if}{/if}', 'tag-condition-depth', '{if:id=1}', null],
  ['<a href="{if:City=x}a{/if}">', 'tag-condition-in-link', '{if:City=x}', null],
];

describe('findTagProblems', () => {
  for (const [text, rule, marked, fixed, where] of brokenTags) {
    it(`reports ${rule} in ${JSON.stringify(text)}`, () => {
      const problems = find(text, where);
      const problem = problems.find((candidate) => candidate.rule === rule);
      assert.ok(problem, `found ${problems.map((candidate) => candidate.rule).join(', ') || 'nothing'}`);
      assert.equal(text.slice(problem.start, problem.end), marked);
      const [fix] = problem.fixes;
      assert.equal(fix ? apply(text, fix.edits) : null, fixed);
      assert.match(problem.message, /[.?]$/);
      if (fix && fixed !== null)
        assert.ok(
          !find(fixed, where).some((left) => left.rule === rule && left.start === problem.start),
          `${fixed} breaks the same rule`,
        );
    });
  }

  it('reports nothing for valid tags', () => {
    const text = [
      'Hi {subscriber:name|part:first|default:friend}, {date:j F Y} {date:%d %B} {list:names|separator: + } {trans:ACYM_HELLO|x} {rand:a;b}',
      '<a href="{unsubscribe}{/unsubscribe}">x</a> {unsubscribe}x{/unsubscribe} {readonline|theme:1}y{/readonline} {subscribe|lists:1,2}z{/subscribe}',
      '{if:City=x;y}a{if:email~@example.com}b{/if}{/if} {if:var.{list:name}=weekly}c{/if} {subscriber: city } {subscriber:city| part: first |type:time } {Subscriber:city|UPPER:x|upper}'.replace(
        '|UPPER:x',
        '',
      ),
      '<style>p{color:red}</style> {{other}} ${script} { "json": 1 } {usertag:anything} {config:sitename} {info:site_name}x{/info}',
    ].join('\n');
    assert.deepEqual(find(text), []);
  });

  it('accepts unrecognized fields, because the site may have more', () => {
    assert.deepEqual(findTagProblems('{subscriber:zzzzzz} {if:Zzzzzz=1}x{/if}', language, 'body'), []);
    assert.deepEqual(
      findTagProblems('{subscriber:nmae}', language, 'body').map(({ rule }) => rule),
      ['tag-field'],
    );
  });

  it('recognizes observed fields by label and by derived namekey', () => {
    const observedFields = createCustomFields(['Shoe size', 'city']);
    const findFixes = (text: string): (readonly [string, string | undefined])[] =>
      findTagProblems(text, language, 'body', { fields: observedFields }).map(
        ({ rule, fixes }) => [rule, fixes[0] && apply(text, fixes[0].edits)] as const,
      );
    assert.deepEqual(
      findFixes(
        '{subscriber:shoesize} {subscriber:city} {if:Shoe size>40}x{/if} {if:city=x}y{/if} {subscriber:other_one} {if:Other=1}x{/if}',
      ),
      [],
    );
    assert.deepEqual(findFixes('{subscriber:Shoe size}'), [['tag-name-case', '{subscriber:shoesize}']]);
    assert.deepEqual(findFixes('{subscriber:shoesise}'), [['tag-field', '{subscriber:shoesize}']]);
    assert.deepEqual(findFixes('{if:shoesize=40}x{/if}'), [['tag-field', '{if:Shoe size=40}x{/if}']]);
    assert.deepEqual(findFixes('{City}'), [['tag-unrecognized', '{subscriber:city}']]);
  });

  it('accepts any namekey that resembles the label of an observed field', () => {
    const fields = createCustomFields(['Home town', 'Prénom']);
    const find = (text: string) => findTagProblems(text, language, 'body', { fields }).map(({ rule }) => rule);
    assert.deepEqual(find('{subscriber:home_town} {subscriber:home-town} {subscriber:prenom}'), []);
    assert.deepEqual(find('{subscriber:Home_town}'), ['tag-field']);
    const person = { id: 1, fields: fields.map((field) => ({ ...field, value: `<${field.label}>` })) };
    const { text } = renderTags('{subscriber:home_town}|{subscriber:Home town}', language, createRendering(person));
    assert.equal(text, '<Home town>|');
  });

  it('offers the fields without a namekey for a tag with an unknown one, until the user chooses', () => {
    const labels = ['Wohnort', 'Shoe size', 'hobby'];
    const list = (text: string, namekeys?: ReadonlyMap<string, string>, tags = language) => {
      const fields = createCustomFields(labels, namekeys);
      return parseTags(text, language).flatMap((tag) =>
        listPossibleFields(tag, tags, fields).map(({ label }) => label),
      );
    };
    assert.deepEqual(list('{subscriber:city}'), labels);
    for (const text of [
      ...['{subscriber:name}', '{subscriber:shoe_size}', '{subscriber:hobby}', '{subscriber:Shoe size}', '{city}'],
      ...['{date:city}', '{if:city=x}', '{unsubscribe}', '{subscriber:}'],
    ])
      assert.deepEqual(list(text), [], text);
    assert.deepEqual(list('{subscriber:city}', undefined, tagLanguage('none')), []);
    const namekeys = new Map([['Wohnort', 'city']]);
    assert.deepEqual(list('{subscriber:city}', namekeys), []);
    assert.deepEqual(list('{subscriber:other}', namekeys), ['Shoe size', 'hobby']);
    const [field] = createCustomFields(labels, namekeys);
    assert.deepEqual(field, { namekey: 'city', label: 'Wohnort' });
    const person = { id: 1, fields: [{ ...field, value: 'Rome' }] };
    assert.equal(renderTags('{subscriber:city}', language, createRendering(person)).text, 'Rome');
  });

  it('reports nothing if the service has no tags', () =>
    assert.deepEqual(findTagProblems('{name} {unsubscribe}', tagLanguage('none'), 'body'), []));
});
