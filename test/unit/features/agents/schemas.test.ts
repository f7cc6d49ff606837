import assert from 'node:assert/strict';
import type * as v from 'valibot';
import { inputSchemas, readInput } from '../../../../src/features/agents/schemas.ts';
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

const keywords: Readonly<Record<string, (part: Part) => JsonSchema>> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  integer: () => ({ type: 'integer' }),
  picklist: ({ options }) => ({ type: 'string', enum: options }),
  array: ({ item }) => ({ type: 'array', items: item && jsonSchema(item) }),
  optional: ({ wrapped }) => (wrapped ? jsonSchema(wrapped) : {}),
  min_value: ({ requirement }) => ({ minimum: requirement }),
  strict_object: ({ entries = {} }) => {
    const required = Object.entries(entries)
      .filter(([, { type }]) => type !== 'optional')
      .map(([name]) => name);
    const properties = Object.fromEntries(Object.entries(entries).map(([name, part]) => [name, jsonSchema(part)]));
    return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 && { required }) };
  },
};

function jsonSchema(part: Part, kind?: string): JsonSchema {
  const sizes: Readonly<Record<string, string>> = {
    min_length: kind === 'array' ? 'minItems' : 'minLength',
    max_length: kind === 'array' ? 'maxItems' : 'maxLength',
  };
  if (part.pipe)
    return part.pipe.reduce(
      (all, each) => ({ ...all, ...jsonSchema(each.pipe ? { ...each, pipe: undefined } : each, part.type) }),
      {},
    );
  const size = sizes[part.type];
  if (size !== undefined) return { [size]: part.requirement };
  return (keywords[part.type] ?? assert.fail(`No word for ${part.type}.`))(part);
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
