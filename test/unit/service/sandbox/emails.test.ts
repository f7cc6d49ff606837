import assert from 'node:assert/strict';
import { checkErrors, useService } from './support.ts';

describe('sandbox: mails to one user', () => {
  const service = useService({ profile: 'acymailing' });
  const { call, reply } = service;

  it('sends immediately to the user only, without a campaign', async () => {
    const campaigns = (await call('getCampaigns')).text;
    assert.deepEqual(await reply('sendEmailToSingleUser', { email: 'TEST.phone@example.com', emailId: '1' }), [
      200,
      { message: 'Email sent successfully.' },
    ]);
    const { messages } = service.sandbox.outbox;
    assert.deepEqual(
      messages.map(({ to, campaignId, listIds }) => [to, campaignId, listIds]),
      [['test.phone@example.com', null, []]],
    );
    assert.equal((await call('getCampaigns')).text, campaigns);
  });

  checkErrors(service, [
    ['sendEmailToSingleUser', { emailId: 1 }, 422, 'Receiver email address not provided in the request body.'],
    ['sendEmailToSingleUser', { email: 'missing@example.com' }, 404, "User doesn't exist"],
    ['sendEmailToSingleUser', { email: 'test.phone@example.com' }, 422, 'Email ID not provided in the request body.'],
    ['sendEmailToSingleUser', { email: 'test.phone@example.com', emailId: 9999 }, 404, "Email doesn't exist"],
  ]);
});
