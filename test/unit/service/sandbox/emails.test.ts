import assert from 'node:assert/strict';
import { MailingClient, canSendToSingleUser } from '../../../../src/service/client/index.ts';
import { checkErrors, useService } from './support.ts';

describe('sandbox: mails to one user', () => {
  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });

    it('sends immediately to the user only, without a campaign', async () => {
      const campaigns = (await service().call('getCampaigns')).text;
      const { status, json } = await service().call('sendEmailToSingleUser', {
        email: 'TEST.phone@example.com',
        emailId: '1',
      });
      assert.deepEqual([status, json], [200, { message: 'Email sent successfully.' }]);
      const { messages } = service().sandbox.outbox;
      assert.deepEqual(
        messages.map(({ to, campaignId, listIds }) => [to, campaignId, listIds]),
        [['test.phone@example.com', null, []]],
      );
      assert.equal((await service().call('getCampaigns')).text, campaigns);
    });

    checkErrors(
      service,
      [
        {
          operation: 'sendEmailToSingleUser',
          input: { emailId: 1 },
          status: 422,
          message: 'Receiver email address not provided in the request body.',
        },
        {
          operation: 'sendEmailToSingleUser',
          input: { email: 'missing@example.com' },
          status: 404,
          message: "User doesn't exist",
        },
        {
          operation: 'sendEmailToSingleUser',
          input: { email: 'test.phone@example.com' },
          status: 422,
          message: 'Email ID not provided in the request body.',
        },
        {
          operation: 'sendEmailToSingleUser',
          input: { email: 'test.phone@example.com', emailId: 9999 },
          status: 404,
          message: "Email doesn't exist",
        },
      ],
      assert.deepEqual,
    );
  });

  for (const [profile, has] of [
    ['acymailing', true],
    ['documented', false],
  ] as const) {
    const service = useService({ profile });
    it(`${has ? 'supports' : 'rejects'} the task in the profile ${profile}`, async () => {
      const { baseUrl, apiKey } = service().sandbox;
      const client = new MailingClient({ baseUrl, apiKey, profile });
      assert.deepEqual([await canSendToSingleUser(client), service().sandbox.outbox.count], [has, 0]);
      await client.close();
    });
  }
});
