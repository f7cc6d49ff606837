import assert from 'node:assert/strict';
import { assertColumns, NOW, both, checkErrors, getRecords, useService, pick } from './support.ts';

const DAY = 86_400_000;
const basics = { name: 'C', subject: 'S', body: '<p>B</p>' };

describe('sandbox: campaigns', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call, reply, rows, record } = service;
      const read = (id: number | string) => record('getCampaignById', `campaignId=${String(id)}`);
      const create = async (fields: object = {}): Promise<number> =>
        Object((await call('createOrUpdateCampaign', { ...basics, ...fields })).json).campaignId;
      const [created, updated] = profile === 'documented' ? [201, 200] : [200, 201];

      it('lists every sending type and state, without bodies', async () => {
        const { status, json } = await call('getCampaigns');
        assert.equal(status, 200);
        const records = getRecords(json);
        const kinds = new Set(
          records.map(({ sending_type, draft, sent }) => `${String(sending_type)} ${String(draft)} ${String(sent)}`),
        );
        for (const kind of ['now 0 1', 'now 1 0', 'scheduled 0 0', 'scheduled 0 1', 'auto 0 0'])
          assert.ok(kinds.has(kind), kind);
        assert.ok(records.every((record) => !('body' in record)));
        assertColumns(
          records[0],
          'id sending_date draft active mail_id sent sending_type sending_params parent_id last_generated next_trigger visible subject name',
        );
        assert.deepEqual(
          records.filter(({ sending_type }) => sending_type === 'auto').map(({ sending_params }) => sending_params),
          [
            { trigger_type: 'every', every: { type: 604_800, number: 2 }, need_confirm_to_send: 0 },
            { trigger_type: 'asap', need_confirm_to_send: 1 },
          ],
        );
        assert.deepEqual(records[0]?.['sending_params'], []);
      });
      it('filters and pages', async () => {
        const ids = async (query: string) => (await rows('getCampaigns', query)).map(({ id }) => id);
        assert.deepEqual(await ids('filters[name]=LETTER'), [1, 6]);
        assert.deepEqual(await ids('filters[subject]=winter'), [8]);
        assert.deepEqual(await ids('filters[sent]=0&filters[active]=1'), [8, 9, 10]);
        assert.deepEqual(await ids('offset=1&limit=2'), [2, 3]);
        assert.deepEqual(await ids('filters[draft]=1'), profile === 'documented' ? [7, 11] : []);
        assert.deepEqual(await ids('filters[sending_type]=auto'), profile === 'documented' ? [9, 10] : []);
      });
      it('reads a campaign with body, sender and lists', async () => {
        const campaign = await read(2);
        const fields =
          'body from_name from_email reply_to_name reply_to_email bcc links_language tracking translation bounce_email';
        assert.ok(!pick(campaign, fields).includes(undefined));
        assert.deepEqual(campaign['listIds'], [2, 5]);
      });
      it('creates a draft', async () => {
        const { status, json } = await call('createOrUpdateCampaign', {
          ...basics,
          listIds: [8, 99999],
          from_name: 'Me',
        });
        assert.equal(status, created);
        const { campaignId, errors } = Object(json);
        assert.deepEqual([typeof campaignId, errors], ['number', ['List not found: 99999']]);
        assert.deepEqual(
          pick(await read(campaignId), 'draft active sent sending_type sending_date listIds from_name body'),
          [1, 0, 0, 'now', null, [8], 'Me', '<p>B</p>'],
        );
      });
      it('resets fields omitted by an update, except the lists', async () => {
        const id = await create({
          sending_type: 'scheduled',
          sending_date: '2027-01-01',
          listIds: [8],
          from_name: 'Me',
          bcc: 'b@example.com',
        });
        await call('sendCampaign', `campaignId=${id}`);
        assert.deepEqual(
          await reply('createOrUpdateCampaign', {
            campaignId: id,
            name: 'D',
            subject: 'T',
            listIds: [],
          }),
          [updated, { campaignId: id }],
        );
        assert.deepEqual(
          pick(await read(id), 'name subject body from_name bcc draft active sent sending_type sending_date listIds'),
          ['D', 'T', '', '', '', 1, 0, 0, 'now', null, [8]],
        );
      });
      it('sends once to every subscriber of its active lists', async () => {
        const { sandbox } = service;
        const id = await create({ listIds: [8, 6, 7] });
        assert.deepEqual(await reply('sendCampaign', `campaignId=${id}`), [
          200,
          { message: 'Campaign sent successfully.' },
        ]);
        assert.deepEqual(pick(await read(id), 'draft active sent sending_date'), [0, 1, 1, '2026-05-20 10:00:00']);
        const { messages } = sandbox.outbox;
        assert.deepEqual([messages.length, new Set(messages.map(({ to }) => to)).size], [240, 240]);
        assert.ok(messages.every(({ campaignId, subject }) => campaignId === id && subject === 'S'));
      });
      it('sends on every request, to active lists only', async () => {
        const id = await create({ listIds: [8] });
        for (let times = 0; times < 2; times += 1) await call('sendCampaign', `campaignId=${id}`);
        assert.equal((await call('sendCampaign', `campaignId=${await create({ listIds: [7] })}`)).status, 200);
        assert.deepEqual(await reply('sendCampaign', `campaignId=${await create()}`), [
          500,
          { message: 'Could not send campaign', errors: ['No list selected'] },
        ]);
        assert.equal(service.sandbox.outbox.count, 6);
      });
      it('sends a scheduled campaign once at its time, or when it is started, depending on the profile', async () => {
        const { sandbox } = service;
        const schedule = () => create({ sending_type: 'scheduled', sending_date: '2026-05-22', listIds: [8] });
        const [waiting, started] = [await schedule(), await schedule()];
        await call('sendCampaign', `campaignId=${started}`);
        const own = (id: number) =>
          sandbox.outbox.messages.flatMap(({ campaignId, date }) => (campaignId === id ? date.toISOString() : []));
        sandbox.clock.advance(1.5 * DAY);
        assert.deepEqual(pick(await read(waiting), 'sent'), [0]);
        const isSent = profile === 'acymailing';
        assert.deepEqual(pick(await read(started), 'sent active draft'), [Number(isSent), 1, 0]);
        assert.deepEqual([own(waiting), own(started)], [[], isSent ? Array(3).fill(new Date(NOW).toISOString()) : []]);
        sandbox.clock.advance(4 * DAY);
        assert.deepEqual(pick(await read(waiting), 'sent active draft sending_date'), [1, 1, 0, '2026-05-22 00:00:00']);
        assert.deepEqual(own(waiting), Array(3).fill('2026-05-22T00:00:00.000Z'));
        assert.equal(own(started).length, 3);
      });
      it('sends an automatic campaign on its schedule', async () => {
        const { sandbox } = service;
        const id = await create({
          sending_type: 'auto',
          frequency: 'every',
          frequency_options: { unit: 'day', value: 2 },
          need_confirm: 0,
          listIds: [8],
        });
        const { sending_params, next_trigger } = await read(id);
        assert.deepEqual(sending_params, {
          trigger_type: 'every',
          every: { type: 86_400, number: 2 },
          need_confirm_to_send: 0,
        });
        assert.equal(next_trigger, (NOW + 2 * DAY) / 1000);
        sandbox.clock.advance(5 * DAY);
        const editions = (await rows('getCampaigns', 'limit=500')).filter(({ parent_id }) => parent_id === id);
        assert.deepEqual(
          editions.map(({ name, sent, sending_date }) => [name, sent, sending_date]),
          [
            ['C (1)', 1, '2026-05-22 10:00:00'],
            ['C (2)', 1, '2026-05-24 10:00:00'],
          ],
        );
        assert.equal(sandbox.outbox.messages.filter(({ subject }) => subject === 'S').length, 6);
        assert.deepEqual(
          [(await read(id))['last_generated'], (await read(id))['next_trigger']],
          [(NOW + 4 * DAY) / 1000, (NOW + 6 * DAY) / 1000],
        );
      });
      it('creates a draft if an automatic campaign requires confirmation', async () => {
        const { sandbox } = service;
        const id = await create({ sending_type: 'auto', frequency: 'cron', listIds: [8] });
        sandbox.clock.advance(3.5 * 3_600_000);
        const editions = await rows('getCampaigns', 'filters[parent_id]=' + id);
        assert.deepEqual(
          editions.map(({ draft, active, sent, sending_type }) => [draft, active, sent, sending_type]),
          [[1, 0, 0, 'now']],
        );
        assert.equal(sandbox.outbox.count, 0);
        await call('sendCampaign', `campaignId=${String(editions[0]?.['id'])}`);
        assert.equal(sandbox.outbox.count, 3);
      });
      it('makes up for a limited number of missed runs of an automatic campaign', async () => {
        const { sandbox } = service;
        const id = await create({ sending_type: 'auto', frequency: 'cron', need_confirm: 0, listIds: [8] });
        sandbox.clock.advance(400 * DAY + 60_000);
        const editions = (await rows('getCampaigns', 'limit=500')).filter(({ parent_id }) => parent_id === id);
        assert.ok(editions.length >= 50 && editions.length <= 52, String(editions.length));
        assert.equal((await read(id))['next_trigger'], (NOW + 400 * DAY + 3_600_000) / 1000);
      });
      it('starts an automatic campaign on its start date', async () => {
        const start_date = profile === 'documented' ? '2026-06-01' : Date.UTC(2026, 5, 1) / 1000;
        const id = await create({
          sending_type: 'auto',
          frequency: 'every',
          frequency_options: { unit: 'month', value: 1 },
          start_date,
          listIds: [8],
        });
        const { next_trigger, sending_params } = await read(id);
        assert.equal(next_trigger, Date.UTC(2026, 5, 1) / 1000);
        assert.deepEqual(sending_params, {
          trigger_type: 'every',
          every: { type: 2_628_000, number: 1 },
          need_confirm_to_send: 1,
          start_date,
        });
      });
      it('deletes a campaign', async () => {
        assert.deepEqual(await reply('deleteCampaign', 'campaignId=8'), [
          200,
          { message: 'Campaign deleted successfully.' },
        ]);
        service.sandbox.clock.advance(7 * DAY);
        assert.ok(service.sandbox.outbox.messages.every(({ campaignId }) => campaignId !== 8));
      });

      const auto = { ...basics, sending_type: 'auto' };
      const every = { ...auto, frequency: 'every' };
      const create422 = (input: object, message: string) => ['createOrUpdateCampaign', input, 422, message] as const;
      checkErrors(service, [
        [
          'getCampaigns',
          'filters[color]=red',
          500,
          "Error getting the collection of campaigns: Unknown column 'color' in 'where clause'",
        ],
        create422({ name: 'x' }, "Missing required parameters 'subject' or 'name'"),
        create422({ subject: 'x' }, "Missing required parameters 'subject' or 'name'"),
        create422({ ...basics, sending_type: 'later' }, 'Invalid sending type.'),
        create422({ ...basics, sending_type: 'scheduled' }, "'sending_date' not provided in the request body."),
        create422(auto, 'Invalid frequency.'),
        create422({ ...auto, frequency: 'sometimes' }, 'Invalid frequency.'),
        create422(every, 'Invalid frequency options.'),
        create422({ ...every, frequency_options: { unit: 'year', value: 1 } }, 'Invalid frequency unit.'),
        create422({ ...every, frequency_options: { unit: 'day', value: 0 } }, 'Invalid frequency option value.'),
        ['createOrUpdateCampaign', { ...basics, campaignId: 99 }, 404, 'Campaign not found.'],
        ...['getCampaignById', 'sendCampaign', 'deleteCampaign'].flatMap((operation) => [
          [operation, '', 422, 'campaignId not provided'] as const,
          [operation, 'campaignId=99', 404, 'Campaign not found.'] as const,
        ]),
      ]);
    });
  }
});
