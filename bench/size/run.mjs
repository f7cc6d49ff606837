// Measures the code that activation loads: the minified entry with every chunk that it imports statically.
import { build } from 'esbuild';
import { extension } from '../../esbuild.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const budget = 60;

/** The floor column is the budget. */
export async function measure() {
  const { metafile } = await build({
    ...extension,
    absWorkingDir: root,
    minify: true,
    sourcemap: false,
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === 'src/extension.ts');
  if (!entry) throw new Error('esbuild made no bundle of src/extension.ts.');
  const loaded = new Set([entry]);
  // Iterating over a set includes the elements added meanwhile.
  for (const path of loaded) {
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) loaded.add(imported);
    }
  }
  const kilobytes = (paths) => paths.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0) / 1024;
  const size = kilobytes([...loaded]);
  return {
    title: 'Bundle size (floor: the budget)',
    rows: [
      [`activation: ${loaded.size} ${loaded.size === 1 ? 'file' : 'files'}`, size, budget, size / budget, 'KB'],
      ['all code', kilobytes(Object.keys(outputs)), null, null, 'KB'],
    ],
  };
}
