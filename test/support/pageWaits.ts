import type { Page } from 'playwright-core';

type Act = (...given: unknown[]) => unknown;
type Begin = (act: Act, ...rest: unknown[]) => unknown;
type End = (id: unknown) => void;

interface Watched {
  readonly waits: ReadonlySet<string>;
  readonly nextFrame: () => Promise<unknown>;
  readonly runNextTimer: () => void;
}

/**
 * Runs in a page before its own scripts: keeps what it waits for by itself, which are timers, frames and idle times. A timer can be run before
 * its time.
 */
function keepWaits(): void {
  const waits = new Set<string>();
  const timers = new Map<unknown, { readonly due: number; readonly run: () => void }>();
  const { requestAnimationFrame, setTimeout, clearTimeout } = globalThis;
  const nextFrame = (): Promise<unknown> =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  const page = globalThis as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const [begin, end] of [
    ['requestAnimationFrame', 'cancelAnimationFrame'],
    ['requestIdleCallback', 'cancelIdleCallback'],
  ] as const) {
    const [start, cancel] = [page[begin], page[end]];
    const wrapped: Begin = (act, ...rest) => {
      const id = start?.call(
        globalThis,
        (...given: unknown[]) => {
          waits.delete(`${begin} ${String(id)}`);
          return act(...given);
        },
        ...rest,
      );
      waits.add(`${begin} ${String(id)}`);
      return id;
    };
    const ended: End = (id) => {
      waits.delete(`${begin} ${String(id)}`);
      cancel?.call(globalThis, id);
    };
    Object.assign(page, { [begin]: wrapped, [end]: ended });
  }
  const endTimer: End = (id) => {
    timers.delete(id);
    waits.delete(`setTimeout ${String(id)}`);
    clearTimeout(id as number);
  };
  const beginTimer: Begin = (act, ms = 0, ...given) => {
    const run = (): void => {
      endTimer(id);
      act(...given);
    };
    const id: unknown = setTimeout(run, ms as number);
    timers.set(id, { due: performance.now() + Number(ms), run });
    waits.add(`setTimeout ${String(id)}`);
    return id;
  };
  const runNextTimer = (): void => {
    // Frames and idle times come before what is due later.
    if (waits.size > timers.size) return;
    const [next] = [...timers.values()].sort((one, other) => one.due - other.due);
    next?.run();
  };
  Object.assign(globalThis, { waits, nextFrame, runNextTimer, setTimeout: beginTimer, clearTimeout: endTimer });
}

/** To be called before the page is opened: `settled` can be waited for then. */
export async function watchWaits(page: Page): Promise<void> {
  await page.addInitScript(keepWaits);
}

/**
 * Waits until the page has finished everything it was sent: it has drawn a frame and waits for nothing more by itself. The browser reports
 * scrolling and new sizes with the next frame only, scrolling at its start and sizes at its end. Timers run in their order, but without the time
 * between them.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { waits, nextFrame, runNextTimer } = globalThis as unknown as Watched;
    for (;;) {
      await nextFrame();
      await nextFrame();
      if (waits.size === 0) return;
      runNextTimer();
    }
  });
}
