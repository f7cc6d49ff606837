import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import type { CampaignInput } from '../../../src/service/client/index.ts';
import { eventually } from '../../support/eventually.ts';
import { answering } from '../answers.ts';
import { closeEditors, connectService, revertAll, type, type TestService } from '../service.ts';
import { openFormStage, type FormPage, type FormStage } from './formStage.ts';
import type { Json, JsonObject } from '../../../src/service/client/shapes.ts';

const [testList, customers] = [8, 5];
const localText = '{\n  "name": "Plan",\n  "subject": "S",\n  "listIds": [4]\n}\n';
const noList = ['listIds', /^No list is selected: the campaign has no recipients\.$/u] as const;

describe('campaign form', () => {
  let service: TestService;
  let folder: string;
  let stage: FormStage;

  const create = async (fields: Partial<CampaignInput> = {}) => {
    const { campaignId } = await service.other.createOrUpdateCampaign({
      name: 'Autumn',
      subject: 'Leaves',
      body: '<p>Leaves</p>',
      listIds: [testList],
      ...fields,
    });
    service.forget();
    return campaignId;
  };
  const open = async (fields: Partial<CampaignInput> = {}) => {
    const id = await create(fields);
    return { id, ...(await stage.open(stage.details(id))) };
  };
  const readField = (document: vscode.TextDocument, field: string) =>
    (JSON.parse(document.getText()) as Readonly<JsonObject>)[field];
  const untilWritten = (document: vscode.TextDocument, field: string, value: Json) =>
    eventually(() => assert.deepEqual(readField(document, field), value));
  const untilReadOnly = (page: FormPage, reason: RegExp) =>
    page.until('readOnly', (message) => {
      assert.match(message.reason ?? '', reason);
      assert.equal(message.canDuplicate, true);
    });

  before(async () => {
    service = await connectService();
    stage = await openFormStage(service);
    folder = makeScratch();
  });
  afterEach(async () => {
    service.sandbox.faults.clear();
    stage.closeAll();
    await revertAll();
    await closeEditors();
  });
  after(async () => {
    await stage.end();
    await service.end();
    removeScratch(folder);
  });

  it('shows problems and the audience, and saves the choices', async () => {
    const { id, document, page } = await open({ listIds: [] });
    await page.untilProblems(noList);
    page.choose(customers, true);
    await page.untilProblems();
    await page.until('audience', ({ audience }) =>
      assert.match(audience.kind === 'counted' && audience.exact ? String(audience.count) : '', /^\d+$/u),
    );
    page.edit(['sending_type'], 'scheduled', true);
    await page.untilProblems(['sending_date', /^a scheduled campaign needs a date\.$/u]);
    page.edit(['sending_date'], '2027-12-24', true);
    await page.untilProblems();
    assert.match(document.getText(), /"sending_type": "scheduled",\s+"sending_date": "2027-12-24"/u);
    page.edit(['subject'], '', true);
    page.edit(['from_email'], 'invalid', true);
    await page.untilProblems(['subject', /^a campaign needs a subject\.$/u], ['from_email', /one email address/u]);
    page.edit(['subject'], 'Leaves', true);
    page.edit(['from_email'], '', true);
    await page.untilProblems();
    assert.equal(await document.save(), true);
    const { sending_type, sending_date, listIds } = await service.other.getCampaignById(id);
    assert.deepEqual([sending_type, sending_date?.slice(0, 10), listIds], ['scheduled', '2027-12-24', [customers]]);
  });

  it('keeps an incomplete schedule to itself, and writes it with its date', async () => {
    const { id, document, page } = await open();
    const before = document.getText();
    page.edit(['sending_type'], 'scheduled', true);
    const needsDate = ['sending_date', /^a scheduled campaign needs a date\.$/u] as const;
    await page.untilProblems(needsDate);
    assert.deepEqual([document.getText(), document.isDirty], [before, false]);
    page.say({ type: 'run', command: 'send' });
    await page.until('focusProblem', () => undefined);
    page.edit(['subject'], 'Red leaves', true);
    await untilWritten(document, 'subject', 'Red leaves');
    assert.equal(await document.save(), true);
    assert.equal((await service.other.getCampaignById(id)).sending_type, 'now');
    page.hide();
    page.show();
    await page.until('details', ({ confirmedSeq, details }) =>
      assert.deepEqual([confirmedSeq, details['sending_type']], [0, 'scheduled']),
    );
    page.edit(['sending_date'], '2099-12-24', true);
    await untilWritten(document, 'sending_date', '2099-12-24');
    assert.equal(readField(document, 'sending_type'), 'scheduled');
    await page.untilProblems();
    assert.equal(await document.save(), true);
    assert.equal((await service.other.getCampaignById(id)).sending_date?.slice(0, 10), '2099-12-24');
  });

  it('forgets an incomplete schedule when the user returns or undoes', async () => {
    const { document, page } = await open();
    page.edit(['subject'], 'Red leaves', true);
    await untilWritten(document, 'subject', 'Red leaves');
    page.edit(['sending_type'], 'scheduled', true);
    await page.until('details', ({ details }) => assert.equal(details['sending_type'], 'scheduled'));
    for (const subject of ['Red leaves', 'Leaves']) {
      page.say({ type: 'undo' });
      await page.until('details', ({ details }) =>
        assert.deepEqual([details['sending_type'], details['subject']], ['now', subject]),
      );
    }
    page.edit(['sending_type'], 'scheduled', true);
    await page.until('details', ({ details }) => assert.equal(details['sending_type'], 'scheduled'));
    page.edit(['sending_type'], 'now', true);
    await page.until('details', ({ details }) => assert.equal(details['sending_type'], 'now'));
    assert.equal(document.isDirty, false);
  });

  it('saves pending input with one request', async () => {
    const { id, document, page } = await open();
    page.edit(['subject'], 'Twelve months', true);
    await untilWritten(document, 'subject', 'Twelve months');
    page.edit(['subject'], 'Twelve months, one picture');
    assert.equal(readField(document, 'subject'), 'Twelve months');
    assert.equal(await document.save(), true);
    assert.equal((await service.other.getCampaignById(id)).subject, 'Twelve months, one picture');
    assert.deepEqual([document.isDirty, service.received('createOrUpdateCampaign')], [false, 1]);
  });

  it('undoes a word in one step, even while it is being typed', async () => {
    const { document, page } = await open();
    const before = document.getText();
    for (const text of ['Leaves a', 'Leaves ag', 'Leaves again']) page.edit(['subject'], text);
    page.say({ type: 'undo' });
    await page.until('details', ({ confirmedSeq, details }) =>
      assert.deepEqual([confirmedSeq, details['subject']], [3, 'Leaves']),
    );
    await eventually(() => assert.deepEqual([document.getText(), document.isDirty], [before, false]));
    page.say({ type: 'redo' });
    await untilWritten(document, 'subject', 'Leaves again');
    assert.equal(document.isDirty, true);
  });

  it('reports where the JSON is invalid, and leaves it unchanged', async () => {
    const { document, page } = await open();
    const broken = '{\n  "name": "Kept"\n  "subject": "Half"\n}';
    await type(document, broken);
    await page.until('broken', (message) =>
      assert.deepEqual(message, { type: 'broken', line: 3, message: 'Not valid JSON: comma expected.' }),
    );
    page.edit(['subject'], 'Other', true);
    await type(document, `${broken} `);
    assert.equal(document.getText(), `${broken} `);
  });

  it('keeps and reports fields that are not of a campaign', async () => {
    const { document, page } = await open();
    await type(document, '{ "flavour": [1,  2], "name": "N", "subject": "S", "listIds": [8] }');
    await page.untilProblems(['flavour', /^is not a known field\.$/u]);
    page.edit(['subject'], 'Other', true);
    await eventually(() =>
      assert.equal(document.getText(), '{ "flavour": [1,  2], "name": "N", "subject": "Other", "listIds": [8] }'),
    );
  });

  it('shows an error of the service beside its field until the field changes', async () => {
    const { document, page } = await open();
    const message = 'The subject has a word that is not allowed.';
    service.sandbox.faults.add({
      kind: 'status',
      status: 422,
      message,
      operation: 'createOrUpdateCampaign',
      times: 1,
    });
    page.edit(['subject'], 'Free money', true);
    await untilWritten(document, 'subject', 'Free money');
    assert.equal(await document.save(), false);
    await page.until('details', ({ problems }) =>
      assert.deepEqual(problems, [{ path: ['subject'], message, kind: 'service' }]),
    );
    assert.equal(document.isDirty, true);
    page.edit(['subject'], 'A year', true);
    await page.untilProblems();
    assert.equal(await document.save(), true);
  });

  it('is read-only for a sent campaign', async () => {
    const [sent] = await service.other.getCampaigns({ filters: { sent: 1 }, limit: 1 });
    assert.ok(sent);
    const { page } = await stage.open(stage.details(sent.id));
    await untilReadOnly(page, /^This campaign was already sent, .* Duplicate it/u);
    await page.until('status', ({ status }) => assert.match(`${status?.state}: ${status?.label}`, /^sent: sent /u));
  });

  it('shows the new state of a campaign when it is read again', async () => {
    const { id, document, page } = await open({ sending_type: 'scheduled', sending_date: '2099-12-24' });
    await page.until('status', ({ status }) => assert.equal(status?.state, 'draft'));
    const text = document.getText();
    await service.other.sendCampaign(id);
    await vscode.workspace.fs.stat(document.uri);
    await page.until('status', ({ status }) => assert.equal(status?.state, 'scheduled'));
    assert.equal(document.getText(), text);
  });

  it('becomes read-only after its campaign was sent', async () => {
    const { page } = await open();
    await page.until('status', ({ status }) => assert.equal(status?.state, 'draft'));
    await page.until('readOnly', ({ reason }) => assert.equal(reason, undefined));
    await answering('Send', async () => {
      page.say({ type: 'run', command: 'send' });
      await page.until('status', ({ status }) => assert.equal(status?.state, 'sent'));
    });
    // The review before sending hid the form.
    page.hide();
    page.show();
    await untilReadOnly(page, /^This campaign was already sent/u);
    assert.equal(service.received('sendCampaign'), 1);
  });

  it('reports that the lists can’t be read, and retries', async () => {
    const fault = service.sandbox.faults.add({ kind: 'status', status: 500, operation: 'getLists' });
    const { page } = await open();
    await page.until('lists', ({ lists }) => assert.equal(lists.kind, 'failed'));
    fault.remove();
    page.say({ type: 'retry' });
    await page.until('lists', ({ lists }) =>
      assert.ok(
        lists.kind === 'loaded' && lists.lists.some(({ id, name }) => id === customers && name === 'Customers'),
      ),
    );
  });

  it('writes pending input when it is hidden, and restores its state when it is shown', async () => {
    const { document, page } = await open();
    page.edit(['subject'], 'Before it was hidden', true);
    page.edit(['bcc'], 'archive@example.com');
    page.hide();
    await untilWritten(document, 'bcc', 'archive@example.com');
    page.show();
    await page.until('details', ({ confirmedSeq, details }) =>
      assert.deepEqual(
        [confirmedSeq, details['subject'], details['bcc']],
        [0, 'Before it was hidden', 'archive@example.com'],
      ),
    );
    await page.until('lists', ({ lists }) => assert.equal(lists.kind, 'loaded'));
    await page.until('audience', ({ audience }) =>
      assert.deepEqual(audience, { kind: 'counted', count: 3, exact: true }),
    );
    await page.until('status', ({ status }) => assert.equal(status?.state, 'draft'));
    await page.until('body', ({ html }) => assert.equal(html, '<p>Leaves</p>'));
  });

  it('works without a service for a local file, and keeps its formatting', async () => {
    const path = join(folder, 'local.campaign.json');
    writeFileSync(path, localText);
    const { document, page } = await stage.open(vscode.Uri.file(path));
    await page.until('status', ({ isRecord }) => assert.equal(isRecord, false));
    await page.until('lists', ({ lists }) => assert.deepEqual(lists, { kind: 'none' }));
    await page.until('details', ({ details }) => assert.deepEqual(details['listIds'], [4]));
    page.edit(['subject'], 'Local', true);
    await untilWritten(document, 'subject', 'Local');
    assert.equal(await document.save(), true);
    assert.equal(readFileSync(path, 'utf8'), localText.replace('"S"', '"Local"'));
  });
});

describe('campaign form in the workbench', () => {
  const form = 'mailing.campaign.form';
  /** Returns the editors that show a document: the view type of a form, or `text`. */
  const editors = (uri: vscode.Uri) =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => {
        const isOfDocument =
          (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) &&
          input.uri.toString() === uri.toString();
        return isOfDocument ? [input instanceof vscode.TabInputCustom ? input.viewType : 'text'] : [];
      });

  it('switches between form and text with unsaved changes', async () => {
    const service = await connectService();
    try {
      const { campaignId } = await service.other.createOrUpdateCampaign({
        name: 'Autumn',
        subject: 'Leaves',
        body: '<p>Leaves</p>',
        listIds: [testList],
      });
      const uri = service.uri(`/campaigns/${campaignId}/Autumn.campaign.json`);
      await vscode.commands.executeCommand('vscode.open', uri);
      await eventually(() => assert.deepEqual(editors(uri), [form]));
      const document = await vscode.workspace.openTextDocument(uri);
      await type(document, document.getText().replace('Leaves', 'Red leaves'));
      await vscode.commands.executeCommand('reopenActiveEditorWith', 'default');
      await eventually(() => assert.deepEqual(editors(uri), ['text']));
      await vscode.commands.executeCommand('reopenActiveEditorWith', form);
      await eventually(() => assert.deepEqual(editors(uri), [form]));
      assert.match(document.getText(), /"Red leaves"/u);
      assert.equal(document.isDirty, true);
    } finally {
      await service.end();
    }
  });

  it('opens for a local file only on request, because other tools may use the same suffix', async () => {
    const folder = makeScratch();
    try {
      const path = join(folder, 'plan.campaign.json');
      writeFileSync(path, localText);
      const uri = vscode.Uri.file(path);
      await vscode.commands.executeCommand('vscode.open', uri);
      await eventually(() => assert.deepEqual(editors(uri), ['text']));
      await vscode.commands.executeCommand('reopenActiveEditorWith', form);
      await eventually(() => assert.deepEqual(editors(uri), [form]));
      await closeEditors();
    } finally {
      removeScratch(folder);
    }
  });
});
