import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering, type Shown } from '../answers.ts';
import { revert, type, useService, type TestService } from '../service.ts';

interface Found {
  readonly connection: string;
  readonly id: number;
  readonly uri: vscode.Uri;
  readonly mailId?: number;
  readonly missing?: readonly number[];
}

const run = (command: string, argument?: unknown): Thenable<Found | undefined> =>
  vscode.commands.executeCommand<Found | undefined>(`mailing.followUp.${command}`, argument);
const says = (shown: readonly Shown[], words: RegExp): void =>
  assert.ok(
    shown.some(({ text, detail = '' }) => words.test(`${text}\n${detail}`)),
    JSON.stringify(shown),
  );

/** Runs a task and waits until a message says what is expected: errors are told after a command has ended. */
async function until<T>(words: RegExp, task: () => PromiseLike<T>, answer?: string): Promise<T> {
  const { result } = await answering(answer, async (seen) => {
    const done = await task();
    await eventually(() => says(seen, words));
    return done;
  });
  return result;
}

const mail = {
  name: 'Hello',
  subject: 'Good to have you here',
  body: '<p>Hello</p>',
  from_name: 'Ann',
  preheader: 'Peek',
  bcc: 'archive@example.com',
};

for (const profile of ['documented', 'acymailing'] as const) {
  describe(`follow-ups (${profile})`, () => {
    let service: TestService;
    let id: number;

    const target = () => ({ connection: service.connection, id });
    const detailsUri = (): vscode.Uri => service.uri(`/follow-ups/${id}/Welcome.follow-up.json`);
    const mailUri = (mailId: number, suffix = '.html'): vscode.Uri =>
      service.uri(`/follow-ups/${id}/mails/${mailId}${suffix}`);
    const open = async (uri: vscode.Uri): Promise<vscode.TextDocument> => {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false });
      return document;
    };
    /** The newest request when the test began. */
    let began: number;
    const requests = (operation: string) =>
      service.sandbox.requests.filter((request) => request.number > began && request.operation === operation);
    const attach = async (fields: object = {}): Promise<number> => {
      const made = await run('attachMail', { ...target(), delay: 3, delay_unit: 'days', mail, ...fields });
      assert.ok(made?.mailId);
      return made.mailId;
    };
    /** Attached by somebody else: this machine has no text of it. */
    const foreign = async (): Promise<number> =>
      (
        await service.other.attachEmailToFollowUp({
          followUpId: id,
          delay: 1,
          delay_unit: 'weeks',
          mail: { name: 'Theirs', subject: 'S', body: 'B' },
        })
      ).mailId;
    const details = async (changed: object): Promise<vscode.TextDocument> => {
      const document = await open(detailsUri());
      await type(document, JSON.stringify({ ...JSON.parse(document.getText()), ...changed }, null, 2));
      return document;
    };
    const refusal = async (document: vscode.TextDocument): Promise<string> => {
      try {
        await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(document.getText()));
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      return '';
    };

    const shared = useService('grown', { profile });
    beforeEach(async () => {
      service = shared();
      began = service.mark();
      ({ followUpId: id } = await service.other.createOrUpdateFollowUp({
        name: 'Welcome',
        display_name: 'Getting started',
        trigger: 'user_subscribe',
        condition: { lists_status: 'is', lists: [1] },
      }));
      service.forget();
    });

    describe('as documents', () => {
      it('hold every field, and the delays of the mails', async () => {
        const mailId = await foreign();
        assert.deepEqual(JSON.parse((await open(detailsUri())).getText()), {
          name: 'Welcome',
          display_name: 'Getting started',
          trigger: 'user_subscribe',
          condition: { lists_status: 'is', lists: [1], segments_status: 'is', segments: [] },
          active: 0,
          send_once: 0,
          loop: 0,
          loop_delay: 0,
          loop_mail_skip: [],
          mails: [{ mail_id: mailId, delay: 1, delay_unit: 'weeks' }],
        });
      });

      it('are stored with what was changed', async () => {
        const document = await details({
          trigger: 'ecommerce_a_purchase',
          loop: 1,
          loop_delay: 604_800,
          condition: { lists_status: 'is_not', lists: [2, 3], segments_status: 'is', segments: [4] },
        });
        assert.equal(await document.save(), true);
        const followUp = await service.other.getFollowUpById(id);
        assert.deepEqual([followUp.trigger, followUp.loop, followUp.loop_delay], ['ecommerce_a_purchase', 1, 604_800]);
        assert.deepEqual(followUp.condition, {
          lists_status: 'is_not',
          lists: [2, 3],
          segments_status: 'is',
          segments: [4],
        });
      });

      it('are stored where the service gives its lists in another order meanwhile: that is no conflict', async () => {
        const head = {
          followUpId: id,
          name: 'Welcome',
          display_name: 'Getting started',
          trigger: 'user_subscribe',
        } as const;
        await service.other.createOrUpdateFollowUp({ ...head, condition: { lists_status: 'is', lists: [1, 2, 3] } });
        const document = await details({ name: 'Mine' });
        await service.other.createOrUpdateFollowUp({ ...head, condition: { lists_status: 'is', lists: [3, 1, 2] } });
        assert.equal(await document.save(), true);
        assert.equal((await service.other.getFollowUpById(id)).name, 'Mine');
      });

      it('are not overwritten where somebody else wrote meanwhile', async () => {
        const document = await details({ name: 'Mine' });
        await service.other.createOrUpdateFollowUp({
          followUpId: id,
          name: 'Theirs',
          display_name: 'Getting started',
          trigger: 'user_subscribe',
        });
        assert.equal(await document.save(), false);
        assert.equal((await service.other.getFollowUpById(id)).name, 'Theirs');
      });

      for (const [what, changed, words] of [
        ['a name', { name: ' ' }, /needs a name/u],
        ['a display name', { display_name: '' }, /needs a display name/u],
        ['a trigger', { trigger: '' }, /needs a trigger/u],
        ['a trigger that is known', { trigger: 'full_moon' }, /"trigger" must be one of user_subscribe/u],
        ['a condition of the documented shape', { condition: { lists: ['one'] } }, /"condition\.lists\.0"/u],
        ['mails of its own to skip', { loop_mail_skip: [99_999] }, /no mail #99999/u],
        [
          'the mails it has',
          { mails: [{ mail_id: 99_999, delay: 1, delay_unit: 'days' }] },
          /"Attach Mail" and "Delete Mail"/u,
        ],
        ['known fields', { colour: 'red' }, /is not a field of a follow-up/u],
      ] as const) {
        it(`need ${what}: nothing is sent`, async () => {
          const document = await details(changed);
          assert.match(await refusal(document), words);
          assert.equal(requests('createOrUpdateFollowUp').length, 1);
        });
      }

      it(
        profile === 'acymailing'
          ? 'can be made active'
          : 'show whether they are active, and why that can not be changed',
        async () => {
          const document = await details({ active: 1, send_once: 1 });
          if (profile === 'acymailing') {
            assert.equal(await document.save(), true);
            const { active, send_once } = await service.other.getFollowUpById(id);
            assert.deepEqual([active, send_once], [1, 1]);
          } else {
            assert.match(
              await refusal(document),
              /"active" can't be changed here\. The service's documentation shows it, but no operation that changes it/u,
            );
            assert.equal(requests('createOrUpdateFollowUp').length, 1);
          }
        },
      );

      it('change a delay only of a mail whose text is known', async () => {
        const theirs = await foreign();
        const mine = await attach();
        const before = (await service.other.getFollowUpById(id)).mails.length;
        const refused = await details({
          mails: [
            { mail_id: theirs, delay: 2, delay_unit: 'weeks' },
            { mail_id: mine, delay: 3, delay_unit: 'days' },
          ],
        });
        assert.match(await refusal(refused), new RegExp(`delay of mail #${theirs} can't be changed yet`, 'u'));
        await revert(refused);
        const document = await details({
          mails: [
            { mail_id: theirs, delay: 1, delay_unit: 'weeks' },
            { mail_id: mine, delay: 10, delay_unit: 'minutes' },
          ],
        });
        assert.equal(await document.save(), true);
        const { mails } = await service.other.getFollowUpById(id);
        assert.deepEqual(mails.find(({ mail_id }) => mail_id === mine)?.delay_unit, 60);
        assert.equal(mails.length, before);
        assert.deepEqual((requests('attachEmailToFollowUp').at(-1)?.body as { mail: object }).mail, {
          id: mine,
          reply_to_name: '',
          reply_to_email: '',
          bounce_email: '',
          from_email: '',
          ...mail,
        });
      });

      it('list their mails whose text is known as a folder', async () => {
        const theirs = await foreign();
        const mine = await attach();
        assert.deepEqual(await vscode.workspace.fs.readDirectory(service.uri(`/follow-ups/${id}`)), [
          ['Welcome.follow-up.json', vscode.FileType.File],
          ['mails', vscode.FileType.Directory],
        ]);
        assert.deepEqual(await vscode.workspace.fs.readDirectory(service.uri(`/follow-ups/${id}/mails`)), [
          [`${mine}.html`, vscode.FileType.File],
          [`${mine}.json`, vscode.FileType.File],
        ]);
        await assert.rejects(
          () => Promise.resolve(vscode.workspace.fs.readFile(mailUri(theirs))),
          /never returns a mail's text, and this machine has not sent/u,
        );
      });
    });

    describe('are made', () => {
      it('of given fields, and opened', async () => {
        const made = await run('create', {
          connection: service.connection,
          name: 'New',
          display_name: 'Shown',
          trigger: 'birthday',
        });
        assert.ok(made);
        const followUp = await service.other.getFollowUpById(made.id);
        assert.deepEqual(
          [followUp.name, followUp.display_name, followUp.trigger, followUp.active],
          ['New', 'Shown', 'birthday', 0],
        );
      });

      for (const [what, fields, fault, words] of [
        ['422', { trigger: 'full_moon' }, undefined, /Invalid trigger/u],
        ['500', { trigger: 'birthday' }, { kind: 'operationError' }, /Error creating follow-up/u],
        [
          'a lost answer',
          { trigger: 'birthday' },
          { kind: 'lostAnswer' },
          /The answer was lost, but the follow-up "New" was made/u,
        ],
      ] as const) {
        it(`once, and tell ${what}`, async () => {
          const before = (await service.other.getFollowUps()).length;
          if (fault) service.sandbox.faults.add({ ...fault, operation: 'createOrUpdateFollowUp' });
          await until(words, () =>
            run('create', { connection: service.connection, name: 'New', display_name: 'Shown', ...fields }),
          );
          service.sandbox.faults.clear();
          assert.equal(requests('createOrUpdateFollowUp').length, 2);
          assert.ok((await service.other.getFollowUps()).length - before <= 1);
        });
      }

      it('as a duplicate, with the mails whose text is known, naming the others', async () => {
        const theirs = await foreign();
        const mine = await attach();
        await service.other.createOrUpdateFollowUp({
          followUpId: id,
          name: 'Welcome',
          display_name: 'Getting started',
          trigger: 'user_subscribe',
          loop: 1,
          loop_mail_skip: [mine],
        });
        const copy = await until(new RegExp(`without Mail #${theirs} \\(after 1 week\\)`, 'u'), () =>
          run('duplicate', target()),
        );
        assert.deepEqual(copy?.missing, [theirs]);
        const followUp = await service.other.getFollowUpById(copy.id);
        assert.deepEqual(
          [followUp.name, followUp.trigger, followUp.loop, followUp.active, followUp.mails.length],
          ['Welcome (copy)', 'user_subscribe', 1, 0, 1],
        );
        const [only] = followUp.mails;
        assert.deepEqual([only?.delay, only?.delay_unit, followUp.loop_mail_skip], [3, 86_400, [only?.mail_id]]);
      });

      it('and read no more when they were deleted, after a question', async () => {
        await attach();
        assert.equal((await answering(undefined, () => run('delete', target()))).result, undefined);
        const { shown } = await answering('Delete', () => run('delete', target()));
        assert.equal(shown[0]?.modal, true);
        says(shown, /Delete the follow-up "Welcome"/u);
        says(shown, /Its mail is deleted with it/u);
        await assert.rejects(() => service.other.getFollowUpById(id));
      });

      for (const [what, fault, words] of [
        ['500', { kind: 'operationError' }, /Error deleting follow-up/u],
        ['a lost answer', { kind: 'lostAnswer' }, /The answer was lost, but the follow-up "Welcome" was deleted/u],
      ] as const) {
        it(`and deleting tells ${what}, and is never repeated`, async () => {
          service.sandbox.faults.add({ ...fault, operation: 'deleteFollowUp' });
          await until(words, () => run('delete', target()), 'Delete');
          assert.equal(requests('deleteFollowUp').length, 1);
        });
      }

      it('tell that there is none of an id', async () => {
        await until(/does not find/u, () => run('delete', { connection: service.connection, id: 99_999 }));
        await until(/does not find/u, () => run('open', { connection: service.connection, id: 99_999 }));
        await assert.rejects(
          () => Promise.resolve(vscode.workspace.fs.readFile(service.uri('/follow-ups/99999/x.follow-up.json'))),
          (error) => error instanceof vscode.FileSystemError && error.code === 'FileNotFound',
        );
      });

      it('tell that the service fails where they are read', async () => {
        service.sandbox.faults.add({ kind: 'status', status: 500, operation: 'getFollowUpById' });
        await until(/failed with status 500/u, () => run('open', target()));
        service.sandbox.faults.clear();
      });
    });

    describe('have mails that', () => {
      it('are attached with all their fields, and opened as what was sent', async () => {
        const mailId = await attach({ delay: 2, delay_unit: 'months' });
        assert.deepEqual(requests('attachEmailToFollowUp').at(-1)?.body as { mail: object; delay: number }, {
          followUpId: id,
          delay: 2,
          delay_unit: 'months',
          mail,
        });
        assert.equal((await open(mailUri(mailId))).getText(), '<p>Hello</p>');
        assert.deepEqual(JSON.parse((await open(mailUri(mailId, '.json'))).getText()), {
          name: 'Hello',
          subject: 'Good to have you here',
          preheader: 'Peek',
          from_name: 'Ann',
          from_email: '',
          reply_to_name: '',
          reply_to_email: '',
          bounce_email: '',
          bcc: 'archive@example.com',
        });
        const [lens] = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          mailUri(mailId),
          1,
        );
        assert.match(
          lens?.command?.title ?? '',
          /What this machine sent last, .*The service never returns a mail's text/u,
        );
      });

      it('are stored by both documents as one request, body and fields', async () => {
        const mailId = await attach();
        const [body, fields] = [await open(mailUri(mailId)), await open(mailUri(mailId, '.json'))];
        await type(body, '<p>Hi</p>');
        await type(fields, fields.getText().replace('Good to have you here', 'Welcome'));
        await vscode.workspace.saveAll();
        assert.deepEqual([body.isDirty, fields.isDirty], [false, false]);
        assert.equal(requests('attachEmailToFollowUp').length, 2);
        const sent = requests('attachEmailToFollowUp').at(-1)?.body as { delay: number; mail: Record<string, unknown> };
        assert.deepEqual(
          [sent.delay, sent.mail.id, sent.mail.body, sent.mail.subject, sent.mail.from_name],
          [3, mailId, '<p>Hi</p>', 'Welcome', 'Ann'],
        );
      });

      it('stay dirty where the service refuses them, and are kept as they were', async () => {
        const mailId = await attach();
        const body = await open(mailUri(mailId));
        await type(body, '<p>Hi</p>');
        service.sandbox.faults.add({ kind: 'operationError', operation: 'attachEmailToFollowUp' });
        assert.equal(await body.save(), false);
        service.sandbox.faults.clear();
        assert.equal(body.isDirty, true);
        const [, doubt] = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          body.uri,
          2,
        );
        assert.match(doubt?.command?.title ?? '', /the answer was lost: the service may hold that one/u);
        assert.equal(await body.save(), true, 'Saving again is no conflict.');
        assert.equal(
          (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', body.uri, 2))
            .length,
          1,
        );
      });

      it('are gone for their tabs when somebody deleted them, and the text stays', async () => {
        const mailId = await attach();
        const body = await open(mailUri(mailId));
        await type(body, '<p>Mine</p>');
        await service.other.deleteEmailFromFollowUp(id, mailId);
        assert.match(
          await refusal(body),
          new RegExp(`no mail #${mailId} any more\\. Your text is kept in this tab`, 'u'),
        );
        assert.equal(body.getText(), '<p>Mine</p>');
      });

      it('that this machine does not know are edited only after a text was supplied', async () => {
        const theirs = await foreign();
        const { result, shown } = await answering(undefined, () => run('editMail', { ...target(), mailId: theirs }));
        assert.equal(result, undefined);
        says(shown, /This machine has no text of mail .*never returns the text of a mail/su);
        assert.equal(requests('attachEmailToFollowUp').length, 1);

        const supplied = await answering('Replace', () => run('editMail', { ...target(), mailId: theirs, mail }));
        assert.equal(supplied.shown[0]?.modal, true);
        assert.equal(supplied.result?.mailId, theirs);
        const { mails } = await service.other.getFollowUpById(id);
        assert.deepEqual(
          mails.map(({ mail_id, delay, delay_unit }) => [mail_id, delay, delay_unit]),
          [[theirs, 1, 604_800]],
        );
        assert.equal((await open(mailUri(theirs))).getText(), '<p>Hello</p>');
      });

      it('are deleted after a question, with what was kept of them', async () => {
        const mailId = await attach();
        assert.equal((await answering(undefined, () => run('deleteMail', { ...target(), mailId }))).result, undefined);
        const { shown, result } = await answering('Delete', () => run('deleteMail', { ...target(), mailId }));
        assert.equal(shown[0]?.modal, true);
        says(shown, /Delete Hello \(after 3 days\) from the follow-up "Welcome"/u);
        assert.equal(result?.mailId, mailId);
        assert.deepEqual((await service.other.getFollowUpById(id)).mails, []);
        await assert.rejects(() => Promise.resolve(vscode.workspace.fs.readFile(mailUri(mailId))), /no mail/u);
      });

      for (const [what, fault, words] of [
        ['500', { kind: 'operationError' }, /Error deleting email/u],
        ['a lost answer', { kind: 'lostAnswer' }, /The answer was lost, but the mail "Hello" was deleted/u],
      ] as const) {
        it(`tell ${what} where one is deleted`, async () => {
          const mailId = await attach();
          service.sandbox.faults.add({ ...fault, operation: 'deleteEmailFromFollowUp' });
          await until(words, () => run('deleteMail', { ...target(), mailId }), 'Delete');
          assert.equal(requests('deleteEmailFromFollowUp').length, 1);
        });
      }

      it('tell that there is no such mail', async () => {
        await attach();
        await until(/has no mail #99999/u, () => run('editMail', { ...target(), mailId: 99_999 }));
      });

      it('tell a follow-up that is gone while one is attached', async () => {
        await until(/does not find/u, () =>
          run('attachMail', { connection: service.connection, id: 99_999, delay: 1, delay_unit: 'days', mail }),
        );
        assert.equal(requests('attachEmailToFollowUp').length, 0);
      });

      it('are attached once where the answer is lost', async () => {
        service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'attachEmailToFollowUp' });
        const mailId = await attach();
        service.sandbox.faults.clear();
        assert.deepEqual(
          (await service.other.getFollowUpById(id)).mails.map(({ mail_id }) => mail_id),
          [mailId],
        );
        assert.equal(requests('attachEmailToFollowUp').length, 1);
        assert.equal((await open(mailUri(mailId))).getText(), '<p>Hello</p>');
      });

      it('are not known to be attached where the service fails: nothing offers to do it twice', async () => {
        service.sandbox.faults.add({ kind: 'operationError', operation: 'attachEmailToFollowUp' });
        const words = /It is not known whether the mail "Hello" was attached to "Welcome"/u;
        const { shown } = await answering('Retry', async (seen) => {
          assert.equal(await run('attachMail', { ...target(), delay: 1, delay_unit: 'days', mail }), undefined);
          await eventually(() => says(seen, words));
        });
        assert.deepEqual(shown.find(({ text }) => words.test(text))?.buttons, ['Look Again']);
        assert.equal(requests('attachEmailToFollowUp').length, 1);
      });

      it('are found by looking again where the service attaches them late, and are there once', async () => {
        service.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'attachEmailToFollowUp', times: 1 });
        await answering('Look Again', async (seen) => {
          assert.equal(await run('attachMail', { ...target(), delay: 1, delay_unit: 'days', mail }), undefined);
          await eventually(() => says(seen, /was attached to "Welcome": it is not seen there yet/u));
          const mailId = await foreign();
          await eventually(() => says(seen, /It is seen now: the mail "Hello" was attached to "Welcome"/u));
          // What this machine sent is kept as that mail's text, as if the answer had come.
          await eventually(async () =>
            assert.equal((await vscode.workspace.openTextDocument(mailUri(mailId))).getText(), '<p>Hello</p>'),
          );
        });
        assert.equal((await service.other.getFollowUpById(id)).mails.length, 1);
      });

      it('are not attached again by "Retry" where the follow-up can not be read back', async () => {
        service.sandbox.faults.add({ kind: 'status', status: 403, operation: 'getFollowUpById', skip: 1 });
        const { result, shown } = await answering('Retry', () =>
          run('attachMail', { ...target(), delay: 1, delay_unit: 'days', mail }),
        );
        service.sandbox.faults.clear();
        assert.ok(result?.mailId);
        says(shown, /The mail "Hello" was attached, but it can't be shown now/u);
        assert.equal(requests('attachEmailToFollowUp').length, 1);
      });

      it('are told apart in a duplicate: those it is without, and the one of which that is not known', async () => {
        const theirs = await foreign();
        await attach();
        const last = await attach({ mail: { ...mail, name: 'Last' } });
        service.sandbox.faults.add({ kind: 'operationError', operation: 'attachEmailToFollowUp' });
        const { result, shown } = await answering(undefined, async (seen) => {
          const copy = await run('duplicate', target());
          await eventually(() => says(seen, /was made without .*Last/u));
          return copy;
        });
        says(shown, /It is not known whether the mail "Hello" was attached to "Welcome \(copy\)"/u);
        assert.deepEqual(result?.missing, [theirs, last]);
      });

      it('take a delay of 0 where the service does', async () => {
        if (profile === 'documented') await attach({ delay: 0 });
        else
          await until(/Delay missing.*Some services take no delay of 0/u, () =>
            run('attachMail', { ...target(), delay: 0, delay_unit: 'days', mail }),
          );
      });
    });
  });
}
