import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { heavyEmails } from '../../support/hostile/index.ts';
import { answering } from '../answers.ts';
import { connectService, type, useService, type TestService } from '../service.ts';

const fs = vscode.workspace.fs;
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const encode = (text: string) => new TextEncoder().encode(text);

async function saveDirty(document: vscode.TextDocument) {
  assert.equal(document.isDirty, true);
  assert.equal(await document.save(), true);
}

describe('documents of a template', () => {
  let service: TestService;
  let id: number;
  let folder: string;
  /** Number of the last request before the test. */
  let lastRequestBefore: number;

  const getUri = (suffix: string) => service.uri(`${folder}/Welcome${suffix}`);
  const open = async (suffix: string) => {
    const document = await vscode.workspace.openTextDocument(getUri(suffix));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };

  const readBody = async () => (await service.other.getOneTemplate(id)).body ?? '';

  const shared = useService('grown');
  beforeEach(async () => {
    service = shared();
    lastRequestBefore = service.mark();
    ({ templateId: id } = await service.other.createTemplate({
      name: 'Welcome',
      subject: 'Hello',
      body: '<p>Hello</p>',
      stylesheet: 'p { color: red }',
    }));
    folder = `/templates/${id}`;
    service.forget();
  });

  it('are listed in folders', async () => {
    const names = async (path: string) => (await fs.readDirectory(service.uri(path))).map(([name]) => name);
    assert.ok((await names('/')).includes('templates'));
    assert.ok((await names('/templates')).includes(String(id)));
    assert.deepEqual(await names(folder), ['Welcome.html', 'Welcome.css', 'Welcome.template.json']);
  });

  it('open cold, by the id alone', async () => {
    const document = await vscode.workspace.openTextDocument(service.uri(`${folder}/An older name.html`));
    assert.deepEqual([document.getText(), document.languageId], ['<p>Hello</p>', 'html']);
  });

  it('have the true size, and a time that moves only with their content', async () => {
    const first = await fs.stat(getUri('.html'));
    assert.equal(first.size, Buffer.byteLength('<p>Hello</p>'));
    const second = await fs.stat(getUri('.html'));
    assert.equal(second.mtime, first.mtime);
    await service.other.updateTemplate({ templateId: id, subject: 'Another subject' });
    assert.equal((await fs.stat(getUri('.html'))).mtime, first.mtime, 'another field is another document');
    await service.other.updateTemplate({ templateId: id, body: '<p>Hallo</p>' });
    const third = await fs.stat(getUri('.html'));
    assert.ok(third.mtime > first.mtime);
    assert.equal(third.size, first.size);
  });

  it('send only the changed field, once, when saved', async () => {
    const document = await open('.html');
    await type(document, '<p>Grüße 🎉</p>');
    service.forget();
    assert.equal(await document.save(), true);
    assert.equal(document.isDirty, false);
    assert.equal(await readBody(), '<p>Grüße 🎉</p>');
    const [update, ...others] = service.sandbox.requests.filter(
      ({ number, operation }) => number > lastRequestBefore && operation === 'updateTemplate',
    );
    assert.deepEqual(update?.body, { templateId: id, body: '<p>Grüße 🎉</p>' });
    assert.deepEqual(others, []);
  });

  it('send only the changed fields of the details', async () => {
    const document = await open('.template.json');
    const details = JSON.parse(document.getText()) as Record<string, string>;
    assert.equal(
      Object.keys(details).join(),
      'name,subject,preheader,from_name,from_email,reply_to_name,reply_to_email,headers',
    );
    const changes = { subject: 'A new subject', from_email: 'ann@example.com' };
    await type(document, JSON.stringify({ ...details, ...changes }, null, 2));
    assert.equal(await document.save(), true);
    const update = service.sandbox.requests.findLast(({ operation }) => operation === 'updateTemplate');
    assert.deepEqual(update?.body, { templateId: id, ...changes });
  });

  it('are not overwritten even if the new text was read through the file system first', async () => {
    const document = await open('.html');
    await type(document, '<p>Mine!</p>');
    await service.other.updateTemplate({ templateId: id, body: '<p>Howdy</p>' });
    assert.equal(decode(await fs.readFile(getUri('.html'))), '<p>Howdy</p>');
    assert.equal(await document.save(), false);
    assert.equal(await readBody(), '<p>Howdy</p>');
  });

  it('show the text of another user in a tab without edits', async () => {
    const document = await open('.html');
    await service.other.updateTemplate({ templateId: id, body: '<p>Theirs</p>' });
    await fs.stat(getUri('.html'));
    await eventually(() => assert.equal(document.getText(), '<p>Theirs</p>'));
    await type(document, '<p>Mine after theirs</p>');
    assert.equal(await document.save(), true, 'the edit is based on what they wrote');
  });

  it('are stored when an edit restores an earlier text', async () => {
    const document = await open('.html');
    const before = document.getText();
    for (const text of ['<p>One</p>', '<p>Two</p>', '<p>One</p>', before]) {
      await type(document, text);
      await saveDirty(document);
      assert.equal(await readBody(), text);
    }
    await vscode.commands.executeCommand('undo');
    await saveDirty(document);
    assert.equal(await readBody(), '<p>One</p>');
  });

  it('are sent as one update when saved together', async () => {
    const [html, css, json] = [await open('.html'), await open('.css'), await open('.template.json')];
    await type(html, '<p>All</p>');
    await type(css, 'p { color: green }');
    await type(json, json.getText().replace('"Hello"', '"All at once"'));
    service.forget();
    assert.equal(await vscode.workspace.saveAll(), true);
    assert.equal(service.received('updateTemplate'), 1);
    const { body, stylesheet, subject } = await service.other.getOneTemplate(id);
    assert.deepEqual([body, stylesheet, subject], ['<p>All</p>', 'p { color: green }', 'All at once']);
  });

  it('keep their text when the template was deleted', async () => {
    const document = await open('.html');
    await type(document, '<p>Precious</p>');
    await service.other.deleteTemplate(id);
    service.forget();
    assert.equal(await document.save(), false);
    assert.deepEqual([document.getText(), document.isDirty], ['<p>Precious</p>', true]);
    assert.equal(service.received('updateTemplate'), 0);
    await assert.rejects(() => Promise.resolve(fs.readFile(getUri('.html'))), /FileNotFound|not found/iu);
  });

  for (const [mistake, text, line] of [
    ['broken JSON', '{\n  "name": "Welcome",\n  "subject": oops\n}', 2],
    ['a wrong type', '{\n  "name": "Welcome",\n  "subject": 5\n}', 2],
    ['an unsupported field', '{\n  "name": "Welcome",\n  "color": "red"\n}', 2],
    ['an empty name', '{\n  "subject": "x",\n  "name": " "\n}', 2],
    ['a bad address', '{\n  "name": "Welcome",\n  "from_email": "not an address"\n}', 2],
    ['an array', '[]', 0],
    ['nothing', '', 0],
  ] as const) {
    it(`are refused with ${mistake} at its line, before anything is sent`, async () => {
      const document = await open('.template.json');
      await type(document, text);
      service.forget();
      assert.equal(await document.save(), false);
      assert.equal(document.isDirty, true);
      assert.equal(service.received('updateTemplate'), 0);
      // Diagnostics of the checks have a code and appear later.
      const ours = vscode.languages
        .getDiagnostics(document.uri)
        .filter(
          ({ source, code, range }) => source === 'Mailing Studio' && code === undefined && range.start.line === line,
        );
      assert.equal(ours.length, 1);
    });
  }

  it('can be written through the file system', async () => {
    await fs.writeFile(getUri('.css'), encode('p { margin: 0 }'));
    assert.equal((await service.other.getOneTemplate(id)).stylesheet, 'p { margin: 0 }');
    await assert.rejects(() => Promise.resolve(fs.writeFile(service.uri('/templates/999999/None.html'), encode('x'))));
    await assert.rejects(() => Promise.resolve(fs.delete(getUri('.css'))));
  });

  it('are not written if the bytes are not UTF-8', async () => {
    service.forget();
    await assert.rejects(
      () => Promise.resolve(fs.writeFile(getUri('.css'), new Uint8Array([0x70, 0xfc, 0x7b, 0x7d]))),
      /UTF-8/u,
    );
    assert.equal(service.received('updateTemplate'), 0);
    assert.equal((await service.other.getOneTemplate(id)).stylesheet, 'p { color: red }');
  });

  it('can be emptied', async () => {
    const document = await open('.css');
    await type(document, '');
    assert.equal(await document.save(), true);
    assert.equal((await service.other.getOneTemplate(id)).stylesheet ?? '', '');
  });

  it('are read-only with a reason for drag-and-drop templates', async () => {
    const drag = (await service.other.getTemplates({ templateType: 'drag' }))[0];
    assert.ok(drag);
    const uri = service.uri(`/templates/${drag.id}/Drag.html`);
    assert.equal((await fs.stat(uri)).permissions, vscode.FilePermission.Readonly);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.ok(lenses.some(({ command }) => command?.title.includes('drag-and-drop')));
    await assert.rejects(() => Promise.resolve(fs.writeFile(uri, encode('x'))));
  });
});

describe('documents with another default encoding', () => {
  const text = '<p>Grüße für 5 € 🎉 и тем более</p>';
  const getService = useService('grown');
  const update = (name: string, value: string | boolean | object | undefined) =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);

  /** Creates a template. Returns its document, and what the service has. */
  async function create(body: string, options?: { readonly encoding: string }) {
    const { other, uri } = getService();
    const { templateId } = await other.createTemplate({ name: 'Welcome', subject: 'Grüße', body });
    const document = await vscode.workspace.openTextDocument(uri(`/templates/${templateId}/Welcome.html`), options);
    return { document, id: templateId, read: async () => (await other.getOneTemplate(templateId)).body };
  }

  for (const [name, value] of [
    ['files.encoding', 'windows1252'],
    ['files.encoding', 'utf16le'],
    ['files.encoding', 'utf8bom'],
    ['[html]', { 'files.encoding': 'shiftjis' }],
    ['files.autoGuessEncoding', true],
  ] as const) {
    it(`are read and stored unchanged, without a conflict: ${name} ${JSON.stringify(value)}`, async () => {
      await update(name, value);
      try {
        const { document, read } = await create(text);
        assert.equal(document.getText(), text);
        assert.equal((await fs.stat(document.uri)).size, (await fs.readFile(document.uri)).length);
        await vscode.window.showTextDocument(document, { preview: false });
        for (const mine of [`${text} – Straße`, `${text} – 日本`, text]) {
          await type(document, mine);
          await saveDirty(document);
          assert.equal(await read(), mine);
        }
      } finally {
        await update(name, undefined);
      }
    });
  }

  it('send the same text in a test', async () => {
    const { connection, other } = getService();
    await update('files.encoding', 'windows1252');
    await update('mailing.testLists', { [connection]: 8 });
    try {
      const { document, id, read } = await create(text);
      await type(document, `${text}<p>in the editor, für später</p>`);
      const target = { connection, collection: 'templates', id, to: 'list' };
      const { result } = await answering('Send Test', () =>
        vscode.commands.executeCommand<{ readonly id: number } | undefined>('mailing.sendTest', target),
      );
      const { subject, body } = await other.getCampaignById(result?.id ?? 0);
      assert.equal(subject, '[Test] Grüße');
      assert.ok(body?.includes(`${text}<p>in the editor, für später</p>`), body ?? '');
      await vscode.window.showTextDocument(document);
      await saveDirty(document);
      assert.equal(await read(), document.getText());
    } finally {
      await update('mailing.testLists', undefined);
      await update('files.encoding', undefined);
    }
  });

  it('are stored in UTF-8 from an editor with another encoding', async () => {
    const { document, read } = await create('<p>plain</p>', { encoding: 'windows1252' });
    assert.equal(document.encoding, 'windows1252');
    await type(document, text);
    await saveDirty(document);
    assert.equal(await read(), text);
  });

  it('keep the byte order mark on the service', async () => {
    const { document, read } = await create('\uFEFF<p>marked</p>');
    assert.equal(document.getText(), '<p>marked</p>');
    await type(document, text);
    await saveDirty(document);
    assert.equal(await read(), `\uFEFF${text}`);
  });
});

describe('documents on a service that ignores unsupported values', () => {
  const getService = useService('grown', { profile: 'acymailing' });

  it('store the supported values, and keep the others in the editor', async () => {
    const { other, uri } = getService();
    const { templateId } = await other.createTemplate({ name: 'Welcome', subject: 'Hello', body: '<p>Hello</p>' });
    const document = await vscode.workspace.openTextDocument(uri(`/templates/${templateId}/Welcome.template.json`));
    await type(document, document.getText().replace('"Hello"', '""').replace('"Welcome"', '"Renamed"'));
    assert.equal(await document.save(), false);
    const { name, subject } = await other.getOneTemplate(templateId);
    assert.deepEqual([name, subject], ['Renamed', 'Hello']);
    await type(document, document.getText().replace('"subject": ""', '"subject": "Hello again"'));
    assert.equal(await document.save(), true, 'stored values are no conflict');
  });
});

describe('documents of big emails', function () {
  let service: TestService;
  // VS Code's own outline of 900,000 elements blocks a window for half a minute.
  const outlines = async (value: false | undefined) => {
    for (const name of ['breadcrumbs.enabled', 'editor.stickyScroll.enabled'])
      await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  };

  before(() => outlines(false));
  after(() => outlines(undefined));
  beforeEach(async () => {
    service = await connectService({ maxBodyBytes: 16 * 1024 * 1024 });
  });
  afterEach(() => service.end());

  for (const id of ['big-rows', 'attributes']) {
    it(`are opened, previewed, edited and saved without holding up the extension: ${id}`, async () => {
      const whole = heavyEmails.find((mail) => mail.id === id)?.body() ?? assert.fail('There is no such email.');
      // VS Code announces a save for 1.75 s at most, and drops it if another program slows down reading a larger text. Its own editor takes a minute for 3 MB.
      const body = whole.slice(0, 1024 * 1024);
      const { templateId } = await service.other.createTemplate({ name: id, body });
      const document = await vscode.workspace.openTextDocument(service.uri(`/templates/${templateId}/${id}.html`));
      assert.equal(document.getText().length, body.length);
      await vscode.window.showTextDocument(document, { preview: false });
      await vscode.commands.executeCommand('mailing.preview', {
        connection: service.connection,
        collection: 'templates',
        id: templateId,
      });
      await eventually(() =>
        assert.ok(
          vscode.window.tabGroups.all
            .flatMap(({ tabs }) => tabs)
            .some(({ input }) => input instanceof vscode.TabInputWebview),
        ),
      );

      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'zz');
      assert.equal(await vscode.workspace.applyEdit(edit), true);
      await eventually(() => assert.equal(document.isDirty, true));
      assert.equal(await document.save(), true);
      assert.equal((await service.other.getOneTemplate(templateId)).body, `zz${body}`);
    });
  }
});
