import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering, assertShown } from '../answers.ts';
import { connectService, type TestService } from '../service.ts';
import { withReplaced } from '../statistics/host.ts';

interface Found {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly matches: readonly { readonly field: string; readonly uri: vscode.Uri; readonly from: readonly number[] }[];
}

describe('Find in All Templates', () => {
  let service: TestService;

  before(async () => {
    service = await connectService();
  });
  after(() => service.end());

  const find = (search?: string, text?: string) =>
    vscode.commands.executeCommand<readonly Found[]>('mailing.findInTemplates', {
      connection: service.connection,
      search,
      text,
    });

  it('finds templates and unsent campaigns, and reads no sent ones', async () => {
    const body = '<p>One</p>\n<p>Needle 7</p>';
    await service.other.createTemplate({ name: 'Haystack', subject: 'needle 7', body });
    await service.other.createOrUpdateCampaign({ name: 'Draft', subject: 'x', body });
    const sent = (await service.other.getCampaigns()).filter((campaign) => campaign.sent === 1);
    service.forget();
    const found = await find('text', 'needle 7');
    assert.deepEqual(
      found.map(({ name, matches }) => [name, ...matches.map(({ field, from }) => `${field}:${from.join(':')}`)]),
      [
        ['Haystack', 'body:1:3', 'subject:2:14'],
        ['Draft', 'body:1:3'],
      ],
    );
    const all = (await service.other.getCampaigns()).length;
    assert.ok(sent.length > 0);
    assert.equal(service.received('getCampaignById'), all - sent.length);
    for (const { uri, from } of found.flatMap(({ matches }) => matches)) {
      const document = await vscode.workspace.openTextDocument(uri);
      const [line = 0, character = 0] = from;
      assert.match(document.getText(new vscode.Range(line, character, line, character + 8)), /^needle 7$/iu);
    }
  });

  it('asks for a text and then for its kind, and explains why the text is not of that kind', async () => {
    const search = (text: string, kind: string) =>
      withReplaced(
        vscode.window,
        'showInputBox',
        () => Promise.resolve(text),
        () =>
          withReplaced(
            vscode.window,
            'showQuickPick',
            ((items: readonly vscode.QuickPickItem[]) => items.find(({ label }) => label === kind)) as never,
            () => answering(undefined, () => find(undefined, undefined)),
          ),
      );
    const { result, shown } = await search('needle 7', 'Text');
    assert.deepEqual([result.length, shown], [2, []]);
    assertShown((await search('needle 7', 'Color')).shown, /Enter a color/u);
    assertShown((await search('needle (', 'Regular expression')).shown, /Invalid regular expression/u);
  });

  it('leaves out a campaign that was deleted after the list was read', async () => {
    const body = '<p>Straw</p>';
    for (const name of ['One', 'Two', 'Three'])
      await service.other.createOrUpdateCampaign({ name, subject: 'x', body });
    service.sandbox.faults.add({ kind: 'status', status: 404, operation: 'getCampaignById', times: 1 });
    const { result = [], shown } = await answering(undefined, () => find('text', 'straw'));
    assert.deepEqual([result.length >= 2, shown], [true, []]);
  });

  it('finds emails without a merge tag', async () => {
    const names = (await find('missingTag', 'unsubscribe')).map(({ name }) => name);
    assert.ok(names.includes('Haystack'));
    assert.ok(names.length < (await find('regex', '.')).length);
  });
});
