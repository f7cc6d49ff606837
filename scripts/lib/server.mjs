import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { findNode } from './paths.mjs';
import { run } from './processes.mjs';

/** @typedef {{ main: string, dataDir: string, extensionsDir?: string | undefined }} Installation `main` is VS Code's `server-main.js` */
/**
 * @typedef {{ origin: string, token: string, url: (query: Record<string, string>) => string, log: () => string, idle: (patienceMs: number) => Promise<boolean>,
 *   ended: Promise<number | null>, end: () => Promise<void>, kill: () => void }} Server `idle` waits until the extension hosts of closed windows have
 *   ended, and returns whether they did in time; `end` shuts down, `kill` kills immediately
 */

/** No gallery: no requests to hosts on the network. */
const noGallery = '{}';

/** Built-in extensions that no test needs and that slow the start of each window: their manifests are large, or they activate at startup. */
const UNNEEDED = new Set(
  (
    'copilot debug-auto-launch debug-server-ready extension-editing git git-base github github-authentication ipynb merge-conflict ' +
    'mermaid-markdown-features microsoft-authentication ms-vscode.js-debug ms-vscode.js-debug-companion ' +
    'ms-vscode.vscode-js-profile-table notebook-renderers php-language-features tunnel-forwarding'
  ).split(' '),
);

/** Settings for a window that shows the extension and nothing else. */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'security.workspace.trust.enabled': false,
  'editor.minimap.enabled': false,
  'git.enabled': false,
  'npm.autoDetect': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
};

/** @param {string} dataDir the server's data folder */
const userSettings = (dataDir) => join(dataDir, 'data', 'User', 'settings.json');

/**
 * @param {string} dataDir the server's data folder
 * @param {object} settings the user's settings
 */
export function writeUserSettings(dataDir, settings) {
  const path = userSettings(dataDir);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(settings, undefined, 2));
}

/**
 * @param {string} dataDir the server's data folder
 * @returns {Record<string, unknown>} the user's settings
 * @throws {SyntaxError} while they are being written
 */
export function readUserSettings(dataDir) {
  return JSON.parse(readFileSync(userSettings(dataDir), 'utf8'));
}

/**
 * Installs a package as a user does, without a gallery.
 * @param {import('./processes.mjs').Processes} processes
 * @param {Installation} installation
 * @param {string} vsix
 */
export async function installExtension(processes, installation, vsix) {
  /** @type {string[]} */
  const lines = [];
  const args = [
    installation.main,
    ...folders(installation),
    '--accept-server-license-terms',
    '--install-extension',
    vsix,
    '--force',
  ];
  const code = await run(processes, findNode(), args, { onLine: (line) => lines.push(line) });
  if (code !== 0 || !lines.some((line) => /successfully installed/.test(line))) {
    throw new Error(`Installing ${vsix} failed:\n${lines.filter(isNews).slice(-20).join('\n')}`);
  }
}

/**
 * Starts VS Code's server on 127.0.0.1 and waits until it responds. It can run any program, so requests need a token. Other users of
 * this machine see the arguments of all processes, so a file passes the token.
 * @param {import('./processes.mjs').Processes} processes
 * @param {Installation & { port?: number, env?: NodeJS.ProcessEnv, development?: boolean, lean?: boolean, preload?: string[] }} options port 0 (the
 *   default) takes a free one; development lets the address name an extension's sources and tests; lean: without the built-in extensions and the
 *   compression that tests don't need; preload: addresses of modules that the server and its extension host load first
 * @returns {Promise<Server>}
 */
export async function startServer(
  processes,
  { port = 0, env = {}, development = false, lean = false, preload = [], ...installation },
) {
  const token = randomBytes(16).toString('hex');
  const tokenFile = join(installation.dataDir, 'connection-token');
  writePrivate(tokenFile, token);
  const args = [
    ...[new URL('./mintKey.mjs', import.meta.url).href, ...preload].flatMap((module) => ['--import', module]),
    installation.main,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--connection-token-file',
    tokenFile,
    ...folders(installation),
    '--accept-server-license-terms',
    '--telemetry-level',
    'off',
    ...(lean ? ['--disable-websocket-compression', '--builtin-extensions-dir', linkExtensions(installation)] : []),
    ...(development ? ['--enable-smoke-test-driver'] : []),
  ];
  /** @type {string[]} */
  const lines = [];
  /** @type {(port: number) => void} */
  let listening;
  /** @type {Promise<number>} */
  const actualPort = new Promise((resolve) => {
    listening = resolve;
  });
  /** Connections whose extension hosts are starting or running, one for each window. @type {Set<string>} */
  const hosts = new Set();
  const changes = new EventEmitter();
  const onLine = (/** @type {string} */ line) => {
    if (!isNews(line)) return;
    const [, host = '', event] =
      /\[(\w+)\]\[ExtensionHostConnection\] (Starting extension host|<\d+> Extension Host Process exited)/.exec(line) ??
      [];
    if (event?.startsWith('Starting')) hosts.add(host);
    else if (event && hosts.delete(host)) changes.emit('exit');
    lines.push(line);
    if (lines.length > 500) lines.shift();
    const found = /Extension host agent listening on (\d+)/.exec(line);
    if (found) listening(Number(found[1]));
  };
  const mintKey = { MINT_KEY_FILE: join(installation.dataDir, 'mint-key'), MINT_KEY_TOKEN: token };
  // VSCODE_CLI: the environment is the one to use. Otherwise, each window starts a login shell to read it.
  const child = processes.start(findNode(), args, {
    env: { ...process.env, VSCODE_CLI: '1', EXTENSIONS_GALLERY: noGallery, ...mintKey, ...env },
    onLine,
  });
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  const failed = ended.then((code) => {
    throw new Error(`VS Code's server ended with code ${code}:\n${lines.slice(-20).join('\n')}`);
  });
  failed.catch(() => {});
  const patience = AbortSignal.timeout(60_000);
  const late = new Promise((_, reject) => {
    patience.addEventListener('abort', () =>
      reject(new Error(`VS Code's server did not answer within a minute:\n${lines.slice(-20).join('\n')}`)),
    );
  });
  late.catch(() => {});
  try {
    const origin = `http://127.0.0.1:${await Promise.race([actualPort, failed, late])}`;
    await Promise.race([answers(origin), failed, late]);
    // The server has already read it.
    rmSync(tokenFile, { force: true });
    return {
      origin,
      token,
      url: (query) => {
        const url = new URL(origin);
        for (const [name, value] of Object.entries({ tkn: token, ...query })) url.searchParams.set(name, value);
        return url.href;
      },
      log: () => lines.join('\n'),
      async idle(patienceMs) {
        const signal = AbortSignal.timeout(patienceMs);
        try {
          while (hosts.size > 0) await once(changes, 'exit', { signal });
        } catch (error) {
          if (!signal.aborted) throw error;
        }
        return hosts.size === 0;
      },
      ended,
      end: () => processes.end(child),
      kill: () => processes.kill(child),
    };
  } catch (error) {
    await processes.end(child);
    throw error;
  }
}

/**
 * Writes a file that only its owner can read, and replaces an existing one with other permissions.
 * @param {string} path
 * @param {string} text
 */
export function writePrivate(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}

/**
 * Returns whether a port of this machine is free.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** @param {string} origin */
async function answers(origin) {
  for (;;) {
    try {
      const response = await fetch(`${origin}/version`);
      if (response.ok) return;
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Creates a folder next to the data folder, with links to the built-in extensions that tests need.
 * @param {Installation} installation
 * @returns {string} its path
 */
function linkExtensions({ main, dataDir }) {
  const all = join(dirname(main), '..', 'extensions');
  const needed = `${dataDir}-extensions`;
  mkdirSync(needed);
  for (const name of readdirSync(all))
    if (!UNNEEDED.has(name)) symlinkSync(join(all, name), join(needed, name), 'junction');
  return needed;
}

/** @param {Installation} installation */
function folders({ dataDir, extensionsDir }) {
  return ['--server-data-dir', dataDir, ...(extensionsDir ? ['--extensions-dir', extensionsDir] : [])];
}

/**
 * Returns whether a message reports a missing native module. They are not built (see `fetchVSCode`), and VS Code works without them.
 * @param {string} message
 */
export function isAboutNativeModules(message) {
  return /bindings file|spdlog|sqlite3|watchdog|kerberos|node-pty|vsda/.test(message);
}

/**
 * Removes messages about native modules, and their stack traces.
 * @param {string} line
 */
function isNews(line) {
  return (
    !isAboutNativeModules(line) &&
    !/^\s*$|^\s+(?:at|tries:|requireStack:) |MODULE_NOT_FOUND|Require stack|^\s*- \/|^\s*[\]{}]/.test(line)
  );
}
