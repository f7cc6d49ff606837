import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { campaignDetailFields, type CampaignDetails } from '../../../../../src/features/campaigns/details.ts';
import { validateCampaignDetails } from '../../../../../src/features/campaigns/documents.ts';
import type { Json } from '../../../../../src/service/client/shapes.ts';

interface Property {
  readonly type: string;
  readonly description: string;
  readonly markdownDescription: string;
  readonly pattern?: string;
  readonly enum?: readonly Json[];
  readonly enumDescriptions?: readonly string[];
  readonly examples: readonly Json[];
}

const schema = JSON.parse(
  readFileSync(new URL('../../../../../media/schemas/campaign.schema.json', import.meta.url), 'utf8'),
) as {
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
  readonly properties: Readonly<Record<string, Property>>;
};
const base = { name: 'A name', subject: 'A subject' };
/** Fields that a field requires. */
const requiredFields: Readonly<Partial<Record<keyof CampaignDetails, object>>> = {
  sending_date: { sending_type: 'scheduled' },
  frequency: { sending_type: 'auto', frequency_options: { unit: 'day', value: 1 } },
  frequency_options: { sending_type: 'auto', frequency: 'every' },
};

describe('the JSON schema of campaign details', () => {
  it('lists exactly the details of a campaign, in document order, without additional properties', () => {
    assert.deepEqual(Object.keys(schema.properties), campaignDetailFields);
    assert.deepEqual(schema.required, ['name', 'subject']);
    assert.equal(schema.additionalProperties, false);
  });

  for (const [name, { description, markdownDescription, examples, enum: values, enumDescriptions }] of Object.entries(
    schema.properties,
  )) {
    it(`describes ${name}, with valid examples`, async () => {
      assert.match(description, /\S.*\.$/u);
      assert.match(markdownDescription, /^\*\*/u);
      assert.equal(values?.length, enumDescriptions?.length);
      assert.ok(examples.length > 0);
      for (const example of examples)
        assert.deepEqual(
          await validateCampaignDetails({ ...base, ...requiredFields[name as keyof CampaignDetails], [name]: example }),
          [],
        );
    });
  }

  const texts = [
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
  ];
  for (const name of ['name', 'subject', 'from_name', 'from_email', 'reply_to_email', 'bounce_email', 'bcc']) {
    it(`validates ${name} as saving does`, async () => {
      const { pattern } = schema.properties[name] ?? {};
      for (const text of texts) {
        const stored = (await validateCampaignDetails({ ...base, [name]: text })).length === 0;
        assert.equal(pattern === undefined || new RegExp(pattern, 'u').test(text), stored, JSON.stringify(text));
      }
    });
  }
});
