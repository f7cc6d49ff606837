/** A narrower element is an empty cell, and a wider one is the page: neither is a column of the email. */
const [MIN_COLUMN_PX, MAX_COLUMN_PX, DEFAULT_COLUMN_PX] = [16, 800, 600];
const JPEG_QUALITY = 0.85;

/** Returns the size that an image has in an element, and the image in twice that size if it is larger. GIFs may be animated and stay. */
export async function scaleImage(image: Blob, element: Element | undefined) {
  const bitmap = await createImageBitmap(image);
  const width = Math.min(bitmap.width, measureColumn(element));
  const height = Math.max(1, Math.round((bitmap.height * width) / bitmap.width));
  if (bitmap.width <= 2 * width || image.type === 'image/gif') return { width, height };
  const canvas = new OffscreenCanvas(2 * width, 2 * height);
  const size = { resizeWidth: canvas.width, resizeHeight: canvas.height, resizeQuality: 'high' } as const;
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(await createImageBitmap(bitmap, size));
  const scaled = await canvas.convertToBlob({ type: image.type, quality: JPEG_QUALITY });
  return { width, height, image: new Uint8Array(await scaled.arrayBuffer()) };
}

/** Returns the width of a block in an element, without the padding around it. */
function measureColumn(element: Element | undefined) {
  const block = document.createElement('div');
  element?.append(block);
  const width = block.offsetWidth;
  block.remove();
  return width < MIN_COLUMN_PX || width > MAX_COLUMN_PX ? DEFAULT_COLUMN_PX : width;
}
