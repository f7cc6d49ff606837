import type { Browser, Page } from 'playwright-core';
import { WAIT_TIMEOUT_MS } from '../support/eventually.ts';
import { captureFailure } from '../support/screenshots.ts';
import { watchWaits } from '../support/pageWaits.ts';

interface Pages {
  readonly inUse: Set<Page>;
  readonly idle: Set<Page>;
}

/** Pages are reused: a new page is several times slower than a new document in an idle page. */
const allPages = new WeakMap<Browser, Pages>();

const getPages = (browser: Browser) => {
  const pages = allPages.get(browser) ?? { inUse: new Set(), idle: new Set() };
  allPages.set(browser, pages);
  return pages;
};

/**
 * Reserves a page for the running test until `releasePages`. It may show the document of an earlier test until it navigates. The newest `route`
 * takes precedence, so the routes of earlier tests have no effect on a test that routes everything. A test restores any state other than the
 * page's document, size and pointer, such as its color scheme.
 */
export async function takePage(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
): Promise<Page> {
  const { inUse, idle } = getPages(browser);
  const [used] = idle;
  if (used) {
    idle.delete(used);
    inUse.add(used);
    await used.setViewportSize(viewport);
    return used;
  }
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  inUse.add(page);
  for (const pages of [inUse, idle]) page.on('close', () => pages.delete(page));
  await watchWaits(page);
  return page;
}

/** Ends a test's pages: later tests reuse them, unless the test failed and may still act on them. Then they are captured. */
export async function releasePages(browser: Browser, test: Mocha.Test | undefined): Promise<void> {
  const { inUse, idle } = getPages(browser);
  for (const page of inUse) {
    inUse.delete(page);
    if (test?.state !== 'passed' || page.isClosed()) {
      if (test?.state === 'failed') await captureFailure(page, test);
      await page.close();
      continue;
    }
    for (const event of ['request', 'pageerror', 'console', 'dialog'] as const) page.removeAllListeners(event);
    // The pointer would otherwise hover over the next document.
    await page.mouse.move(-10, -10);
    idle.add(page);
  }
}
