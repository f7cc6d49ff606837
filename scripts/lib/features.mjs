import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesIn, root } from './paths.mjs';

/*
 * What activation does not need is loaded when it is first used: the sources say where, with `import()`. One file for each of these places
 * would be a package of a hundred small files, so what belongs to one feature is loaded together.
 */

/** Chunk names by source path; the first match applies. @type {readonly (readonly [feature: string, sources: RegExp])[]} */
const features = [
  ['agents', /^src\/features\/agents\//],
  ['sandbox', /^src\/(service\/sandbox|email\/sent)\//],
  ['statistics', /^src\/features\/statistics\//],
  ['subscriptions', /^src\/features\/(lists|subscriptions)\/(?!tree\.ts$)/],
  [
    'records',
    /^src\/(platform\/(language|preview)|email\/tags|features\/sourceControl|sync)\/(?!mappingOffer\.ts$)|^src\/(features\/(templates|campaigns|followUps)|platform\/sending)\/(?!(tree|storage|notice|sentMailStore|documents)\.ts$)/,
  ],
  ['explorer', /^src\/(platform\/(explorer\/|demo\.ts)|features\/sourceControl\/mappingOffer\.ts)|\/tree\.ts$/],
  // Not what runs in the thread: it has a bundle of its own.
  [
    'service',
    /^src\/(service\/client|platform\/(connections|documents|ui|worker)|features\/followUps)\/|\/documents\.ts$/,
  ],
];

/** What most features share: loaded whole with the first of them, in place of a small file for each set of features that share something. */
const shared =
  /^src\/(service\/client|platform\/(connections|documents|ui))\/|^src\/(features\/lists\/model|email\/(html\/landmarks|compose\/compose|checks\/(ignoreFix|actionLinks|clients))|platform\/(explorer\/display|sending\/changeOnce|preview\/host\/(recordSource|localSource|liveDocument)))\.ts$/;

/** Where the sources load some of their own late. */
const importing = /\bimport\('(\.[^']+)'\)/g;

/** @param {string} path */
const nameOf = (path) =>
  path
    .replace(/^src\/(?:(?:features|platform|service|email)\/)?/, '')
    .replace(/\.ts$/, '')
    .replace(/\W+/g, '_');

/** @param {string} path */
const featureOf = (path) => features.find(([, sources]) => sources.test(path))?.[0];

/** Returns the lazily loaded modules by feature. @param {readonly string[]} sources @returns {Map<string, Set<string>>} */
function lateSources(sources) {
  const late = new Map();
  for (const path of sources) {
    for (const [, target] of readFileSync(join(root, path), 'utf8').matchAll(importing)) {
      const source = relative(root, join(root, dirname(path), target ?? '')).replaceAll('\\', '/');
      const feature = featureOf(source);
      if (feature !== undefined) late.set(feature, (late.get(feature) ?? new Set()).add(source));
    }
  }
  return late;
}

/**
 * Makes one chunk of what each feature loads late. Every feature takes along what activation has loaded, and what every feature needs
 * (`service`), so that these are one file each, however they are shared.
 * @returns {import('esbuild').Plugin}
 */
export function chunksByFeature() {
  return {
    name: 'chunks-by-feature',
    setup: (builder) => {
      const sources = filesIn('src').filter((name) => name.endsWith('.ts') && !/\/page\/|\.d\.ts$/.test(name));
      const late = lateSources(sources);
      builder.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8').replace(importing, (text, target) => {
          const source = relative(root, join(dirname(path), target)).replaceAll('\\', '/');
          const feature = featureOf(source);
          return feature === undefined ? text : `import('feature:${feature}').then((all) => all.${nameOf(source)})`;
        });
        return { contents, loader: 'ts' };
      });
      builder.onResolve({ filter: /^feature:/ }, ({ path }) => ({
        path: path.slice('feature:'.length),
        namespace: 'feature',
      }));
      builder.onLoad({ filter: /./, namespace: 'feature' }, ({ path: feature }) => ({
        contents: [
          "import './src/extension.ts';",
          ...(feature === 'service'
            ? sources.filter((path) => shared.test(path)).map((path) => `import './${path}';`)
            : ["import 'feature:service';"]),
          ...[...(late.get(feature) ?? [])].map((source) => `export * as ${nameOf(source)} from './${source}';`),
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
}
