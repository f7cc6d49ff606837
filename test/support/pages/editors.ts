import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { asPattern, exactly, withPlainSpaces } from './quickInput.ts';
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

  /** The titles of all tabs, group by group. */
  async tabs(): Promise<string[]> {
    return titles(this.#tabs);
  }

  /** The title of the tab in front of the group that has the focus, or had it last. */
  async active(): Promise<string> {
    return (await titles(this.#page.locator('.part.editor .editor-group-container.active .tab.active')))[0] ?? '';
  }

  /** Waits until a tab of this title is in front. */
  async waitForActive(title: string | RegExp): Promise<void> {
    await eventually(async () => assert.match(await this.active(), typeof title === 'string' ? exactly(title) : title));
  }

  async show(title: string): Promise<void> {
    await (await this.#tab(title)).click();
    await this.#leaveTabs();
  }

  /** Takes the pointer off the tabs: their hovers would lie over what is clicked next. */
  async #leaveTabs(): Promise<void> {
    const { width, height } = this.#page.viewportSize() ?? { width: 1440, height: 900 };
    await this.#page.mouse.move(width / 2, height - 5);
  }

  /** Whether the tab has its dirty dot. */
  async isDirty(title: string): Promise<boolean> {
    return /\bdirty\b/.test((await (await this.#tab(title)).getAttribute('class')) ?? '');
  }

  async waitForDirty(title: string, dirty: boolean): Promise<void> {
    await eventually(async () =>
      assert.equal(await this.isDirty(title), dirty, `${title} is ${dirty ? 'saved' : 'dirty'}`),
    );
  }

  /** Whether the tab shows the lock of a document that can't be edited. */
  async isReadOnly(title: string): Promise<boolean> {
    const tab = await this.#tab(title);
    return (await tab.locator('[aria-label*="Read-only"]').count()) > 0;
  }

  /** Closes the tab; one with changes asks first, see `Dialog`. */
  async close(title: string): Promise<void> {
    const tab = await this.#tab(title);
    await tab.hover();
    await tab.locator('.tab-actions .action-label').first().click();
  }

  /** Puts the cursor at a line and column, both counted from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('ControlOrMeta+g');
    const input = this.#page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor({ state: 'visible' });
    await input.fill(`:${line}:${column}`);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  /** Pastes text at the cursor, in place of what is selected: one change, as it is, without what typing would add. */
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

  /** Types text key by key, as fast as the editor takes it. */
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

  /** Ctrl+S, and nothing waited for: whether it went well is the test's to look at. */
  async save(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+s');
  }

  /** The lines of the active text editor that are on the screen. */
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

  /** The messages at the squiggles of the active editor, from the Problems view. */
  async squiggles(): Promise<number> {
    return this.#editor().locator('.squiggly-error, .squiggly-warning').count();
  }

  /** Presses a button in the title of the active group, by its tooltip. */
  async titleAction(tooltip: string): Promise<void> {
    const group = this.#page.locator('.part.editor .editor-group-container.active');
    const button = group.locator(`.editor-actions .action-label[aria-label^="${tooltip}"]`);
    const more = group.locator('.editor-actions .action-label[aria-label^="More Actions"]');
    // Right after the editor came up, the action is nowhere. One that doesn't fit is in the menu.
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

  /** Gives the active text editor the focus, where it has not. */
  async focus(): Promise<void> {
    const editor = this.#editor();
    await editor.waitFor();
    if (!(await editor.evaluate((element) => element.contains(document.activeElement)))) {
      await editor.locator('.view-lines').click({ position: { x: 2, y: 2 } });
    }
  }

  async #tab(title: string): Promise<Locator> {
    return eventually(async () => {
      const all = await this.tabs();
      assert.ok(all.includes(title), `There is no tab "${title}": ${all.join(', ')}`);
      return this.#tabs.nth(all.indexOf(title));
    });
  }

  #editor(): Locator {
    return this.#page.locator('.part.editor .editor-group-container.active .monaco-editor[role="code"]').last();
  }
}

/** A tab shows its extension apart, so that long names are cut before it. */
async function titles(tabs: Locator): Promise<string[]> {
  const texts = await tabs.evaluateAll((all) =>
    all.map((tab) =>
      ['.label-name', '.label-suffix'].map((part) => tab.querySelector(part)?.textContent ?? '').join(''),
    ),
  );
  return texts.map(withPlainSpaces);
}
