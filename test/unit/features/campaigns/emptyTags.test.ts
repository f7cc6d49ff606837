import assert from 'node:assert/strict';
import type { Subscriber } from '../../../../src/service/client/index.ts';
import { findEmptyTags, type SampledSubscriber } from '../../../../src/features/campaigns/plan.ts';
import { createCustomFields, tagLanguage } from '../../../../src/email/tags/index.ts';

const language = tagLanguage('acymailing');
const createSubscriber = (name: string, more: object = {}): SampledSubscriber => {
  const subscriber = { id: 1, name, email: 'ann@example.com', ...more } as Partial<Subscriber> as Subscriber;
  return {
    subscriber,
    named: { id: '1', title: name, person: { id: 1, active: 1, name, email: 'ann@example.com', fields: [] } },
  };
};

describe('findEmptyTags', () => {
  const sample = [createSubscriber('Ann'), createSubscriber(''), createSubscriber(''), createSubscriber('Bob')];

  it('counts empty results in the sample, once per distinct tag', () => {
    assert.deepEqual(
      findEmptyTags(['<p>{subscriber:name} {subscriber:name}</p>', 'Hello {subscriber:name}'], language, sample),
      [{ tag: '{subscriber:name}', summary: 'empty for 2 of 4' }],
    );
  });

  it('skips tags with a default and tags with a value for each person', () => {
    assert.deepEqual(
      findEmptyTags(['{subscriber:name|default:friend} {subscriber:email} {date:1}'], language, sample),
      [],
    );
  });

  it('skips fields that the service reports for no subscriber', () => {
    assert.deepEqual(findEmptyTags(['{subscriber:city}'], language, sample), []);
  });

  it('lists content tags as a note, because only the service has the content', () => {
    assert.deepEqual(findEmptyTags(['{post:12|display:title}', '{post:12|display:title}'], language, sample), [
      {
        tag: '{post:12|display:title}',
        summary: 'The service adds the content when it sends the email.',
        isNote: true,
      },
    ]);
  });

  it('counts custom fields by the namekey that resembles their label', () => {
    const createCitizen = (value?: string) => {
      const more = value === undefined ? {} : { 'Home town': value };
      const { subscriber, named } = createSubscriber('Ann', more);
      const fields = value === undefined ? [] : createCustomFields(['Home town']).map((field) => ({ ...field, value }));
      return { subscriber, named: { ...named, person: { ...named.person, fields } } };
    };
    const found = findEmptyTags(['{subscriber:home_town} {subscriber:Home_town} {subscriber:town}'], language, [
      createCitizen('Rome'),
      createCitizen(),
    ]);
    assert.deepEqual(found, [{ tag: '{subscriber:home_town}', summary: 'empty for 1 of 2' }]);
  });

  it('returns nothing without a sample or without a tag language', () => {
    assert.deepEqual(
      [
        findEmptyTags(['{subscriber:name}'], language, []),
        findEmptyTags(['{subscriber:name}'], tagLanguage('none'), sample),
      ],
      [[], []],
    );
  });
});
