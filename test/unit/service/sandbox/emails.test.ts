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

describe('sandbox: users', () => {
  const { rows } = useService({ profile: 'acymailing' });

  it('returns custom fields by label, page by page or by id', async () => {
    const page = await rows('getUsers', 'offset=3&limit=2');
    assert.deepEqual(
      page.map((user) => [user['id'], user['Home town']]),
      [
        ['4', 'Leeds'],
        ['5', 'Leeds'],
      ],
    );
    assert.deepEqual(await rows('getUsers', 'filters[id]=4'), page.slice(0, 1));
    assert.deepEqual(await rows('getUsers', 'filters[id]=9999999'), []);
  });
});

describe('sandbox: with extras', () => {
  const service = useService({ hasExtras: true });
  const { reply, record, rows } = service;

  it('sends to an address that no user has, and remembers it', async () => {
    const email = 'Me@Example.com';
    for (let at = 0; at < 2; at += 1)
      assert.equal((await reply('sendEmailToSingleUser', { email, emailId: 1 }))[0], 200);
    assert.deepEqual(
      service.sandbox.outbox.messages.map(({ to }) => to),
      ['me@example.com', 'me@example.com'],
    );
    await reply('subscribeUsers', { emails: [email], listIds: [8], trigger: false });
    const found = await rows('getSubscribersFromLists', 'listIds[]=8');
    assert.equal(found.filter((row) => row['email'] === 'me@example.com').length, 1);
  });

  it('returns the texts of follow-up mails', async () => {
    const { mails } = await record('getFollowUpById', 'followUpId=1');
    const [mail] = mails as { subject: string; body: string }[];
    assert.equal(mail?.subject, 'Good to have you here');
    assert.match(mail.body, /<h1>/u);
  });

  it('reports how many subscribers a list has', async () => {
    const [list] = await rows('getLists', 'filters[id]=8');
    assert.ok(Number(list?.['subscribers']) > 0);
  });
});
