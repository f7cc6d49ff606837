import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { chooseMenuItem, closeMenu } from './menu.ts';
import { exactText, withPlainSpaces } from './quickInput.ts';

/** A visible line of a tree. */
export interface TreeLine {
  /** 1-based. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** Undefined if the line can't be expanded. */
  readonly expanded: boolean | undefined;
}

/** A view in the side bar: its tree, its welcome content, and the actions in its title. */
export class Tree {
  readonly #page: Page;
  readonly #container: string;
  readonly #pane: Locator;
  readonly #rows: Locator;

  /** `container` is the title in the activity bar, `view` the heading of the view. */
  constructor(page: Page, container: string, view: string) {
    this.#page = page;
    this.#container = container;
    const panes = page.locator('.part.sidebar .split-view-view .pane');
    this.#pane = panes.filter({ has: page.locator(`.pane-header[aria-label^="${view}"]`) });
    this.#rows = this.#pane.locator('.monaco-list-row');
  }

  /** Shows the view. */
  async open(): Promise<void> {
    const tab = this.#page.locator(
      `.part.activitybar .action-item:has(.action-label[aria-label^="${this.#container}"])`,
    );
    await tab.waitFor();
    // Before the workbench is ready, a click gets lost.
    await eventually(async () => {
      if (await this.#pane.isVisible()) return;
      if (!/\bchecked\b/.test((await tab.getAttribute('class')) ?? '')) await tab.click({ timeout: 2000 });
      await this.#pane.waitFor({ timeout: 3000 });
    });
  }

  async isOpen(): Promise<boolean> {
    return this.#pane.isVisible();
  }

  /** Returns the labels of the buttons in the empty view. */
  async welcomeButtons(): Promise<string[]> {
    const buttons = this.#pane.locator('.welcome-view-content .monaco-button');
    await buttons.first().waitFor();
    return (await buttons.allInnerTexts()).map(withPlainSpaces);
  }

  async clickWelcomeButton(label: string): Promise<void> {
    await this.#pane.locator('.welcome-view-content .monaco-button', { hasText: exactText(label) }).click();
  }

  /** Returns the visible lines from top to bottom. */
  async lines(): Promise<TreeLine[]> {
    const lines = await this.#rows.evaluateAll((rows) =>
      rows.map((row) => ({
        index: Number(row.getAttribute('data-index')),
        level: Number(row.getAttribute('aria-level')),
        label: row.querySelector('.label-name')?.textContent ?? '',
        description: row.querySelector('.label-description')?.textContent ?? '',
        expanded: row.getAttribute('aria-expanded'),
      })),
    );
    return lines
      .sort((a, b) => a.index - b.index)
      .map(({ level, label, description, expanded }) => ({
        level,
        label: withPlainSpaces(label),
        description: withPlainSpaces(description),
        expanded: expanded === null ? undefined : expanded === 'true',
      }));
  }

  /** Returns the visible labels from top to bottom. */
  async labels(): Promise<string[]> {
    return (await this.lines()).map(({ label }) => label);
  }

  /** Returns the row at a path of labels such as `['Sandbox', 'Templates', 'Welcome']`. Expands collapsed rows on the way, and scrolls the tree. */
  async row(path: readonly string[]): Promise<TreeRow> {
    let parent: Locator | undefined;
    let isNew = false;
    for (const [index, label] of path.entries()) {
      let row = await this.#find(label, index + 1, parent);
      const isLast = index === path.length - 1;
      if (!isLast && (await row.getAttribute('aria-expanded')) !== 'true') {
        await expandTo(row, true);
        isNew = true;
      }
      if (isLast && isNew) {
        // Loaded rows are redrawn with their count.
        await this.settled();
        row = await this.#find(label, index + 1, parent);
      }
      parent = row;
    }
    assert.ok(parent, 'The path is empty.');
    return new TreeRow(this.#page, parent);
  }

  /** Presses an action in the view's title, by its tooltip. */
  async titleAction(tooltip: string): Promise<void> {
    // A view that is alone in its side bar has no header.
    await this.#pane.hover();
    await this.#pane
      .locator(`.pane-header .action-label[aria-label^="${tooltip}"]`)
      .or(this.#page.locator(`.part.sidebar .composite.title .action-label[aria-label^="${tooltip}"]`))
      .first()
      .click();
  }

  /** Waits until the rows stay as they are. */
  async settled(): Promise<void> {
    await waitUntilUnchanged(this.#pane.locator('.monaco-list').first(), 500);
  }

  async #find(label: string, level: number, parent: Locator | undefined) {
    // `posinset` only distinguishes siblings: below a parent, only rows after it count.
    const from = parent ? Number(await parent.getAttribute('data-index')) + 1 : 0;
    const candidates = this.#rows
      .and(this.#page.locator(`[aria-level="${level}"]`))
      .filter({ has: this.#page.locator('.label-name', { hasText: exactText(label) }) });
    let attempts = 0;
    return eventually(async () => {
      const all = await candidates.all();
      for (const row of all) {
        const index = Number(await row.getAttribute('data-index', { timeout: 500 }));
        if (index < from) continue;
        // A unique row is found by its name even if it moves. Otherwise the row is identified by its index.
        if (all.length === 1) return candidates;
        return this.#pane.locator(`.monaco-list-row[data-index="${index}"][aria-level="${level}"]`);
      }
      // Loading rows appear on their own. The tree is scrolled only if the row doesn't appear.
      attempts += 1;
      if (attempts > 10) await this.#scroll();
      assert.fail(`The tree shows no "${label}" at level ${level}: ${(await this.labels()).join(', ')}`);
    });
  }

  /** Scrolls down by a part of the view's height, and back to the top after the end. */
  async #scroll() {
    const list = this.#pane.locator('.monaco-list').first();
    if (!(await list.isVisible())) return;
    const before = await this.labels();
    await this.#wheel(list, 200);
    if ((await this.labels()).join('\n') === before.join('\n')) await this.#wheel(list, -20_000);
  }

  async #wheel(list: Locator, deltaY: number) {
    // Dispatched directly: with the mouse, a tooltip might receive the event.
    await list.locator('.monaco-list-rows').dispatchEvent('wheel', { deltaY });
    // The list draws its rows a moment later.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** One row of a tree. */
export class TreeRow {
  readonly #page: Page;
  readonly #row: Locator;

  constructor(page: Page, row: Locator) {
    this.#page = page;
    this.#row = row;
  }

  /** Clicks until the row is selected or removed: a tree that is drawn again under the pointer ignores a click. */
  async click(): Promise<void> {
    await eventually(async () => {
      await this.#row.click({ timeout: 5000 });
      await eventually(async () => assert.ok((await this.#row.count()) === 0 || (await this.isSelected())), {
        timeoutMs: 2000,
      });
    });
  }

  async expand(): Promise<void> {
    await expandTo(this.#row, true);
  }

  async collapse(): Promise<void> {
    await expandTo(this.#row, false);
  }

  async isSelected(): Promise<boolean> {
    return (await this.#row.getAttribute('aria-selected')) === 'true';
  }

  async description(): Promise<string> {
    const description = this.#row.locator('.label-description');
    return (await description.count()) > 0 ? withPlainSpaces(await description.innerText()) : '';
  }

  /** Presses a button in the row, by its tooltip. */
  async inlineAction(tooltip: string): Promise<void> {
    await this.#row.hover();
    await waitUntilUnchanged(this.#row, 200);
    await this.#row.locator(`.actions .action-label[aria-label^="${tooltip}"]`).click();
  }

  /** Chooses an entry of the row's context menu. */
  async contextAction(...titles: [...submenus: string[], title: string]): Promise<void> {
    await eventually(async () => {
      await closeMenu(this.#page);
      await this.#row.click({ button: 'right', timeout: 2000 });
      await this.#page.locator('.monaco-menu .action-item').first().waitFor({ timeout: 2000 });
    });
    await chooseMenuItem(this.#page, ...titles);
  }

  /** Returns the tooltip. Hovers again if the row is redrawn, which closes the tooltip. */
  async tooltip(): Promise<string> {
    const hover = this.#page.locator('.monaco-hover:visible').last();
    return eventually(async () => {
      await this.#page.mouse.move(0, 0);
      await this.#row.locator('.label-name').hover();
      await hover.waitFor({ timeout: 4000 });
      return withPlainSpaces(await hover.innerText({ timeout: 1000 }));
    });
  }
}

/** Waits until the list that is or contains an element is unchanged for a while: a click on a row that is being drawn again is lost. */
export async function waitUntilUnchanged(element: Locator, quietMs: number): Promise<void> {
  await element.evaluate(
    (node, delay) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(finish, delay);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(finish, delay);
        });
        function finish() {
          observer.disconnect();
          resolve();
        }
        const changes = { subtree: true, childList: true, attributes: true, characterData: true };
        observer.observe(node.closest('.monaco-list') ?? node, changes);
      }),
    quietMs,
  );
}

async function expandTo(row: Locator, expanded: boolean) {
  await eventually(async () => {
    if ((await row.getAttribute('aria-expanded')) !== String(expanded)) await row.locator('.monaco-tl-twistie').click();
    assert.equal(await row.getAttribute('aria-expanded'), String(expanded));
    // Waits until the children are loaded.
    assert.equal(await row.locator('.monaco-tl-twistie.codicon-tree-item-loading').count(), 0);
  });
}
