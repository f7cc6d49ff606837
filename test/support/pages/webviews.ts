import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** The extension's pages: each is a frame within a frame of the workbench. */
export class Webviews {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The frame that runs `src/webviews/<name>`; the last one opened, where there are several. */
  async frame(name: string): Promise<Frame> {
    return eventually(async () => {
      const frames = await this.all(name);
      const frame = frames.at(-1);
      assert.ok(frame, `No webview runs the page "${name}".`);
      return frame;
    });
  }

  /** All frames that run `src/webviews/<name>`, in the order they were opened. */
  async all(name: string): Promise<Frame[]> {
    const runs = await Promise.all(this.#page.frames().map((frame) => frame
      .evaluate((script) => [...document.scripts].some((each) => each.src.includes(script)), `/dist/webviews/${name}.js`)
      // A frame may go while it is looked at.
      .catch(() => false)));
    return this.#page.frames().filter((_, index) => runs[index]);
  }

  /** The frame of the e-mail, or of whatever the page shows in an iframe of its own. */
  async inner(name: string): Promise<Frame> {
    return eventually(async () => {
      const inner = (await this.frame(name)).childFrames()[0];
      assert.ok(inner, `The page "${name}" has no frame of its own.`);
      return inner;
    });
  }
}
