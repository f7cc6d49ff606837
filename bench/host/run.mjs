// What is measured inside VS Code's extension host (run.ts): activation, and saving beside its bare requests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageIfChanged } from '../../scripts/lib/build.mjs';
import { chromiumMissing, findChromium } from '../../scripts/lib/chromium.mjs';
import { runInServer } from '../../scripts/lib/integration.mjs';
import { out, root } from '../../scripts/lib/paths.mjs';
import { Processes } from '../../scripts/lib/processes.mjs';
import { median } from '../support.mjs';

/** Each launch gives one activation. */
const launches = 5;
const warmUp = 3;
const runner = join(out, 'bench', 'run.mjs');

export async function measure() {
  const browser = findChromium();
  if (!browser) throw new Error(chromiumMissing);
  await build({
    absWorkingDir: root, entryPoints: ['bench/host/run.ts'], outfile: runner, bundle: true, format: 'esm', platform: 'node', target: 'node20',
    external: ['vscode'], mainFields: ['module', 'main'], logLevel: 'error',
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  });
  const folder = mkdtempSync(join(tmpdir(), 'mailing-studio-'));
  const result = join(folder, 'result.json');
  const processes = new Processes();
  const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
  try {
    await packageIfChanged(processes, say);
    const runs = [];
    for (let launch = 0; launch < launches; launch += 1) {
      await runInServer(processes, { result, say, browser, runner });
      runs.push(JSON.parse(readFileSync(result, 'utf8')));
    }
    const all = (/** @type {string} */ name) => median(runs.flatMap((run) => [run[name]].flat().slice(Array.isArray(run[name]) ? warmUp : 0)));
    const [save, localSave, write, bare] = [all('saves'), all('localSaves'), all('writes'), all('bare')];
    return {
      title: "In the extension host (floors: the budget; bare requests; a local file's save and bare requests)",
      rows: [
        ['activation: loading the bundle', all('load'), null, null, 'ms'],
        ['activation: activate()', all('activate'), 10, all('activate') / 10, 'ms'],
        ['writing 177 KB: workspace.fs', write, bare, write / bare, 'ms'],
        ['saving 177 KB: Ctrl+S', save, localSave + bare, save / (localSave + bare), 'ms'],
      ],
    };
  } finally {
    await processes.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
