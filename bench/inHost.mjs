import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageIfChanged } from '../scripts/lib/build.mjs';
import { findChromium } from '../scripts/lib/chromium.mjs';
import { runInServer } from '../scripts/lib/integration.mjs';
import { out, root } from '../scripts/lib/paths.mjs';
import { Processes } from '../scripts/lib/processes.mjs';
import { makeScratch, removeScratch } from '../scripts/lib/scratch.mjs';

const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/**
 * Runs `bench/<name>/run.ts` in VS Code's extension host and returns its results, one per launch.
 * @param {string} name
 * @param {number} [launches]
 * @returns {Promise<any[]>}
 */
export async function runInHost(name, launches = 1) {
  const browser = findChromium();
  const runner = join(out, 'bench', name, 'run.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [`bench/${name}/run.ts`],
    outfile: runner,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
    mainFields: ['module', 'main'],
    logLevel: 'error',
    banner: { js: banner },
  });
  const folder = makeScratch();
  const result = join(folder, 'result.json');
  const processes = new Processes();
  const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
  try {
    await packageIfChanged(processes, say);
    const results = [];
    for (let launch = 0; launch < launches; launch += 1) {
      await runInServer(processes, { result, say, browser, runner });
      results.push(JSON.parse(readFileSync(result, 'utf8')));
    }
    return results;
  } finally {
    await processes.end();
    removeScratch(folder);
  }
}
