import assert from 'node:assert/strict';
import { both, checkErrors, getRecords, pick, useService } from './support.ts';

const mail = { name: 'M', subject: 'S', body: '<p>B</p>' };

describe('sandbox: follow-ups', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call, reply, rows, record } = service;
      const read = (id: number | string) => record('getFollowUpById', `followUpId=${String(id)}`);
      const basics = { name: 'N', display_name: 'D', trigger: 'birthday' };
      const create = async (fields: object = {}) =>
        (await record('createOrUpdateFollowUp', { ...basics, ...fields }))['followUpId'] as number;
      const filter = profile === 'documented' ? 'filter' : 'filters';

      it('lists follow-ups without mails, with numeric ids and flags', async () => {
        const all = await rows('getFollowUps');
        assert.equal(all.length, 4);
        const { id, active, send_once, list_id, last_trigger, mails } = all[0] ?? {};
        assert.deepEqual(
          [id, active, send_once, typeof list_id, typeof last_trigger, mails],
          [1, 1, 1, 'number', 'number', undefined],
        );
      });
      it('filters and pages', async () => {
        const names = async (query: string) => (await rows('getFollowUps', query)).map(({ name }) => name);
        assert.deepEqual(await names(`${filter}[name]=welc`), ['Welcome series']);
        assert.deepEqual(await names(`${filter}[active]=0`), ['Account tour']);
        assert.deepEqual(await names(`${filter}[send_once]=1&${filter}[trigger]=user_creation`), ['Account tour']);
        assert.deepEqual(await names(`${filter}[display_name]=Your order`), ['After a purchase']);
        assert.deepEqual(await names(`${filter}[id]=2`), ['Birthday greeting']);
        assert.deepEqual(await names('offset=1&limit=2'), ['Birthday greeting', 'After a purchase']);
        assert.equal(
          (await names(`${filter === 'filter' ? 'filters' : 'filter'}[active]=0`)).length,
          4,
          "the other profile's spelling is ignored",
        );
      });
      it('reads a follow-up with its mails and delays in seconds', async () => {
        const { mails } = await read(1);
        assert.deepEqual(
          getRecords(mails).map(({ followup_id, delay, delay_unit, send_once }) => [
            followup_id,
            delay,
            delay_unit,
            send_once,
          ]),
          [
            [1, 5, 60, 1],
            [1, 2, 86_400, 1],
            [1, 1, 604_800, 1],
          ],
        );
      });
      it('creates an inactive follow-up with defaults', async () => {
        const { status, json } = await call('createOrUpdateFollowUp', basics);
        const { followUpId } = Object(json);
        assert.deepEqual([status, typeof followUpId], [201, 'number']);
        assert.deepEqual(
          pick(await read(followUpId), 'active send_once loop loop_delay last_trigger mails loop_mail_skip condition'),
          [0, 0, 0, 0, null, [], profile === 'documented' ? [] : '', { lists_status: 'is', segments_status: 'is' }],
        );
      });
      it('updates only the given fields', async () => {
        const followUpId = await create();
        const changes = { name: 'New', active: 1, loop: 1, loop_delay: 3600, loop_mail_skip: [7] };
        const condition = { lists_status: 'is_not', lists: [2] };
        assert.deepEqual(await reply('createOrUpdateFollowUp', { followUpId, ...changes, condition }), [
          201,
          { followUpId },
        ]);
        const expected = { ...basics, ...changes, condition: { ...condition, segments_status: 'is' } };
        const names = Object.keys(expected).join(' ');
        assert.deepEqual(pick(await read(followUpId), names), Object.values(expected));
      });
      it('attaches, updates and removes a mail', async () => {
        const followUpId = await create();
        const attach = { followUpId, delay: 2, delay_unit: 'weeks', mail };
        const [status, attached] = await reply('attachEmailToFollowUp', attach);
        const { mailId } = Object(attached);
        assert.equal(typeof mailId, 'number');
        assert.deepEqual([status, attached], [200, { message: 'Email attached to follow-up.', mailId }]);
        const update = { followUpId, delay: 3, delay_unit: 'hours', mail: { id: mailId, subject: 'T' } };
        assert.equal((await record('attachEmailToFollowUp', update))['mailId'], mailId);
        assert.deepEqual((await read(followUpId))['mails'], [
          { mail_id: mailId, followup_id: followUpId, delay: 3, delay_unit: 3600, send_once: 0 },
        ]);
        assert.deepEqual(await reply('deleteEmailFromFollowUp', `followUpId=${followUpId}&mailId=${mailId}`), [
          200,
          { message: 'Email deleted from follow-up.' },
        ]);
        assert.deepEqual((await read(followUpId))['mails'], []);
      });
      it('supports every unit', async () => {
        const id = await create();
        for (const delay_unit of ['minutes', 'hours', 'days', 'weeks', 'months'])
          await call('attachEmailToFollowUp', { followUpId: id, delay: 1, delay_unit, mail });
        assert.deepEqual(
          getRecords((await read(id))['mails']).map((entry) => entry['delay_unit']),
          [60, 3600, 86_400, 604_800, 2_628_000],
        );
      });
      it('deletes a follow-up', async () => {
        assert.deepEqual(await reply('deleteFollowUp', 'followUpId=2'), [200, { message: 'Follow-up deleted.' }]);
        assert.equal((await rows('getFollowUps')).length, 3);
      });
      it('restarts a looping follow-up after its delay, without the skipped mails', async () => {
        const { sandbox } = service;
        const id = await create({ trigger: 'user_subscribe', active: 1, loop: 1, loop_delay: 3600 });
        const attach = async (subject: string) => {
          const attachment = { followUpId: id, delay: 1, delay_unit: 'minutes', mail: { ...mail, subject } };
          return (await record('attachEmailToFollowUp', attachment))['mailId'];
        };
        const first = await attach('first');
        await attach('second');
        await call('createOrUpdateFollowUp', { followUpId: id, loop_mail_skip: [first] });
        const rejoin = async () => {
          const user = { emails: ['test.phone@example.com'], listIds: [8] };
          await call('unsubscribeUsers', { ...user, sendUnsubscribeEmail: false });
          await call('subscribeUsers', { ...user, sendWelcomeEmail: false });
          sandbox.clock.advance(60_000);
        };
        const subjects = () => sandbox.outbox.messages.map(({ subject }) => subject);
        await rejoin();
        assert.deepEqual(subjects(), ['first', 'second']);
        await rejoin();
        assert.deepEqual(subjects(), ['first', 'second'], 'the loop delay has not passed');
        sandbox.clock.advance(3_600_000);
        await rejoin();
        assert.deepEqual(subjects(), ['first', 'second', 'second']);
        assert.equal(typeof (await read(id))['last_trigger'], 'number');
      });

      const attachment = { followUpId: 1, delay: 1, delay_unit: 'days', mail };
      checkErrors(service, [
        ['createOrUpdateFollowUp', { ...basics, name: undefined }, 422, 'Follow-up name missing.'],
        ['createOrUpdateFollowUp', { ...basics, trigger: undefined }, 422, 'Follow-up trigger missing.'],
        ['createOrUpdateFollowUp', { ...basics, display_name: undefined }, 422, 'Follow-up display name missing.'],
        ['createOrUpdateFollowUp', { ...basics, trigger: 'x' }, 422, 'Invalid trigger.'],
        ['createOrUpdateFollowUp', { followUpId: 99, name: 'N' }, 404, 'Follow-up not found.'],
        ['attachEmailToFollowUp', { ...attachment, followUpId: undefined }, 422, 'Follow-up ID missing.'],
        ['attachEmailToFollowUp', { ...attachment, mail: undefined }, 422, 'Mail data missing.'],
        ['attachEmailToFollowUp', { ...attachment, delay: undefined }, 422, 'Delay missing.'],
        ['attachEmailToFollowUp', { ...attachment, delay_unit: undefined }, 422, 'Delay unit missing.'],
        ['attachEmailToFollowUp', { ...attachment, delay_unit: 'years' }, 422, 'Invalid delay unit.'],
        ['attachEmailToFollowUp', { ...attachment, followUpId: 99 }, 404, 'Follow-up not found.'],
        ['attachEmailToFollowUp', { ...attachment, mail: { id: 9999 } }, 404, 'Mail not found.'],
        ['deleteEmailFromFollowUp', 'followUpId=99&mailId=1', 404, 'Follow-up not found.'],
        ['deleteEmailFromFollowUp', 'followUpId=1&mailId=9999', 404, 'Mail not found.'],
        ['deleteFollowUp', '', 422, 'Follow-up ID missing.'],
        ['deleteFollowUp', 'followUpId=99', 404, 'Follow-up not found.'],
      ]);

      it('handles missing records, delays of zero and triggers as its profile does', async () => {
        const status = async (operation: string, input: string | object) => (await call(operation, input)).status;
        assert.deepEqual(await reply('getFollowUpById'), [400, { error: 'Invalid request' }]);
        assert.deepEqual(
          [
            await status('getFollowUpById', 'followUpId=99'),
            await status('attachEmailToFollowUp', { ...attachment, delay: 0 }),
            await status('createOrUpdateFollowUp', { ...basics, trigger: 'ecommerce_b_purchase' }),
            await status('createOrUpdateFollowUp', { ...basics, trigger: 'hikashop_purchase' }),
          ],
          profile === 'documented' ? [400, 200, 201, 422] : [404, 422, 422, 201],
        );
      });
    });
  }
});
