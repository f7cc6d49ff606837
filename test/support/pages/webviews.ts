import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** The extension's pages. Each is a frame within a frame of the workbench. */
export class Webviews {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Returns the frame that runs `dist/webviews/<name>.js`, the last opened one if there are several. */
  async frame(name: string): Promise<Frame> {
    return eventually(async () => {
      const frames = await this.all(name);
      const frame = frames.at(-1);
      assert.ok(frame, `No webview runs the page "${name}".`);
      return frame;
    });
  }

  /** Returns all frames that run `dist/webviews/<name>.js`, in the order of opening. */
  async all(name: string): Promise<Frame[]> {
    const runs = await Promise.all(
      this.#page.frames().map((frame) =>
        frame
          .evaluate(
            (script) => [...document.scripts].some((each) => each.src.includes(script)),
            `/dist/webviews/${name}.js`,
          )
          // A frame may be removed in the meantime.
          .catch(() => false),
      ),
    );
    return this.#page.frames().filter((_, index) => runs[index]);
  }

  /**
   * Records what the frame around a page tells VS Code through a channel from now on, which happens a moment after the cause. Returns a function
   * that waits until something was told, and the last of it matches.
   */
  async watchMessages(name: string, channel: string): Promise<(says?: RegExp) => Promise<void>> {
    const outer = (await this.frame(name)).parentFrame() ?? assert.fail(`The page "${name}" is in no frame.`);
    await outer.evaluate((wanted) => {
      const { prototype } = MessagePort;
      const post = Reflect.get(prototype, 'postMessage');
      Reflect.deleteProperty(globalThis, wanted);
      Object.assign(prototype, {
        postMessage(
          this: MessagePort,
          ...given: [{ readonly channel?: string; readonly data?: object } | undefined, ...object[]]
        ) {
          Reflect.apply(post, this, given);
          const [message] = given;
          if (message?.channel === wanted) Reflect.set(globalThis, wanted, String(message.data));
        },
      });
    }, channel);
    return async (says = /^/u) => {
      await eventually(async () =>
        assert.match(
          (await outer.evaluate((wanted) => Reflect.get(globalThis, wanted), channel)) ?? assert.fail(`No ${channel}`),
          says,
        ),
      );
    };
  }

  /** Returns the frame within the page, such as that of the email. */
  async inner(name: string): Promise<Frame> {
    return eventually(async () => {
      const inner = (await this.frame(name)).childFrames()[0];
      assert.ok(inner, `The page "${name}" has no frame of its own.`);
      return inner;
    });
  }
}
