import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** The Quick Input: command palette, Quick Picks and input boxes. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;
  readonly #input: Locator;
  readonly #rows: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget');
    this.#input = this.#widget.locator('.quick-input-box input');
    this.#rows = this.#widget.locator('.quick-input-list .monaco-list-row');
  }

  /** Runs a command by its full title in the palette, such as `Mailing: Try the Sandbox`. */
  async runCommand(title: string): Promise<void> {
    await this.#search('F1', `>${title}`, title);
  }

  /** Opens a file of the workspace folder by its name. */
  async openFile(name: string): Promise<void> {
    await this.#search('ControlOrMeta+p', name, name);
  }

  /** Returns the visible titles in the palette that contain a text, about fifteen. */
  async commands(search: string): Promise<string[]> {
    await eventually(async () => {
      await this.#page.keyboard.press('F1');
      await this.#input.waitFor({ state: 'visible', timeout: 1000 });
    });
    await this.#input.fill(`>${search}`);
    // The list updates a moment after the input.
    let last = '';
    const offered = await eventually(async () => {
      const labels = await this.labels();
      const before = last;
      last = labels.join('\n');
      assert.equal(last, before);
      return labels.filter((label) => label.toLowerCase().includes(search.toLowerCase()));
    });
    await this.cancel();
    return offered;
  }

  /** Enters a path in a file dialog and waits until it closes. */
  async answerFile(path: string): Promise<void> {
    await this.waitFor('Folder path');
    // The dialog first reads its folder, and then overwrites the input with its own suggestion.
    await this.#widget.locator('.monaco-progress-container.active').waitFor({ state: 'detached' });
    await eventually(async () => {
      if (!(await this.isOpen())) return;
      if ((await this.#input.inputValue({ timeout: 1000 })) === path) await this.accept();
      else await this.type(path);
      assert.equal(await this.isOpen(), false, `The dialog did not take ${path}.`);
    });
  }

  /** Waits until prompt, placeholder or title contain `text`. */
  async waitFor(text: string | RegExp): Promise<void> {
    await eventually(async () => assert.match(await this.question(), asPattern(text)));
  }

  /** Returns title, placeholder, and prompt or validation message. */
  async question(): Promise<string> {
    if (!(await this.isOpen())) return '';
    const title = await this.#widget.locator('.quick-input-title').textContent();
    const placeholder = await this.#input.getAttribute('placeholder');
    // The prompt or the validation message.
    const message = await this.#widget.locator('.quick-input-message').textContent();
    return [title, placeholder, message].filter(Boolean).join('\n');
  }

  /** Types an answer and presses Enter. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Replaces the text in the box. */
  async type(text: string): Promise<void> {
    await this.#input.waitFor({ state: 'visible' });
    await this.#input.fill(text);
  }

  /** Presses Enter. */
  async accept(): Promise<void> {
    await this.#input.press('Enter');
  }

  /** Chooses the entry with this label. */
  async pick(label: string): Promise<void> {
    // A pointer left on an entry by the last pick would show a tooltip over the others.
    await this.#page.mouse.move(0, 0);
    await this.#row(label).first().click();
  }

  /** Clicks a button of the title bar. */
  async click(tooltip: string): Promise<void> {
    await this.#widget.locator(`.quick-input-titlebar .action-label[aria-label="${tooltip}"]`).click();
  }

  /** Ticks the entries with these labels and accepts. */
  async pickMany(labels: readonly string[]): Promise<void> {
    for (const label of labels)
      await this.#row(label).first().locator('[role=checkbox], .monaco-checkbox, input[type=checkbox]').first().click();
    await this.accept();
  }

  /** Returns the visible labels. */
  async labels(): Promise<string[]> {
    const texts = await this.#rows.evaluateAll((rows) =>
      rows.map((row) => row.querySelector('.label-name')?.textContent ?? ''),
    );
    return texts.map(withPlainSpaces);
  }

  /** Returns the visible entries as `label | description | detail`. */
  async entries(): Promise<string[]> {
    const texts = await this.#rows.evaluateAll((rows) =>
      rows.map((row) =>
        ['.label-name', '.label-description', '.quick-input-list-label-meta']
          // A row that is used again keeps, hidden, what it no longer shows.
          .map((part) => row.querySelector<HTMLElement>(part)?.innerText ?? '')
          .filter(Boolean),
      ),
    );
    return texts.map((parts) => parts.map(withPlainSpaces).join(' | '));
  }

  async isOpen(): Promise<boolean> {
    return this.#input.isVisible();
  }

  /** Presses Escape until the box closes. */
  async cancel(): Promise<void> {
    await eventually(async () => {
      if (await this.isOpen()) await this.#input.press('Escape', { timeout: 1000 });
      assert.equal(await this.isOpen(), false);
    });
  }

  /** Opens the box with a key, types a text, and clicks a row. Before the workbench is ready, keys can get lost, so everything is repeated. */
  async #search(key: string, text: string, label: string) {
    await eventually(async () => {
      // A box that is open keeps the files that it found, perhaps before there were any.
      await this.cancel();
      await this.#page.keyboard.press(key);
      await this.#input.waitFor({ state: 'visible', timeout: 1000 });
      await this.#input.fill(text, { timeout: 2000 });
      await this.#row(label).first().click({ timeout: 3000 });
    });
  }

  #row(label: string) {
    return this.#rows.filter({
      has: this.#page.locator('.quick-input-list-row:first-child .label-name', { hasText: exactText(label) }),
    });
  }
}

/** Returns a pattern for the whole text with any kind of space: lists render no-break spaces. */
export function exactText(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+')}\\s*$`);
}

/** Returns a pattern that matches a text anywhere. */
export function asPattern(text: string | RegExp): RegExp {
  return typeof text === 'string' ? new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')) : text;
}

export function withPlainSpaces(text: string): string {
  return text.replaceAll('\u00a0', ' ').trim();
}
