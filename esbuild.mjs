// Bundles the extension (Node, ES modules, one chunk for each lazily loaded part) and the webview pages (browser).
import { context, build } from 'esbuild';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'info',
  metafile: true,
};

/** What is used of undici, and where it lives there. */
const undiciParts = { Agent: 'dispatcher/agent', EnvHttpProxyAgent: 'dispatcher/env-http-proxy-agent', buildConnector: 'core/connect' };

/**
 * Half of undici is fetch, WebSocket, caches and mocks, and it can't be told from its index that none of them is used: bundled is an index
 * of the parts that are. It also carries its HTTP parser twice; the one without SIMD runs everywhere, and is as fast as any answer comes.
 * @type {import('esbuild').Plugin}
 */
const slimUndici = {
  name: 'slim-undici',
  setup: (builder) => {
    builder.onLoad({ filter: /undici[\\/]index\.js$/ }, () => ({
      contents: `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
        module.exports = { ${Object.entries(undiciParts).map(([name, path]) => `${name}: require('./lib/${path}')`).join(', ')} };`,
    }));
    builder.onResolve({ filter: /llhttp_simd-wasm\.js$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace('_simd', '')) }));
  },
};

/** @type {import('esbuild').BuildOptions} */
export const extension = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  plugins: [slimUndici],
  // jsonc-parser's CommonJS form can't be bundled.
  mainFields: ['module', 'main'],
  // Some libraries are CommonJS and ask for Node's own modules with `require`.
  banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
};

const pages = readdirSync('src/webviews', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(`src/webviews/${entry.name}/main.ts`))
  .map((entry) => ({ in: `src/webviews/${entry.name}/main.ts`, out: entry.name }));

/** @type {import('esbuild').BuildOptions} */
export const webviews = {
  ...common,
  entryPoints: pages,
  outdir: 'dist/webviews',
  platform: 'browser',
  target: 'chrome128',
  format: 'esm',
  // The controls are there once, whichever pages use them.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};

// The measurements import what is above, and build nothing.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const targets = pages.length > 0 ? [extension, webviews] : [extension];
  rmSync('dist', { recursive: true, force: true });
  if (watch) {
    for (const target of targets) await (await context(target)).watch();
  } else {
    await Promise.all(targets.map(build));
  }
}
