import type { Page } from 'playwright-core';

type Begin = (act: (...given: unknown[]) => unknown, ...rest: unknown[]) => unknown;
type End = (id: unknown) => void;

/** Runs in a page before its own scripts: keeps what it waits for by itself, which are timers, frames and idle times. */
function keepWaits(): void {
  const waits = new Set<string>();
  const { requestAnimationFrame } = globalThis;
  const nextFrame = (): Promise<unknown> => new Promise((resolve) => { requestAnimationFrame(resolve); });
  const page = globalThis as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const [begin, end] of [
    ['setTimeout', 'clearTimeout'], ['requestAnimationFrame', 'cancelAnimationFrame'], ['requestIdleCallback', 'cancelIdleCallback'],
  ] as const) {
    const [start, cancel] = [page[begin], page[end]];
    const wrapped: Begin = (act, ...rest) => {
      const id = start?.call(globalThis, (...given: unknown[]) => {
        waits.delete(`${begin} ${String(id)}`);
        return act(...given);
      }, ...rest);
      waits.add(`${begin} ${String(id)}`);
      return id;
    };
    const ended: End = (id) => {
      waits.delete(`${begin} ${String(id)}`);
      cancel?.call(globalThis, id);
    };
    Object.assign(page, { [begin]: wrapped, [end]: ended });
  }
  Object.assign(globalThis, { waits, nextFrame });
}

/** To be called before the page is opened: `settled` can be waited for then. */
export async function watchWaits(page: Page): Promise<void> {
  await page.addInitScript(keepWaits);
}

/**
 * Waits until the page has finished everything it was sent: it has drawn a frame and waits for nothing more by itself. The browser reports
 * scrolling and new sizes with the next frame only, scrolling at its start and sizes at its end.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { waits, nextFrame } = globalThis as unknown as { readonly waits: ReadonlySet<string>; readonly nextFrame: () => Promise<unknown> };
    do {
      await nextFrame();
      await nextFrame();
    } while (waits.size > 0);
  });
}
