import type { Page } from 'playwright-core';

type Act = (...given: unknown[]) => unknown;
type Begin = (act: Act, ...rest: unknown[]) => unknown;
type End = (id: unknown) => void;

interface TrackedGlobals {
  readonly waits: ReadonlySet<string>;
  readonly nextFrame: () => Promise<unknown>;
  readonly runNextTimer: () => void;
}

/** Runs in a page before its own scripts: tracks pending timers, frames and idle callbacks. A timer can be run early. */
function trackWaits(): void {
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
    // Frames and idle callbacks run before later timers.
    if (waits.size > timers.size) return;
    const [next] = [...timers.values()].sort((one, other) => one.due - other.due);
    next?.run();
  };
  Object.assign(globalThis, { waits, nextFrame, runNextTimer, setTimeout: beginTimer, clearTimeout: endTimer });
}

/** Enables `settled`. Call it before opening the page. */
export async function watchWaits(page: Page): Promise<void> {
  await page.addInitScript(trackWaits);
}

/**
 * Waits until the page has drawn a frame and has no pending work. The browser reports scrolling and new sizes only with the next frame, scrolling at
 * its start and sizes at its end. Timers run in order, without waiting for their time.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { waits, nextFrame, runNextTimer } = globalThis as unknown as TrackedGlobals;
    for (;;) {
      await nextFrame();
      await nextFrame();
      if (waits.size === 0) return;
      runNextTimer();
    }
  });
}
