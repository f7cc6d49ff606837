import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { connectService, revert, type, type TestService } from '../service.ts';

const text = `<table bgcolor="#112233"><tr><td style="color:#445566">
<!--[if mso]>
<table id="ghost" bgcolor="#abcdef"><tr><td style="color:#123456">
<v:rect fillcolor="red" ></v:rect>
<
<![endif]-->
<p>Text</p>
<!--[if gte mso 9]></td></tr></table><![endif]-->
<!--[if !mso]><!-->
<p style="">Others</p>
<!--<![endif]-->
<!--[if ]-->
<div>
<b>Folded</b>
</div>
</td></tr></table>`;

describe('The code for Outlook in editors', () => {
  let service: TestService;
  let body: vscode.TextDocument;

  before(async () => {
    service = await connectService();
    const { templateId } = await service.other.createTemplate({ name: 'Outlook', body: '<p>Hi</p>', subject: 'Hi' });
    body = await vscode.workspace.openTextDocument(service.uri(`/templates/${templateId}/Outlook.html`));
    await vscode.window.showTextDocument(body);
    await type(body, text);
  });
  after(async () => {
    await revert(body);
    await service.end();
  });

  /** The position after a text in the document. */
  function behind(sign: string) {
    const at = body.getText().indexOf(sign);
    assert.ok(at >= 0, sign);
    return body.positionAt(at + sign.length);
  }

  async function getLabels(position: vscode.Position, trigger?: string) {
    const command = 'vscode.executeCompletionItemProvider';
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(command, body.uri, position, trigger);
    return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  async function getHover(position: vscode.Position) {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      body.uri,
      position,
    );
    return hovers
      .flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)))
      .join('\n');
  }

  it('is completed with elements and attributes of HTML and VML', async () => {
    await eventually(async () => {
      const tags = await getLabels(behind('</v:rect>\n<'), '<');
      for (const tag of ['table', 'v:roundrect', '/td']) assert.ok(tags.includes(tag), `${tag}: ${tags.join(' ')}`);
    });
    assert.ok((await getLabels(behind('fillcolor="red" '))).includes('strokecolor'));
  });

  it('is completed with the CSS properties of Outlook, once and only where a property can be', async () => {
    const count = async (position: vscode.Position) =>
      (await getLabels(position)).filter((label) => label === 'mso-line-height-rule').length;
    for (const sign of ['<p style="', '<tr><td style="']) assert.equal(await count(behind(sign)), 1, sign);
    for (const sign of ['style="color:', '<b>Fold']) assert.equal(await count(behind(sign)), 0, sign);
    const css = await vscode.workspace.openTextDocument({ language: 'css', content: 'p { color: red; ms }' });
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      css.uri,
      css.positionAt(18),
    );
    assert.equal(list.items.filter(({ insertText }) => insertText === 'mso-line-height-rule: ').length, 1);
  });

  it('is completed with conditions', async () => {
    const conditions = await getLabels(
      behind('<!--[if !mso]><!-->\n<p style="">Others</p>\n<!--<![endif]-->\n<!--[if '),
      '[',
    );
    for (const condition of ['if mso', 'if !mso', 'if gte mso 9']) assert.ok(conditions.includes(condition), condition);
  });

  it('is explained in hovers', async () => {
    assert.match(await getHover(behind('<!--[if gte')), /2016 or later\. All other mail clients skip/u);
    assert.match(await getHover(behind('<!--[if !m')), /none\. All other mail clients show/u);
    await eventually(async () => assert.match(await getHover(behind('<v:re')), /Rectangle/u));
  });

  it('is listed in the outline', async () => {
    await eventually(async () => {
      const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
        'vscode.executeDocumentSymbolProvider',
        body.uri,
      );
      const block = symbols.find(({ name }) => name === '[if mso]');
      assert.equal(block?.children[0]?.name, 'table#ghost', symbols.map(({ name }) => name).join(' '));
      assert.equal(block.range.start.line, 1);
    });
  });

  it('has matching tags, also in other comments', async () => {
    await eventually(async () => {
      const marked = await vscode.commands.executeCommand<vscode.DocumentHighlight[]>(
        'vscode.executeDocumentHighlights',
        body.uri,
        behind('<!--[if mso]>\n<ta'),
      );
      assert.deepEqual(
        marked.map(({ range }) => [range.start.line, body.getText(range)]),
        [
          [2, 'table'],
          [7, 'table'],
        ],
      );
    });
  });

  it('has colors, once each', async () => {
    await eventually(async () => {
      const colors = await vscode.commands.executeCommand<vscode.ColorInformation[]>(
        'vscode.executeDocumentColorProvider',
        body.uri,
      );
      assert.deepEqual(colors.map(({ range }) => body.getText(range)).toSorted(), [
        '#112233',
        '#123456',
        '#445566',
        '#abcdef',
        'red',
      ]);
    });
    const at = new vscode.Range(behind('bgcolor="'), behind('bgcolor="#112233'));
    const presentations = await vscode.commands.executeCommand<vscode.ColorPresentation[]>(
      'vscode.executeColorPresentationProvider',
      new vscode.Color(1, 0.5, 0, 1),
      { uri: body.uri, range: at },
    );
    assert.ok(presentations.some(({ label }) => label === '#ff8000'));
  });

  it('is folded at once', async () => {
    const editor = await vscode.window.showTextDocument(body);
    const isVisible = (line: number) =>
      editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line);
    assert.equal(await vscode.commands.executeCommand('mailing.foldOutlookBranches'), 1);
    await eventually(() => assert.deepEqual([2, 6, 13].map(isVisible), [false, true, true]));
  });
});
