import assert from 'node:assert/strict';
import { json } from '../../support/wire.ts';
import { operationCases, type ResponseKind, type SampleRecords } from '../../support/operations.ts';
import { getFailure, withService } from '../service/client/setup.ts';

const sampleRecords: SampleRecords = {
  mails: [11, 12],
  emails: ['ann@example.com', 'bob@example.com'],
  campaigns: [7, 8],
};

/** Successful responses that report an error. */
const bodies: readonly (readonly [name: string, body: object])[] = [
  ['errors alone', { errors: ['Disk is full'] }],
  ['errors beside an empty message', { message: '', errors: 'Disk is full' }],
  ['errors beside no message', { message: null, error: 'Disk is full' }],
  ['no success', { success: false, message: 'Disk is full' }],
];

/** Errors in the response to a subscription change name missing users; other messages are returned with the result. */
const reportsWithResult = (answer: ResponseKind, body: object) => answer === 'users' && !('success' in body);

describe('writes with status 200', () => {
  for (const [name, body] of bodies) {
    for (const { operation, variant, responseKind, call } of operationCases.filter(({ isWrite }) => isWrite)) {
      it(`with ${name} are ${reportsWithResult(responseKind, body) ? 'successful and return the message' : 'not successful'}: ${operation}${variant === undefined ? '' : ` (${variant})`}`, () =>
        withService(
          () => json(200, body),
          async (client, server) => {
            if (reportsWithResult(responseKind, body)) {
              assert.deepEqual(await call(client, 0, sampleRecords), { message: 'Disk is full', notFound: [] });
            } else {
              const error = await getFailure(() => call(client, 0, sampleRecords));
              assert.deepEqual([error.kind, error.outcome, error.serverMessage], ['server', 'unknown', 'Disk is full']);
              assert.match(error.message, /The service reported an error.*Check before you try again\.$/u);
            }
            assert.equal(server.requests.length, 1);
          },
        ));
    }
  }
});
