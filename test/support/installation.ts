import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext } from 'playwright-core';
import { packageIfChanged } from '../../scripts/lib/build.mjs';
import { chromiumFlags, chromiumMissing, findChromium } from '../../scripts/lib/chromium.mjs';
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
  /** Returns a server that no window uses, and starts one if there is none. */
  acquireServer(options: ServerOptions): Promise<WindowServer>;
  /** Keeps a server whose windows are closed for the next window. If their extension hosts don't end, kills it: the next window gets a new one. */
  releaseServer(server: WindowServer): Promise<void>;
  /** Ends everything. In mocha's parallel mode, everything is shared by the files of one process, and ends with it. */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Folders must be trusted before they may do everything. */
  readonly trust: boolean;
  /** VS Code keeps logs: see `WorkbenchOptions`. */
  readonly logs: boolean;
}

/** A VS Code server with its own user data and browser data. It serves one window at a time. */
export interface WindowServer extends Server {
  readonly options: ServerOptions;
  readonly dataDir: string;
  /** Its cache has VS Code's scripts after the first window. */
  readonly context: BrowserContext;
}

/**
 * How long the extension hosts of closed windows may take to end. One whose window was reloaded while it started never does: it waits for
 * its window to connect.
 */
const END_TIMEOUT_MS = 10_000;

/** Resolves only the names of this machine, so that tests can't reach other hosts. */
const thisMachineOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

let shared: Promise<Installation> | undefined;

/**
 * Packages the extension if its sources changed, and installs it into its own folder if the package changed.
 * Rejects when there is no Chromium, with how to get one.
 */
export async function openInstallation(): Promise<Installation> {
  if (process.env['MOCHA_WORKER_ID'] === undefined) return startInstallation();
  shared ??= startInstallation();
  return { ...(await shared), close: () => Promise.resolve() };
}

async function startInstallation(): Promise<Installation> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(chromiumMissing);
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
    async acquireServer(options) {
      const index = free.findIndex((server) => isDeepStrictEqual(server.options, options));
      const [found] = index < 0 ? [] : free.splice(index, 1);
      if (found) return found;
      const dataDir = join(scratch, String((started += 1)));
      const preload = options.logs ? [new URL('./secrets/spdlog.mjs', import.meta.url).href] : [];
      const server = await startServer(processes, { main, dataDir, extensionsDir, trust: options.trust, preload });
      return { ...server, options, dataDir, context: await browser.newContext() };
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

/** Made aside and moved into place, so that a folder that is there is complete, also when two runs begin at once. */
async function install({
  processes,
  main,
  extensionsDir,
}: Pick<Installation, 'processes' | 'main' | 'extensionsDir'>): Promise<void> {
  removeOldest(dirname(extensionsDir), 4);
  const partial = `${extensionsDir}.partial-${process.pid}`;
  const dataDir = makeScratch();
  await installExtension(processes, { main, dataDir, extensionsDir: partial }, vsix);
  removeScratch(dataDir);
  if (existsSync(extensionsDir)) removeScratch(partial);
  else renameSync(partial, extensionsDir);
}

/** Keeps the newest folders, which other runs may be using. */
function removeOldest(folder: string, keep: number): void {
  if (!existsSync(folder)) return;
  const paths = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of paths.slice(keep)) removeScratch(path);
}
