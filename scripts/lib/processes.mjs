import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const windows = process.platform === 'win32';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/**
 * `onLine` receives both outputs, line by line; without it, they are printed. `verbatim`: on Windows, the arguments are already quoted.
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, verbatim?: boolean }} Options
 */

/**
 * Processes that end with this one. Each has its own process group, so that its children (extension host, file watcher) end too, and so
 * that Ctrl+C in the terminal ends them in order instead of all at once.
 */
export class Processes {
  /** @type {Set<ChildProcess>} */
  #running = new Set();
  #ending = false;
  /** Removes the event listeners. */
  #deafen = new AbortController();
  /** @type {() => void} */
  #kill = () => {
    for (const child of this.#running) signalGroup(child, 'SIGKILL');
  };

  constructor() {
    this.#on('exit', this.#kill);
  }

  /** Whether `end` was called for all processes, so that exits are expected. */
  get ending() {
    return this.#ending;
  }

  /**
   * Ends everything and exits with 128 + the signal's number when the terminal sends a signal.
   * @param {() => void} [onSignal] called first
   */
  endOnSignals(onSignal) {
    for (const [signal, number] of /** @type {const} */ ([
      ['SIGINT', 2],
      ['SIGTERM', 15],
      ['SIGHUP', 1],
    ])) {
      this.#on(signal, () => {
        onSignal?.();
        void this.end().finally(() => process.exit(128 + number));
      });
    }
  }

  /**
   * @param {'exit' | NodeJS.Signals} event
   * @param {() => void} listener
   */
  #on(event, listener) {
    process.once(event, listener);
    this.#deafen.signal.addEventListener('abort', () => process.removeListener(event, listener));
  }

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {Options} [options]
   * @returns {ChildProcess}
   */
  start(command, args, { cwd, env = process.env, onLine, verbatim = false } = {}) {
    const stdio = onLine ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', stdio, stdio],
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    child.once('error', () => this.#running.delete(child));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream && onLine) createInterface({ input: stream }).on('line', onLine);
    }
    return child;
  }

  /**
   * Kills a process and its group immediately.
   * @param {ChildProcess} child
   */
  kill(child) {
    signalGroup(child, 'SIGKILL');
  }

  /**
   * Ends one process and its group, or all of them: sends SIGTERM, waits three seconds, then kills.
   * @param {ChildProcess} [only]
   */
  async end(only) {
    if (!only) this.#ending = true;
    await Promise.all(
      [...(only ? [only] : this.#running)].map(async (child) => {
        if (child.exitCode === null && child.signalCode === null) {
          const exited = new Promise((resolve) => child.once('exit', resolve));
          signalGroup(child, 'SIGTERM');
          const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), 3000);
          await exited;
          clearTimeout(insist);
        }
        // The group may outlive its leader.
        signalGroup(child, 'SIGKILL');
      }),
    );
    if (!only) this.#deafen.abort();
  }
}

/**
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  if (windows) {
    if (child.exitCode === null)
      spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already exited.
  }
}

/**
 * Runs a command to its end.
 * @param {Processes} processes
 * @param {string} command
 * @param {string[]} args
 * @param {Options} [options]
 * @returns {Promise<number>} its exit code; 1 where it could not start or was ended by a signal
 */
export function run(processes, command, args, options) {
  return new Promise((resolve) => {
    const child = processes.start(command, args, options);
    child.once('error', (error) => {
      (options?.onLine ?? console.error)(`${command}: ${error.message}`);
      resolve(1);
    });
    // 'close' follows the last line of output; 'exit' may precede it.
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Returns whether a process with that id is running.
 * @param {number} pid
 */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process can't be signaled, but it is running.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Returns npm's own script if npm started this process, or else the one on the PATH: `npm.cmd` needs a shell.
 * @returns {[command: string, first: string[]]}
 */
export function npmCommand() {
  const script = process.env['npm_execpath'];
  if (script && /npm-cli\.c?js$/.test(script)) return [process.execPath, [script]];
  if (process.platform !== 'win32') return ['npm', []];
  return [process.execPath, [join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')]];
}
