import type { Browser, Page } from 'playwright-core';
import { watchWaits } from '../support/pageWaits.ts';

interface Pages {
  readonly inUse: Set<Page>;
  readonly idle: Set<Page>;
}

/** A new page costs the browser several times what the next document in an idle page does. */
const allPages = new WeakMap<Browser, Pages>();

const getPages = (browser: Browser): Pages => {
  const pages = allPages.get(browser) ?? { inUse: new Set(), idle: new Set() };
  allPages.set(browser, pages);
  return pages;
};

/**
 * Returns a page for the running test, which is the test's own until `releasePages`. It may show the document of an earlier test until it goes
 * somewhere. The newest `route` answers first, so a test that routes everything never meets an earlier test's answers. A test that changes more
 * than the page's document, size and pointer, such as its color scheme, changes it back.
 */
export async function takePage(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
): Promise<Page> {
  const { inUse: taken, idle } = getPages(browser);
  const [used] = idle;
  if (used) {
    idle.delete(used);
    taken.add(used);
    await used.setViewportSize(viewport);
    return used;
  }
  const page = await browser.newPage({ viewport });
  taken.add(page);
  for (const pages of [taken, idle]) page.on('close', () => pages.delete(page));
  await watchWaits(page);
  return page;
}

/** Ends the test's pages: later tests reuse them, unless the test failed and may still act on them. */
export async function releasePages(browser: Browser, hasPassed: boolean): Promise<void> {
  const { inUse: taken, idle } = getPages(browser);
  for (const page of taken) {
    taken.delete(page);
    if (!hasPassed || page.isClosed()) {
      await page.close();
      continue;
    }
    for (const event of ['request', 'pageerror', 'console', 'dialog'] as const) page.removeAllListeners(event);
    // The pointer stays where it is, and would hover over the next document.
    await page.mouse.move(-10, -10);
    idle.add(page);
  }
}
