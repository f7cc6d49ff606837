import assert from 'node:assert/strict';
import { canSendToSingleUser } from '../../../../src/service/client/index.ts';
import { json } from '../../../support/wire.ts';
import { getFailure, useAnswers, withService } from './setup.ts';

const message = (text: string): object => ({ message: text });

describe('sendEmailToSingleUser', () => {
  const answering = useAnswers();
  it('sends only the address and the id of the mail', () =>
    withService(
      () => json(200, message('Email sent successfully.')),
      async (client, server) => {
        assert.deepEqual(
          await client.sendEmailToSingleUser({ email: 'ann@example.com', emailId: 12 }),
          message('Email sent successfully.'),
        );
        const [request] = server.requests;
        assert.match(
          request?.head ?? '',
          /^POST \/index\.php\?page=acymailing_front&option=com_acym&ctrl=api&task=sendEmailToSingleUser HTTP/u,
        );
        assert.match(request?.head ?? '', /Content-Type: application\/json\r\n/u);
        assert.equal(request?.body, '{"email":"ann@example.com","emailId":12}');
      },
      { profile: 'acymailing' },
    ));

  it('sends nothing if the profile does not have the operation', () =>
    withService(
      () => json(200, {}),
      async (client, server) => {
        const { kind, outcome } = await getFailure(() =>
          client.sendEmailToSingleUser({ email: 'ann@example.com', emailId: 12 }),
        );
        assert.deepEqual([kind, outcome, server.requests.length], ['invalid', 'refused', 0]);
      },
    ));

  it('is refused for a missing address, and has an uncertain outcome if the service failed', async () => {
    for (const [status, text, kind, outcome] of [
      [404, "User doesn't exist", 'notFound', 'refused'],
      [500, 'Error sending.', 'server', 'unknown'],
    ] as const) {
      const client = answering(json(status, message(text)), 'acymailing');
      const error = await getFailure(() => client.sendEmailToSingleUser({ email: 'a@example.com', emailId: 12 }));
      assert.deepEqual([error.kind, error.outcome], [kind, outcome]);
    }
  });
});

describe('canSendToSingleUser', () => {
  const answering = useAnswers();
  const check = (status: number, text: string) =>
    canSendToSingleUser(answering(json(status, message(text)), 'acymailing'));

  it('detects support by the response to a request without an address', async () => {
    assert.equal(await check(422, 'Receiver email address not provided in the request body.'), true);
    assert.equal(await check(403, 'Task not allowed.'), false);
    assert.equal(await check(405, 'Method not allowed.'), false);
    assert.equal(await check(200, 'OK'), false);
  });

  it('rejects if the service failed or refused the key', async () => {
    await assert.rejects(check(500, 'Oops'), { name: 'ApiError' });
    await assert.rejects(check(401, 'API key is invalid'), { name: 'ApiError' });
  });

  for (const [profile, bodies] of [
    ['acymailing', ['{"email":"","emailId":0}']],
    ['documented', []],
  ] as const) {
    it(`sends no address (${profile})`, () =>
      withService(
        () => json(403, {}),
        async (client, server) => {
          assert.equal(await canSendToSingleUser(client), false);
          assert.deepEqual(
            server.requests.map(({ body }) => body),
            bodies,
          );
        },
        { profile },
      ));
  }
});
