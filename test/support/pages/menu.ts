import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { exactText } from './quickInput.ts';

const item = (page: Page, title: string) =>
  page.locator('.monaco-menu .action-item .action-label', { hasText: exactText(title) }).first();

/** Returns whether the opening menu has an entry with this title. */
export async function hasMenuItem(page: Page, title: string): Promise<boolean> {
  await page.locator('.monaco-menu .action-item').first().waitFor();
  return item(page, title).isVisible();
}

/** Chooses an entry of the open menu by its title, or by the titles of its submenu and its own. */
export async function chooseMenuItem(page: Page, ...titles: [...submenus: string[], title: string]): Promise<void> {
  for (const submenu of titles.slice(0, -1)) await item(page, submenu).hover();
  // A menu ignores the mouse button for a moment after opening, hence the long press.
  await item(page, titles.at(-1) ?? '').click({ delay: 200 });
}

/** Closes the open menu, if any. An unfocused menu ignores keys, so it is also closed by a click beside it. */
export async function closeMenu(page: Page): Promise<void> {
  const menu = page.locator('.monaco-menu-container:visible');
  await eventually(async () => {
    if ((await menu.count()) > 0) await page.keyboard.press('Escape');
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    if ((await menu.count()) > 0) await page.mouse.click(width / 2, height - 1);
    assert.equal(await menu.count(), 0);
  });
}
