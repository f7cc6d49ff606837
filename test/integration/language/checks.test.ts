import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { connectService, revertAll, type, type TestService } from '../service.ts';

const codeOf = ({ code }: vscode.Diagnostic) => String(typeof code === 'object' ? code.value : code);
const found = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Mailing Studio');
const codes = (uri: vscode.Uri) => found(uri).map(codeOf);
const image =
  '<p>Hello</p>\n<img src="https://example.com/a.png" width="80">\n<p><img src="https://example.com/b.png" width="80"></p>\n';

describe('Checks in editors', () => {
  let service: TestService;
  let id: number;
  let body: vscode.TextDocument;
  const settings = () => vscode.workspace.getConfiguration('mailing.checks');
  const part = (suffix: string) => service.uri(`/templates/${id}/Checks${suffix}`);

  before(async () => {
    service = await connectService();
    const fields = {
      name: 'Checks',
      body: image,
      subject: 'News of the fjord',
      preheader: 'All details',
      stylesheet: '.a { color: #000000 }',
    };
    id = (await service.other.createTemplate(fields)).templateId;
    service.forget();
    body = await vscode.workspace.openTextDocument(part('.html'));
  });
  afterEach(async () => {
    await revertAll();
    for (const name of ['rules', 'clients', 'enabled', 'clientShares'])
      await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
  });
  after(() => service.end());

  const actionsAt = (uri: vscode.Uri, range: vscode.Range) =>
    vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );

  it('report a problem once, with related locations and a link, without extra requests', async () => {
    const diagnostic = await eventually(() => {
      const [first, ...others] = found(body.uri).filter((each) => codeOf(each) === 'image-alt');
      assert.ok(first && others.length === 0, codes(body.uri).join(' '));
      return first;
    });
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(body.getText(diagnostic.range), /^<img src="https:\/\/example.com\/a.png"/u);
    assert.deepEqual(
      diagnostic.relatedInformation?.map(({ location }) => location.range.start.line),
      [2],
    );
    assert.ok(typeof diagnostic.code === 'object' && diagnostic.code.target.authority === 'www.w3.org');
    assert.equal(service.sandbox.requests.filter(({ operation }) => operation === 'getOneTemplate').length, 1);
  });

  it('read open documents from their editors, and others from the record', async () => {
    const details = await vscode.workspace.openTextDocument(part('.template.json'));
    const sheet = await vscode.workspace.openTextDocument(part('.css'));
    await type(sheet, '@media (max-width: 600px) { @media (min-width: 1px) { .a { color: red } } }');
    await eventually(() =>
      assert.deepEqual(
        codes(sheet.uri).filter((code) => code === 'nested-at-rule'),
        ['nested-at-rule'],
      ),
    );
    await type(details, details.getText().replace('News of the fjord', 'NEWS!!!'));
    await eventually(() => assert.ok(codes(details.uri).includes('subject'), codes(details.uri).join(' ')));
    const [subject] = found(details.uri).filter((each) => codeOf(each) === 'subject');
    assert.equal(subject && details.getText(subject.range), 'NEWS!!!');
  });

  it('cover follow-up mails and campaign bodies', async () => {
    const [followUp] = await service.other.getFollowUps();
    assert.ok(followUp);
    const mail = { name: 'Checks', subject: 'NEWS!!!', body: image };
    const order = { connection: service.connection, id: followUp.id, delay: 1, delay_unit: 'days', mail };
    const attached = await vscode.commands.executeCommand<{ readonly mailId: number } | undefined>(
      'mailing.followUp.attachMail',
      order,
    );
    assert.ok(attached);
    const { campaignId } = await service.other.createOrUpdateCampaign(mail);
    const folders = [`/follow-ups/${followUp.id}/mails/${attached.mailId}`, `/campaigns/${campaignId}/Checks`];
    for (const folder of folders) {
      const own = await vscode.workspace.openTextDocument(service.uri(`${folder}.html`));
      await eventually(() => assert.ok(codes(own.uri).includes('image-alt'), `${folder}: ${codes(own.uri).join(' ')}`));
      await type(own, image.replaceAll('<img ', '<img alt="" '));
      await eventually(() => assert.ok(!codes(own.uri).includes('image-alt'), folder));
    }
  });

  it('offer quick fixes for one or all findings of a rule, and ignore comments', async () => {
    await type(body, image);
    const [diagnostic] = await eventually(() => {
      const own = found(body.uri).filter((each) => codeOf(each) === 'image-alt');
      assert.equal(own.length, 1);
      return own;
    });
    assert.ok(diagnostic);
    const actions = await eventually(async () => {
      const all = await actionsAt(body.uri, diagnostic.range);
      assert.ok(
        all.some(({ title }) => title.includes('Add alt=""')),
        all.map(({ title }) => title).join('; '),
      );
      return all;
    });
    const ignore = actions.find(({ title }) => title.includes('Ignore rule "image-alt"'));
    assert.ok(ignore?.edit && (await vscode.workspace.applyEdit(ignore.edit)));
    assert.match(body.getText(), /^<!-- mailing-ignore image-alt -->/u);
    await eventually(() => assert.ok(!codes(body.uri).includes('image-alt')));
    await type(body, image);
    await eventually(() => assert.ok(codes(body.uri).includes('image-alt')));
    const fix = await eventually(async () => {
      const [own] = found(body.uri).filter((each) => codeOf(each) === 'image-alt');
      const action = own && (await actionsAt(body.uri, own.range)).find(({ title }) => title.includes('Add alt=""'));
      assert.ok(action?.edit);
      return action.edit;
    });
    assert.ok(await vscode.workspace.applyEdit(fix));
    assert.equal(body.getText().match(/alt=""/gu)?.length, 2);
    await eventually(() => assert.ok(!codes(body.uri).includes('image-alt')));
  });

  it('offer fixes on save that need no decision', async () => {
    await type(body, '<table><tr><td>a</td></tr></table><p>x</p><table><tr><td>b</td></tr></table>');
    await eventually(() => assert.ok(codes(body.uri).includes('table-role')));
    const all = new vscode.Range(body.positionAt(0), body.positionAt(body.getText().length));
    const [action] = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      body.uri,
      all,
      'source.fixAll.mailing',
    );
    assert.ok(action?.edit && (await vscode.workspace.applyEdit(action.edit)));
    assert.equal(body.getText().match(/role="presentation"/gu)?.length, 2);
  });

  it('explain findings with client support, test date and a link to the documentation', async () => {
    await type(body, '<p>Hello</p><div style="display: flex"><p>a</p><p>b</p></div>');
    const diagnostic = await eventually(() => {
      const [own] = found(body.uri).filter((each) => codeOf(each) === 'layout');
      assert.ok(own, codes(body.uri).join(' '));
      return own;
    });
    const text = await eventually(async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        body.uri,
        diagnostic.range.start,
      );
      const markdown = hovers
        .flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)))
        .join('\n');
      assert.match(markdown, /\| Outlook for Windows \| no/u);
      assert.match(markdown, /Tested 20\d\d/u);
      assert.match(markdown, /https:\/\/www.caniemail.com\/features\//u);
      return markdown;
    });
    const [, command = '', values = ''] = /\(command:([\w.]+)\?([^ ]+) /u.exec(text) ?? [];
    const link: unknown = JSON.parse(decodeURIComponent(values));
    assert.deepEqual([command, link], ['mailing.showDocs', ['checks', 'layout']]);
    await vscode.commands.executeCommand(command, 'checks', 'layout');
    await eventually(() => assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /checks\.md/u));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('use the checks in mailing.json of the workspace, and the settings of the editor before them', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const mapping = vscode.Uri.joinPath(folder.uri, 'mailing.json');
    const severityOf = () => found(body.uri).find((each) => codeOf(each) === 'image-alt')?.severity;
    const checkNow = () => vscode.commands.executeCommand('mailing.checkEmail', body.uri);
    const store = (checks: object) =>
      vscode.workspace.fs.writeFile(mapping, new TextEncoder().encode(JSON.stringify({ templates: [], checks })));
    try {
      await store({ rules: { 'image-alt': 'error' } });
      await checkNow();
      await eventually(() => assert.equal(severityOf(), vscode.DiagnosticSeverity.Error));
      // A changed file applies without an edit.
      await store({ rules: { 'image-alt': 'hint' } });
      await eventually(() => assert.equal(severityOf(), vscode.DiagnosticSeverity.Hint));
      await settings().update('rules', { 'image-alt': 'info' }, vscode.ConfigurationTarget.Global);
      await eventually(() => assert.equal(severityOf(), vscode.DiagnosticSeverity.Information));
      await type(body, '<p>Hello</p><div style="display: flex"><p>a</p><p>b</p></div>');
      await eventually(() => assert.ok(codes(body.uri).includes('layout')));
      await store({ clients: ['Apple Mail'] });
      await eventually(() => assert.ok(!codes(body.uri).includes('layout')));
      await settings().update('clients', ['Outlook for Windows'], vscode.ConfigurationTarget.Global);
      await eventually(() => assert.ok(codes(body.uri).includes('layout')));
    } finally {
      await vscode.workspace.fs.delete(mapping);
    }
  });

  it('follow the settings for clients, severities and disabling', async () => {
    await type(
      body,
      '<p>Hello</p><div style="display: flex"><p>a</p><p>b</p></div><img src="https://example.com/a.png" width="80">',
    );
    await eventually(() => assert.ok(codes(body.uri).includes('layout') && codes(body.uri).includes('image-alt')));
    await settings().update('clientShares', { 'Outlook for Windows': 0.12 }, vscode.ConfigurationTarget.Global);
    await eventually(() =>
      assert.ok(found(body.uri).some(({ message }) => message.includes('Outlook for Windows: 12% of your opens.'))),
    );
    await settings().update('rules', { 12: 'error', layout: 'off' }, vscode.ConfigurationTarget.Global);
    await eventually(() => {
      assert.ok(!codes(body.uri).includes('layout'));
      assert.equal(
        found(body.uri).find((each) => codeOf(each) === 'image-alt')?.severity,
        vscode.DiagnosticSeverity.Error,
      );
    });
    await settings().update('enabled', false, vscode.ConfigurationTarget.Global);
    await eventually(() => assert.deepEqual(found(body.uri), []));
    const result = await vscode.commands.executeCommand<{ readonly errors: number }>('mailing.checkEmail', body.uri);
    assert.ok(result.errors > 0);
  });

  it('ignore local HTML until requested', async () => {
    const file = await vscode.workspace.openTextDocument({ language: 'html', content: image });
    assert.deepEqual(found(file.uri), []);
    const result = await vscode.commands.executeCommand<{
      readonly errors: number;
      readonly warnings: number;
      readonly bytes?: number;
    }>('mailing.checkEmail', file.uri);
    assert.ok(result.warnings > 0 && (result.bytes ?? 0) > image.length);
    assert.ok(codes(file.uri).includes('image-alt'));
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('report emails that are too large to check', async () => {
    await type(body, `<p>${'x'.repeat(10 * 1024 * 1024)}</p>`);
    await eventually(() => {
      const [only, ...others] = found(body.uri);
      assert.ok(
        only?.message.includes('too large to check') && others.length === 0,
        found(body.uri)
          .map(({ message }) => message)
          .join('; '),
      );
    });
    await type(body, `<p>Hi</p>${'<div>'.repeat(20_000)}`);
    await eventually(() =>
      assert.ok(found(body.uri).some(({ message }) => message.includes('too large to check. The tags are nested'))),
    );
  });

  it('are removed with the last document of an email', async () => {
    const { templateId } = await service.other.createTemplate({ name: 'Gone', body: image });
    const uri = service.uri(`/templates/${templateId}/Gone.html`);
    await vscode.commands.executeCommand('vscode.open', uri);
    await eventually(() => assert.ok(codes(uri).includes('image-alt')));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually(() => assert.deepEqual(found(uri), []));
  });
});
