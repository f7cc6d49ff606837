import assert from 'node:assert/strict';
import type * as v from 'valibot';
import { inputSchemas, readInput } from '../../../../src/sync/tools/schemas.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';
import { readManifest } from '../../../support/manifest.ts';

interface JsonSchema {
  readonly [keyword: string]: Json | JsonSchema | Readonly<Record<string, JsonSchema>> | undefined;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

interface ContributedTool {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly modelDescription: string;
  readonly userDescription: string;
  readonly when: string;
  readonly inputSchema: JsonSchema;
}

const { contributes } = readManifest<{
  readonly contributes: { readonly languageModelTools: readonly ContributedTool[] };
}>();
const contributed = contributes.languageModelTools;

/** A part of a valibot schema, to convert to JSON schema. */
interface Part {
  readonly type: string;
  readonly requirement?: number;
  readonly pipe?: readonly Part[];
  readonly wrapped?: Part;
  readonly item?: Part;
  readonly options?: readonly string[];
  readonly entries?: Readonly<Record<string, Part>>;
}

function jsonSchema({
  type,
  requirement,
  pipe: [, ...checks] = [],
  wrapped,
  item,
  options,
  entries,
}: Part): JsonSchema {
  if (wrapped) return jsonSchema(wrapped);
  if (type === 'min_value') return { minimum: requirement };
  if (type === 'integer') return { type };
  if (/^m(?:in|ax)_length$/u.test(type)) return { [type.slice(0, 3)]: requirement };
  const own: JsonSchema = { type: { picklist: 'string', strict_object: 'object' }[type] ?? type };
  const { min, max, ...more } = Object.assign({}, ...checks.map(jsonSchema)) as JsonSchema;
  const sizes = type === 'array' ? { minItems: min, maxItems: max } : { minLength: min, maxLength: max };
  const names = Object.entries(entries ?? {});
  const required = names.filter(([, part]) => part.type !== 'optional').map(([name]) => name);
  return {
    ...own,
    ...Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined)),
    ...more,
    ...(options && { enum: options }),
    ...(item && { items: jsonSchema(item) }),
    ...(entries && { additionalProperties: false }),
    ...(entries && { properties: Object.fromEntries(names.map(([name, part]) => [name, jsonSchema(part)])) }),
    ...(required.length > 0 && { required }),
  };
}

/** Removes the descriptions and asserts that every property has one. */
function removeDescriptions({ description: _, properties, items, ...rest }: JsonSchema): JsonSchema {
  const all = Object.entries(properties ?? {});
  for (const [name, property] of all) assert.match(property.description ?? '', /\.$/u, name);
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(all.map(([name, property]) => [name, removeDescriptions(property)])),
    }),
    ...(items && { items: removeDescriptions(items) }),
  };
}

describe('inputs of tools for language models', () => {
  it('match the tools in package.json', () => {
    assert.deepEqual(
      contributed.map(({ name }) => name),
      Object.keys(inputSchemas),
    );
  });

  for (const { name, inputSchema, when, modelDescription, userDescription } of contributed) {
    it(`match the JSON schema: ${name}`, () => {
      const schema: v.GenericSchema = inputSchemas[name as keyof typeof inputSchemas];
      assert.deepEqual(removeDescriptions(inputSchema), jsonSchema(schema as object as Part));
      assert.equal(when, 'isWorkspaceTrusted');
      for (const description of [modelDescription, userDescription]) assert.match(description, /\.$/u);
    });
  }

  it('offer no sending, deleting, subscribing or scheduling', () => {
    const acts = contributed.map(({ name, toolReferenceName }) => `${name} ${toolReferenceName}`).join(' ');
    assert.doesNotMatch(acts, /sendCampaign|schedule|delete|subscribe|subscribers|key/iu);
    const fields = contributed.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    assert.deepEqual(
      fields.filter((field) => /mail|address|list|key|date|recipient/iu.test(field)),
      [],
    );
  });

  const wrong: readonly (readonly [keyof typeof inputSchemas, Json | undefined, RegExp])[] = [
    ['mailing_find', undefined, /^what: /u],
    ['mailing_find', { what: 'subscribers' }, /^what: /u],
    ['mailing_find', 'templates', /Expected Object/u],
    ['mailing_readTemplate', { id: '7' }, /^id: /u],
    ['mailing_readTemplate', { id: 1.5 }, /^id: /u],
    ['mailing_readTemplate', { id: 1, offset: -1 }, /^offset: /u],
    ['mailing_sendTest', { id: 1, to: ['ann@example.com'] }, /^to: /u],
    ['mailing_sendTest', { id: 1, to: 'testList', addresses: ['ann@example.com'] }, /^addresses: /u],
    ['mailing_createDraftCampaign', { name: '', subject: 'x' }, /^name: /u],
    ['mailing_createDraftCampaign', { name: 'x', subject: 'x', listIds: [6] }, /^listIds: /u],
    ['mailing_statistics', { campaigns: [1, 2, 3, 4, 5, 6] }, /^campaigns: /u],
    ['mailing_proposeTemplate', { id: 1, details: { bcc: 'x' } }, /^details\.bcc: /u],
  ];
  for (const [name, input, words] of wrong) {
    it(`report invalid input: ${name} ${JSON.stringify(input)}`, () => {
      const read = readInput(name, input);
      assert.ok('problems' in read);
      assert.match(read.problems.join('\n'), words);
    });
  }

  it('are returned unchanged if they are valid', () => {
    assert.deepEqual(readInput('mailing_sendTest', { id: 7, to: 'testList' }), { input: { id: 7, to: 'testList' } });
  });
});
