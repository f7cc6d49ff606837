import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PreviewSession } from '../../../src/features/preview/session.ts';
import type { EmbeddedBody } from '../../../src/features/preview/source.ts';
import type { FromPage, ToPage } from '../../../src/features/preview/protocol.ts';
import { applyChange } from '../../../src/email/html/text.ts';
import { eventually } from '../../support/eventually.ts';
import { memoryMemento } from '../../support/memento.ts';
import { answering, assertShown } from '../answers.ts';
import { TestPage } from '../page.ts';
import { extensionFile, revert, type } from '../service.ts';

const scheme = 'mailing-slow';

describe('A preview that changes to another email', () => {
  const page = new TestPage<FromPage, ToPage>();
  /** Finish reading, by path. */
  const pending = new Map<string, () => void>();
  const log = vscode.window.createOutputChannel('Test of previews', { log: true });
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ path }) =>
      new Promise((resolve) => {
        pending.set(path, () => resolve(`<p>Text of ${path}</p>`));
      }),
  });
  const source = (name: string) => ({ title: name, body: vscode.Uri.from({ scheme, path: `/${name}.html` }) });
  const read = (name: string) =>
    eventually(() => {
      const finish = pending.get(`/${name}.html`);
      assert.ok(finish);
      finish();
    });
  let session: PreviewSession;

  before(() => {
    session = new PreviewSession(page.panel, source('A'), false, {
      context: {
        extensionUri: vscode.Uri.file(extensionFile('.')),
        globalState: memoryMemento(),
      } as unknown as vscode.ExtensionContext,
      log,
      connections: {
        get: () => undefined,
        getSending: async () => ({ profile: 'acymailing' }),
      } as never,
      compose: async ({ body }) => ({ html: `sent ${body}`, text: `sent ${body}`, bytes: 0 }),
      getProblems: () => undefined,
    });
  });
  after(() => {
    session.dispose();
    provider.dispose();
    log.dispose();
  });

  it('posts its title at once, and nothing of the email before until it is read', async () => {
    page.say({ type: 'ready' });
    await read('A');
    await page.until('show', ({ body }) => assert.match(body, /Text of \/A/u));
    await page.until('sent', ({ html }) => assert.match(html?.text ?? '', /Text of \/A/u));
    page.received.length = 0;

    session.show(source('B'));
    assert.deepEqual(page.received, [{ type: 'opening', title: 'B' }]);
    assert.equal(page.panel.title, 'Preview B');
    // A reloaded page gets the title too.
    page.say({ type: 'ready' });
    await page.until('opening', ({ title }) => assert.equal(title, 'B'));
    await read('B');
    await page.until('sent', ({ html }) => assert.match(html?.text ?? '', /Text of \/B/u));
    assert.deepEqual(
      page.all('show').map(({ title, body }) => [title, body]),
      [['B', '<p>Text of /B.html</p>']],
    );
    assert.doesNotMatch(JSON.stringify(page.received), /Text of \/A/u);
  });

  it('posts a received message with its sender and recipient, as it was sent', async () => {
    const envelope = { subject: '50% off', preheader: '', from_name: 'Fjord', from_email: 'a@fjord.example' };
    page.received.length = 0;
    session.show({ ...source('C'), title: '50% off', message: { envelope, to: 'ann@example.com', text: 'Plain' } });
    assert.equal(page.panel.title, 'Preview 50% off');
    await read('C');
    const shown = await page.until('show', ({ title }) => assert.equal(title, '50% off'));
    assert.deepEqual([shown.envelope, shown.recipient, shown.toolbar.view], [envelope, 'ann@example.com', 'sent']);
    const sent = await page.until('sent', ({ text }) => assert.equal(text?.text, 'Plain'));
    assert.deepEqual([sent.html?.text, sent.service.isAssumed], ['<p>Text of /C.html</p>', false]);
  });

  it('edits the details of the email that the page showed, also once the next one is shown, and no broken ones', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const details = vscode.Uri.joinPath(folder.uri, 'envelope.json');
    const write = (text: string) => vscode.workspace.fs.writeFile(details, new TextEncoder().encode(text));
    await write('{\n  "name": "A",\n  "subject": "Old",\n  "other": 1\n}\n');
    session.show({ ...source('D'), details });
    await read('D');
    const shown = await page.until('show', ({ title }) => assert.equal(title, 'D'));
    assert.deepEqual(shown.editable, { subject: 'Old' });
    session.show({ ...source('E'), details });
    const document = await vscode.workspace.openTextDocument(details);
    const edit = { type: 'edit', document: String(source('D').body), field: 'subject', text: 'New "one"' } as const;
    page.say({ ...edit, document: String(source('F').body) });
    page.say(edit);
    await eventually(() =>
      assert.equal(document.getText(), '{\n  "name": "A",\n  "subject": "New \\"one\\"",\n  "other": 1\n}\n'),
    );
    await type(document, '{ "subject": "Old", ');
    await read('E');
    page.received.length = 0;
    page.say(edit);
    await page.until('show', ({ title }) => assert.equal(title, 'E'));
    assert.equal(document.getText(), '{ "subject": "Old", ');
    await revert(document);
    await vscode.workspace.fs.delete(details);
    page.received.length = 0;
    const { shown: errors } = await answering(undefined, async () => {
      page.say(edit);
      await page.until('show', ({ title }) => assert.equal(title, 'E'));
    });
    assertShown(errors, /^Preview: .*envelope\.json/u);
  });

  it('follows a text inside another one, and finds the places of both', async () => {
    const body = await vscode.workspace.openTextDocument({
      language: 'html',
      content: '<p>One</p><p>default</p><p>Two</p>',
    });
    const embeddings: { readonly text: string; readonly finish: (around?: string) => void }[] = [];
    const embed = (text: string) =>
      new Promise<EmbeddedBody | undefined>((resolve) => {
        const shown = text.replace('default', 'slot');
        const finish = (around?: string) =>
          resolve(
            around === undefined
              ? undefined
              : { text: around + shown + around, start: around.length, end: around.length + shown.length },
          );
        embeddings.push({ text, finish });
      });
    const next = () => eventually(() => embeddings.splice(0).at(-1) ?? assert.fail());
    const shownText = () =>
      page
        .all('change')
        .reduce((text, { changes }) => changes.reduce(applyChange, text), page.all('show').at(-1)?.body ?? '');
    page.received.length = 0;
    session.show({ title: 'footer.html in G', body: body.uri, embed });
    // VS Code loads the page again, for another folder.
    page.say({ type: 'ready' });
    (await next()).finish('<hr>');
    await page.until('show', (message) => assert.equal(message.body, '<hr><p>One</p><p>slot</p><p>Two</p><hr>'));
    await page.until('sent', ({ html }) => assert.match(html?.text ?? '', /sent <hr><p>One/u));

    // The last text counts, however long each takes.
    await type(body, '<p>1</p><p>default</p><p>Two</p>');
    const slow = await next();
    await type(body, '<p>New</p><p>default</p><p>Two</p>');
    (await next()).finish('<hr>');
    slow.finish('<hr>');
    await eventually(() => assert.equal(shownText(), '<hr><p>New</p><p>slot</p><p>Two</p><hr>'));
    await page.until('change', ({ length }) => assert.equal(length, shownText().length));

    const { selection } = await vscode.window.showTextDocument(body);
    assert.equal(body.offsetAt(selection.active), 0);
    await page.until('cursor', ({ offset }) => assert.equal(offset, '<hr>'.length));
    const reveal = (text: string) => page.say({ type: 'reveal', part: 'body', offset: shownText().indexOf(text) });
    const places = new Set<string>();
    const listener = vscode.window.onDidChangeTextEditorSelection(({ selections: [at] }) =>
      places.add(body.getText().slice(at?.active.character).slice(0, 3)),
    );
    for (const text of ['Two', 'lot', '<hr>', 'New']) reveal(text);
    await eventually(() => assert.deepEqual([...places], ['Two', 'New']));
    listener.dispose();

    await type(body, '<p>Alone</p>');
    (await next()).finish();
    await eventually(() => assert.equal(shownText(), '<p>Alone</p>'));
    await revert(body);
  });
});
