import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { out, root } from '../../scripts/lib/paths.mjs';
import { quietSettings, readUserSettings, writeUserSettings } from '../../scripts/lib/server.mjs';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { startSandbox } from './sandbox/index.ts';
import type { Sandbox, SandboxOptions } from './sandbox/index.ts';
import { eventually } from './eventually.ts';
import { openRewritingProxy, type Rewrites } from './rewritingProxy.ts';
import { openInstallation } from './installation.ts';
import type { Installation, WindowServer } from './installation.ts';
import { Dialog, Notifications } from './pages/messages.ts';
import { Editors } from './pages/editors.ts';
import { QuickInput } from './pages/quickInput.ts';
import { Tree } from './pages/tree.ts';
import { Webviews } from './pages/webviews.ts';
import { Problems } from './problems.ts';
import type { JsonObject } from '../../src/service/client/shapes.ts';

export { eventually } from './eventually.ts';
export type { TreeLine, TreeRow } from './pages/tree.ts';

export type Theme = 'light' | 'dark' | 'highContrast' | 'highContrastLight';

interface ThemeTraits {
  readonly id: string;
  /** The setting for the theme of a system with the color scheme `media`. */
  readonly setting: string;
  readonly media: { readonly colorScheme: 'light' | 'dark'; readonly contrast: 'no-preference' | 'more' };
  /** Matches the workbench once it has the theme. */
  readonly mark: string;
  /** The theme kind in webviews. */
  readonly kind: string;
}

const themes: Record<Theme, ThemeTraits> = {
  light: {
    id: 'Default Light Modern',
    setting: 'workbench.preferredLightColorTheme',
    media: { colorScheme: 'light', contrast: 'no-preference' },
    mark: '.monaco-workbench.vs',
    kind: 'vscode-light',
  },
  dark: {
    id: 'Default Dark Modern',
    setting: 'workbench.preferredDarkColorTheme',
    media: { colorScheme: 'dark', contrast: 'no-preference' },
    mark: '.monaco-workbench.vs-dark',
    kind: 'vscode-dark',
  },
  highContrast: {
    id: 'Default High Contrast',
    setting: 'workbench.preferredHighContrastColorTheme',
    media: { colorScheme: 'dark', contrast: 'more' },
    mark: '.monaco-workbench.hc-black',
    kind: 'vscode-high-contrast',
  },
  highContrastLight: {
    id: 'Default High Contrast Light',
    setting: 'workbench.preferredHighContrastLightColorTheme',
    media: { colorScheme: 'light', contrast: 'more' },
    mark: '.monaco-workbench.hc-light',
    kind: 'vscode-high-contrast-light',
  },
};

/** The themes for screenshots. */
const pictureThemes: readonly Theme[] = ['light', 'dark', 'highContrast', 'highContrastLight'];

/** The workbench follows the system's color scheme, which a test can change without a command: see `Workbench.setTheme`. */
const themeSettings = {
  'window.autoDetectColorScheme': true,
  'window.autoDetectHighContrast': true,
  ...Object.fromEntries(Object.values(themes).map(({ id, setting }) => [setting, id])),
};

/** The editor inserts only the typed text, and each tree row appears once. */
const plainSettings = {
  'workbench.reduceMotion': 'on',
  'workbench.tree.enableStickyScroll': false,
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
  'editor.linkedEditing': false,
  'html.autoClosingTags': false,
  'html.autoCreateQuotes': false,
  'files.autoSave': 'off',
  // Settings open as a tab.
  'workbench.editor.useModal': 'off',
};

/** Starting a window loads several processes and 20 MB of scripts, which is slow on a busy machine. */
const START_TIMEOUT_MS = 60_000;

export interface WorkbenchOptions {
  /** User settings in addition to the default test settings. */
  readonly settings?: Readonly<JsonObject>;
  /** Files of the workspace folder: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * The mailing service in the test process. The default has sample data and is configured as connection `test` ("Test service") without a
   * key: see `Workbench.enterApiKey`. `false` for none.
   */
  readonly service?: Partial<SandboxOptions> | false;
  /** Fills the service before the window opens. */
  readonly seed?: (service: Sandbox) => Promise<void>;
  /** Rewrites the service's responses to the window, not those to the test's own clients. */
  readonly rewrites?: Rewrites;
  /** Whether Workspace Trust is enabled. Default: no. */
  readonly trust?: boolean;
  /** Whether VS Code writes logs below `Workbench.dataDir`. The logs need a replacement for a native module that is not built. Default: no. */
  readonly logs?: boolean;
  /** Configures the browser context before its page opens. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
  /** A running service to use instead of a new one. */
  readonly running?: Sandbox | undefined;
  readonly theme?: Theme;
  /** Size of the window in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** The connection that the settings of a test window name. */
export const testConnection = { id: 'test', name: 'Test service' };

/** Whether a setting belongs to the extension. The workbench migrates its own deprecated settings. */
const isOurs = (name: string): boolean => name.startsWith('mailing.');

/** Returns the extension's settings in their stored form. */
const pickOurs = (settings: Readonly<JsonObject>): JsonObject =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([name]) => isOurs(name)))),
  ) as JsonObject;

interface WorkbenchParts {
  readonly folder: string;
  readonly dataDir: string;
  readonly settings: Readonly<JsonObject>;
  readonly service: Sandbox | undefined;
  readonly theme: Theme;
  /** Resets the service to its sample data. */
  readonly resetService: () => Promise<void>;
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
  /** The workspace folder. */
  readonly folder: string;
  /** Data folder of VS Code's server: settings, logs, extension storage, backups. */
  readonly dataDir: string;
  readonly #service: Sandbox | undefined;
  readonly #theme: Theme;
  readonly #keys = new Map<string, string>();
  readonly #resetService: () => Promise<void>;
  readonly #openAnother: () => Promise<Workbench>;
  readonly #size: { readonly width: number; readonly height: number };
  /** The settings at the start. */
  readonly #firstSettings: Readonly<JsonObject>;
  #settings: Readonly<JsonObject>;

  constructor(page: Page, { folder, dataDir, settings, service, theme, resetService, openAnother }: WorkbenchParts) {
    this.page = page;
    this.#theme = theme;
    this.#size = page.viewportSize() ?? { width: 1440, height: 900 };
    this.folder = folder;
    this.dataDir = dataDir;
    this.#firstSettings = settings;
    this.#settings = settings;
    this.#service = service;
    this.#resetService = resetService;
    this.#openAnother = openAnother;
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

  /** A view beside the explorer, such as `view('Statistics')`. */
  view(heading: string): Tree {
    return new Tree(this.page, 'Mailing Studio', heading);
  }

  /** Opens another user's window on the same service, with its own data. It is reset and closed together with this one. */
  async another(): Promise<Workbench> {
    return this.#openAnother();
  }

  /** Collapses or expands a view of the side bar. */
  async fold(view: string, folded: boolean): Promise<void> {
    const header = this.page.locator(`.part.sidebar .pane-header[aria-label^="${view}"]`);
    await eventually(async () => {
      if ((await header.getAttribute('aria-expanded')) !== String(!folded)) await header.click({ timeout: 2000 });
      assert.equal(await header.getAttribute('aria-expanded'), String(!folded));
    });
  }

  /** Runs a command by its full title in the palette. */
  async run(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Enters the connection's key in the input box of the command, unless that key was entered before. */
  async enterApiKey(key = this.service.apiKey, connection = testConnection.name): Promise<void> {
    if (this.#keys.get(connection) === key) return;
    await this.run('Mailing: Set API Key…');
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await eventually(async () => {
      if ((await input.getAttribute('type', { timeout: 1000 })) === 'password') return;
      if ((await this.quickInput.labels()).includes(connection)) await this.quickInput.pick(connection);
      assert.equal(await input.getAttribute('type', { timeout: 1000 }), 'password', 'The box does not ask for a key.');
    });
    await this.quickInput.answer(key);
    await input.waitFor({ state: 'hidden' });
    this.#keys.set(connection, key);
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

  /** Switches the theme with the system's color scheme, which keeps the focus and open menus and dialogs. */
  async setTheme(theme: Theme): Promise<void> {
    const { media, mark, kind } = themes[theme];
    await this.page.emulateMedia(media);
    await this.page.locator(mark).first().waitFor();
    // Webviews follow asynchronously.
    await eventually(async () => {
      const kinds = await Promise.all(
        this.page.frames().map((frame) =>
          frame
            .evaluate(() => document.body.dataset['vscodeThemeKind'])
            // A frame may be removed in the meantime.
            .catch(() => undefined),
        ),
      );
      assert.deepEqual(
        kinds.filter((each) => each !== undefined && each !== kind),
        [],
      );
    });
  }

  /** Saves a screenshot in each of `pictureThemes`, and restores the window's theme. */
  async pictures(name: (theme: Theme) => string, options?: { readonly width?: number }): Promise<void> {
    for (const theme of pictureThemes) {
      await this.setTheme(theme);
      await this.screenshot(name(theme), options);
    }
    await this.setTheme(this.#theme);
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
   * Restores the initial state as a user could: closes tabs and notifications, restores the extension's settings and the service's sample data.
   * State stored elsewhere remains, such as the workbench's memory of a record: tests of those have their own windows.
   */
  async reset(): Promise<void> {
    await this.#resetService();
    // Ignores errors that the workbench logs while it discards edits.
    await this.problems.pauseDuring(() => this.#clear());
    this.problems.clear();
  }

  async #clear(): Promise<void> {
    await this.page.setViewportSize(this.#size);
    await this.page.keyboard.press('Escape');
    await this.#closeAll();
    await this.#restoreSettings();
    await this.notifications.clear();
    await this.setTheme(this.#theme);
    // Without a service, there is no tree to refresh.
    if (!this.#service || !(await this.explorer.isOpen())) return;
    await this.explorer.titleAction('Collapse All');
    await this.explorer.titleAction('Refresh');
    await this.explorer.settled();
  }

  async #closeAll(): Promise<void> {
    await eventually(async () => {
      if (await this.dialog.isOpen()) await this.dialog.click("Don't Save");
      if ((await this.editors.tabs()).length === 0) return;
      await this.page.keyboard.press('ControlOrMeta+k');
      await this.page.keyboard.press('ControlOrMeta+w');
      assert.deepEqual(await this.editors.tabs(), []);
    });
  }

  /** Restores the extension's settings in the window, which doesn't watch their file. */
  async #restoreSettings(): Promise<void> {
    const now = await eventually(() => readUserSettings(this.dataDir));
    const [written, first] = [now, this.#firstSettings].map((settings) => pickOurs(settings));
    this.#settings = this.#firstSettings;
    if (isDeepStrictEqual(written, first)) return;
    const others = Object.entries(now).filter(([name]) => !isOurs(name));
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
  async screenshot(name: string, { width }: { width?: number } = {}): Promise<string> {
    const path = join(out, 'screenshots', `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    // Hides the tooltip of the last clicked element.
    await this.page.mouse.move(0, 0);
    const height = this.page.viewportSize()?.height ?? 900;
    await this.page.screenshot({
      path,
      animations: 'disabled',
      ...(width === undefined ? {} : { clip: { x: 0, y: 0, width, height } }),
    });
    return path;
  }
}

/** A workspace folder and a service for consecutive windows, each with a server and user data. */
export interface Computer {
  /** Opens a window without the state of earlier ones, except for the browser's cache. */
  open(): Promise<Workbench>;
  /** Closes the window and waits until its processes have ended, or kills them. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Prepares a workspace folder and a service for windows. */
export async function openComputer(installation: Installation, options: WorkbenchOptions = {}): Promise<Computer> {
  const scratch = makeScratch();
  const endings: (() => Promise<void> | void)[] = [() => removeScratch(scratch)];
  const close = async () => {
    for (const end of endings.toReversed()) await end();
  };
  try {
    const ownsService = options.running === undefined;
    const theme = options.theme ?? 'light';
    const service =
      options.running ??
      (options.service === false
        ? undefined
        : await startSandbox({ assets: join(root, 'media', 'starters'), ...options.service }));
    if (service && ownsService) endings.push(() => service.close());
    const front = service && options.rewrites ? await openRewritingProxy(service.baseUrl, options.rewrites) : undefined;
    if (front) endings.push(() => front.close());

    const folder = join(scratch, 'workspace');
    const settings = {
      ...quietSettings,
      ...plainSettings,
      ...themeSettings,
      ...(options.trust ? { 'security.workspace.trust.enabled': true } : {}),
      ...(service
        ? {
            'mailing.connections': [
              { ...testConnection, baseUrl: (front ?? service).baseUrl, profile: service.profile },
            ],
          }
        : {}),
      ...options.settings,
    };
    const prepare = (dataDir: string) => {
      for (const each of [folder, join(dataDir, 'data')]) removeScratch(each);
      mkdirSync(folder);
      for (const [name, text] of Object.entries(options.files ?? {})) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      writeUserSettings(dataDir, settings);
    };
    // A configured browser context can't be shared with other windows.
    const ownContext = options.prepare && (await installation.browser.newContext());
    if (ownContext) {
      endings.push(() => ownContext.close());
      await options.prepare?.(ownContext);
    }
    let other: Computer | undefined;
    let otherWindow: Workbench | undefined;
    const openAnother = async () => {
      if (otherWindow) {
        await otherWindow.reset();
        return otherWindow;
      }
      if (!other) {
        other = await openComputer(installation, { ...options, running: service });
        // Closes before the shared service.
        endings.push(other.close);
      }
      otherWindow = await other.open();
      return otherWindow;
    };
    let server: WindowServer | undefined;
    let page: Page | undefined;
    const leave = async () => {
      await other?.leave();
      otherWindow = undefined;
      // A page that is shutting down may reject this.
      await page?.goto('about:blank').catch(() => undefined);
      await page?.close();
      page = undefined;
      if (server) await installation.releaseServer(server);
      server = undefined;
    };
    endings.push(leave);
    const resetService = async () => {
      if (!service || !ownsService) return;
      service.reset();
      await options.seed?.(service);
    };
    const open = async () => {
      server = await installation.acquireServer({ trust: options.trust === true, logs: options.logs === true });
      const { dataDir } = server;
      prepare(dataDir);
      await resetService();
      page = await (ownContext ?? server.context).newPage();
      await page.setViewportSize(options.size ?? { width: 1440, height: 900 });
      await page.addInitScript(detectContrast);
      await page.emulateMedia(themes[theme].media);
      await clearBrowserStorage(page, server.origin);
      page.setDefaultTimeout(15_000);
      const workbench = new Workbench(page, { folder, dataDir, settings, service, theme, resetService, openAnother });
      await page.goto(server.url({ folder }), { waitUntil: 'commit', timeout: START_TIMEOUT_MS });
      await workbench.ready();
      return workbench;
    };
    return { open, leave, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes the workbench treat a preference for more contrast as forced colors, whose emulation would replace the theme's colors. Runs in the page. */
function detectContrast(): void {
  const match = globalThis.matchMedia.bind(globalThis);
  globalThis.matchMedia = (query) => match(query.replace('(forced-colors: active)', '(prefers-contrast: more)'));
}

/** Clears the workbench's state in the browser: windows, extensions, documents and secrets. */
async function clearBrowserStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage' });
  await session.detach();
}

/** Opens a window with its own user data, workspace folder and service. */
export async function openWorkbench(
  installation: Installation,
  options: WorkbenchOptions = {},
): Promise<{ workbench: Workbench; close: () => Promise<void> }> {
  const computer = await openComputer(installation, options);
  try {
    return { workbench: await computer.open(), close: computer.close };
  } catch (error) {
    await computer.close();
    throw error;
  }
}

/**
 * Opens a new window for each test of the calling `describe` (`shared: true`: one window, in which each test starts over). After each test,
 * asserts that the workbench, the extension host and the webviews logged no error. A failed test leaves a screenshot in
 * out/screenshots/failed.
 *
 *     describe('Templates', () => {
 *       const window = useWorkbench();
 *       it('…', async () => { await window().run('Mailing: …'); });
 *     });
 */
export function useWorkbench({
  shared = false,
  ...options
}: WorkbenchOptions & { shared?: boolean } = {}): () => Workbench {
  let installation: Installation | undefined;
  let computer: Computer | undefined;
  let workbench: Workbench | undefined;

  before(async () => {
    installation = await openInstallation();
    computer = await openComputer(installation, options);
  });
  /** Whether the last test passed, so that its window can be reused. */
  let hasPassed = false;
  beforeEach(async function () {
    // The extension host of the closed window may take long to end.
    this.timeout(180_000);
    // The window of a failed test is not reused.
    if (shared && workbench && hasPassed) return workbench.reset();
    if (workbench) await computer?.leave();
    workbench = await computer?.open();
  });
  afterEach(async function () {
    if (!workbench) return;
    hasPassed = this.currentTest?.state === 'passed';
    const problems = [...workbench.problems.all];
    if (this.currentTest?.state === 'failed') {
      const name = this.currentTest
        .fullTitle()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .slice(0, 100);
      console.log(`Screenshot: ${await workbench.screenshot(`failed/${name}`)}`);
    }
    assert.deepEqual(problems, [], 'Errors were logged while the test ran.');
  });
  after(async () => {
    await computer?.close();
    await installation?.close();
  });
  return () => {
    assert.ok(workbench, 'The window exists only while a test runs.');
    return workbench;
  };
}
