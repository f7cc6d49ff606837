import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** The box at the top: command palette, quick picks and input boxes. */
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

  /** Runs a command by its full title in the palette, such as `Mailing: Start Sandbox`. */
  async runCommand(title: string): Promise<void> {
    await eventually(async () => {
      // Before the workbench is ready, the key and the first letters get lost: then again from the start.
      await this.#page.keyboard.press('F1');
      await this.#input.waitFor({ state: 'visible', timeout: 1000 });
      await this.#input.fill(`>${title}`, { timeout: 2000 });
      await this.#row(title).first().click({ timeout: 3000 });
    });
  }

  /** Opens a file of the workspace folder by its name. */
  async openFile(name: string): Promise<void> {
    await eventually(async () => {
      await this.#page.keyboard.press('ControlOrMeta+p');
      await this.#input.waitFor({ state: 'visible', timeout: 1000 });
      await this.#input.fill(name, { timeout: 2000 });
      await this.#row(name).first().click({ timeout: 3000 });
    });
  }

  /** Titles in the palette that hold a text, as far as they are on the screen: some fifteen. */
  async commands(search: string): Promise<string[]> {
    await eventually(async () => {
      await this.#page.keyboard.press('F1');
      await this.#input.waitFor({ state: 'visible', timeout: 1000 });
    });
    await this.#input.fill(`>${search}`);
    // The list follows the search a moment later.
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

  /** Answers a dialog that asks for a file, and waits until it is closed. */
  async answerFile(path: string): Promise<void> {
    await this.waitFor('Folder path');
    // The dialog first looks at its folder, and then writes its own suggestion into the box, over what was typed meanwhile.
    await this.#widget.locator('.monaco-progress-container.active').waitFor({ state: 'detached' });
    await eventually(async () => {
      if (!(await this.isOpen())) return;
      if ((await this.#input.inputValue({ timeout: 1000 })) === path) await this.accept();
      else await this.type(path);
      assert.equal(await this.isOpen(), false, `The dialog did not take ${path}.`);
    });
  }

  /** Waits until the box asks: its prompt, placeholder or title holds `text`. */
  async waitFor(text: string | RegExp): Promise<void> {
    await eventually(async () => assert.match(await this.question(), asPattern(text)));
  }

  /** All words that say what is asked: title, placeholder, prompt or complaint. */
  async question(): Promise<string> {
    if (!(await this.isOpen())) return '';
    const title = await this.#widget.locator('.quick-input-title').textContent();
    const placeholder = await this.#input.getAttribute('placeholder');
    const message = await this.message();
    return [title, placeholder, message].filter(Boolean).join('\n');
  }

  /** The line below the box: the prompt of an input box, or what is wrong with the answer. */
  async message(): Promise<string> {
    return (await this.#widget.locator('.quick-input-message').textContent()) ?? '';
  }

  /** Types an answer into the input box and presses Enter. */
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
    // Where the pointer rests on an entry since the last pick, the entry's tooltip comes up over the others.
    await this.#page.mouse.move(0, 0);
    await this.#row(label).first().click();
  }

  /** Ticks the entries with these labels and accepts. */
  async pickMany(labels: readonly string[]): Promise<void> {
    for (const label of labels)
      await this.#row(label).first().locator('[role=checkbox], .monaco-checkbox, input[type=checkbox]').first().click();
    await this.accept();
  }

  /** Presses a button in the title of the box, by its tooltip. */
  async pressButton(tooltip: string): Promise<void> {
    await this.#widget.locator(`.quick-input-titlebar .action-label[aria-label="${tooltip}"]`).click();
  }

  /** The labels on offer, as far as they are on the screen. */
  async labels(): Promise<string[]> {
    const texts = await this.#rows.evaluateAll((rows) =>
      rows.map((row) => row.querySelector('.label-name')?.textContent ?? ''),
    );
    return texts.map(withPlainSpaces);
  }

  /** Labels with their descriptions and details (`label | description | detail`), as far as they are on the screen. */
  async entries(): Promise<string[]> {
    const texts = await this.#rows.evaluateAll((rows) =>
      rows.map((row) =>
        ['.label-name', '.label-description', '.quick-input-list-label-meta']
          .map((part) => row.querySelector(part)?.textContent ?? '')
          .filter(Boolean),
      ),
    );
    return texts.map((parts) => parts.map(withPlainSpaces).join(' | '));
  }

  async isOpen(): Promise<boolean> {
    return this.#input.isVisible();
  }

  /** Presses Escape until the box is gone. */
  async cancel(): Promise<void> {
    await eventually(async () => {
      if (await this.isOpen()) await this.#input.press('Escape', { timeout: 1000 });
      assert.equal(await this.isOpen(), false);
    });
  }

  #row(label: string): Locator {
    return this.#rows.filter({
      has: this.#page.locator('.quick-input-list-row:first-child .label-name', { hasText: exactly(label) }),
    });
  }
}

/** The whole text, with any kind of space: lists render them as no-break spaces. */
export function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+')}\\s*$`);
}

/** A text as a pattern that matches where it occurs. */
export function asPattern(text: string | RegExp): RegExp {
  return typeof text === 'string' ? new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')) : text;
}

export function withPlainSpaces(text: string): string {
  return text.replaceAll('\u00a0', ' ').trim();
}
