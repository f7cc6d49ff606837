import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir, root } from './paths.mjs';
import { run } from './processes.mjs';

/**
 * What finding and installing a browser depends on.
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {boolean} isRoot
 * @property {string} system text of /etc/os-release, or empty
 * @property {(path: string) => boolean} isExecutable
 * @property {() => string[]} findStored paths of the browsers that an earlier run downloaded
 * @property {(path: string) => Promise<boolean>} starts
 * @property {(command: string, args: string[], env?: NodeJS.ProcessEnv) => Promise<boolean>} runs whether a command succeeds
 */

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

/** Debian's browser, and the fonts that the tests lay out pages with. */
const packages = ['chromium', 'fonts-liberation', 'fonts-dejavu-core'];

/** Where Playwright stores the browser that it downloads. */
const storeDir = join(cacheDir, 'chromium');

/** Flags for a machine without a display, a GPU or a network; the sandbox can't start for root or in most containers. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Longer than a browser takes to start on a busy machine. */
const START_TIMEOUT_MS = 180_000;

/**
 * Returns the usual paths of browsers that are not on the PATH.
 * @param {Machine} machine
 */
function getUsualPaths({ platform, env }) {
  if (platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  if (platform === 'win32')
    return ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData']
      .flatMap((name) => env[name] ?? [])
      .flatMap((folder) =>
        [
          'Google/Chrome/Application/chrome.exe',
          'Chromium/Application/chrome.exe',
          'Microsoft/Edge/Application/msedge.exe',
        ].map((path) => join(folder, path)),
      );
  return ['/opt/google/chrome/chrome', '/snap/bin/chromium'];
}

/** @param {Machine} machine */
function isDebian({ platform, system }) {
  return platform === 'linux' && /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/mu.test(system);
}

/**
 * Says that no browser works, and how to install one on this system.
 * @param {Machine} machine
 */
function explainMissing(machine) {
  const { platform, system } = machine;
  let step = 'Install Chromium with the package manager of this system';
  if (platform === 'darwin') step = 'Run `brew install --cask chromium`';
  else if (platform === 'win32') step = 'Run `winget install Google.Chrome`';
  else if (/^ID=ubuntu$/mu.test(system)) step = 'Run `sudo snap install chromium`';
  else if (isDebian(machine)) step = `Run \`sudo apt-get install -y --no-install-recommends ${packages.join(' ')}\``;
  return `The tests need Chromium or Chrome, and no working one could be found or installed. ${step}, or set CHROME_PATH to the executable of a browser.`;
}

/**
 * Returns the paths of the browsers of this machine, the preferred one first: CHROME_PATH alone, or else the PATH, the usual places, and downloads of
 * earlier runs.
 * @param {Machine} machine
 * @returns {string[]}
 * @throws {Error} if CHROME_PATH is not an executable
 */
function findAll(machine) {
  const { env, platform, isExecutable } = machine;
  const named = env['CHROME_PATH'];
  if (named && !isExecutable(named)) throw new Error(`CHROME_PATH is set to ${named}, which is not an executable.`);
  if (named) return [named];
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, platform === 'win32' ? `${name}.exe` : name)));
  return [...onPath, ...getUsualPaths(machine), ...machine.findStored()].filter(isExecutable);
}

/**
 * Returns the path of a browser that is installed. `npm test` names it in CHROME_PATH.
 * @param {Machine} [machine]
 * @returns {string}
 * @throws {Error} if there is none, with the command that installs one
 */
export function findChromium(machine = thisMachine()) {
  const [path] = findAll(machine);
  if (!path) throw new Error(explainMissing(machine));
  return path;
}

/**
 * Returns the path of a browser that starts, and names it in CHROME_PATH for child processes. If there is none, installs one with apt-get, or else
 * downloads Playwright's.
 * @param {import('./processes.mjs').Processes} processes
 * @param {(line: string) => void} say
 * @param {Machine} [machine]
 * @returns {Promise<string>}
 * @throws {Error} if no browser can be installed, with the command to run
 */
export async function provideChromium(processes, say, machine = thisMachine(processes)) {
  const { env } = machine;
  const path = (await findWorking(machine)) ?? (await install(say, machine));
  if (!path) throw new Error(explainMissing(machine));
  return (env['CHROME_PATH'] = path);
}

/**
 * Returns the first browser that starts: on Ubuntu, `chromium-browser` may be a script that only asks to install another package.
 * @param {Machine} machine
 */
async function findWorking(machine) {
  for (const path of new Set(findAll(machine))) if (await machine.starts(path)) return path;
  if (machine.env['CHROME_PATH'])
    throw new Error(`CHROME_PATH is set to ${machine.env['CHROME_PATH']}, which doesn't start.`);
  return undefined;
}

/**
 * @param {(line: string) => void} say
 * @param {Machine} machine
 */
async function install(say, machine) {
  if (isDebian(machine)) {
    // With sudo only if it needs no password, because nobody may be there to type it.
    const [command, ...first] = machine.isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
    const apt = (/** @type {string[]} */ ...args) =>
      machine.runs(/** @type {string} */ (command), [...first, '-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
        DEBIAN_FRONTEND: 'noninteractive',
      });
    say('Installing Chromium with apt-get …');
    await apt('update');
    const path = (await apt('install', '-y', '--no-install-recommends', ...packages)) && (await findWorking(machine));
    if (path) return path;
  }
  say('Downloading Chromium with Playwright …');
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js');
  await machine.runs(process.execPath, [playwright, 'install', 'chromium-headless-shell'], {
    PLAYWRIGHT_BROWSERS_PATH: storeDir,
  });
  return findWorking(machine);
}

/**
 * @param {import('./processes.mjs').Processes} [processes] to install a browser
 * @returns {Machine}
 */
function thisMachine(processes) {
  const systemFile = '/etc/os-release';
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    system: existsSync(systemFile) ? readFileSync(systemFile, 'utf8') : '',
    isExecutable(path) {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
    findStored() {
      if (!existsSync(storeDir)) return [];
      return readdirSync(storeDir)
        .map((name) => join(storeDir, name))
        .filter((folder) => existsSync(join(folder, 'INSTALLATION_COMPLETE')))
        .flatMap((folder) =>
          readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
        )
        .filter((path) => /[\\/](?:chrome-headless-shell|headless_shell)(?:\.exe)?$/u.test(path));
    },
    async starts(executablePath) {
      const { chromium } = await import('playwright-core');
      try {
        const browser = await chromium.launch({ executablePath, args: chromiumFlags, timeout: START_TIMEOUT_MS });
        await browser.close();
        return true;
      } catch {
        return false;
      }
    },
    async runs(command, args, env) {
      if (!processes) return false;
      return (await run(processes, command, args, { env: { ...process.env, ...env }, onLine: () => {} })) === 0;
    },
  };
}
