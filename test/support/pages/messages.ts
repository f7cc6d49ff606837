import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { asPattern, exactText, withPlainSpaces } from './quickInput.ts';

/** The notifications. */
export class Notifications {
  readonly #toasts: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.#toasts = page.locator('.notifications-toasts .notification-list-item');
  }

  /** Returns the visible messages. */
  async texts(): Promise<string[]> {
    return (await this.#toasts.locator('.notification-list-item-message').allInnerTexts()).map(withPlainSpaces);
  }

  /** Waits for a message and returns its full text. */
  async waitFor(text: string | RegExp): Promise<string> {
    return eventually(async () => {
      const texts = await this.texts();
      const found = texts.find((each) => asPattern(text).test(each));
      assert.ok(found !== undefined, `No notification says ${text}. There are: ${JSON.stringify(texts)}`);
      return found;
    });
  }

  /** Returns the labels of a message's buttons. */
  async buttons(text: string | RegExp): Promise<string[]> {
    return (
      await this.#toast(text).locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts()
    ).map(withPlainSpaces);
  }

  /** Presses a button of a message. */
  async click(text: string | RegExp, button: string): Promise<void> {
    await this.#toast(text).hover();
    await this.#toast(text)
      .locator('.notification-list-item-buttons-container .monaco-button', { hasText: exactText(button) })
      .click();
  }

  /** Clears all notifications. */
  async clear(): Promise<void> {
    await eventually(async () => {
      for (const toast of await this.#toasts.all()) {
        await toast.hover({ timeout: 1000 });
        await toast.locator('.action-label.codicon-notifications-clear').click({ timeout: 1000 });
      }
      assert.deepEqual(await this.texts(), []);
    });
  }

  #toast(text: string | RegExp) {
    return this.#toasts
      .filter({ has: this.#page.locator('.notification-list-item-message', { hasText: asPattern(text) }) })
      .first();
  }
}

/** The modal dialog. */
export class Dialog {
  readonly #box: Locator;

  constructor(page: Page) {
    this.#box = page.locator('.monaco-dialog-box');
  }

  async isOpen(): Promise<boolean> {
    return this.#box.isVisible();
  }

  /** Returns message and detail, one line each. */
  async text(): Promise<string> {
    await this.#box.waitFor();
    return (await this.#box.locator('.dialog-message-text, .dialog-message-detail').allInnerTexts())
      .map(withPlainSpaces)
      .filter(Boolean)
      .join('\n');
  }

  /** Presses a button and waits until the dialog closes: another one may follow. */
  async click(button: string): Promise<void> {
    const control = this.#box.locator('.dialog-buttons .monaco-button', { hasText: exactText(button) });
    await control.waitFor();
    const shown = await this.#box.elementHandle();
    await control.click();
    await shown?.waitForElementState('hidden');
  }
}
