import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { root } from '../../scripts/lib/paths.mjs';
import { emptyScratch, makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { quietSettings, writeUserSettings } from '../../scripts/lib/server.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import type { JsonObject } from '../../src/service/client/shapes.ts';
import { openInstallation, type Installation, type WindowServer } from './installation.ts';
import { WAIT_TIMEOUT_MS } from './eventually.ts';
import { openRewritingProxy, type Rewrites } from './rewritingProxy.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from './sandbox/index.ts';
import { captureFailure } from './screenshots.ts';
import { START_TIMEOUT_MS, WINDOW_SIZE, Workbench, testConnection } from './workbench.ts';

/** The editor inserts only the typed text, and each tree row appears once. */
const plainSettings = {
  'workbench.colorTheme': 'Default Light Modern',
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

/** What the tests of a file find in their window. */
export interface Contents {
  /** Files of the workspace folder: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Fills the service, which has sample data. */
  readonly seed?: (client: MailingClient) => Promise<object | void>;
}

export interface WorkbenchOptions extends Contents {
  /** User settings in addition to the default test settings. */
  readonly settings?: Readonly<JsonObject>;
  /**
   * The mailing service in the test process. The default has sample data and is configured as connection `test` ("Test service") without a
   * key: see `Workbench.enterApiKey`. `false` for none.
   */
  readonly service?: Partial<SandboxOptions> | false;
  /** Rewrites the service's responses to the window, not those to the test's own clients. */
  readonly rewrites?: Rewrites;
  /** Whether VS Code writes logs below `Workbench.dataDir`. The logs need a replacement for a native module that is not built. Default: no. */
  readonly logs?: boolean;
  /** Configures the browser context, and the installed extensions, before its page opens. */
  readonly prepare?: (context: BrowserContext, extensionsDir: string) => Promise<object | void>;
}

/** A window, and the workspace folder and service that it starts over with. */
class Computer {
  readonly #installation: Installation;
  readonly #options: WorkbenchOptions;
  readonly #scratch = makeScratch();
  /** Not closed with this window: the service of another user's window. */
  readonly #foreign: Sandbox | undefined;
  #service: Sandbox | undefined;
  #client: MailingClient | undefined;
  #proxy: Awaited<ReturnType<typeof openRewritingProxy>> | undefined;
  #context: BrowserContext | undefined;
  #server: WindowServer | undefined;
  #page: Page | undefined;
  #workbench: Workbench | undefined;
  #other: Computer | undefined;

  constructor(installation: Installation, options: WorkbenchOptions, foreign?: Sandbox) {
    this.#installation = installation;
    this.#options = options;
    this.#foreign = foreign;
  }

  /** Returns the window in its initial state: the open one, or a new one, without the state of earlier ones except for the browser's cache. */
  async open(contents: Contents = this.#options) {
    const { service: serviceOptions, rewrites, logs = false, prepare } = this.#options;
    if (!this.#service && !this.#foreign && serviceOptions !== false) {
      this.#service = await startSandbox({ assets: join(root, 'media', 'starters'), ...serviceOptions });
      this.#client = new MailingClient(this.#service);
    }
    await this.#other?.close();
    this.#other = undefined;
    this.#service?.reset();
    if (this.#client) await contents.seed?.(this.#client);
    const folder = join(this.#scratch, 'workspace');
    mkdirSync(folder, { recursive: true });
    emptyScratch(folder);
    for (const [name, text] of Object.entries(contents.files ?? {})) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    if (this.#workbench) {
      await this.#workbench.reset();
      return this.#workbench;
    }
    // What a failed attempt left.
    await this.leave();
    const service = this.#foreign ?? this.#service;
    if (service && rewrites) this.#proxy ??= await openRewritingProxy(service.baseUrl, rewrites);
    const settings = {
      ...quietSettings,
      ...plainSettings,
      ...(service && {
        'mailing.connections': [
          { ...testConnection, baseUrl: (this.#proxy ?? service).baseUrl, profile: service.profile },
        ],
      }),
      ...this.#options.settings,
    };
    // A configured browser context can't be shared with other windows.
    if (prepare && !this.#context) {
      this.#context = await this.#installation.browser.newContext();
      await prepare(this.#context, this.#installation.extensionsDir);
    }
    const server = (this.#server = await this.#installation.acquireServer(logs));
    const { dataDir } = server;
    removeScratch(join(dataDir, 'data'));
    writeUserSettings(dataDir, settings);
    const page = (this.#page = await (this.#context ?? server.context).newPage());
    await page.setViewportSize(WINDOW_SIZE);
    await clearBrowserStorage(page, server.origin);
    page.setDefaultTimeout(WAIT_TIMEOUT_MS);
    const openAnother = () => (this.#other = new Computer(this.#installation, this.#options, service)).open();
    const workbench = new Workbench(page, { folder, dataDir, settings, service, client: this.#client, openAnother });
    await page.goto(server.url({ folder }), { waitUntil: 'commit', timeout: START_TIMEOUT_MS });
    await workbench.ready();
    return (this.#workbench = workbench);
  }

  get page() {
    return this.#page;
  }

  /** Closes the window and waits until its processes have ended, or kills them. */
  async leave() {
    await this.#other?.close();
    // A page that is shutting down may reject this.
    await this.#page?.goto('about:blank').catch(() => undefined);
    await this.#page?.close();
    if (this.#server) await this.#installation.releaseServer(this.#server);
    this.#other = this.#page = this.#server = this.#workbench = undefined;
  }

  async close() {
    await this.leave();
    await this.#context?.close();
    await this.#proxy?.close();
    await this.#client?.close();
    await this.#service?.close();
    this.discard();
  }

  /** Removes the workspace folder. */
  discard() {
    removeScratch(this.#scratch);
  }
}

/** Clears the workbench's state in the browser: windows, extensions, documents and secrets. */
async function clearBrowserStorage(page: Page, origin: string) {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage' });
  await session.detach();
}

/** Opens a window with its own user data, workspace folder and service. */
export async function openWorkbench(
  installation: Installation,
  options: WorkbenchOptions = {},
): Promise<{ workbench: Workbench; close: () => Promise<void> }> {
  const computer = new Computer(installation, options);
  try {
    return { workbench: await computer.open(), close: () => computer.close() };
  } catch (error) {
    await computer.close();
    throw error;
  }
}

let shared: Computer | undefined;

/**
 * Opens a window for the calling `describe`, in which each test starts over. Without options, all test files of one process share the window.
 * After each test, asserts that the workbench, the extension host and the webviews logged no error. A failed test leaves a screenshot in
 * out/failures.
 *
 *     describe('Templates', () => {
 *       const window = useWorkbench();
 *       it('…', async () => { await window().run('Mailing: …'); });
 *     });
 *
 * @param contents what the tests find in the window
 * @param options other than the default ones, for a window of its own
 */
export function useWorkbench(
  contents: Contents = {},
  options?: Omit<WorkbenchOptions, keyof Contents>,
): () => Workbench {
  let computer: Computer | undefined;
  let workbench: Workbench | undefined;
  let isShared = false;
  let end: (() => Promise<void>) | undefined;

  before(async () => {
    const installation = await openInstallation();
    // Only a process of mocha's parallel mode runs several files.
    isShared = options === undefined && process.env['MOCHA_WORKER_ID'] !== undefined;
    computer =
      (isShared ? shared : undefined) ?? new Computer(installation, options ?? { service: { subscribers: 1200 } });
    end = isShared
      ? undefined
      : async () => {
          await computer?.close();
          await installation.close();
        };
    if (!isShared || shared) return;
    shared = computer;
    process.once('exit', () => computer?.discard());
  });
  beforeEach(async function () {
    try {
      workbench = await computer?.open(contents);
    } catch (error) {
      if (computer?.page) await captureFailure(computer.page, this.currentTest);
      throw error;
    }
  });
  afterEach(async function () {
    if (!workbench) return;
    const problems = [...workbench.problems.all];
    if (this.currentTest?.state === 'failed') await captureFailure(workbench.page, this.currentTest);
    // The window of a failed test is not reused.
    if (this.currentTest?.state !== 'passed') await computer?.leave();
    assert.deepEqual(problems, [], 'Errors were logged while the test ran.');
  });
  after(() => end?.());
  return () => {
    assert.ok(workbench, 'The window exists only while a test runs.');
    return workbench;
  };
}
