// Builds for production and writes out/mailing-studio.vsix, the same bytes each time. Prints its size, and fails if the package is over its budget.
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { spawnSync } from 'node:child_process';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { out, root, vsix } from './lib/paths.mjs';
import {
  isPreRelease,
  PLACEHOLDER,
  publishedManifest,
  readProject,
  releaseTime,
  repositoryAddress,
} from './lib/release.mjs';
import { makeScratch, removeScratch } from './lib/scratch.mjs';

const MAX_BYTES = 1050 * 1024;
const MAX_FILES = 85;

// Zip files contain times in the local time zone.
process.env['TZ'] = 'UTC';
process.env['SOURCE_DATE_EPOCH'] ??= String(releaseTime());

const manifest = JSON.parse(readProject('package.json'));
const isPublished = repositoryAddress(manifest) !== undefined;
if (!isPublished)
  console.warn(
    `Warning: "repository" of package.json has the placeholder ${PLACEHOLDER}. The package has no repository links, and links in its README don't work.`,
  );

const { status } = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(1);

mkdirSync(out, { recursive: true });
rmSync(vsix, { force: true });
// Files and permissions don't depend on the checkout.
const staged = makeScratch();
const names = await listFiles({ cwd: root, packageManager: PackageManager.None });
for (const name of [...names, '.vscodeignore']) {
  const target = join(staged, name);
  mkdirSync(dirname(target), { recursive: true });
  if (name === 'package.json') writeFileSync(target, JSON.stringify(publishedManifest(manifest)));
  else copyFileSync(join(root, name), target);
  chmodSync(target, 0o644);
}
try {
  await createVSIX({
    cwd: staged,
    packagePath: vsix,
    preRelease: isPreRelease(manifest.version),
    // Everything is bundled.
    dependencies: false,
    allowMissingRepository: !isPublished,
    rewriteRelativeLinks: isPublished,
    // Pictures and pages of this version, also when later versions change them.
    githubBranch: `v${manifest.version}`,
  });
} finally {
  removeScratch(staged);
}
const size = statSync(vsix).size;
// The package format adds two files.
const files = names.length + 2;
const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(0)} KB`;
console.log(`${relative(root, vsix)}: ${kilobytes(size)} of ${kilobytes(MAX_BYTES)}, ${files} of ${MAX_FILES} files`);
if (size > MAX_BYTES || files > MAX_FILES) {
  rmSync(vsix);
  console.error(
    `The package is over its budget of ${kilobytes(MAX_BYTES)} and ${MAX_FILES} files: list its files with \`npx vsce ls --tree\`.`,
  );
  process.exitCode = 1;
}
