import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { insertImages, readImageInfo } from '../../../src/platform/language/insertImages.ts';
import { answering, assertShown } from '../answers.ts';
import { closeEditors, useService } from '../service.ts';
import { folder } from '../sourceControl/fixtures.ts';

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

describe('Images in editors', () => {
  const service = useService('grown');
  afterEach(() => folder.clear());

  const open = async (name: string, text = '') => {
    folder.write(name, text);
    return vscode.workspace.openTextDocument(folder.uri(name));
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
