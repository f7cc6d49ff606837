// Builds for production and writes out/mailing-studio.vsix. Prints its size, and fails if the package is over its budget.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { out, root, vsix } from './lib/paths.mjs';

const MAX_BYTES = 980 * 1024;
const MAX_FILES = 80;

mkdirSync(out, { recursive: true });
rmSync(vsix, { force: true });
await createVSIX({
  cwd: root,
  packagePath: vsix,
  // Everything is bundled.
  dependencies: false,
  allowMissingRepository: true,
  // The repository has no URL yet.
  rewriteRelativeLinks: false,
});
const size = statSync(vsix).size;
// The package format adds two files.
const files = (await listFiles({ cwd: root, packageManager: PackageManager.None })).length + 2;
const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(0)} KB`;
console.log(`${relative(root, vsix)}: ${kilobytes(size)} of ${kilobytes(MAX_BYTES)}, ${files} of ${MAX_FILES} files`);
if (size > MAX_BYTES || files > MAX_FILES) {
  rmSync(vsix);
  console.error(
    `The package is over its budget of ${kilobytes(MAX_BYTES)} and ${MAX_FILES} files: list its files with \`npx vsce ls --tree\`.`,
  );
  process.exitCode = 1;
}
