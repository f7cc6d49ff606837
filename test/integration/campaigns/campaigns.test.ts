import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering, assertShown } from '../answers.ts';
import { connectService, revertAll, type, type TestService } from '../service.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

interface Found {
  readonly connection: string;
  readonly id: number;
  readonly uri: vscode.Uri;
  readonly outcome?: string;
}

const run = (command: string, argument?: object) =>
  vscode.commands.executeCommand<Found | undefined>(`mailing.${command}`, argument);
const testList = 8;

describe('campaigns', () => {
  let service: TestService;
  let id: number;

  const createUri = (suffix: string) => service.uri(`/campaigns/${id}/Autumn${suffix}`);
  const target = () => ({ connection: service.connection, collection: 'campaigns', id });
  const open = async (suffix: string) => {
    const document = await vscode.workspace.openTextDocument(createUri(suffix));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  const requests = (operation: string) => service.sandbox.requests.filter((request) => request.operation === operation);
  const countSends = () => requests('sendCampaign').length;

  beforeEach(async () => {
    service = await connectService();
    ({ campaignId: id } = await service.other.createOrUpdateCampaign({
      name: 'Autumn',
      subject: 'Leaves',
      body: '<p>Leaves</p>',
      from_name: 'Ann',
      listIds: [testList],
      sending_type: 'auto',
      frequency: 'every',
      frequency_options: { unit: 'day', value: 2 },
      need_confirm: 0,
    }));
    service.forget();
  });

  afterEach(async () => {
    await revertAll();
    await service.end();
  });

  describe('as documents', () => {
    it('are saved completely, so that the service resets nothing', async () => {
      const body = await open('.html');
      await type(body, '<p>Red leaves</p>');
      assert.equal(await body.save(), true);
      assert.deepEqual(requests('createOrUpdateCampaign').at(-1)?.body, {
        campaignId: id,
        name: 'Autumn',
        subject: 'Leaves',
        from_name: 'Ann',
        from_email: '',
        reply_to_name: '',
        reply_to_email: '',
        bounce_email: '',
        bcc: '',
        listIds: [testList],
        sending_type: 'auto',
        frequency: 'every',
        frequency_options: { unit: 'day', value: 2 },
        need_confirm: 0,
        body: '<p>Red leaves</p>',
      });
    });

    it('are rejected with invalid values before a request is sent', async () => {
      const details = await open('.campaign.json');
      await type(details, details.getText().replace('"auto"', '"scheduled"'));
      assert.equal(await details.save(), false);
      assert.equal(requests('createOrUpdateCampaign').length, 1);
    });

    it('complete list names, and show the name of an id on hover', async () => {
      const details = await open('.campaign.json');
      const offset = details.getText().indexOf('8', details.getText().indexOf('listIds'));
      const position = details.positionAt(offset + 1);
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        details.uri,
        position,
      );
      const test = items.find(({ label }) => typeof label !== 'string' && label.label === 'Test');
      assert.equal(test?.insertText, String(testList));
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        details.uri,
        details.positionAt(offset),
      );
      assert.ok(
        hovers.some(({ contents }) =>
          contents.some((content) => typeof content !== 'string' && content.value.includes('**Test**')),
        ),
      );
    });

    it('report a list that does not exist', async () => {
      const details = await open('.campaign.json');
      await type(details, details.getText().replace(/\[\s*8\s*\]/u, '[8, 99999]'));
      assert.equal(await details.save(), false);
      assert.deepEqual((await service.other.getCampaignById(id)).listIds, [testList]);
      await assert.rejects(
        () => Promise.resolve(vscode.workspace.fs.writeFile(details.uri, new TextEncoder().encode(details.getText()))),
        /didn't change these fields: listIds/u,
      );
    });

    it('keep a concurrent edit of the other document', async () => {
      const body = await open('.html');
      await type(body, '<p>Mine</p>');
      const { campaignId, ...rest } = requests('createOrUpdateCampaign')[0]?.body as JsonObject;
      await service.other.createOrUpdateCampaign({ ...rest, campaignId: id, subject: 'Their subject' });
      assert.equal(await body.save(), true);
      const campaign = await service.other.getCampaignById(id);
      assert.deepEqual(
        [campaign.body, campaign.subject, campaign.sending_type],
        ['<p>Mine</p>', 'Their subject', 'auto'],
      );
    });
  });

  describe('are created', () => {
    it('from given fields', async () => {
      const made = await run('campaign.create', {
        connection: service.connection,
        name: 'New',
        subject: 'Hello',
        body: '<p>x</p>',
        listIds: [testList],
      });
      assert.ok(made);
      const campaign = await service.other.getCampaignById(made.id);
      assert.deepEqual(
        [campaign.name, campaign.subject, campaign.body, campaign.listIds, campaign.draft],
        ['New', 'Hello', '<p>x</p>', [testList], 1],
      );
    });

    it('from a template, as in its preview', async () => {
      const { templateId } = await service.other.createTemplate({
        name: 'T',
        subject: 'From T',
        body: '<p>Body</p>',
        stylesheet: 'p { color: red }',
        preheader: 'Peek',
        from_name: 'Tea',
      });
      const made = await run('template.createCampaign', { connection: service.connection, id: templateId });
      assert.ok(made);
      const campaign = await service.other.getCampaignById(made.id);
      assert.deepEqual([campaign.name, campaign.subject, campaign.from_name], ['T', 'From T', 'Tea']);
      assert.match(campaign.body ?? '', /^<style>[^]*color: red[^]*Peek[^]*<p>Body<\/p>/u);
      await eventually(() => assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'T.campaign.json'));
    });

    it('as a duplicate, which is a draft even of a sent campaign', async () => {
      const [sent] = await service.other.getCampaigns({ filters: { sent: 1 }, limit: 1 });
      assert.ok(sent);
      const copy = await run('record.duplicate', { ...target(), id: sent.id });
      assert.ok(copy);
      const [one, other] = [await service.other.getCampaignById(sent.id), await service.other.getCampaignById(copy.id)];
      assert.deepEqual(
        [other.body, other.subject, other.listIds, other.sent, other.draft],
        [one.body, one.subject, one.listIds, 0, 1],
      );
    });

    it('and deleted after a confirmation', async () => {
      const canceled = await answering(undefined, () => run('record.delete', target()));
      assert.equal(canceled.result, undefined);
      assert.equal((await service.other.getCampaignById(id)).id, id);
      const { shown } = await answering('Delete', () => run('record.delete', target()));
      assert.equal(shown[0]?.modal, true);
      await assert.rejects(() => service.other.getCampaignById(id), /campaign/iu);
    });
  });

  describe('are sent', () => {
    beforeEach(async () => {
      await service.other.createOrUpdateCampaign({
        campaignId: id,
        name: 'Autumn',
        subject: 'Leaves',
        body: '<p>Leaves</p>',
        listIds: [testList],
        sending_type: 'now',
      });
    });

    it('once, after a confirmation with all details', async () => {
      const { result, shown } = await answering('Send', () => run('campaign.send', target()));
      assert.equal(result?.outcome, 'sent');
      const question = shown.find(({ modal }) => modal);
      assert.match(question?.text ?? '', /^Send "Autumn" to 3 recipients on Test \d+\?$/u);
      assert.match(question?.detail ?? '', /Subject: Leaves\nLists: Test\nSends immediately\./u);
      assert.equal(countSends(), 1);
      assert.equal(service.sandbox.outbox.count, 3);
    });

    it('with mail client errors only after a second confirmation', async () => {
      const body = '<p>Leaves {unsubscribe}</p><img alt="" width="8" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">';
      await service.other.createOrUpdateCampaign({
        campaignId: id,
        name: 'Autumn',
        subject: 'Leaves',
        body,
        listIds: [testList],
        sending_type: 'now',
      });
      const { result, shown } = await answering('Send', () =>
        run('campaign.send', { ...target(), force: true, errors: 0 }),
      );
      assert.equal(result, undefined);
      assert.equal(countSends(), 0);
      const [question, second] = shown.filter(({ modal }) => modal);
      assert.match(question?.detail ?? '', /The email has 2 errors:\n• .+\n• .+/u);
      assert.match(second?.text ?? '', /^Send "Autumn" with 2 errors\?$/u);
      assert.deepEqual(second?.buttons, ['Send With Errors']);
      const agreed = await answering(['Send', 'Send With Errors'], () => run('campaign.send', target()));
      assert.equal(agreed.result?.outcome, 'sent');
      assert.equal(countSends(), 1);
    });

    it('with unsaved edits, which are saved first', async () => {
      const body = await open('.html');
      await type(body, '<p>Fresh leaves</p>');
      await answering('Send', () => run('campaign.send', target()));
      assert.equal(body.isDirty, false);
      assert.match(await service.sandbox.outbox.eml(1), /Fresh leaves/u);
    });

    it('not if their edits can not be saved', async () => {
      const body = await open('.html');
      await type(body, '<p>Unsaved</p>');
      service.sandbox.faults.add({ kind: 'operationError', operation: 'createOrUpdateCampaign' });
      const { shown } = await answering('Send', () => run('campaign.send', target()));
      assertShown(shown, /Couldn't save the campaign's changes\. Nothing was sent/u);
      assert.equal(countSends(), 0);
    });

    it('only once if two sends are requested', async () => {
      service.sandbox.faults.add({ kind: 'slow', operation: 'sendCampaign', intervalMs: 100, times: 1 });
      const { result } = await answering('Send', () =>
        Promise.all([run('campaign.send', target()), run('campaign.send', target())]),
      );
      assert.deepEqual(result.map((each) => each?.outcome).sort(), ['sent', undefined]);
      assert.equal(countSends(), 1);
    });

    it('on their date if they are scheduled', async () => {
      await service.other.createOrUpdateCampaign({
        campaignId: id,
        name: 'Autumn',
        subject: 'Leaves',
        body: '<p>x</p>',
        listIds: [testList],
        sending_type: 'scheduled',
        sending_date: '2099-01-31',
      });
      const { shown } = await answering('Schedule', async (notifications) => {
        const sending = await run('campaign.send', target());
        await eventually(() =>
          assert.ok(
            notifications.some(({ text }) => text === '"Autumn" was scheduled. Sends on Jan 31, 2099.'),
            JSON.stringify(notifications),
          ),
        );
        return sending;
      });
      const question = shown.find(({ modal }) => modal);
      assert.match(question?.text ?? '', /^Schedule "Autumn" for 3 recipients/u);
      assert.match(question?.detail ?? '', /Sends on Jan 31, 2099\./u);
      assert.equal(countSends(), 1);
      assert.equal(service.sandbox.outbox.count, 0);
      const campaign = await service.other.getCampaignById(id);
      assert.deepEqual([campaign.draft, campaign.active, campaign.sent], [0, 1, 0]);
    });
  });
});
