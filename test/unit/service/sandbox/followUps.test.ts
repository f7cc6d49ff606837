import assert from 'node:assert/strict';
import { both, checkErrors, getRecords, useService } from './support.ts';

const mail = { name: 'M', subject: 'S', body: '<p>B</p>' };

describe('sandbox: follow-ups', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call, reply, rows, record } = service;
      const read = (id: number | string) => record('getFollowUpById', `followUpId=${String(id)}`);
      const create = async (fields: object = {}) =>
        Object(
          (
            await call('createOrUpdateFollowUp', {
              name: 'N',
              display_name: 'D',
              trigger: 'birthday',
              ...fields,
            })
          ).json,
        ).followUpId;
      const filter = profile === 'documented' ? 'filter' : 'filters';

      it('lists follow-ups without mails, with numeric ids and flags', async () => {
        const { status, json } = await call('getFollowUps');
        assert.equal(status, 200);
        const [first] = getRecords(json);
        assert.deepEqual(
          [
            first?.['id'],
            first?.['active'],
            first?.['send_once'],
            typeof first?.['list_id'],
            typeof first?.['last_trigger'],
            first && 'mails' in first,
          ],
          [1, 1, 1, 'number', 'number', false],
        );
        assert.equal(getRecords(json).length, 4);
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
        const { status, json } = await call('createOrUpdateFollowUp', {
          name: 'N',
          display_name: 'D',
          trigger: 'birthday',
        });
        assert.equal(status, 201);
        const { followUpId } = Object(json);
        const { active, send_once, loop, loop_delay, loop_mail_skip, last_trigger, mails, condition } =
          await read(followUpId);
        assert.deepEqual(
          [typeof followUpId, active, send_once, loop, loop_delay, last_trigger, mails],
          ['number', 0, 0, 0, 0, null, []],
        );
        assert.deepEqual(loop_mail_skip, profile === 'documented' ? [] : '');
        assert.deepEqual(condition, { lists_status: 'is', segments_status: 'is' });
      });
      it('updates only the given fields', async () => {
        const id = await create();
        assert.deepEqual(
          await reply('createOrUpdateFollowUp', {
            followUpId: id,
            name: 'New',
            active: 1,
            loop: 1,
            loop_delay: 3600,
            loop_mail_skip: [7],
            condition: { lists_status: 'is_not', lists: [2] },
          }),
          [201, { followUpId: id }],
        );
        const { name, display_name, trigger, active, loop, loop_delay, loop_mail_skip, condition } = await read(id);
        assert.deepEqual(
          [name, display_name, trigger, active, loop, loop_delay, loop_mail_skip],
          ['New', 'D', 'birthday', 1, 1, 3600, [7]],
        );
        assert.deepEqual(condition, { lists_status: 'is_not', segments_status: 'is', lists: [2] });
      });
      it('attaches, updates and removes a mail', async () => {
        const id = await create();
        const attached = await call('attachEmailToFollowUp', {
          followUpId: id,
          delay: 2,
          delay_unit: 'weeks',
          mail,
        });
        const { mailId } = Object(attached.json);
        assert.deepEqual([attached.status, attached.json], [200, { message: 'Email attached to follow-up.', mailId }]);
        assert.equal(typeof mailId, 'number');
        const updated = await call('attachEmailToFollowUp', {
          followUpId: id,
          delay: 3,
          delay_unit: 'hours',
          mail: { id: mailId, subject: 'T' },
        });
        assert.equal(Object(updated.json).mailId, mailId);
        assert.deepEqual((await read(id))['mails'], [
          { mail_id: mailId, followup_id: id, delay: 3, delay_unit: 3600, send_once: 0 },
        ]);
        const removed = await call('deleteEmailFromFollowUp', `followUpId=${id}&mailId=${mailId}`);
        assert.deepEqual([removed.status, removed.json], [200, { message: 'Email deleted from follow-up.' }]);
        assert.deepEqual((await read(id))['mails'], []);
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
        const attach = async (subject: string) =>
          Object(
            (
              await call('attachEmailToFollowUp', {
                followUpId: id,
                delay: 1,
                delay_unit: 'minutes',
                mail: { ...mail, subject },
              })
            ).json,
          ).mailId;
        const first = await attach('first');
        await attach('second');
        await call('createOrUpdateFollowUp', { followUpId: id, loop_mail_skip: [first] });
        const rejoin = async () => {
          await call('unsubscribeUsers', {
            emails: ['test.phone@example.com'],
            listIds: [8],
            sendUnsubscribeEmail: false,
          });
          await call('subscribeUsers', { emails: ['test.phone@example.com'], listIds: [8], sendWelcomeEmail: false });
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

      checkErrors(service, [
        ['createOrUpdateFollowUp', { trigger: 'birthday', display_name: 'D' }, 422, 'Follow-up name missing.'],
        ['createOrUpdateFollowUp', { name: 'N', display_name: 'D' }, 422, 'Follow-up trigger missing.'],
        ['createOrUpdateFollowUp', { name: 'N', trigger: 'birthday' }, 422, 'Follow-up display name missing.'],
        ['createOrUpdateFollowUp', { name: 'N', display_name: 'D', trigger: 'x' }, 422, 'Invalid trigger.'],
        ['createOrUpdateFollowUp', { followUpId: 99, name: 'N' }, 404, 'Follow-up not found.'],
        ['attachEmailToFollowUp', { delay: 1, delay_unit: 'days', mail }, 422, 'Follow-up ID missing.'],
        ['attachEmailToFollowUp', { followUpId: 1, delay: 1, delay_unit: 'days' }, 422, 'Mail data missing.'],
        ['attachEmailToFollowUp', { followUpId: 1, delay_unit: 'days', mail }, 422, 'Delay missing.'],
        ['attachEmailToFollowUp', { followUpId: 1, delay: 1, mail }, 422, 'Delay unit missing.'],
        ['attachEmailToFollowUp', { followUpId: 1, delay: 1, delay_unit: 'years', mail }, 422, 'Invalid delay unit.'],
        ['attachEmailToFollowUp', { followUpId: 99, delay: 1, delay_unit: 'days', mail }, 404, 'Follow-up not found.'],
        [
          'attachEmailToFollowUp',
          { followUpId: 1, delay: 1, delay_unit: 'days', mail: { id: 9999 } },
          404,
          'Mail not found.',
        ],
        ['deleteEmailFromFollowUp', 'followUpId=99&mailId=1', 404, 'Follow-up not found.'],
        ['deleteEmailFromFollowUp', 'followUpId=1&mailId=9999', 404, 'Mail not found.'],
        ['deleteFollowUp', '', 422, 'Follow-up ID missing.'],
        ['deleteFollowUp', 'followUpId=99', 404, 'Follow-up not found.'],
      ]);

      it('responds with 400 to a read without an id', async () => {
        assert.deepEqual(await reply('getFollowUpById'), [400, { error: 'Invalid request' }]);
      });
      it('accepts the triggers of its profile', async () => {
        const [own, other] =
          profile === 'documented'
            ? ['ecommerce_b_purchase', 'hikashop_purchase']
            : ['hikashop_purchase', 'ecommerce_b_purchase'];
        const status = async (trigger: string) =>
          (await call('createOrUpdateFollowUp', { name: 'N', display_name: 'D', trigger })).status;
        assert.deepEqual([await status(own), await status(other)], [201, 422]);
      });
    });
  }

  describe('documented', () => {
    const service = useService();
    const { call } = service;
    it('responds with 400 to a missing id and accepts a delay of zero', async () => {
      assert.equal((await call('getFollowUpById', 'followUpId=99')).status, 400);
      assert.equal(
        (await call('attachEmailToFollowUp', { followUpId: 1, delay: 0, delay_unit: 'days', mail })).status,
        200,
      );
    });
  });
  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    checkErrors(service, [
      ['getFollowUpById', 'followUpId=99', 404, 'Follow-up not found.'],
      ['attachEmailToFollowUp', { followUpId: 1, delay: 0, delay_unit: 'days', mail }, 422, 'Delay missing.'],
    ]);
  });
});
