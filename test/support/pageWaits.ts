import type { Page } from 'playwright-core';

type Begin = (act: (...given: unknown[]) => unknown, ...rest: unknown[]) => unknown;
type End = (id: unknown) => void;

/** Runs in a page before its own scripts: keeps what it waits for by itself, which are timers, frames and idle times. */
function keepWaits(): void {
  const waits = new Set<string>();
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
  Object.assign(globalThis, { waits });
}

/** To be called before the page is opened: `settled` can be waited for then. */
export async function watchWaits(page: Page): Promise<void> {
  await page.addInitScript(keepWaits);
}

/** Until the page waits for nothing more by itself: what was sent to it has been worked off. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => (globalThis as unknown as { readonly waits: ReadonlySet<string> }).waits.size === 0, undefined, { polling: 20 });
}
