import assert from 'node:assert/strict';
import { canSendToSingleUser } from '../../../../src/service/client/index.ts';
import { json } from '../../../support/wire.ts';
import { getFailure, withService } from './setup.ts';

const acymailing = { profile: 'acymailing' } as const;
const message = (text: string): object => ({ message: text });

describe('sendEmailToSingleUser', () => {
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
      acymailing,
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
    const fails = async (status: number, text: string) => {
      let found: string[] = [];
      await withService(
        () => json(status, message(text)),
        async (client) => {
          const { kind, outcome } = await getFailure(() =>
            client.sendEmailToSingleUser({ email: 'missing@example.com', emailId: 12 }),
          );
          found = [kind, outcome];
        },
        acymailing,
      );
      return found;
    };
    assert.deepEqual(await fails(404, "User doesn't exist"), ['notFound', 'refused']);
    assert.deepEqual(await fails(500, 'Error sending.'), ['server', 'unknown']);
  });
});

describe('canSendToSingleUser', () => {
  const checkSupport = async (status: number, text: string): Promise<boolean | string> => {
    let found: boolean | string = 'nothing';
    await withService(
      () => json(status, message(text)),
      async (client, server) => {
        found = await canSendToSingleUser(client).catch((error: Error) => String(error));
        assert.deepEqual(
          server.requests.map(({ body }) => body),
          ['{"email":"","emailId":0}'],
          'One request, with no address in it.',
        );
      },
      acymailing,
    );
    return found;
  };

  it('detects support by the response to a request without an address', async () => {
    assert.equal(await checkSupport(422, 'Receiver email address not provided in the request body.'), true);
    assert.equal(await checkSupport(403, 'Task not allowed.'), false);
    assert.equal(await checkSupport(405, 'Method not allowed.'), false);
    assert.equal(await checkSupport(200, 'OK'), false);
  });

  it('rejects if the service failed or refused the key', async () => {
    assert.match(String(await checkSupport(500, 'Oops')), /ApiError/u);
    assert.match(String(await checkSupport(401, 'API key is invalid')), /ApiError/u);
  });

  it('needs no request in the documented profile', () =>
    withService(
      () => json(422, {}),
      async (client, server) => {
        assert.deepEqual([await canSendToSingleUser(client), server.requests.length], [false, 0]);
      },
    ));
});
