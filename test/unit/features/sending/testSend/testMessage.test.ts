import assert from 'node:assert/strict';
import { templateDocuments } from '../../../../../src/features/templates/documents.ts';
import { templateSuffixes } from '../../../../../src/features/templates/model.ts';
import { Uri, user } from '../../../../support/vscodeStandIn.ts';

const { createTestableMail } = await import('../../../../../src/features/sending/testSend/testMessage.ts');

describe('createTestableMail', () => {
  it('names the people of the preview that have an email address', async () => {
    const getUri = (suffix: string) =>
      Uri.from({ scheme: 'mailing', authority: 'one', path: `/templates/1/Hello${suffix}` });
    const texts = [
      [templateSuffixes.body, '<p>Hello</p>'],
      [templateSuffixes.stylesheet, ''],
      [templateSuffixes.details, '{}'],
    ] as const;
    user.reset();
    user.documents.push(...texts.map(([suffix, text]) => ({ uri: getUri(suffix), getText: () => text })));
    const people = [
      { id: 'ann', title: 'Ann', person: { email: 'ann@example.com' }, isSelected: true },
      { id: 'bob', title: 'Bob', person: { email: '' }, isSelected: false },
      { id: 'carl', title: 'Carl', person: {}, isSelected: false },
    ];
    const services = {
      documents: {
        find: () => undefined,
        resolveUri: async () => getUri(templateSuffixes.body),
        getSiblingUri: (_: Uri, suffix: string) => getUri(suffix),
      },
      previews: { getPeople: () => people },
    };
    const { message } = await createTestableMail(
      services as never,
      { kind: templateDocuments, parts: templateSuffixes, getMailId: ({ id }) => id },
      { connection: 'one', baseUrl: 'https://one.example', id: 1 },
    );
    assert.deepEqual(message.persons, [{ title: 'Ann', email: 'ann@example.com', isShown: true }]);
  });
});
