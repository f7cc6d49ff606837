import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesIn, root } from './paths.mjs';

/** Folders that many sessions never use. Each gets its own chunk. All other lazily loaded code is in the main chunk. */
const separate = /^src\/\w+\/(agents|language|sandbox|sourceControl|statistics|subscriptions)\//;
// What parts are for is loaded before them.
const chunkOf = (/** @type {string} */ source) => separate.exec(source.replace('/parts/', '/language/'))?.[1] ?? 'main';

const importing = /\bimport\('(\.[^']+)'\)/g;
/** @param {string} from @param {string} target */
const resolve = (from, target) => relative(root, join(dirname(from), target)).replaceAll('\\', '/');
/** The name under which a chunk exports one of its modules. */
const nameOf = (/** @type {string} */ source) => source.replaceAll(/\W/g, '_');

/**
 * Bundles the modules that the sources load with `import()` in a few chunks. By default, esbuild writes a file for each
 * set of places that share modules: a hundred small files. Every chunk loads the main chunk first.
 * @returns {import('esbuild').Plugin}
 */
export function lazyChunks() {
  return {
    name: 'lazy-chunks',
    setup: (builder) => {
      const sources = filesIn('src').filter(
        (name) => name.endsWith('.ts') && !/^src\/cli\/|\/page\/|\.d\.ts$/.test(name),
      );
      const loaded = new Set(
        sources.flatMap((path) =>
          [...readFileSync(join(root, path), 'utf8').matchAll(importing)].map(([, target]) =>
            resolve(join(root, path), target ?? ''),
          ),
        ),
      );
      builder.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8').replace(importing, (_, target) => {
          const source = resolve(path, target);
          return `import('chunk:${chunkOf(source)}').then((chunk) => chunk.${nameOf(source)})`;
        });
        return { contents, loader: 'ts' };
      });
      builder.onResolve({ filter: /^chunk:/ }, ({ path }) => ({
        path: path.slice('chunk:'.length),
        namespace: 'chunk',
      }));
      builder.onLoad({ filter: /./, namespace: 'chunk' }, ({ path: chunk }) => ({
        contents: [
          `import ${chunk === 'main' ? "'./src/extension.ts'" : "'chunk:main'"};`,
          ...[...loaded]
            .filter((source) => chunkOf(source) === chunk)
            .map((source) => `export * as ${nameOf(source)} from './${source}';`),
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
}
