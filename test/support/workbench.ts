import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { out } from '../../scripts/lib/paths.mjs';
import { readUserSettings, writeUserSettings } from '../../scripts/lib/server.mjs';
import type { MailingClient } from '../../src/service/client/index.ts';
import type { JsonObject } from '../../src/service/client/shapes.ts';
import { eventually } from './eventually.ts';
import { Editors } from './pages/editors.ts';
import { Dialog, Notifications } from './pages/messages.ts';
import { QuickInput } from './pages/quickInput.ts';
import { Tree } from './pages/tree.ts';
import { Webviews } from './pages/webviews.ts';
import { Problems } from './problems.ts';
import type { Sandbox } from './sandbox/index.ts';

/** Starting a window loads several processes and 20 MB of scripts, which is slow on a busy machine. */
export const START_TIMEOUT_MS = 120_000;

/** Size of the window in pixels. */
export const WINDOW_SIZE = { width: 1440, height: 900 };

/** The connection that the settings of a test window name. */
export const testConnection = { id: 'test', name: 'Test service' };

/** Returns the extension's settings in their stored form. The workbench migrates its own deprecated settings. */
const pickOurs = (settings: Readonly<JsonObject>) =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('mailing.')))),
  ) as JsonObject;

interface WorkbenchParts {
  /** The workspace folder. */
  readonly folder: string;
  /** Data folder of VS Code's server: settings, logs, extension storage, backups. */
  readonly dataDir: string;
  /** The settings at the start. */
  readonly settings: Readonly<JsonObject>;
  readonly service: Sandbox | undefined;
  readonly client: MailingClient | undefined;
  readonly openAnother: () => Promise<Workbench>;
}

/** A VS Code window with the packaged extension, and the actions of its user. */
export class Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly explorer: Tree;
  readonly editors: Editors;
  readonly notifications: Notifications;
  readonly dialog: Dialog;
  readonly webviews: Webviews;
  readonly problems: Problems;
  /** Opens another user's window on the same service, with its own data. It closes with this one, or before the next test. */
  readonly another: () => Promise<Workbench>;
  readonly folder: string;
  readonly dataDir: string;
  readonly #service: Sandbox | undefined;
  readonly #client: MailingClient | undefined;
  readonly #firstSettings: Readonly<JsonObject>;
  #settings: Readonly<JsonObject>;
  #key: string | undefined;

  constructor(page: Page, { folder, dataDir, settings, service, client, openAnother }: WorkbenchParts) {
    this.page = page;
    this.folder = folder;
    this.dataDir = dataDir;
    this.#firstSettings = settings;
    this.#settings = settings;
    this.#service = service;
    this.#client = client;
    this.another = openAnother;
    this.quickInput = new QuickInput(page);
    this.explorer = new Tree(page, 'Mailing Studio', 'Services');
    this.editors = new Editors(page);
    this.notifications = new Notifications(page);
    this.dialog = new Dialog(page);
    this.webviews = new Webviews(page);
    this.problems = new Problems(page);
  }

  /** The service in the test process. */
  get service(): Sandbox {
    assert.ok(this.#service, 'This window was opened without a service.');
    return this.#service;
  }

  /** The website: another user of the service. */
  get client(): MailingClient {
    assert.ok(this.#client, 'This window was opened without a service of its own.');
    return this.#client;
  }

  /** Runs a command by its full title in the palette. */
  async run(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Enters the connection's key in the input box of the command, unless that key was entered before. */
  async enterApiKey(key = this.service.apiKey): Promise<void> {
    if (this.#key === key) return;
    await this.run('Mailing: Set API Key…');
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await eventually(async () => {
      if ((await input.getAttribute('type', { timeout: 1000 })) === 'password') return;
      const { name } = testConnection;
      if ((await this.quickInput.labels()).includes(name)) await this.quickInput.pick(name);
      assert.equal(await input.getAttribute('type', { timeout: 1000 }), 'password', 'The box does not ask for a key.');
    });
    await this.quickInput.answer(key);
    await input.waitFor({ state: 'hidden' });
    this.#key = key;
  }

  /** Opens a record from the tree, with the key of the service. */
  async openRecord(branch: string, name: string, tab: string): Promise<void> {
    await this.enterApiKey();
    await this.explorer.open();
    await (await this.explorer.row([testConnection.name, branch, name])).click();
    await this.editors.waitForActive(tab);
  }

  /** Changes user settings in their file and reloads the window; `undefined` removes a setting. */
  async changeSettings(changes: Readonly<JsonObject>): Promise<void> {
    this.#settings = { ...this.#settings, ...changes };
    writeUserSettings(this.dataDir, this.#settings);
    // The server watches no files: it has no native modules.
    await this.reload();
  }

  /** Confirms the review before sending, which opens the confirmation. */
  async confirmSendReview(): Promise<void> {
    await this.editors.waitForActive(/^Review/u);
    const page = await this.webviews.frame('sendReview');
    await page.locator('iframe.mail').waitFor();
    await page.locator('vscode-button[appearance=primary]').click();
  }

  /** The texts in the status bar. */
  async statusBar(): Promise<string[]> {
    return (await this.page.locator('.part.statusbar .statusbar-item').allInnerTexts())
      .map((text) => text.trim())
      .filter(Boolean);
  }

  /** Waits until the workbench has backed up an unsaved text. */
  async waitForBackup(text: string): Promise<void> {
    await eventually(() => {
      const files = readdirSync(this.dataDir, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && /\bBackups\b/u.test(entry.parentPath),
      );
      const isThere = files.some(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').includes(text));
      assert.ok(isThere, `Not backed up: ${text}`);
    });
  }

  /** Reloads the window with VS Code's command, which first stores the state of tabs and extensions. */
  async reload(): Promise<void> {
    await this.problems.pauseDuring(async () => {
      const reloaded = this.page.waitForEvent('framenavigated', {
        predicate: (frame) => frame === this.page.mainFrame(),
        timeout: START_TIMEOUT_MS,
      });
      await this.run('Developer: Reload Window');
      await reloaded;
    });
    await this.ready();
  }

  /**
   * Restores the initial state as a user could: closes tabs and notifications, and restores the extension's settings. The service and the folder
   * have theirs already. State stored elsewhere remains, such as the workbench's memory of a record.
   */
  async reset(): Promise<void> {
    // Ignores errors that the workbench logs while it discards edits.
    await this.problems.pauseDuring(async () => {
      await this.page.setViewportSize(WINDOW_SIZE);
      await this.page.keyboard.press('Escape');
      await this.#closeAll();
      await this.#restoreSettings();
      await this.notifications.clear();
      if (await this.page.locator('.part.auxiliarybar').isVisible()) await this.run('View: Hide Secondary Side Bar');
      // Without a service, there is no tree to refresh.
      if (!this.#service || !(await this.explorer.isOpen())) return;
      await this.explorer.titleAction('Collapse All');
      await this.explorer.titleAction('Refresh');
      await this.explorer.settled();
    });
    this.problems.clear();
  }

  async #closeAll() {
    await eventually(async () => {
      if (await this.dialog.isOpen()) await this.dialog.click("Don't Save");
      if ((await this.editors.tabs()).length === 0) return;
      await this.page.keyboard.press('ControlOrMeta+k');
      await this.page.keyboard.press('ControlOrMeta+w');
      assert.deepEqual(await this.editors.tabs(), []);
    });
  }

  /** Restores the extension's settings in the window, which doesn't watch their file. */
  async #restoreSettings() {
    const now = await eventually(() => readUserSettings(this.dataDir));
    const first = pickOurs(this.#firstSettings);
    this.#settings = this.#firstSettings;
    if (isDeepStrictEqual(pickOurs(now), first)) return;
    const others = Object.entries(now).filter(([name]) => !(name in pickOurs(now)));
    await this.run('Preferences: Open User Settings (JSON)');
    await this.editors.waitForActive('settings.json');
    await this.editors.replaceAll(JSON.stringify({ ...Object.fromEntries(others), ...first }, undefined, 2));
    await this.editors.save();
    await eventually(() => assert.deepEqual(pickOurs(readUserSettings(this.dataDir)), first));
    await this.#closeAll();
  }

  /** Waits until tabs are restored and, if the extension's views are visible, until the extension runs. */
  async ready(): Promise<void> {
    const timeout = START_TIMEOUT_MS;
    await this.page.locator('.part.activitybar .action-label[aria-label^="Mailing Studio"]').waitFor({ timeout });
    // VS Code sets this mark once views, panels and editors are restored.
    await this.page.waitForFunction(
      () => performance.getEntriesByName('code/LifecyclePhase/Restored').length > 0,
      undefined,
      { timeout },
    );
    await this.page
      .getByText('There is no data provider registered that can provide view data.')
      .first()
      .waitFor({ state: 'hidden', timeout });
  }

  /** Saves a screenshot of the window as out/screenshots/<name>.png. `width` in pixels limits it to the left part. */
  async screenshot(name: string, { width }: { width?: number | undefined } = {}): Promise<string> {
    const path = join(out, 'screenshots', `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    // Hides the tooltip of the last clicked element.
    await this.page.mouse.move(0, 0);
    const height = this.page.viewportSize()?.height ?? WINDOW_SIZE.height;
    await this.page.screenshot({
      path,
      animations: 'disabled',
      ...(width === undefined ? {} : { clip: { x: 0, y: 0, width, height } }),
    });
    return path;
  }
}
