import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { campaignDetailFields } from '../../../src/features/campaigns/details.ts';
import { campaignDetailsSchema } from '../../../src/features/campaigns/documents.ts';
import { followUpDetailFields } from '../../../src/features/followUps/model.ts';
import { mailDetailFields } from '../../../src/features/followUps/record.ts';
import { followUpDetailsSchema, mailSchema } from '../../../src/features/followUps/validation.ts';
import type { Json } from '../../../src/service/client/shapes.ts';

interface Property {
  readonly description: string;
  readonly markdownDescription: string;
  readonly pattern?: string;
  readonly enum?: readonly Json[];
  readonly enumDescriptions?: readonly string[];
  readonly examples: readonly Json[];
}

interface Schema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
  readonly defaultSnippets?: readonly { readonly body: object }[];
}

const readSchema = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../media/schemas/${name}.schema.json`, import.meta.url), 'utf8')) as Schema;

/** Fields that a field of a campaign requires. */
const requiredFields: Readonly<Record<string, object>> = {
  sending_date: { sending_type: 'scheduled' },
  frequency: { sending_type: 'auto', frequency_options: { unit: 'day', value: 1 } },
  frequency_options: { sending_type: 'auto', frequency: 'every' },
};

describe('JSON schemas', () => {
  for (const [name, fields, schema, required] of [
    ['campaign', campaignDetailFields, campaignDetailsSchema, ['name', 'subject']],
    ['follow-up', followUpDetailFields, followUpDetailsSchema, ['name', 'display_name', 'trigger']],
    ['follow-up-mail', mailDetailFields, mailSchema, ['name', 'subject']],
  ] as const) {
    it(`describe every field of ${name} with valid examples`, () => {
      const { properties, defaultSnippets = [], ...rest } = readSchema(name);
      assert.deepEqual([Object.keys(properties), Object.keys(schema.entries)], [fields, fields]);
      assert.deepEqual([rest.required, rest.additionalProperties], [required, false]);
      const base = Object.fromEntries(required.map((field) => [field, properties[field]?.examples[0]]));
      for (const [field, { description, markdownDescription, examples, ...values }] of Object.entries(properties)) {
        assert.match(description, /\S.*\.$/u, field);
        assert.match(markdownDescription, /^\*\*/u, field);
        assert.equal(values.enum?.length, values.enumDescriptions?.length, field);
        assert.ok(examples.length > 0, field);
        for (const example of examples)
          assert.ok(v.safeParse(schema, { ...base, ...requiredFields[field], [field]: example }).success, field);
      }
      for (const { body } of defaultSnippets)
        for (const field of Object.keys(body)) assert.ok(Object.hasOwn(properties, field), field);
    });
  }

  for (const name of ['name', 'subject', 'from_name', 'from_email', 'reply_to_email', 'bounce_email', 'bcc']) {
    it(`validate ${name} of a campaign as saving does`, () => {
      const { pattern = '' } = readSchema('campaign').properties[name] ?? {};
      for (const text of [
        '',
        ' ',
        'ann',
        'ann@example.com',
        'ann@@example.com',
        'ann@example.com, bob@example.com',
        'ann@example.com,',
        'Ann <ann@example.com>',
        ' ann@example.com',
        'ünal@exämple.de',
        '@example.com',
      ]) {
        const { success } = v.safeParse(campaignDetailsSchema, { name: 'A name', subject: 'A subject', [name]: text });
        assert.equal(new RegExp(pattern, 'u').test(text), success, JSON.stringify(text));
      }
    });
  }
});
