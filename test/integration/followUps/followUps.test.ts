import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering, assertShown } from '../answers.ts';
import { revert, type, useService, type TestService } from '../service.ts';
import type { DelayUnit } from '../../../src/service/client/index.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

interface CommandResult {
  readonly connection: string;
  readonly id: number;
  readonly uri: vscode.Uri;
  readonly mailId?: number;
  readonly missing?: readonly number[];
}

const run = (command: string, argument?: object) =>
  vscode.commands.executeCommand<CommandResult | undefined>(`mailing.followUp.${command}`, argument);
const runRecord = (command: string, argument: object): Thenable<CommandResult | undefined> =>
  vscode.commands.executeCommand(`mailing.record.${command}`, { collection: 'follow-ups', ...argument });

/** Runs a task and waits for a message. Errors are shown after a command has ended. */
async function runUntilShown<T>(pattern: RegExp, task: () => PromiseLike<T>, answer?: string) {
  const { result } = await answering(answer, async (shown) => {
    const value = await task();
    await eventually(() => assertShown(shown, pattern));
    return value;
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
    const detailsUri = () => service.uri(`/follow-ups/${id}/Welcome.follow-up.json`);
    const mailUri = (mailId: number, suffix = '.html') => service.uri(`/follow-ups/${id}/mails/${mailId}${suffix}`);
    const openDocument = async (uri: vscode.Uri) => {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false });
      return document;
    };
    /** Number of the newest request before the test. */
    let lastNumberBefore: number;
    const getRequests = (operation: string) =>
      service.sandbox.requests.filter(
        (request) => request.number > lastNumberBefore && request.operation === operation,
      );
    const attach = async (fields: object = {}) => {
      const result = await run('attachMail', { ...target(), delay: 3, delay_unit: 'days', mail, ...fields });
      assert.ok(result?.mailId);
      return result.mailId;
    };
    /** Attaches a mail without storing its text on this computer. */
    const attachElsewhere = async (delay_unit: DelayUnit = 'weeks') =>
      (
        await service.other.attachEmailToFollowUp({
          followUpId: id,
          delay: 1,
          delay_unit,
          mail: { name: 'Theirs', subject: 'S', body: 'B' },
        })
      ).mailId;
    const editDetails = async (changed: object) => {
      const document = await openDocument(detailsUri());
      await type(document, JSON.stringify({ ...JSON.parse(document.getText()), ...changed }, null, 2));
      return document;
    };
    const readSaveError = async (document: vscode.TextDocument) => {
      try {
        await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(document.getText()));
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      return '';
    };

    const getService = useService('grown', { profile });
    beforeEach(async () => {
      service = getService();
      lastNumberBefore = service.mark();
      ({ followUpId: id } = await service.other.createOrUpdateFollowUp({
        name: 'Welcome',
        display_name: 'Getting started',
        trigger: 'user_subscribe',
        condition: { lists_status: 'is', lists: [1] },
      }));
      service.forget();
    });

    describe('documents', () => {
      it('contain every field and the delays of the mails', async () => {
        const mailId = await attachElsewhere();
        assert.deepEqual(JSON.parse((await openDocument(detailsUri())).getText()), {
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

      it('save the changed fields', async () => {
        const document = await editDetails({
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

      for (const [title, changed, pattern] of [
        ['an undocumented trigger', { trigger: 'full_moon' }, /"trigger" must be one of user_subscribe/u],
        ['an empty name', { name: '' }, /needs a name/u],
      ] as const) {
        it(`reject ${title} without sending a request`, async () => {
          const document = await editDetails(changed);
          assert.match(await readSaveError(document), pattern);
          assert.equal(getRequests('createOrUpdateFollowUp').length, 1);
        });
      }

      it(
        profile === 'acymailing' ? 'save the active flag' : 'reject a changed active flag with the reason',
        async () => {
          const document = await editDetails({ active: 1, send_once: 1 });
          if (profile === 'acymailing') {
            assert.equal(await document.save(), true);
            const { active, send_once } = await service.other.getFollowUpById(id);
            assert.deepEqual([active, send_once], [1, 1]);
          } else {
            assert.match(await readSaveError(document), /"active": The service's API can't change this field/u);
            assert.equal(getRequests('createOrUpdateFollowUp').length, 1);
          }
        },
      );

      it('save a changed delay only for a mail with a stored text', async () => {
        const theirs = await attachElsewhere();
        const mine = await attach();
        const before = (await service.other.getFollowUpById(id)).mails.length;
        const refused = await editDetails({
          mails: [
            { mail_id: theirs, delay: 2, delay_unit: 'weeks' },
            { mail_id: mine, delay: 3, delay_unit: 'days' },
          ],
        });
        assert.match(
          await readSaveError(refused),
          new RegExp(`delay of email #${theirs} is saved together with its text`, 'u'),
        );
        await revert(refused);
        const document = await editDetails({
          mails: [
            { mail_id: theirs, delay: 1, delay_unit: 'weeks' },
            { mail_id: mine, delay: 10, delay_unit: 'minutes' },
          ],
        });
        assert.equal(await document.save(), true);
        const { mails } = await service.other.getFollowUpById(id);
        assert.deepEqual(mails.find(({ mail_id }) => mail_id === mine)?.delay_unit, 60);
        assert.equal(mails.length, before);
        assert.deepEqual((getRequests('attachEmailToFollowUp').at(-1)?.body as { mail: object }).mail, {
          id: mine,
          reply_to_name: '',
          reply_to_email: '',
          bounce_email: '',
          from_email: '',
          ...mail,
        });
      });

      it('list the mails with a stored text in a folder', async () => {
        const theirs = await attachElsewhere();
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
          /This computer hasn't sent the text of email #\d+, and the service never returns it/u,
        );
      });
    });

    describe('commands', () => {
      it('create a follow-up from an argument and open it', async () => {
        const created = await run('create', {
          connection: service.connection,
          name: 'New',
          display_name: 'Shown',
          trigger: 'birthday',
        });
        assert.ok(created);
        const followUp = await service.other.getFollowUpById(created.id);
        assert.deepEqual(
          [followUp.name, followUp.display_name, followUp.trigger, followUp.active],
          ['New', 'Shown', 'birthday', 0],
        );
      });

      it('duplicate a follow-up with the stored mails and name the others', async () => {
        const theirs = await attachElsewhere();
        const mine = await attach();
        await service.other.createOrUpdateFollowUp({
          followUpId: id,
          name: 'Welcome',
          display_name: 'Getting started',
          trigger: 'user_subscribe',
          loop: 1,
          loop_mail_skip: [mine],
        });
        const copy = await runUntilShown(
          new RegExp(`without these emails: Email #${theirs} \\(after 1 week\\)`, 'u'),
          () => runRecord('duplicate', target()),
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

      it('delete a follow-up after a confirmation', async () => {
        await attach();
        assert.equal((await answering(undefined, () => runRecord('delete', target()))).result, undefined);
        const { shown } = await answering('Delete', () => runRecord('delete', target()));
        assert.equal(shown[0]?.modal, true);
        assertShown(shown, /Delete the follow-up "Welcome"/u);
        assertShown(shown, /Its email is deleted too/u);
        await assert.rejects(() => service.other.getFollowUpById(id));
      });

      it('report an id without a follow-up', async () => {
        await runUntilShown(/can't find this follow-up/u, () =>
          runRecord('delete', { connection: service.connection, id: 99_999 }),
        );
        await runUntilShown(/can't find this follow-up/u, () =>
          runRecord('open', { connection: service.connection, id: 99_999 }),
        );
        await assert.rejects(
          () => Promise.resolve(vscode.workspace.fs.readFile(service.uri('/follow-ups/99999/x.follow-up.json'))),
          (error) => error instanceof vscode.FileSystemError && error.code === 'FileNotFound',
        );
      });
    });

    describe('mails', () => {
      it('are attached with all fields and opened with the sent text', async () => {
        const mailId = await attach({ delay: 2, delay_unit: 'months' });
        assert.deepEqual(getRequests('attachEmailToFollowUp').at(-1)?.body as { mail: object; delay: number }, {
          followUpId: id,
          delay: 2,
          delay_unit: 'months',
          mail,
        });
        assert.equal((await openDocument(mailUri(mailId))).getText(), '<p>Hello</p>');
        assert.deepEqual(JSON.parse((await openDocument(mailUri(mailId, '.json'))).getText()), {
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
          /Last sent from this computer on .*The service never returns an email's text/u,
        );
      });

      it('save the body and the fields in one request', async () => {
        const mailId = await attach();
        const [body, fields] = [await openDocument(mailUri(mailId)), await openDocument(mailUri(mailId, '.json'))];
        await type(body, '<p>Hi</p>');
        await type(fields, fields.getText().replace('Good to have you here', 'Welcome'));
        await vscode.workspace.saveAll();
        assert.deepEqual([body.isDirty, fields.isDirty], [false, false]);
        assert.equal(getRequests('attachEmailToFollowUp').length, 2);
        const sent = getRequests('attachEmailToFollowUp').at(-1)?.body as {
          delay: number;
          mail: JsonObject;
        };
        assert.deepEqual(
          [sent.delay, sent.mail.id, sent.mail.body, sent.mail.subject, sent.mail.from_name],
          [3, mailId, '<p>Hi</p>', 'Welcome', 'Ann'],
        );
      });

      it('are previewed from the command, the editor and the tree, in a tab with the subject', async () => {
        const mailId = await attach();
        const preview = (argument?: object | vscode.Uri) =>
          vscode.commands.executeCommand<{ uri: vscode.Uri } | undefined>('mailing.preview', argument);
        const labels = () =>
          vscode.window.tabGroups.all
            .flatMap(({ tabs }) => tabs)
            .filter(({ input }) => input instanceof vscode.TabInputWebview)
            .map(({ label }) => label);
        await openDocument(mailUri(mailId, '.json'));
        for (const argument of [
          undefined,
          mailUri(mailId),
          mailUri(mailId, '.json'),
          { collection: 'follow-ups', ...target(), mailId },
        ])
          assert.equal((await preview(argument))?.uri.toString(), mailUri(mailId).toString());
        await eventually(() => assert.deepEqual(labels(), [`Preview ${mail.subject}`]));
      });

      it('stay dirty and show a notice after a failed save, then save again', async () => {
        const mailId = await attach();
        const body = await openDocument(mailUri(mailId));
        await type(body, '<p>Hi</p>');
        service.sandbox.faults.add({ kind: 'operationError', operation: 'attachEmailToFollowUp' });
        assert.equal(await body.save(), false);
        service.sandbox.faults.clear();
        assert.equal(body.isDirty, true);
        const [, unconfirmedLens] = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          body.uri,
          2,
        );
        assert.match(unconfirmedLens?.command?.title ?? '', /the response was lost\. The service may have that text/u);
        assert.equal(await body.save(), true, 'Saving again is no conflict.');
        assert.equal(
          (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', body.uri, 2))
            .length,
          1,
        );
      });

      it('keep the text in the tab when another user deletes them', async () => {
        const mailId = await attach();
        const body = await openDocument(mailUri(mailId));
        await type(body, '<p>Mine</p>');
        await service.other.deleteEmailFromFollowUp(id, mailId);
        assert.match(
          await readSaveError(body),
          new RegExp(`no longer has email #${mailId}\\. Your text is still in this tab`, 'u'),
        );
        assert.equal(body.getText(), '<p>Mine</p>');
      });

      it('without a stored text are edited only after the user supplies one', async () => {
        const theirs = await attachElsewhere();
        const { result, shown } = await answering(undefined, () => run('editMail', { ...target(), mailId: theirs }));
        assert.equal(result, undefined);
        assertShown(shown, /This computer has no text of email .*never returns the text of an email/su);
        assert.equal(getRequests('attachEmailToFollowUp').length, 1);

        const supplied = await answering('Replace', () => run('editMail', { ...target(), mailId: theirs, mail }));
        assert.equal(supplied.shown[0]?.modal, true);
        assert.equal(supplied.result?.mailId, theirs);
        const { mails } = await service.other.getFollowUpById(id);
        assert.deepEqual(
          mails.map(({ mail_id, delay, delay_unit }) => [mail_id, delay, delay_unit]),
          [[theirs, 1, 604_800]],
        );
        assert.equal((await openDocument(mailUri(theirs))).getText(), '<p>Hello</p>');
      });

      it('are deleted with their stored text after a confirmation', async () => {
        const mailId = await attach();
        assert.equal((await answering(undefined, () => run('deleteMail', { ...target(), mailId }))).result, undefined);
        const { shown, result } = await answering('Delete', () => run('deleteMail', { ...target(), mailId }));
        assert.equal(shown[0]?.modal, true);
        assertShown(shown, /Delete the email "Hello" \(after 3 days\) from the follow-up "Welcome"/u);
        assert.equal(result?.mailId, mailId);
        assert.deepEqual((await service.other.getFollowUpById(id)).mails, []);
        await assert.rejects(
          () => Promise.resolve(vscode.workspace.fs.readFile(mailUri(mailId))),
          /no longer has email/u,
        );
      });

      it('report a missing follow-up when one is attached', async () => {
        await runUntilShown(/can't find this follow-up/u, () =>
          run('attachMail', { connection: service.connection, id: 99_999, delay: 1, delay_unit: 'days', mail }),
        );
        assert.equal(getRequests('attachEmailToFollowUp').length, 0);
      });

      it('are attached once if the response is lost', async () => {
        service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'attachEmailToFollowUp' });
        const mailId = await attach();
        service.sandbox.faults.clear();
        assert.deepEqual(
          (await service.other.getFollowUpById(id)).mails.map(({ mail_id }) => mail_id),
          [mailId],
        );
        assert.equal(getRequests('attachEmailToFollowUp').length, 1);
        assert.equal((await openDocument(mailUri(mailId))).getText(), '<p>Hello</p>');
      });

      it('are reported as unconfirmed without a retry if attaching fails', async () => {
        service.sandbox.faults.add({ kind: 'operationError', operation: 'attachEmailToFollowUp' });
        const pattern = /"Hello" may have been attached to "Welcome"/u;
        const { shown } = await answering('Retry', async (messages) => {
          assert.equal(await run('attachMail', { ...target(), delay: 1, delay_unit: 'days', mail }), undefined);
          await eventually(() => assertShown(messages, pattern));
        });
        assert.deepEqual(shown.find(({ text }) => pattern.test(text))?.buttons, ['Check Again']);
        assert.equal(getRequests('attachEmailToFollowUp').length, 1);
      });

      it('are found by a later check if the service attaches them late', async () => {
        service.sandbox.faults.add({ kind: 'resetAfterRead', operation: 'attachEmailToFollowUp', times: 1 });
        await answering('Check Again', async (messages) => {
          assert.equal(await run('attachMail', { ...target(), delay: 1, delay_unit: 'days', mail }), undefined);
          await eventually(() =>
            assertShown(messages, /may have been attached to "Welcome": The service doesn't show it yet/u),
          );
          const mailId = await attachElsewhere('days');
          await eventually(() => assertShown(messages, /^"Hello" was attached to "Welcome"\.$/u));
          // A later check stores the sent text like a response does.
          await eventually(async () =>
            assert.equal((await vscode.workspace.openTextDocument(mailUri(mailId))).getText(), '<p>Hello</p>'),
          );
        });
        assert.equal((await service.other.getFollowUpById(id)).mails.length, 1);
      });

      it('are not attached again by "Retry" if the follow-up can not be read afterwards', async () => {
        service.sandbox.faults.add({ kind: 'status', status: 403, operation: 'getFollowUpById', skip: 1 });
        const { result, shown } = await answering('Retry', () =>
          run('attachMail', { ...target(), delay: 1, delay_unit: 'days', mail }),
        );
        service.sandbox.faults.clear();
        assert.ok(result?.mailId);
        assertShown(shown, /"Hello" was attached to "Welcome"\. Couldn't show the result/u);
        assert.equal(getRequests('attachEmailToFollowUp').length, 1);
      });

      it('are reported as missing or unconfirmed after an incomplete duplication', async () => {
        const theirs = await attachElsewhere();
        await attach();
        const last = await attach({ mail: { ...mail, name: 'Last' } });
        service.sandbox.faults.add({ kind: 'operationError', operation: 'attachEmailToFollowUp' });
        const { result, shown } = await answering(undefined, async (messages) => {
          const copy = await runRecord('duplicate', target());
          await eventually(() => assertShown(messages, /was created without .*Last/u));
          return copy;
        });
        assertShown(shown, /"Hello" may have been attached to "Welcome \(copy\)"/u);
        assert.deepEqual(result?.missing, [theirs, last]);
      });

      it('accept a delay of 0 if the service does', async () => {
        if (profile === 'documented') await attach({ delay: 0 });
        else
          await runUntilShown(/Delay missing.*Some services require a delay of at least one minute/u, () =>
            run('attachMail', { ...target(), delay: 0, delay_unit: 'days', mail }),
          );
      });
    });
  });
}
