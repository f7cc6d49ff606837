import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';

describe('Pasted images', () => {
  const window = useWorkbench({
    files: {
      'mailing.json': '{ "templates": [], "assets": { "img": "https://cdn.example/mail" } }',
      'letter.html': '<table width="300" cellpadding="0" cellspacing="0"><tr><td>\n<p>Text</p>\n</td></tr></table>\n',
    },
  });

  it('are scaled by the open preview and written to the folder, and undo removes them', async () => {
    const { editors, folder, page, quickInput, webviews } = window();
    await quickInput.openFile('letter.html');
    await editors.waitForActive('letter.html');
    await editors.titleAction('Open Preview to the Side');
    const mail = await webviews.inner('preview');
    await eventually(async () => assert.equal(await mail.locator('p').innerText(), 'Text'));
    await editors.goTo(2, 8);
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(1300, 650);
      canvas.getContext('2d')?.fillRect(0, 0, 650, 650);
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([await canvas.convertToBlob()], 'image.png', { type: 'image/png' }));
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(paste);
    });
    const file = join(folder, 'img', 'image.png');
    // The file exists before all of it is written.
    await eventually(() =>
      assert.equal(readFileSync(file).readUInt32BE(16), 600, 'It is not twice as wide as its column.'),
    );
    await eventually(async () =>
      assert.equal(await mail.locator('img[src^="data:image/png"]').getAttribute('width'), '300'),
    );
    await editors.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await eventually(() => assert.ok(!existsSync(file)));
    await eventually(async () => assert.equal(await mail.locator('img').count(), 0));
  });
});
