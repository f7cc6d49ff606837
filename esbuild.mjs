// Bundles the extension (Node, ES modules, a few lazily loaded chunks) and the webview pages (browser), and writes the licenses
// of the bundled libraries to THIRD-PARTY-NOTICES.
import { context, build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBlocks } from './scripts/lib/blocks.mjs';
import { lazyChunks } from './scripts/lib/chunks.mjs';
import { bundledLibraries, noticesOf } from './scripts/lib/notices.mjs';
import { out, root } from './scripts/lib/paths.mjs';
import { removeScratch } from './scripts/lib/scratch.mjs';
import { writeTextKeys, writeTexts } from './scripts/lib/texts.mjs';

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

/** The exports of undici that the extension uses, and their modules. */
const undiciParts = {
  Agent: 'dispatcher/agent',
  EnvHttpProxyAgent: 'dispatcher/env-http-proxy-agent',
  Pool: 'dispatcher/pool',
  buildConnector: 'core/connect',
};

/**
 * Half of undici is fetch, WebSocket, caches and mocks, which can't be removed from its index. This plugin bundles an index of the used
 * parts, with the one request method that its proxies call. It drops HTTP/2, which is never negotiated, and form bodies, which are never
 * sent. Of the two HTTP parsers, it keeps the one without SIMD: that one runs everywhere, and is faster than any network.
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
    // Hexadecimal text is longer than Base64, but compresses better, because Base64 doesn't align with bytes.
    builder.onLoad({ filter: /llhttp-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = Buffer.from('${createRequire(import.meta.url)(path).toString('hex')}', 'hex');`,
    }));
    builder.onResolve({ filter: /llhttp_simd-wasm\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('_simd', '')),
    }));
  },
};

/**
 * Removes the parts of nodemailer's composer that only attachments need: the media types of 2,000 file extensions, and an HTTP client. The
 * sandbox's messages have no attachments.
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

/** Folders whose code runs in the worker. Other code must load the parser lazily. */
const parsingFolders = /[\\/]src[\\/](platform[\\/]worker|email)[\\/]/;

/**
 * The preview parses HTML in its page, and the checks in the worker. Both load the same file.
 * @type {import('esbuild').Plugin}
 */
const parserOfThePages = {
  name: 'parser-of-the-pages',
  setup: (builder) => {
    builder.onResolve({ filter: /^parse5$/ }, ({ kind, importer }) => {
      if (kind !== 'dynamic-import' && !parsingFolders.test(importer))
        throw new Error(`${importer} must load parse5 with import().`);
      // Relative to the folder of the chunks, which also contains the worker.
      return { path: '../webviews/parse5.js', external: true };
    });
  },
};

/**
 * CommonJS libraries load Node's built-in modules with `require`, which ES modules don't have.
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
  // Text stays where it is used. A list would be loaded at activation.
  define: { MEDIA_BLOCKS: JSON.stringify(JSON.stringify(readBlocks())) },
  plugins: [lazyChunks(), slimUndici, slimNodemailer, parserOfThePages, requiredBuiltins],
  // jsonc-parser's CommonJS form can't be bundled.
  mainFields: ['module', 'main'],
};

/**
 * All commands load the version in `package.json`, and only one loads its tools. A second copy keeps them apart.
 * @type {import('esbuild').Plugin}
 */
const separateTools = {
  name: 'separate-tools',
  setup: (builder) => {
    builder.onResolve({ filter: /[\\/]package\.json$/ }, ({ path, importer, resolveDir }) =>
      /[\\/]cli[\\/]mcp\.ts$/.test(importer) ? { path: join(resolveDir, path), suffix: '?tools' } : undefined,
    );
  },
};

/** The webview pages, by the names under which their hosts load them. */
const pages = Object.entries({
  preview: 'features/preview',
  sendReview: 'features/campaigns/review',
  statistics: 'features/statistics',
  campaignForm: 'features/campaigns/form',
  followUpForm: 'features/followUps',
  subscribers: 'features/subscriptions/subscribers',
  subscriptions: 'features/subscriptions/user',
}).map(([out, folder]) => ({ in: `src/${folder}/page/main.ts`, out }));

const sharedModules = [
  'l10n',
  'email/compose/fieldText',
  'service/format',
  'features/preview/page/frame',
  ...['channel', 'choices', 'dom', 'icons', 'inbox', 'toolkit'].map((name) => `ui/page/${name}`),
];

/**
 * Makes each page import all small shared modules, so that they become one file instead of one for each set of pages.
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
  // Pages share one copy of the controls.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [sharedByPages],
};

/**
 * The command line, for the npm package. Each command is loaded when it is used.
 * @type {import('esbuild').BuildOptions}
 */
export const cli = {
  ...common,
  minify: true,
  sourcemap: false,
  entryPoints: [{ in: 'src/cli/mailing.ts', out: 'mailing' }],
  outdir: 'dist/cli',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  banner: { js: '#!/usr/bin/env node' },
  plugins: [slimUndici, requiredBuiltins, separateTools],
  mainFields: ['module', 'main'],
};

// Benchmarks import the options above and build nothing here.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isForNpm = process.argv.includes('--cli');
  const targets = isForNpm ? [] : [extension, webviews];
  removeScratch(join(root, isForNpm ? 'dist/cli' : 'dist'));
  if (!isForNpm) {
    bundleStarters();
    copyDocs();
    bundleTexts();
  }
  if (watch) {
    for (const target of targets) await (await context(target)).watch();
  } else {
    const results = await Promise.all(targets.map((target) => build(target)));
    if (!isForNpm) describeBundles(results, 'THIRD-PARTY-NOTICES', 'metafile.json');
    describeBundles([await build(cli)], 'dist/cli/THIRD-PARTY-NOTICES', 'metafile-cli.json');
  }
}

/**
 * Writes the licenses of what bundles contain, and what a release makes its bill of materials of.
 * @param {import('esbuild').BuildResult[]} results
 * @param {string} notices
 * @param {string} metafileName in out/
 */
function describeBundles(results, notices, metafileName) {
  const metafiles = results.flatMap(({ metafile }) => metafile ?? []);
  writeFileSync(notices, noticesOf(bundledLibraries(metafiles)));
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, metafileName), JSON.stringify(metafiles));
}

/** Writes the texts of the starters into their index: one small file instead of two dozen. */
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

function bundleTexts() {
  writeTextKeys('dist');
  for (const name of readdirSync('l10n')) {
    const [, language] = /^bundle\.l10n\.(\w+)\.json$/u.exec(name) ?? [];
    if (language) writeTexts('dist', language, JSON.parse(readFileSync(join('l10n', name), 'utf8')));
  }
}

/** Copies the pages that hovers and commands open. Their pictures are left out, because they would double the size of the package. */
function copyDocs() {
  mkdirSync('dist/docs', { recursive: true });
  for (const name of ['accessibility.md', 'checks.md', 'tags.md'])
    writeFileSync(join('dist/docs', name), readFileSync(join('docs', name), 'utf8').replaceAll(/^!\[.*\n\n/gmu, ''));
}
