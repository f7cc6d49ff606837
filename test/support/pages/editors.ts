import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { asPattern, exactText, withPlainSpaces } from './quickInput.ts';
import { eventually } from '../eventually.ts';
import { chooseMenuItem, closeMenu, hasMenuItem } from './menu.ts';

/** The tabs and the text editors. */
export class Editors {
  readonly #page: Page;
  readonly #tabs: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#tabs = page.locator('.part.editor .tabs-container .tab');
  }

  /** Returns the titles of all tabs, group by group. */
  async tabs(): Promise<string[]> {
    return titles(this.#tabs);
  }

  /** Returns the title of the active tab in the active group. */
  async active(): Promise<string> {
    return (await titles(this.#page.locator('.part.editor .editor-group-container.active .tab.active')))[0] ?? '';
  }

  /** Waits until a tab with this title is active. */
  async waitForActive(title: string | RegExp): Promise<void> {
    await eventually(async () =>
      assert.match(await this.active(), typeof title === 'string' ? exactText(title) : title),
    );
  }

  /** Clicks a tab until it is active: tabs may move when others are opened or renamed. */
  async show(title: string): Promise<void> {
    await eventually(async () => {
      await (await this.#tab(title)).click({ timeout: 2000 });
      // A second click within this time would be a double click.
      await eventually(async () => assert.equal(await this.active(), title), { timeoutMs: 3000 });
    });
    await this.#leaveTabs();
  }

  /** Moves the pointer off the tabs, whose hovers would cover the next click. */
  async #leaveTabs() {
    const { width, height } = this.#page.viewportSize() ?? { width: 1440, height: 900 };
    await this.#page.mouse.move(width / 2, height - 5);
  }

  /** Returns whether the tab is dirty. */
  async isDirty(title: string): Promise<boolean> {
    return /\bdirty\b/.test((await (await this.#tab(title)).getAttribute('class')) ?? '');
  }

  async waitForDirty(title: string, dirty: boolean): Promise<void> {
    await eventually(async () =>
      assert.equal(await this.isDirty(title), dirty, `${title} is ${dirty ? 'saved' : 'dirty'}`),
    );
  }

  /** Returns whether the tab shows the lock of a read-only document. */
  async isReadOnly(title: string): Promise<boolean> {
    const tab = await this.#tab(title);
    return (await tab.locator('[aria-label*="Read-only"]').count()) > 0;
  }

  /** Moves the cursor to a line and column, both 1-based. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('ControlOrMeta+g');
    const input = this.#page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor({ state: 'visible' });
    await input.fill(`:${line}:${column}`);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  /** Pastes text over the selection as one change, without the edits that typing adds. */
  async insert(text: string): Promise<void> {
    await this.focus();
    await this.#page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
  }

  /** Types text key by key. */
  async type(text: string, { delayMs = 0 }: { delayMs?: number } = {}): Promise<void> {
    await this.focus();
    await this.#page.keyboard.type(text, { delay: delayMs });
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
  }

  async selectAll(): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('ControlOrMeta+a');
  }

  /** Replaces the whole text. */
  async replaceAll(text: string): Promise<void> {
    await this.selectAll();
    await this.insert(text);
  }

  /** Presses Ctrl+S without waiting for the result. */
  async save(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+s');
  }

  /** Returns the visible lines of the active text editor. */
  async visibleText(): Promise<string> {
    const lines = await this.#editor()
      .locator('.view-lines .view-line')
      .evaluateAll((all) =>
        all
          .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text),
      );
    return lines.map((line) => line.replaceAll('\u00a0', ' ')).join('\n');
  }

  async waitForText(text: string | RegExp): Promise<void> {
    await eventually(async () => assert.match(await this.visibleText(), asPattern(text)));
  }

  /** Returns the number of squiggles in the active editor. */
  async squiggles(): Promise<number> {
    return this.#editor().locator('.squiggly-error, .squiggly-warning').count();
  }

  /** Presses a button in the title of the active group, by its tooltip. */
  async titleAction(tooltip: string): Promise<void> {
    const group = this.#page.locator('.part.editor .editor-group-container.active');
    const button = group.locator(`.editor-actions .action-label[aria-label^="${tooltip}"]`);
    const more = group.locator('.editor-actions .action-label[aria-label^="More Actions"]');
    // The action appears some time after the editor. If it doesn't fit, it is in the menu.
    await eventually(async () => {
      await closeMenu(this.#page);
      const isThere = await button.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
      if (isThere) return button.click({ timeout: 2000 });
      await more.click({ timeout: 2000 });
      assert.ok(await hasMenuItem(this.#page, tooltip), `The editor has no action "${tooltip}".`);
      return chooseMenuItem(this.#page, tooltip);
    });
    await this.#leaveTabs();
  }

  /** Focuses the active text editor. */
  async focus(): Promise<void> {
    const editor = this.#editor();
    await editor.waitFor();
    if (!(await editor.evaluate((element) => element.contains(document.activeElement)))) {
      await editor.locator('.view-lines').click({ position: { x: 2, y: 2 } });
    }
  }

  async #tab(title: string) {
    return eventually(async () => {
      const all = await this.tabs();
      assert.ok(all.includes(title), `There is no tab "${title}": ${all.join(', ')}`);
      return this.#tabs.nth(all.indexOf(title));
    });
  }

  #editor() {
    return this.#page.locator('.part.editor .editor-group-container.active .monaco-editor[role="code"]').last();
  }
}

/** Tabs show the file extension separately, to truncate long names before it. */
async function titles(tabs: Locator) {
  const texts = await tabs.evaluateAll((all) =>
    all.map((tab) =>
      ['.label-name', '.label-suffix'].map((part) => tab.querySelector(part)?.textContent ?? '').join(''),
    ),
  );
  return texts.map(withPlainSpaces);
}
