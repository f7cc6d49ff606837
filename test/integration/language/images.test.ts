import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { readImageInfo } from '../../../src/features/language/imageHovers.ts';
import { createHtmlPasteProvider, insertImages } from '../../../src/features/language/pasteAndDrop.ts';
import { eventually } from '../../support/eventually.ts';
import { answering, assertShown } from '../answers.ts';
import { closeEditors, useService } from '../service.ts';
import { folder, picking } from '../sourceControl/fixtures.ts';

/** The header of an image, and other bytes. */
function createImage(format: 'png' | 'gif' | 'jpeg', width: number, height: number) {
  const bytes = Buffer.alloc(2000);
  if (format === 'png') {
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
  } else if (format === 'gif') {
    bytes.write('GIF89a', 'latin1');
    bytes.writeUInt16LE(width, 6);
    bytes.writeUInt16LE(height, 8);
  } else {
    // Start, a segment of 100 bytes, and a progressive frame.
    bytes.writeUInt32BE(0xffd8ffe1);
    bytes.writeUInt16BE(100, 4);
    bytes.writeUInt16BE(0xffc2, 104);
    bytes.writeUInt16BE(height, 109);
    bytes.writeUInt16BE(width, 111);
  }
  return bytes;
}

const png = createImage('png', 300, 200);

function createTransfer(images: Readonly<Record<string, Uint8Array>>, texts: Readonly<Record<string, string>> = {}) {
  const transfer = new vscode.DataTransfer();
  for (const [name, bytes] of Object.entries(images)) {
    const file = { name, data: () => Promise.resolve(bytes) };
    transfer.set(
      `image/${Object.keys(images).indexOf(name)}`,
      Object.assign(new vscode.DataTransferItem(''), { asFile: () => file }),
    );
  }
  for (const [type, text] of Object.entries(texts)) transfer.set(type, new vscode.DataTransferItem(text));
  return transfer;
}

/** Records requests instead of sending them. Each is answered with a size of 2 KB. */
async function withRequests(act: () => Promise<void>): Promise<readonly string[]> {
  const requests: string[] = [];
  const original = http.request;
  http.request = ((url: URL, _options: unknown, respond: (answer: object) => void) => {
    requests.push(url.href);
    const headers = { 'content-length': '2048', 'content-type': 'image/png' };
    setImmediate(() => respond({ statusCode: 200, headers, destroy: () => undefined }));
    return Object.assign(new EventEmitter(), { end: () => undefined });
  }) as never;
  syncBuiltinESMExports();
  try {
    await act();
  } finally {
    http.request = original;
    syncBuiltinESMExports();
  }
  return requests;
}

describe('Images in editors', () => {
  const service = useService('grown');
  afterEach(() => folder.clear());

  const open = async (name: string, text = '') => {
    folder.write(name, text);
    const document = await vscode.workspace.openTextDocument(folder.uri(name));
    // A document of another test with this name may not be closed yet.
    await eventually(() => assert.equal(document.getText(), text));
    return document;
  };
  const map = (...folders: readonly string[]) =>
    folder.write(
      'mailing.json',
      JSON.stringify({
        templates: [],
        assets: Object.fromEntries(folders.map((name) => [name, 'https://cdn.example/m'])),
      }),
    );
  /** Pastes into a document with or without a preview. */
  const paste = (document: vscode.TextDocument, transfer: vscode.DataTransfer, scaled?: object) =>
    answering(undefined, () => {
      const previews = { find: () => scaled && { scaleImage: () => Promise.resolve(scaled) } };
      return insertImages(previews as never, document, new vscode.Position(0, 0), transfer);
    });
  const getText = (edit: vscode.DocumentPasteEdit | undefined) =>
    (edit?.insertText as vscode.SnippetString | undefined)?.value;

  it('become files of the nearest image folder and elements with a size, once the paste is applied', async () => {
    map('img', 'emails/img');
    const document = await open('emails/welcome/body.html');
    const { result, shown } = await paste(document, createTransfer({ 'image.png': png }));
    assert.equal(getText(result), '<img src="../img/image.png" alt="${1:}" width="300" height="200">');
    assert.deepEqual(shown, []);
    assert.equal(folder.has('emails/img/image.png'), false, 'A canceled paste writes nothing.');
    assert.ok(result?.additionalEdit && (await vscode.workspace.applyEdit(result.additionalEdit)));
    assert.equal(folder.read('emails/img/image.png').length, png.toString('utf8').length);
    await closeEditors();
  });

  it('get a free name from the alt text or the clipboard, which leads to no other folder', async () => {
    map('img');
    folder.write('img/IMAGE.PNG', '');
    folder.write('img/image-2.png', '');
    const document = await open('a.html');
    const name = async (...given: Parameters<typeof createTransfer>) =>
      /src="([^"]*)"/u.exec(getText((await paste(document, createTransfer(...given))).result) ?? '')?.[1];
    assert.equal(await name({ 'image.png': png }), 'img/image-3.png');
    assert.equal(await name({ '../../../Evil Twin.exe': png }), 'img/evil-twin.png');
    assert.equal(await name({ '/etc/passwd': png }), 'img/etc-passwd.png');
    assert.equal(await name({ 'Größe $1 {name}.jpg': createImage('jpeg', 3, 2) }), 'img/groe-1-name.jpeg');
    assert.equal(await name({ '寿司.gif': createImage('gif', 3, 2) }), 'img/image.gif');
    const html = '<img src="https://shop.example/1.png" alt="Red &quot;shoe&quot; $1">';
    assert.equal(await name({ 'image.png': png }, { 'text/html': html }), 'img/red-quot-shoe-quot-1.png');
    // Ends in time.
    assert.equal(await name({ 'image.png': png }, { 'text/html': '<img '.repeat(100_000) }), 'img/image-3.png');
  });

  it('in one transfer get different names', async () => {
    map('img');
    const { result } = await paste(await open('a.html'), createTransfer({ 'a.png': png, 'A.png': png }));
    assert.deepEqual(getText(result)?.match(/src="[^"]*"/gu), ['src="img/a.png"', 'src="img/a-2.png"']);
    assert.match(getText(result) ?? '', /alt="\$\{1:\}"[^]*alt="\$\{2:\}"/u);
  });

  it('are scaled by the preview, and otherwise keep their size', async () => {
    map('img');
    const document = await open('a.html');
    const large = createTransfer({ 'a.png': createImage('png', 1600, 800) });
    const small = createImage('png', 600, 300);
    const scaled = await paste(document, large, { width: 300, height: 150, image: new Uint8Array(small) });
    assert.match(getText(scaled.result) ?? '', /width="300" height="150"/u);
    assert.deepEqual(scaled.shown, []);
    const { result, shown } = await paste(document, large);
    assert.match(getText(result) ?? '', /width="1600" height="800"/u);
    assertShown(shown, /full size.*preview/u);
  });

  it('are refused with the reason where they can have no address, or are none', async () => {
    const image = createTransfer({ 'a.png': png });
    const refuse = async (document: vscode.TextDocument, reason: RegExp, transfer = image) => {
      const { result, shown } = await paste(document, transfer);
      assert.equal(result, undefined);
      assertShown(shown, reason);
    };
    const document = await open('a.html');
    await refuse(document, /Couldn't insert the image: It needs a public address/u);
    const { templateId } = await service().other.createTemplate({ name: 'Image', body: '<p>Hi</p>', subject: 'Hi' });
    const body = await vscode.workspace.openTextDocument(service().uri(`/templates/${templateId}/Image.html`));
    await refuse(body, /mapped folder with "assets"/u);
    map('img');
    await refuse(document, /"a.png" isn't a PNG, JPEG or GIF/u, createTransfer({ 'a.png': Buffer.from('<svg/>') }));
    const huge = Buffer.concat([png, Buffer.alloc(20 * 1024 * 1024)]);
    await refuse(document, /at most 20 MB/u, createTransfer({ 'a.png': huge }));
  });

  it('never follow links', async () => {
    const outside = makeScratch();
    try {
      symlinkSync(outside, folder.path('linked'));
      mkdirSync(folder.path('img'));
      symlinkSync(`${outside}/missing.png`, folder.path('img/image.png'));
      const document = await open('a.html');
      map('linked/deep');
      const { result, shown } = await paste(document, createTransfer({ 'image.png': png }));
      assert.equal(result, undefined);
      assertShown(shown, /linked" is a symbolic link/u);
      map('img');
      const other = await paste(document, createTransfer({ 'image.png': png }));
      assert.match(getText(other.result) ?? '', /src="img\/image-2\.png"/u);
    } finally {
      removeScratch(outside);
    }
  });

  it('are not inserted instead of copied text, as from Word', async () => {
    const { result, shown } = await paste(
      await open('a.html'),
      createTransfer({ 'a.png': png }, { 'text/plain': 'Hi' }),
    );
    assert.deepEqual([result, shown], [undefined, []]);
  });

  describe('in hovers', () => {
    /** Returns the text of the hover at the end of a marker. */
    async function hover(document: vscode.TextDocument, marker: string): Promise<string> {
      const position = document.positionAt(document.getText().indexOf(marker) + marker.length);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        position,
      );
      return hovers
        .flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)))
        .filter((text) => text.endsWith(' KB'))
        .join('|');
    }

    it('show their picture, dimensions and size, from the folder or the email itself', async () => {
      folder.write('img/a.png', '');
      writeFileSync(folder.path('img/a.png'), png);
      writeFileSync(folder.path('img/large.png'), Buffer.concat([png, Buffer.alloc(100 * 1024)]));
      writeFileSync(folder.path('img/b.webp'), Buffer.alloc(3 * 1024));
      const data = `data:image/png;base64,${png.toString('base64')}`;
      const document = await open(
        'emails/a.html',
        `<img src="../img/a.png?v=1"><td background="../img/large.png"></td><p style="background: url(../img/b.webp)"></p><img src="${data}"><p>../img/none</p>`,
      );
      await vscode.window.showTextDocument(document);
      const shown = `![](${data})\n\n300 × 200 pixels\n\n2 KB`;
      assert.equal(await hover(document, 'src="../img'), shown);
      assert.equal(await hover(document, 'src="data:'), shown);
      assert.equal(await hover(document, 'background="../'), '300 × 200 pixels\n\n102 KB', 'Too large for a hover.');
      assert.equal(await hover(document, 'url(..'), '3 KB');
      assert.equal(await hover(document, '<p>..'), '');
      await closeEditors();
    });

    it('never follow links or paths out of the folder', async () => {
      const outside = makeScratch();
      try {
        writeFileSync(`${outside}/a.png`, png);
        symlinkSync(`${outside}/a.png`, folder.path('link.png'));
        symlinkSync(outside, folder.path('linked'));
        const path = `${'../'.repeat(20)}${outside.slice(1)}/a.png`;
        const document = await open('a.html', `<img src="link.png"><img src="linked/a.png"><img src="${path}">`);
        for (const marker of ['src="link.', 'src="linked', 'src="..']) assert.equal(await hover(document, marker), '');
      } finally {
        removeScratch(outside);
      }
    });

    it('request nothing, and show sizes that a check of links measured', async () => {
      const body = ['a', 'b'].map((host) => `<img src="http://${host}.images.example/x.png">`).join('');
      const document = await open(
        'a.html',
        `${body}<p style="background: url(http://a.images.example/y.png)"></p><img src="http://a.images.example/{name}.png">`,
      );
      await vscode.window.showTextDocument(document);
      const before = await withRequests(async () => {
        for (const marker of ['src="http://a', 'src="http://b']) assert.equal(await hover(document, marker), '');
      });
      assert.deepEqual(before, []);
      const requests = await withRequests(async () => {
        await picking(
          (items) => items.filter(({ label }) => label.startsWith('a.')) as never,
          () => vscode.commands.executeCommand('mailing.checks.links', document.uri),
        );
        assert.equal(await hover(document, 'src="http://a'), '2 KB');
        for (const marker of ['src="http://b', 'url(http', 'example/{'])
          assert.equal(await hover(document, marker), '', marker);
      });
      assert.deepEqual(requests, ['http://a.images.example/x.png']);
      await closeEditors();
    });
  });

  it('are weighed with the check of an email, as far as their files are known', async () => {
    folder.write('img/a.png', '');
    writeFileSync(folder.path('img/a.png'), png);
    const image = (src: string) => `<img src="${src}" alt="" width="10">`;
    const document = await open('a.html', image('img/a.png') + image('img/a.png') + image('img/none.png'));
    const check = () => answering(undefined, () => vscode.commands.executeCommand('mailing.checkEmail', document.uri));
    await check();
    const codes = vscode.languages
      .getDiagnostics(document.uri)
      .map(({ code }) => (typeof code === 'object' ? code.value : code));
    const rules = Object.fromEntries(codes.map((code) => [code, 'off']));
    folder.write('mailing.json', JSON.stringify({ templates: [], checks: { rules } }));
    const { shown } = await check();
    assertShown(shown, /^No problems · 1 of 102 KB · images \(1 of 2\): 2 KB$/u);
    await closeEditors();
  });

  describe('and HTML of the clipboard', () => {
    const paste = (texts: Readonly<Record<string, string>>) => {
      const transfer = createTransfer({}, texts);
      const provider = createHtmlPasteProvider(() => Promise.resolve({ run: runPaste } as never));
      return { edits: provider.provideDocumentPasteEdits(undefined, undefined, transfer), provider };
    };
    const runPaste = (job: string, { html }: { readonly html: string }) => Promise.resolve(`${job}: ${html}`);

    it('is converted when the user chooses it, and plain text stays the default', async () => {
      const { edits, provider } = paste({ 'text/html': '<b>Hi</b>', 'text/plain': 'Hi' });
      const [edit] = edits;
      assert.ok(edit);
      assert.deepEqual([edit.insertText, edit.title], ['', 'Paste as Email HTML']);
      assert.deepEqual(edit.yieldTo, [vscode.DocumentDropOrPasteEditKind.Text]);
      assert.equal((await provider.resolveDocumentPasteEdit(edit)).insertText, 'paste: <b>Hi</b>');
    });

    it('is not offered for code that was copied in VS Code, and for text', () => {
      assert.deepEqual(paste({ 'text/html': '<b>Hi</b>', 'vscode-editor-data': '{}' }).edits, []);
      assert.deepEqual(paste({ 'text/plain': 'Hi' }).edits, []);
    });
  });

  it('have sizes that are read from PNG, GIF and JPEG files, broken ones too', () => {
    for (const format of ['png', 'gif', 'jpeg'] as const) {
      const bytes = createImage(format, 300, 200);
      assert.deepEqual(readImageInfo(bytes), { type: format, width: 300, height: 200 });
      for (let length = 0; length < 10; length += 1) assert.equal(readImageInfo(bytes.subarray(0, length)), undefined);
    }
    const endless = Buffer.alloc(20 * 1024 * 1024, Buffer.from([0xff, 0x00, 0x00, 0x00]));
    endless.writeUInt32BE(0xffd8ff00);
    assert.equal(readImageInfo(endless), undefined);
  });
});
