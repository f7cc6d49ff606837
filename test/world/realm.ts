import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import type * as Entry from './entry.ts';
import type { Random } from './random.ts';
import type { Owner, Scheduled, Scheduler } from './scheduler.ts';

export type Code = typeof Entry;

/** What a process sees of its machine. */
export interface RealmHost {
  /** The process that runs in the realm. A process that ended normally leaves its realm to the next one. */
  readonly slot: { user: Owner & { readonly random: Random; readonly pid: number; readonly startedAt: number; readonly printed: string[] } };
  readonly scheduler: Scheduler;
  readonly disk: object;
  readonly network: object;
  readonly hostname: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  exists(path: string): boolean;
  isRunning(pid: number): boolean;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

/** Globals that a process gets from its realm. */
const GLOBALS = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ...['Date', 'performance', 'process', 'Math', 'AbortSignal'],
] as const;

/** Bundles the code of processes. Resolves with a function that evaluates it for a process. */
export async function loadCode(): Promise<(host: RealmHost) => Code> {
  const shared = new Set<string>();
  const separate: Plugin = {
    name: 'separate shared code',
    setup({ onResolve }) {
      onResolve({ filter: /^vscode$/ }, () => ({ path: `${root}test/support/vscodeStandIn.ts` }));
      // Code that has no state and reads no clock is evaluated once for all processes.
      const share = (path: string) => {
        shared.add(path);
        return { path, external: true };
      };
      onResolve({ filter: /^(@vscode\/l10n|valibot|commander|picocolors|jsonc-parser|diff|papaparse)$/ }, ({ path }) =>
        share(path),
      );
      onResolve({ filter: /^\..*\/email\// }, ({ path, resolveDir }) => share(resolve(resolveDir, path)));
    },
  };
  const options = {
    bundle: true as const,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    external: ['undici'],
    supported: { 'dynamic-import': false },
    logLevel: 'error',
    write: false,
  } satisfies BuildOptions;
  const own = await build({ ...options, entryPoints: [`${root}test/world/entry.ts`], plugins: [separate] });
  const list = [...shared].map((path) => `${JSON.stringify(path)}: require(${JSON.stringify(path)}),`).join('\n');
  const libraries = await build({
    ...options,
    stdin: { contents: `module.exports = {\n${list}\n};`, resolveDir: root, loader: 'js' },
    supported: {},
  });
  const evaluate = (code: string, name: string, globals: readonly string[]) =>
    new Script(`(function (module, exports, require, ${globals.join(', ')}) {${code}\n})`, {
      filename: name,
    }).runInThisContext() as (...values: readonly unknown[]) => void;
  const lib = { exports: {} as Record<string, object> };
  evaluate(libraries.outputFiles[0]?.text ?? '', 'libraries.cjs', [])(lib, lib.exports, require);
  const text = (own.outputFiles[0]?.text ?? '').replace(/^var __toESM = [^]*?\n\)\);$/mu, '');
  const run = evaluate(text, 'process.cjs', ['__toESM', ...GLOBALS]);
  return (host) => {
    const modules = createModules(host);
    const module = { exports: {} as Code };
    const load = (name: string) => lib.exports[name] ?? modules[name] ?? (require(name) as object);
    const globals = createGlobals(host);
    run(module, module.exports, load, toNamespace, ...GLOBALS.map((name) => globals[name]));
    return module.exports;
  };
}

const namespaces = new WeakMap<object, object>();

/** Replaces esbuild's helper, which copies a module each time that it is imported. */
function toNamespace(module: object): object {
  const existing = namespaces.get(module);
  if (existing !== undefined) return existing;
  const namespace = '__esModule' in module ? module : { ...module, default: module };
  namespaces.set(module, namespace);
  return namespace;
}

function createTimers(host: RealmHost) {
  const { scheduler } = host;
  const set = (run: (...given: readonly unknown[]) => void, ms = 0, ...given: readonly unknown[]) => {
    const timer: { event: Scheduled; unref(): unknown; ref(): unknown; hasRef(): boolean } = {
      event: scheduler.after(Math.max(1, ms), () => run(...given), host.slot.user),
      unref: () => timer,
      ref: () => timer,
      hasRef: () => true,
    };
    return timer;
  };
  const clear = (timer: { readonly event: Scheduled } | undefined) => {
    if (timer !== undefined && timer !== null) timer.event.run = undefined;
  };
  const immediate = (run: (...given: readonly unknown[]) => void, ...given: readonly unknown[]) => ({
    event: scheduler.after(0, () => run(...given), host.slot.user),
  });
  const pause = (ms: number, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }));
      if (signal?.aborted === true) return fail();
      // A busy machine wakes a program late, so that waiting for a lock takes fewer turns.
      const timer = set(() => resolve(value), ms < 10 ? ms * (1 + 60 * host.slot.user.random.next()) : ms);
      signal?.addEventListener('abort', () => {
        clear(timer);
        fail();
      });
    });
  return { set, clear, immediate, pause };
}

function createModules(host: RealmHost): Readonly<Record<string, object>> {
  const { slot, disk, network, hostname, scheduler, exists } = host;
  const { pause, immediate } = createTimers(host);
  const refuse = () => Promise.reject(new Error('There is no git in this world.'));
  return {
    undici: network,
    'node:fs/promises': disk,
    'node:fs': { existsSync: exists, statSync: () => ({ isDirectory: () => true }) },
    'node:timers/promises': { setTimeout: pause, setImmediate: () => new Promise<void>((done) => immediate(() => done())) },
    'node:crypto': {
      createHash,
      randomUUID: () => slot.user.random.uuid(),
      randomBytes: (count: number) => slot.user.random.bytes(count),
    },
    'node:os': { hostname: () => hostname, uptime: () => scheduler.now / 1000 },
    'node:child_process': { execFile: Object.assign(() => undefined, { [promisify.custom]: refuse }) },
    'node:module': { registerHooks: () => undefined },
  };
}

function createGlobals(host: RealmHost): Readonly<Record<string, unknown>> {
  const { slot, scheduler } = host;
  const { set, clear, immediate } = createTimers(host);
  class VirtualDate extends Date {
    static override now() {
      return scheduler.now;
    }

    constructor(...given: readonly [] | readonly [number | string | Date]) {
      if (given.length === 0) super(scheduler.now);
      else super(...(given as [number]));
    }
  }
  const print = (text: string) => {
    slot.user.printed.push(text);
    return true;
  };
  return {
    setTimeout: set,
    clearTimeout: clear,
    setInterval: () => ({ unref: () => undefined }),
    clearInterval: clear,
    setImmediate: immediate,
    clearImmediate: clear,
    Date: VirtualDate,
    performance: {
      now: () => scheduler.now - slot.user.startedAt,
      get timeOrigin() {
        return slot.user.startedAt;
      },
    },
    Math: Object.create(Math, { random: { value: () => slot.user.random.next() } }) as Math,
    AbortSignal: Object.create(AbortSignal, {
      timeout: {
        value: (ms: number) => {
          const controller = new AbortController();
          set(() => controller.abort(new DOMException('timeout', 'TimeoutError')), ms);
          return controller.signal;
        },
      },
      any: { value: (signals: readonly AbortSignal[]) => AbortSignal.any([...signals]) },
      [Symbol.hasInstance]: { value: (value: unknown) => value instanceof AbortSignal },
    }),
    process: {
      platform: 'linux',
      get pid() {
        return slot.user.pid;
      },
      env: host.environment,
      cwd: () => host.folder,
      kill: (pid: number) => {
        if (host.isRunning(pid)) return true;
        throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
      },
      stdout: { isTTY: false, write: print },
      stderr: { write: print },
    },
  };
}
