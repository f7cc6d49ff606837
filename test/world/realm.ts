import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type * as CommandLine from './commandLine.ts';
import type * as StandIn from '../support/vscodeStandIn.ts';
import type * as WindowModule from './window.ts';
import type { Random } from './random.ts';
import type { Owner, Scheduled, Scheduler } from './scheduler.ts';

/*
 * The code of all processes is evaluated once, so that V8 optimizes it, except for the few modules with state of their own. An event belongs
 * to one process, and so do all its consequences: what the code sees of Node and `vscode` is that of the process whose event runs.
 */

/** What a process sees of its machine. */
export interface Realm extends Owner {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly disk: object;
  readonly network: object;
  readonly hostname: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Its `vscode`, if it is a window. */
  readonly vscode: typeof StandIn | undefined;
  readonly printed: string[];
  exists(path: string): boolean;
  isRunning(pid: number): boolean;
}

export interface Code {
  readonly transfer: typeof CommandLine.transfer;
  /** Evaluates `vscode` for a new window. */
  createVscode(): typeof StandIn;
  /** Evaluates the modules of a new window that have state of their own. */
  createWindow(vscode: typeof StandIn): typeof WindowModule;
}

let current: Realm;

/** Runs what follows for a process. */
export function enter(realm: Realm): void {
  current = realm;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const PACKAGES = /^(@vscode\/l10n|valibot|commander|picocolors|jsonc-parser|diff|papaparse)$/;
/** Modules with state of their own. */
const OWN = /\/(send|window)\.ts$/;

/** Bundles and evaluates the code of processes. */
export async function loadCode(): Promise<Code> {
  const shared = new Set<string>();
  const separate: Plugin = {
    name: 'separate shared code',
    setup({ onResolve }) {
      onResolve({ filter: /vscodeStandIn\.ts$/ }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: 'vscode', external: true },
      );
      onResolve({ filter: PACKAGES }, ({ path }) => share(path));
      onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, kind }) =>
        kind === 'entry-point' || OWN.test(path) ? undefined : share(resolve(resolveDir, path)),
      );
      const share = (path: string) => {
        shared.add(path);
        return { path, external: true };
      };
    },
  };
  const options = {
    bundle: true as const,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    external: ['undici', 'vscode'],
    supported: { 'dynamic-import': false },
    logLevel: 'error',
    write: false as const,
  } satisfies BuildOptions;
  const entry = (name: string) => build({ ...options, entryPoints: [`${root}test/${name}.ts`], plugins: [separate] });
  const [window, vscode] = await Promise.all([entry('world/window'), entry('support/vscodeStandIn')]);
  shared.add(`${root}test/world/commandLine.ts`);
  const list = [...shared].map((path) => `${JSON.stringify(path)}: require(${JSON.stringify(path)}),`).join('\n');
  const all = await build({ ...options, stdin: { contents: `module.exports = {\n${list}\n};`, resolveDir: root } });

  const modules = createModules();
  const globals = createGlobals();
  const prepare = (result: { readonly outputFiles: readonly { readonly text: string }[] }, name: string) => {
    // esbuild's helper copies a module each time that it is imported.
    const code = (result.outputFiles[0]?.text ?? '').replace(/^var __toESM = [^]*?\n\)\);$/mu, '');
    const parameters = ['module', 'exports', 'require', '__toESM', ...Object.keys(globals)].join(', ');
    const run = new Script(`(function (${parameters}) {${code}\n})`, { filename: name }).runInThisContext() as (
      ...values: readonly unknown[]
    ) => void;
    return (load: (name: string) => object) => {
      const module = { exports: {} };
      run(module, module.exports, load, toNamespace, ...Object.values(globals));
      return module.exports;
    };
  };
  const load = (name: string) => modules[name] ?? (require(name) as object);
  const createVscode = prepare(vscode, 'vscode.cjs');
  // Some modules use `vscode` while they are loaded.
  current = { vscode: createVscode(load) } as Realm;
  const code = prepare(all, 'shared.cjs')(load) as Record<string, object>;
  const createWindow = prepare(window, 'window.cjs');
  return {
    transfer: (code[`${root}test/world/commandLine.ts`] as typeof CommandLine).transfer,
    createVscode: () => createVscode(load) as typeof StandIn,
    createWindow: (own) =>
      createWindow((name) => (name === 'vscode' ? own : (code[name] ?? load(name)))) as typeof WindowModule,
  };
}

const namespaces = new WeakMap<object, object>();

function toNamespace(module: object): object {
  if ('__esModule' in module) return module;
  const namespace = namespaces.get(module) ?? { ...module, default: module };
  namespaces.set(module, namespace);
  return namespace;
}

/** Returns a module that is that of the current process. */
function follow(get: () => object | undefined): object {
  return new Proxy(
    {},
    {
      get: (_, name) => (name === '__esModule' ? true : (Reflect.get(get() ?? {}, name) as unknown)),
      has: () => true,
    },
  );
}

function setTimer(run: (...given: readonly unknown[]) => void, ms = 0, ...given: readonly unknown[]) {
  const timer: { event: Scheduled; unref(): unknown; ref(): unknown; hasRef(): boolean } = {
    event: current.scheduler.after(Math.max(1, ms), () => run(...given), current),
    unref: () => timer,
    ref: () => timer,
    hasRef: () => true,
  };
  return timer;
}

function clearTimer(timer: { readonly event: Scheduled } | null | undefined) {
  if (timer) timer.event.run = undefined;
}

function setSoon(run: (...given: readonly unknown[]) => void, ...given: readonly unknown[]) {
  return { event: current.scheduler.after(0, () => run(...given), current) };
}

function pause(ms: number, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}) {
  return new Promise((done, reject) => {
    const fail = () => reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }));
    if (signal?.aborted === true) return fail();
    // A busy machine wakes a program late, so that waiting for a lock takes fewer turns.
    const timer = setTimer(() => done(value), ms < 10 ? ms * (1 + 60 * current.random.next()) : ms);
    signal?.addEventListener('abort', () => {
      clearTimer(timer);
      fail();
    });
  });
}

function createModules(): Readonly<Record<string, object>> {
  const refuse = () => Promise.reject(new Error('There is no git in this world.'));
  return {
    vscode: follow(() => current.vscode),
    undici: follow(() => current.network),
    'node:fs/promises': follow(() => current.disk ?? { constants }),
    'node:fs': {
      existsSync: (path: string) => current.exists(path),
      statSync: () => ({ isDirectory: () => true }),
    },
    'node:timers/promises': {
      setTimeout: pause,
      setImmediate: () => new Promise<void>((done) => setSoon(() => done())),
    },
    'node:crypto': {
      createHash,
      randomUUID: () => current.random.uuid(),
      randomBytes: (count: number) => current.random.bytes(count),
    },
    'node:os': { hostname: () => current.hostname, uptime: () => current.scheduler.now / 1000 },
    'node:child_process': { execFile: Object.assign(() => undefined, { [promisify.custom]: refuse }) },
    'node:module': { registerHooks: () => undefined },
  };
}

function createGlobals(): Readonly<Record<string, unknown>> {
  class VirtualDate extends Date {
    static override now() {
      return current.scheduler.now;
    }

    constructor(...given: readonly [] | readonly [number | string | Date]) {
      if (given.length === 0) super(current.scheduler.now);
      else super(...(given as [number]));
    }
  }
  const print = (text: string) => {
    current.printed.push(text);
    return true;
  };
  return {
    setTimeout: setTimer,
    clearTimeout: clearTimer,
    setInterval: () => ({ unref: () => undefined }),
    clearInterval: clearTimer,
    setImmediate: setSoon,
    clearImmediate: clearTimer,
    Date: VirtualDate,
    performance: {
      now: () => current.scheduler.now - current.startedAt,
      get timeOrigin() {
        return current.startedAt;
      },
    },
    Math: Object.create(Math, { random: { value: () => current.random.next() } }) as Math,
    process: {
      platform: 'linux',
      get pid() {
        return current.pid;
      },
      get env() {
        return current.environment;
      },
      cwd: () => current.folder,
      kill: (pid: number) => {
        if (current.isRunning(pid)) return true;
        throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
      },
      stdout: { isTTY: false, write: print },
      stderr: { write: print },
    },
  };
}
