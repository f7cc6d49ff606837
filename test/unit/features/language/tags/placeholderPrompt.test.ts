import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Range, Uri, user, window } from '../../../../support/vscodeStandIn.ts';

const { PlaceholderPrompt } = await import('../../../../../src/features/language/tags/placeholderPrompt.ts');

const body =
  '<p>Before</p><table><tr data-dynamic="{post:1}" class="a"><td><p>Preview</p><i></i></td></tr></table><p>After</p>';

/** Opens a body in the active editor. */
function open(text = body, path = '/templates/1/A.html') {
  const prompt = new PlaceholderPrompt();
  let current = text;
  const document = {
    ...{ uri: new Uri({ scheme: 'mailing', path }), languageId: 'html' },
    getText: () => current,
    positionAt: (offset: number) => offset,
  };
  prompt.watch(document as object as vscode.TextDocument);
  const change = (start: number, removed: number, inserted: string, reason?: number) => {
    current = current.slice(0, start) + inserted + current.slice(start + removed);
    const range = new Range(start, start + removed);
    const contentChanges = [{ range, rangeOffset: start, rangeLength: removed, text: inserted }];
    return prompt.handleChange({ document, contentChanges, reason } as object as vscode.TextDocumentChangeEvent);
  };
  /** Types at the selection, in place of the characters before or after it. */
  const type = (
    before: string,
    inserted: string,
    { removed = 0, reason }: { removed?: number; reason?: number } = {},
  ) => {
    const start = current.indexOf(before) + before.length;
    window.activeTextEditor = { document, selections: [new Range(start, start)] };
    return change(start, removed, inserted, reason);
  };
  user.useEdit = ({ replaced }) => {
    for (const { range, text: replacement } of replaced) void change(range.start, range.end - range.start, replacement);
  };
  return { type, change, getText: () => current };
}

describe('Typing in a placeholder of the visual editor', () => {
  beforeEach(() => user.reset());
  after(() => {
    window.activeTextEditor = undefined;
  });

  it('asks once per document and keeps what was typed', async () => {
    const { type, getText } = open();
    user.answers.push('Edit Anyway');
    await type('Pre', 'x');
    await type('Prex', 'y');
    assert.equal(getText(), body.replace('Pre', 'Prexy'));
    assert.deepEqual(
      user.messages.map(({ kind, isModal, buttons }) => ({ kind, isModal, buttons })),
      [{ kind: 'info', isModal: false, buttons: ['Undo Edit', 'Edit Anyway'] }],
    );
  });

  it('restores the placeholder on request, and keeps what was typed elsewhere meanwhile', async () => {
    const { type, getText } = open();
    user.answers.push(async () => {
      await type('Prex', 'y');
      await type('<p>Be', '1');
      await type('<p>Af', '2');
      return 'Undo Edit';
    });
    await type('Pre', 'x');
    assert.equal(getText(), body.replace('Be', 'Be1').replace('Af', 'Af2'));
  });

  it('restores code that was deleted with the start of a placeholder', async () => {
    const { type, getText } = open();
    user.answers.push('Undo Edit');
    await type('<p>Before', '', { removed: '</p><table><tr da'.length });
    assert.equal(getText(), body);
  });

  it('asks for each document', async () => {
    await open().type('Pre', 'x');
    await open(body, '/templates/2/B.html').type('{post:', '2');
    assert.equal(user.messages.length, 2);
  });

  it("doesn't ask after undo and redo, for edits outside, or if the whole placeholder is deleted", async () => {
    const { type } = open();
    await type('Pre', 'x', { reason: 1 });
    await type('Prex', 'y', { reason: 2 });
    await type('<table>', '\n');
    await type('</tr>', '\n');
    await type('<table>\n', '', {
      removed: '<tr data-dynamic="{post:1}" class="a"><td><p>Prexyview</p><i></i></td></tr>'.length,
    });
    assert.deepEqual(user.messages, []);
  });

  it("doesn't ask if a service or a fix changes the text", async () => {
    const broken = body.replace('<i></i>', '');
    const { type, change } = open(broken);
    await type('<td>', '');
    await change(broken.indexOf('</td>'), 0, '<i></i>');
    await change(body.indexOf('Preview'), 3, 'New p');
    assert.deepEqual(user.messages, []);
  });
});
