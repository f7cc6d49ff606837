import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { eventually } from '../../support/eventually.ts';
import { connectService, type TestService } from '../service.ts';

/** Hovers of each schema for the field `name`. */
const schemas = [
  ['/templates/1/Letter.template.json', /Name.* of the template/u],
  ['/campaigns/1/Autumn.campaign.json', /Name.* of the campaign/u],
  ['/follow-ups/1/Welcome.follow-up.json', /Name.* of the follow-up/u],
] as const;
/** The default editors. */
const forms = [
  ['/campaigns/1/Autumn.campaign.json', 'mailing.campaign.form'],
  ['/follow-ups/1/Welcome.follow-up.json', 'mailing.followUp.form'],
] as const;
const getFileName = (path: string) => path.split('/').at(-1) ?? '';

/** Returns the hover text of a field's name. */
async function readHover(uri: vscode.Uri) {
  const document = await vscode.workspace.openTextDocument(uri);
  const position = document.positionAt(document.getText().indexOf('"name"') + 2);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return hovers
    .flatMap(({ contents }) => contents.map((content) => (typeof content === 'string' ? content : content.value)))
    .join('\n');
}

/** Returns the view type of the form that opens for a file, or `text`. */
async function openAndGetEditor(uri: vscode.Uri) {
  await vscode.commands.executeCommand('vscode.open', uri);
  return eventually(() => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom);
    assert.equal(input.uri.toString(), uri.toString());
    return input instanceof vscode.TabInputCustom ? input.viewType : 'text';
  });
}

describe('Schemas and forms', () => {
  let service: TestService;
  let folder: string;
  let mail: string;
  /** Creates a file of another tool. */
  const local = (path: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{\n  "name": "stack",\n  "Resources": {}\n}\n');
    return vscode.Uri.file(file);
  };

  before(async () => {
    service = await connectService();
    folder = makeScratch();
    const condition = { lists_status: 'is', lists: [1] };
    const series = { name: 'Series', display_name: 'Series', trigger: 'user_subscribe', condition };
    const { followUpId } = await service.other.createOrUpdateFollowUp(series);
    const { connection } = service;
    const first = { name: 'First', subject: 'S', body: '<p>B</p>' };
    const attached = await vscode.commands.executeCommand<{ readonly mailId: number } | undefined>(
      'mailing.followUp.attachMail',
      { connection, id: followUpId, delay: 1, delay_unit: 'days', mail: first },
    );
    assert.ok(attached);
    mail = `/follow-ups/${followUpId}/mails/${attached.mailId}.json`;
  });
  after(async () => {
    await service.end();
    removeScratch(folder);
  });

  it('applies schemas to its documents only', async () => {
    for (const [path, words] of [...schemas, [mail, /Name.* of the mail/u] as const]) {
      await eventually(async () => assert.match(await readHover(service.uri(path)), words));
      for (const elsewhere of [path, `/cdk.out${path}`, getFileName(path)])
        assert.doesNotMatch(await readHover(local(elsewhere)), words, elsewhere);
    }
  });

  it('opens forms for its documents only', async () => {
    for (const [path, form] of forms) {
      assert.equal(await openAndGetEditor(service.uri(path)), form);
      for (const elsewhere of [path, getFileName(path)])
        assert.equal(await openAndGetEditor(local(elsewhere)), 'text', elsewhere);
    }
  });
});
