import type { Page } from 'playwright-core';

type Act = (...given: (object | number)[]) => void;
type Begin = (act: Act, ...rest: (object | number)[]) => number;
type End = (id: number) => void;

interface TrackedGlobals {
  readonly waits: ReadonlySet<string>;
  readonly nextFrame: () => Promise<number>;
  readonly runNextTimer: () => void;
}

/** Runs in a page before its own scripts: tracks pending timers, frames and idle callbacks. A timer can be run early. */
function trackWaits() {
  const waits = new Set<string>();
  const timers = new Map<number, { readonly due: number; readonly run: () => void }>();
  const { requestAnimationFrame, setTimeout, clearTimeout } = window;
  const nextFrame = (): Promise<number> =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  for (const [begin, end] of [
    ['requestAnimationFrame', 'cancelAnimationFrame'],
    ['requestIdleCallback', 'cancelIdleCallback'],
  ] as const) {
    const start = Reflect.get(globalThis, begin) as Begin;
    const cancel = Reflect.get(globalThis, end) as End;
    const wrapped: Begin = (act, ...rest) => {
      const id = start.call(
        globalThis,
        (...given) => {
          waits.delete(`${begin} ${id}`);
          return act(...given);
        },
        ...rest,
      );
      waits.add(`${begin} ${id}`);
      return id;
    };
    const ended: End = (id) => {
      waits.delete(`${begin} ${id}`);
      cancel.call(globalThis, id);
    };
    Object.assign(globalThis, { [begin]: wrapped, [end]: ended });
  }
  const endTimer: End = (id) => {
    timers.delete(id);
    waits.delete(`setTimeout ${id}`);
    clearTimeout(id);
  };
  const beginTimer: Begin = (act, ms = 0, ...given) => {
    const run = () => {
      endTimer(id);
      act(...given);
    };
    const id = setTimeout(run, Number(ms));
    timers.set(id, { due: performance.now() + Number(ms), run });
    waits.add(`setTimeout ${id}`);
    return id;
  };
  const runNextTimer = () => {
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
    const { waits, nextFrame, runNextTimer } = globalThis as typeof globalThis & TrackedGlobals;
    for (;;) {
      await nextFrame();
      await nextFrame();
      if (waits.size === 0) return;
      runNextTimer();
    }
  });
}
