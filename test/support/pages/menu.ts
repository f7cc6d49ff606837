import type { Page } from 'playwright-core';
import { exactly } from './quickInput.ts';

/** Chooses an entry of the menu that is open, by its title. */
export async function chooseMenuItem(page: Page, title: string): Promise<void> {
  // A menu ignores the release of the button that opened it: it listens only a moment after it came up, hence the long press.
  await page.locator('.monaco-menu .action-item .action-label', { hasText: exactly(title) }).first().click({ delay: 200 });
}
