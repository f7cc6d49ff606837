import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { packageIfChanged } from '../../scripts/lib/build.mjs';
import { chromiumFlags, findChromium } from '../../scripts/lib/chromium.mjs';
import { out, vsix } from '../../scripts/lib/paths.mjs';
import { Processes } from '../../scripts/lib/processes.mjs';
import { installExtension, startServer, type Server } from '../../scripts/lib/server.mjs';
import { fetchVSCode } from '../../scripts/lib/vscode.mjs';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';

/** Shared by all windows: VS Code with the packaged extension installed, a browser, and servers for reuse. */
export interface Installation {
  readonly processes: Processes;
  /** VS Code's `server-main.js`. */
  readonly main: string;
  readonly extensionsDir: string;
  readonly browser: Browser;
  /** Returns an idle server, or starts a new one. `logs`: see `WorkbenchOptions`. */
  acquireServer(logs: boolean): Promise<WindowServer>;
  /** Reuses a server whose windows are closed for the next window, or kills it if their extension hosts don't end. */
  releaseServer(server: WindowServer): Promise<void>;
  /** Ends all windows and servers. In mocha's parallel mode, the files of one process share them. */
  close(): Promise<void>;
}

/** A VS Code server with its own user data and browser data. It serves one window at a time. */
export interface WindowServer extends Server {
  readonly logs: boolean;
  readonly dataDir: string;
  /** Its cache contains VS Code's scripts after the first window. */
  readonly context: BrowserContext;
}

/**
 * Time limit for the extension hosts of closed windows to end. A host whose window was reloaded during its start never ends, because it waits
 * for the window to connect.
 */
const END_TIMEOUT_MS = 10_000;

/** Resolves only the names of this computer, so that tests can't reach other hosts. */
const thisMachineOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

let shared: Promise<Installation> | undefined;

/**
 * Packages the extension if its sources changed, and installs it into its own folder if the package changed.
 * Rejects with installation instructions if there is no Chromium.
 */
export async function openInstallation(): Promise<Installation> {
  if (process.env['MOCHA_WORKER_ID'] === undefined) return startInstallation();
  shared ??= startInstallation();
  return { ...(await shared), close: () => Promise.resolve() };
}

async function startInstallation(): Promise<Installation> {
  const executablePath = findChromium();
  const processes = new Processes();
  processes.endOnSignals();
  const log = (line: string) => console.log(line);
  const hash = await packageIfChanged(processes, log);
  const main = await fetchVSCode(processes, log);
  const extensionsDir = join(out, 'extensions', hash.slice(0, 12));
  if (!existsSync(extensionsDir)) await install({ processes, main, extensionsDir });
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags, thisMachineOnly] });
  const scratch = makeScratch();
  process.once('exit', () => removeScratch(scratch));
  const free: WindowServer[] = [];
  let started = 0;
  return {
    processes,
    main,
    extensionsDir,
    browser,
    async acquireServer(logs) {
      const index = free.findIndex((server) => server.logs === logs);
      const [found] = index < 0 ? [] : free.splice(index, 1);
      if (found) return found;
      const dataDir = join(scratch, String((started += 1)));
      const preload = logs ? [new URL('./secrets/spdlog.mjs', import.meta.url).href] : [];
      const server = await startServer(processes, {
        main,
        dataDir,
        extensionsDir,
        lean: true,
        preload,
      });
      return { ...server, logs, dataDir, context: await browser.newContext() };
    },
    async releaseServer(server) {
      if (await server.idle(END_TIMEOUT_MS)) {
        free.push(server);
        return;
      }
      server.kill();
      await server.context.close();
    },
    async close() {
      await browser.close();
      for (const server of free) server.kill();
      await processes.end();
    },
  };
}

/** Creates the folder under a temporary name and renames it, so that an existing folder is complete even if two runs start at once. */
async function install({ processes, main, extensionsDir }: Pick<Installation, 'processes' | 'main' | 'extensionsDir'>) {
  removeOldest(dirname(extensionsDir), 4);
  const partial = `${extensionsDir}.partial-${process.pid}`;
  const dataDir = makeScratch();
  await installExtension(processes, { main, dataDir, extensionsDir: partial }, vsix);
  removeScratch(dataDir);
  if (existsSync(extensionsDir)) removeScratch(partial);
  else renameSync(partial, extensionsDir);
}

/** Keeps the newest folders, which other runs may be using. */
function removeOldest(folder: string, keep: number) {
  if (!existsSync(folder)) return;
  const paths = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of paths.slice(keep)) removeScratch(path);
}
