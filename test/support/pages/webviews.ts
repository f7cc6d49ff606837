import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** The extension's pages: each is a frame within a frame of the workbench. */
export class Webviews {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The frame that runs `dist/webviews/<name>.js`; the last one opened, where there are several. */
  async frame(name: string): Promise<Frame> {
    return eventually(async () => {
      const frames = await this.all(name);
      const frame = frames.at(-1);
      assert.ok(frame, `No webview runs the page "${name}".`);
      return frame;
    });
  }

  /** All frames that run `dist/webviews/<name>.js`, in the order they were opened. */
  async all(name: string): Promise<Frame[]> {
    const runs = await Promise.all(
      this.#page.frames().map((frame) =>
        frame
          .evaluate(
            (script) => [...document.scripts].some((each) => each.src.includes(script)),
            `/dist/webviews/${name}.js`,
          )
          // A frame may go while it is looked at.
          .catch(() => false),
      ),
    );
    return this.#page.frames().filter((_, index) => runs[index]);
  }

  /**
   * Notes what a page hands to VS Code from now on, to have it again after a restart: it does so a moment after something has changed.
   * Gives what waits until the last of it says something.
   */
  async watchKept(name: string): Promise<(says: RegExp) => Promise<void>> {
    const outer = (await this.frame(name)).parentFrame() ?? assert.fail(`The page "${name}" is in no frame.`);
    await outer.evaluate(() => {
      const { prototype } = MessagePort;
      const post = Reflect.get(prototype, 'postMessage');
      Object.assign(prototype, {
        postMessage(
          this: MessagePort,
          ...given: [{ readonly channel?: unknown; readonly data?: unknown } | undefined, ...unknown[]]
        ): void {
          Reflect.apply(post, this, given);
          const [message] = given;
          if (message?.channel === 'do-update-state') Object.assign(globalThis, { kept: message.data });
        },
      });
    });
    return async (says) => {
      await eventually(async () =>
        assert.match(await outer.evaluate(() => String(Reflect.get(globalThis, 'kept'))), says),
      );
    };
  }

  /** The frame of the email, or of whatever the page shows in an iframe of its own. */
  async inner(name: string): Promise<Frame> {
    return eventually(async () => {
      const inner = (await this.frame(name)).childFrames()[0];
      assert.ok(inner, `The page "${name}" has no frame of its own.`);
      return inner;
    });
  }
}
