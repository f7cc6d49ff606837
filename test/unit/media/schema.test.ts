import assert from 'node:assert/strict';
import * as v from 'valibot';
import { templateDetailsSchema } from '../../../src/sync/mapping/templateLayout.ts';
import { readJson } from '../../support/manifest.ts';

interface Property {
  readonly type: string;
  readonly description: string;
  readonly markdownDescription: string;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly minLength?: number;
  readonly examples: readonly string[];
}

interface Schema {
  readonly $schema: string;
  readonly type: string;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
  readonly properties: Readonly<Record<string, Property>>;
  readonly defaultSnippets: readonly { readonly body: Readonly<Record<string, string>> }[];
}

const schema = readJson<Schema>('media/schemas/template.schema.json');
/** Arguments of `updateTemplate` besides id, body and stylesheet, named as in the API. */
const details = [
  'name',
  'subject',
  'preheader',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
  'headers',
];

/** Returns whether the schema's keywords for strings accept a text. */
function accepts({ pattern, minLength = 0 }: Property, text: string) {
  return text.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}

describe('the schema of template details', () => {
  it('uses draft 7, and allows no other properties', () => {
    assert.equal(schema.$schema, 'http://json-schema.org/draft-07/schema#');
    assert.equal(schema.type, 'object');
    assert.equal(schema.additionalProperties, false);
    assert.deepEqual(schema.required, ['name']);
  });

  it('lists exactly the details of a template, in document order, and the read-only settings', () => {
    assert.deepEqual(Object.keys(schema.properties), [...details, 'settings']);
    assert.deepEqual(Object.keys(templateDetailsSchema.entries), [...details, 'settings']);
    for (const { body } of schema.defaultSnippets) assert.deepEqual(Object.keys(body), details);
  });

  const texts = [
    '',
    ' ',
    'ann',
    'ann@example.com',
    'ann@localhost',
    'ann@@example.com',
    'ann@example.com, bob@example.com',
    'Ann <ann@example.com>',
    ' ann@example.com',
    'ann@example.com\n',
    'ünal@exämple.de',
    '@example.com',
    'ann@',
  ];
  for (const [name, property] of Object.entries(schema.properties)) {
    it(`describes ${name} with valid examples, and validates it as a save does`, () => {
      assert.equal(property.type, 'string');
      assert.match(property.description, /\S.*\.$/u);
      assert.match(property.markdownDescription, /^\*\*/u);
      assert.equal(property.pattern === undefined, property.patternErrorMessage === undefined);
      assert.ok(property.examples.length > 0);
      for (const example of property.examples) assert.ok(accepts(property, example), example);
      for (const text of texts) {
        const saved = v.safeParse(templateDetailsSchema, { name: 'A name', [name]: text }).success;
        assert.equal(accepts(property, text), saved, JSON.stringify(text));
      }
    });
  }

  it('allows no two addresses', () => {
    const { from_email: from, reply_to_email: replyTo } = schema.properties;
    assert.ok(from && replyTo && !accepts(from, 'a@b.c, d@e.f') && !accepts(replyTo, 'a@b.c, d@e.f'));
  });
});
