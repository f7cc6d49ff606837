import assert from 'node:assert/strict';
import { findSubjectProblems, readFormTags } from '../../../../../src/features/campaigns/host/tags.ts';
import type { Connections } from '../../../../../src/platform/connections/connections.ts';

const connections = (setting: unknown, seen: readonly string[]): Connections =>
  ({ get: () => ({ tags: setting }), getCustomFieldNames: () => seen }) as unknown as Connections;

describe('Tags that a campaign’s form is told', () => {
  it('are those of its service, with the fields that were seen', () => {
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

  it('are checked in its subject, as doubts: nothing keeps it from being stored', () => {
    const known = readFormTags(connections(undefined, ['City']), 'test');
    const [problem, ...others] = findSubjectProblems('Hi {name} from {subscriber:city}', known);
    assert.deepEqual([problem?.path, problem?.kind, others], [['subject'], 'warning', []]);
    assert.match(problem?.message ?? '', /“\{name\}” is no tag of the service/u);
    assert.deepEqual(
      findSubjectProblems('{readonline}x{/readonline}', known).map(({ kind }) => kind),
      ['warning'],
    );
    for (const subject of [undefined, 7, '', 'Hi {subscriber:name}', '{ "a": 1 }'])
      assert.deepEqual(findSubjectProblems(subject, known), []);
    assert.deepEqual(findSubjectProblems('Hi {name}', readFormTags(connections('none', []), 'test')), []);
  });
});
