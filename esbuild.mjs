// Bundles the extension (Node, ES modules, a few lazily loaded chunks) and the webview pages (browser), and writes the licenses
// of what is in the bundles to THIRD-PARTY-NOTICES.
import { context, build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazyChunks } from './scripts/lib/chunks.mjs';
import { bundledLibraries, noticesOf } from './scripts/lib/notices.mjs';
import { root } from './scripts/lib/paths.mjs';
import { removeScratch } from './scripts/lib/scratch.mjs';

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
const undiciParts = {
  Agent: 'dispatcher/agent',
  EnvHttpProxyAgent: 'dispatcher/env-http-proxy-agent',
  Pool: 'dispatcher/pool',
  buildConnector: 'core/connect',
};

/**
 * Half of undici is fetch, WebSocket, caches and mocks, and it can't be told from its index that none of them is used: bundled is an index
 * of the parts that are, with the one request method that its proxies call. Of what those parts ask for, HTTP/2 is never agreed on, and a
 * body is never a form. It also carries its HTTP parser twice; the one without SIMD runs everywhere, and is as fast as any answer comes.
 * @type {import('esbuild').Plugin}
 */
const slimUndici = {
  name: 'slim-undici',
  setup: (builder) => {
    builder.onLoad({ filter: /undici[\\/]index\.js$/ }, () => ({
      contents: `require('./lib/dispatcher/dispatcher').prototype.connect = require('./lib/api/api-connect');
        module.exports = { ${Object.entries(undiciParts)
          .map(([name, path]) => `${name}: require('./lib/${path}')`)
          .join(', ')} };`,
    }));
    builder.onLoad({ filter: /undici[\\/]lib[\\/](dispatcher[\\/]client-h2|web[\\/]fetch[\\/]body)\.js$/ }, () => ({
      contents: '',
    }));
    // In hexadecimal it is longer, and packs smaller, than in base64, which cuts across its bytes.
    builder.onLoad({ filter: /llhttp-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = Buffer.from('${createRequire(import.meta.url)(path).toString('hex')}', 'hex');`,
    }));
    builder.onResolve({ filter: /llhttp_simd-wasm\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('_simd', '')),
    }));
  },
};

/**
 * Of nodemailer's composer, what attachments need: the media types of two thousand file names, and a client that fetches. The sandbox's
 * messages have no attachments.
 * @type {import('esbuild').Plugin}
 */
const slimNodemailer = {
  name: 'slim-nodemailer',
  setup: (builder) => {
    builder.onLoad({ filter: /nodemailer[\\/].*[\\/](mime-funcs[\\/]mime-types|fetch[\\/]index)\.js$/ }, () => ({
      contents: `const unused = () => { throw new Error('Attachments are left out of this bundle.'); };
        export { unused as default, unused as detectMimeType, unused as detectExtension };`,
    }));
  },
};

/** Folders that parse in the worker's thread: what else loads the parser does so when it is needed. */
const parsingFolders = /[\\/]src[\\/](platform[\\/]worker|email)[\\/]/;

/**
 * The preview parses HTML in its page, the sandbox here, the checks in their thread: all load the one parser that is built for the pages.
 * @type {import('esbuild').Plugin}
 */
const parserOfThePages = {
  name: 'parser-of-the-pages',
  setup: (builder) => {
    builder.onResolve({ filter: /^parse5$/ }, ({ kind, importer }) => {
      if (kind !== 'dynamic-import' && !parsingFolders.test(importer))
        throw new Error(`${importer} must load parse5 with import().`);
      // From the folder of the chunks, where the worker lies too.
      return { path: '../webviews/parse5.js', external: true };
    });
  },
};

/**
 * Libraries in CommonJS ask for Node's own modules with `require`, which modules don't have.
 * @type {import('esbuild').Plugin}
 */
const requiredBuiltins = {
  name: 'required-builtins',
  setup: (builder) => {
    builder.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    builder.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
export const extension = {
  ...common,
  entryPoints: [
    { in: 'src/extension.ts', out: 'extension' },
    { in: 'src/platform/worker/jobs.ts', out: 'chunks/worker' },
  ],
  outdir: 'dist',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  plugins: [lazyChunks(), slimUndici, slimNodemailer, parserOfThePages, requiredBuiltins],
  // jsonc-parser's CommonJS form can't be bundled.
  mainFields: ['module', 'main'],
};

/** The pages, by the names that their hosts load them by. */
const pages = Object.entries({
  preview: 'platform/preview',
  sendReview: 'platform/sending',
  statistics: 'features/statistics',
  campaignForm: 'features/campaigns',
  followUpForm: 'features/followUps',
  subscribers: 'features/subscriptions/subscribers',
  subscriptions: 'features/subscriptions/user',
}).map(([out, folder]) => ({ in: `src/${folder}/page/main.ts`, out }));

const sharedModules = [
  'l10n',
  'email/compose/fieldText',
  'platform/preview/page/frame',
  ...['choices', 'dom', 'host', 'icons', 'inbox', 'toolkit'].map((name) => `platform/webview/${name}`),
];

/**
 * Each page takes along the small modules that pages share, so that they are one file, in place of one for each set of pages.
 * @type {import('esbuild').Plugin}
 */
const sharedByPages = {
  name: 'shared-by-pages',
  setup: (builder) => {
    builder.onLoad({ filter: /[\\/]page[\\/]main\.ts$/ }, ({ path }) => {
      const shared = sharedModules.map((name) => join(root, 'src', `${name}.ts`));
      const imports = shared.map((module) => `import ${JSON.stringify(module)};`).join('');
      return { contents: imports + readFileSync(path, 'utf8'), loader: 'ts' };
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
export const webviews = {
  ...common,
  entryPoints: [...pages, { in: 'parse5', out: 'parse5' }],
  outdir: 'dist/webviews',
  platform: 'browser',
  target: 'chrome128',
  format: 'esm',
  // The controls are there once, whichever pages use them.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [sharedByPages],
};

// The measurements import what is above, and build nothing.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const targets = [extension, webviews];
  removeScratch(join(root, 'dist'));
  bundleStarters();
  copyDocs();
  if (watch) {
    for (const target of targets) await (await context(target)).watch();
  } else {
    const results = await Promise.all(targets.map((target) => build(target)));
    writeFileSync(
      'THIRD-PARTY-NOTICES',
      noticesOf(bundledLibraries(results.flatMap(({ metafile }) => metafile ?? []))),
    );
  }
}

/** Puts the texts of the starters into their index: one small file in place of two dozen. */
function bundleStarters() {
  const read = (/** @type {string} */ name) => readFileSync(join('media/starters', name), 'utf8');
  /** @type {readonly { readonly file: string, readonly css?: string }[]} */
  const index = JSON.parse(read('index.json'));
  const whole = index.map((starter) => ({
    ...starter,
    body: read(starter.file),
    ...(starter.css && { stylesheet: read(starter.css) }),
  }));
  mkdirSync('dist/starters', { recursive: true });
  writeFileSync('dist/starters/index.json', JSON.stringify(whole));
}

/** Copies the pages that hovers link to, without their pictures, which would take half the package. */
function copyDocs() {
  mkdirSync('dist/docs', { recursive: true });
  for (const name of ['checks.md', 'tags.md'])
    writeFileSync(join('dist/docs', name), readFileSync(join('docs', name), 'utf8').replaceAll(/^!\[.*\n\n/gmu, ''));
}
