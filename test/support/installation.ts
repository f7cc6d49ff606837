import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { packageIfChanged } from '../../scripts/lib/build.mjs';
import { chromiumFlags, chromiumMissing, findChromium } from '../../scripts/lib/chromium.mjs';
import { out, vsix } from '../../scripts/lib/paths.mjs';
import { Processes } from '../../scripts/lib/processes.mjs';
import { installExtension } from '../../scripts/lib/server.mjs';
import { fetchVSCode } from '../../scripts/lib/vscode.mjs';

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
  const say = (line: string) => console.log(line);
  const hash = await packageIfChanged(processes, say);
  const main = await fetchVSCode(processes, say);
  const extensionsDir = join(out, 'extensions');
  const stamp = join(out, 'extensions.stamp');
  if (!existsSync(extensionsDir) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    rmSync(extensionsDir, { recursive: true, force: true });
    const dataDir = mkdtempSync(join(tmpdir(), 'mailing-studio-'));
    await installExtension(processes, { main, dataDir, extensionsDir }, vsix);
    rmSync(dataDir, { recursive: true, force: true });
    writeFileSync(stamp, hash);
  }
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
