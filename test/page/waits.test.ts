import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { waitUntilSettled, watchWaits } from '../support/pageWaits.ts';
import { openBrowser } from './browser.ts';

describe('Waiting for a page to settle', function () {
  this.timeout(30_000);
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
    await watchWaits(page);
    await page.goto('data:text/html,<!doctype html><div style="height:3000px"></div>');
  });
  afterEach(() => page.close());

  /**
   * Waits for a page in which an event occurs as the wait begins, and which then stays busy until it is stopped. Returns whether
   * the wait was over while the page was still working.
   */
  const endsEarly = async (happening: 'scroll' | 'resize'): Promise<boolean> => {
    await page.evaluate(async (name) => {
      const work = (): void => {
        let next = requestAnimationFrame(function again() {
          next = requestAnimationFrame(again);
        });
        Object.assign(globalThis, { stop: () => cancelAnimationFrame(next) });
      };
      window.addEventListener('scroll', work);
      const box = document.querySelector('div') ?? document.body;
      // The first report contains the current size of the box.
      let reports = 0;
      await new Promise<void>((resolve) => {
        new ResizeObserver(() => {
          if ((reports += 1) === 1) resolve();
          else work();
        }).observe(box);
      });
      const waits: object = Reflect.get(globalThis, 'waits');
      Object.defineProperty(globalThis, 'waits', {
        get: () => {
          if (name === 'scroll') window.scrollTo(0, 500);
          else box.style.height = '4000px';
          return waits;
        },
      });
    }, happening);
    let isOver = false;
    const wait = waitUntilSettled(page).then(() => {
      isOver = true;
    });
    await page.waitForFunction(() => Reflect.has(globalThis, 'stop'));
    const wasOver = isOver;
    await page.evaluate(() => (Reflect.get(globalThis, 'stop') as () => void)());
    await wait;
    return wasOver;
  };

  it('includes the work that scrolling causes', async () => assert.equal(await endsEarly('scroll'), false));

  it('runs nested timers in order without waiting', async () => {
    await page.evaluate(() => {
      const ran: string[] = [];
      Object.assign(globalThis, { ran });
      setTimeout(() => ran.push('third'), 600_000);
      setTimeout(() => {
        ran.push('first');
        requestIdleCallback(() => setTimeout((word: string) => ran.push(word), 60_000, 'second'));
      }, 300_000);
      clearTimeout(setTimeout(() => ran.push('canceled'), 1));
    });
    await waitUntilSettled(page);
    assert.deepEqual(await page.evaluate(() => Reflect.get(globalThis, 'ran') as string[]), [
      'first',
      'second',
      'third',
    ]);
  });

  it('includes the work that a new size causes', async () => assert.equal(await endsEarly('resize'), false));
});
