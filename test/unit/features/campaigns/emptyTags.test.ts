import assert from 'node:assert/strict';
import type { Subscriber } from '../../../../src/service/client/index.ts';
import { findEmptyTags, type SampledSubscriber } from '../../../../src/features/campaigns/emptyTags.ts';
import { tagLanguage } from '../../../../src/email/tags/index.ts';

const language = tagLanguage('acymailing');
const someone = (name: string, more: object = {}): SampledSubscriber => {
  const subscriber = { id: 1, name, email: 'ann@example.com', ...more } as unknown as Subscriber;
  return {
    subscriber,
    named: { id: '1', title: name, person: { id: 1, active: 1, name, email: 'ann@example.com', fields: [] } },
  };
};

describe('tags that come out empty', () => {
  const sample = [someone('Ann'), someone(''), someone(''), someone('Bob')];

  it('are counted among the people of the sample, each tag once', () => {
    assert.deepEqual(
      findEmptyTags(['<p>{subscriber:name} {subscriber:name}</p>', 'Hello {subscriber:name}'], language, sample),
      [{ tag: '{subscriber:name}', summary: 'empty for 2 of 4' }],
    );
  });

  it('are none where a default stands for what is not there, or everybody has a value', () => {
    assert.deepEqual(
      findEmptyTags(['{subscriber:name|default:friend} {subscriber:email} {date:1}'], language, sample),
      [],
    );
  });

  it('are not told of a field that the service does not tell of anybody', () => {
    assert.deepEqual(findEmptyTags(['{subscriber:city}'], language, sample), []);
  });

  it('are none without people, and without tags', () => {
    assert.deepEqual(
      [
        findEmptyTags(['{subscriber:name}'], language, []),
        findEmptyTags(['{subscriber:name}'], tagLanguage('none'), sample),
      ],
      [[], []],
    );
  });
});
