// Loaded into VS Code's server and its extension host (`node --import`): writes logs to their files as VS Code's native module does, which is
// not built here. Without it, VS Code writes no logs and output channels stay empty.
import { appendFileSync, mkdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';

const levels = /** @type {const} */ (['trace', 'debug', 'info', 'warn', 'error', 'critical']);

/** @param {string} path */
function createLogger(path) {
  let formatted = true;
  let from = 0;
  /** @type {(level: number) => (message: string) => void} */
  const writing = (level) => (message) => {
    if (level < from) return;
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(
      path,
      formatted ? `${new Date().toISOString().replace(/[TZ]/g, ' ').trim()} [${levels[level]}] ${message}\n` : message,
    );
  };
  return {
    ...Object.fromEntries(levels.map((name, level) => [name, writing(level)])),
    getLevel: () => from,
    setLevel: (/** @type {number} */ level) => {
      from = level;
    },
    setPattern: () => undefined,
    clearFormatters: () => {
      formatted = false;
    },
    flush: () => undefined,
    drop: () => undefined,
  };
}

Object.defineProperty(globalThis, Symbol.for('mailing-studio.spdlog'), {
  value: {
    setFlushOn: () => undefined,
    setLevel: () => undefined,
    createRotatingLogger: (/** @type {string} */ _name, /** @type {string} */ path) => createLogger(path),
    createAsyncRotatingLogger: async (/** @type {string} */ _name, /** @type {string} */ path) => createLogger(path),
  },
});

const source = `const spdlog = globalThis[Symbol.for('mailing-studio.spdlog')];
export const { setFlushOn, setLevel, createRotatingLogger, createAsyncRotatingLogger } = spdlog;
export default spdlog;`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@vscode/spdlog'
      ? { url: 'mailing-studio:spdlog', format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === 'mailing-studio:spdlog' ? { format: 'module', source, shortCircuit: true } : next(url, context),
});
