import assert from 'node:assert/strict';
import { findSubjectProblems, readFormTags } from '../../../../../src/features/campaigns/form/fields.ts';
import type { Connections } from '../../../../../src/platform/connections/connections.ts';
import type { Json } from '../../../../../src/service/client/shapes.ts';

const connections = (setting: Json | undefined, fieldNames: readonly string[]) =>
  ({ get: () => ({ tags: setting }), getCustomFieldNames: () => fieldNames }) as object as Connections;

describe('tags of the campaign form', () => {
  it('are those of its service, with the observed custom fields', () => {
    assert.deepEqual(readFormTags(connections(undefined, ['email', 'City']), 'test'), {
      type: 'tags',
      setting: 'acymailing',
      fields: [{ namekey: 'city', label: 'City', isGuessed: true }],
    });
    assert.equal(readFormTags(connections('none', []), 'test').setting, 'none');
    assert.deepEqual(
      readFormTags(connections('none', ['City']), undefined),
      { type: 'tags', setting: 'acymailing', fields: [] },
      'A local file has no service.',
    );
  });

  it('are checked in the subject, as warnings that do not prevent saving', () => {
    const tags = readFormTags(connections(undefined, ['City']), 'test');
    const [problem, ...others] = findSubjectProblems('Hi {name} from {subscriber:city}', tags);
    assert.deepEqual([problem?.path, problem?.kind, others], [['subject'], 'warning', []]);
    assert.match(problem?.message ?? '', /"\{name\}" isn't a merge tag/u);
    assert.deepEqual(
      findSubjectProblems('{readonline}x{/readonline}', tags).map(({ kind }) => kind),
      ['warning'],
    );
    for (const subject of [undefined, 7, '', 'Hi {subscriber:name}', '{ "a": 1 }'])
      assert.deepEqual(findSubjectProblems(subject, tags), []);
    assert.deepEqual(findSubjectProblems('Hi {name}', readFormTags(connections('none', []), 'test')), []);
  });
});
