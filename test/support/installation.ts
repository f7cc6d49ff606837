import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { packageIfChanged } from '../../scripts/lib/build.mjs';
import { chromiumFlags, chromiumMissing, findChromium } from '../../scripts/lib/chromium.mjs';
import { out, vsix } from '../../scripts/lib/paths.mjs';
import { Processes } from '../../scripts/lib/processes.mjs';
import { installExtension } from '../../scripts/lib/server.mjs';
import { fetchVSCode } from '../../scripts/lib/vscode.mjs';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';

/** What all windows of a test file share: VS Code with the packaged extension installed, and a browser. */
export interface Installation {
  readonly processes: Processes;
  /** VS Code's `server-main.js`. */
  readonly main: string;
  readonly extensionsDir: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** No name but this machine's is resolved: a test reaches no host, whatever it opens. */
const thisMachineOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/**
 * Packages the extension where its sources changed, and installs it into a folder of its own where the package changed.
 * Rejects when there is no Chromium, with how to get one.
 */
export async function openInstallation(): Promise<Installation> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(chromiumMissing);
  const processes = new Processes();
  processes.endOnSignals();
  const say = (line: string) => console.log(line);
  const hash = await packageIfChanged(processes, say);
  const main = await fetchVSCode(processes, say);
  const extensionsDir = join(out, 'extensions', hash.slice(0, 12));
  if (!existsSync(extensionsDir)) await install({ processes, main, extensionsDir });
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags, thisMachineOnly] });
  return {
    processes,
    main,
    extensionsDir,
    browser,
    async close() {
      await browser.close();
      await processes.end();
    },
  };
}

/** Made aside and moved into place, so that a folder that is there is complete, also when two runs begin at once. */
async function install({ processes, main, extensionsDir }: Pick<Installation, 'processes' | 'main' | 'extensionsDir'>): Promise<void> {
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
  const paths = readdirSync(folder).map((name) => join(folder, name)).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of paths.slice(keep)) removeScratch(path);
}
