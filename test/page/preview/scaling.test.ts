import assert from 'node:assert/strict';
import type { FromPage } from '../../../src/features/preview/protocol.ts';
import { eventually } from '../../support/eventually.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';

const body =
  '<!doctype html><body><table width="600"><tr><td width="260" style="padding: 0 20px"><p>one</p></td><td></td></tr></table><p>two</p></body>';

describe('Images that the preview scales', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let preview: PreviewInBrowser;
  beforeEach(async () => {
    preview = await PreviewInBrowser.open(suite.browser, suite.files);
    await preview.show({ body });
  });

  /** Has an image of a size scaled at a text of the body. Returns the shown size, and the size and format of the scaled image. */
  const scale = async (at: string, format: 'png' | 'jpeg' | 'gif', width: number, height: number) => {
    const offset = body.indexOf(at);
    await preview.page.evaluate(
      async ({ type, offset, width, height }) => {
        const canvas = new OffscreenCanvas(width, height);
        canvas.getContext('2d')?.fillRect(0, 0, 9, 9);
        // Browsers write no GIFs, and read images by their content.
        const image = new Uint8Array(await (await canvas.convertToBlob({ type: `image/${type}` })).arrayBuffer());
        const data = { type: 'scaleImage', id: 7, image, format: type, offset };
        window.dispatchEvent(new MessageEvent('message', { data }));
      },
      { type: format, offset, width, height },
    );
    const [scaled] = await eventually(async () => {
      const messages = await preview.posted('imageScaled');
      assert.equal(messages.length, 1);
      return messages;
    });
    assert.equal(scaled?.id, 7);
    return { width: scaled.width, height: scaled.height, image: await measure(scaled) };
  };
  const measure = ({ image }: Extract<FromPage, { type: 'imageScaled' }>) =>
    image &&
    preview.page.evaluate(async (bytes) => {
      const { width, height } = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      return [width, height, bytes[0] === 0xff ? 'jpeg' : 'png'];
    }, Object.values(image));

  it('get twice the width of their column', async () => {
    assert.deepEqual(await scale('one', 'png', 1300, 650), { width: 260, height: 130, image: [520, 260, 'png'] });
  });

  it('keep their format', async () => {
    assert.deepEqual(await scale('one', 'jpeg', 1040, 520), { width: 260, height: 130, image: [520, 260, 'jpeg'] });
  });

  it('stay as they are if they are small enough or a GIF', async () => {
    assert.deepEqual(await scale('one', 'png', 520, 260), { width: 260, height: 130, image: undefined });
  });

  it('keep a small size', async () => {
    assert.deepEqual(await scale('one', 'png', 40, 30), { width: 40, height: 30, image: undefined });
  });

  it('stay if they may be animated', async () => {
    assert.deepEqual(await scale('one', 'gif', 1300, 650), { width: 260, height: 130, image: undefined });
  });

  it('change nothing in the shown email', async () => {
    const read = () => preview.inMail((mail) => mail.body.innerHTML);
    const before = await read();
    await scale('two', 'png', 2000, 10);
    assert.equal(await read(), before);
  });
});
