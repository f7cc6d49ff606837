import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { out } from '../../scripts/lib/paths.mjs';

/** Saves a screenshot of a failed test's page in out/failures, and prints its path. */
export async function captureFailure(page: Page, test: Mocha.Runnable | undefined): Promise<void> {
  const name = (test?.fullTitle() ?? 'test').replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100);
  const folder = join(out, 'failures');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}-${process.pid}.png`);
  // A page that crashed or was closed has no screenshot, which must not hide the test's own error.
  await page.screenshot({ path, animations: 'disabled' }).then(
    () => console.log(`Screenshot: ${path}`),
    (error: unknown) => console.log(`No screenshot: ${String(error)}`),
  );
}
