import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hasScreen } from './openBrowser.mjs';
import { run } from './processes.mjs';

/**
 * Returns the `code` command of a desktop VS Code that can open a window. In the terminal of a remote window, `code` is another program,
 * which opens files there.
 * @returns {string | undefined}
 */
export function findDesktop() {
  if (process.env['VSCODE_IPC_HOOK_CLI'] || !hasScreen()) return undefined;
  // On Windows, it is a batch file, which needs a shell. Its path may contain spaces and special characters.
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/**
 * Opens a desktop window with its own profile and extensions, and waits until it is closed.
 * @param {import('./processes.mjs').Processes} processes
 * @param {{ code: string, folder: string, workspace: string, vsix: string, settings: object, env: NodeJS.ProcessEnv, say: (line: string) => void }} options
 */
export async function openDesktop(processes, { code, folder, workspace, vsix, settings, env, say }) {
  const userData = join(folder, 'user-data');
  const settingsPath = join(userData, 'User', 'settings.json');
  if (!existsSync(settingsPath)) {
    mkdirSync(join(userData, 'User'), { recursive: true });
    writeFileSync(settingsPath, JSON.stringify(settings, undefined, 2));
  }
  const profile = ['--user-data-dir', userData, '--extensions-dir', join(folder, 'extensions')];
  say('Installing the package into a desktop profile of its own …');
  /** @type {string[]} */
  const lines = [];
  const installed = await runCode(processes, code, [...profile, '--install-extension', vsix, '--force'], {
    onLine: (line) => lines.push(line),
  });
  if (installed !== 0) throw new Error(`${code} could not install the package:\n${lines.join('\n')}`);
  say('VS Code with Mailing Studio and the sandbox opens in a window. Ctrl+C or closing the window ends it.');
  await runCode(processes, code, [...profile, '--new-window', '--wait', '--skip-welcome', workspace], {
    env: { ...process.env, ...env },
    onLine: () => {},
  });
}

/**
 * @param {import('./processes.mjs').Processes} processes
 * @param {string} code
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, onLine: (line: string) => void }} options
 */
export function runCode(processes, code, args, options) {
  if (process.platform !== 'win32') return run(processes, code, args, options);
  const [shell, ...shellArgs] = quoteForWindows(code, args);
  return run(processes, shell, shellArgs, { ...options, verbatim: true });
}

/**
 * Returns the command line that runs a batch file, whose path and arguments may contain spaces and special characters.
 * @param {string} code
 * @param {string[]} args
 * @returns {[string, ...string[]]}
 */
export function quoteForWindows(code, args) {
  const quoted = [code, ...args].map((arg) => `"${arg}"`).join(' ');
  return [process.env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', `"${quoted}"`];
}

/**
 * Returns the version of VS Code to download.
 * @param {string | undefined} wanted a version, `stable`, `insiders`, or `oldest`: the oldest one that package.json allows
 * @param {string} engine such as ^1.106.0
 */
export function desktopVersion(wanted, engine) {
  return wanted === 'oldest' ? engine.replace(/^\D+/, '') : (wanted ?? 'stable');
}
