// Builds what a release publishes, in out/release: the extension, the npm package, their SBOMs, checksums and the release notes.
//   node scripts/release.mjs                checks nothing, for trying it out
//   node scripts/release.mjs --tag v1.2.3   fails if the tag, the versions, the change log or the repository's address don't fit
//   node scripts/release.mjs --verify       builds again, and fails if any file differs from those in out/release
//   node scripts/release.mjs --open-vsx     publishes the extension to Open VSX, with the token in OVSX_TOKEN
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundledLibraries } from './lib/notices.mjs';
import { publishToOpenVsx } from './lib/openVsx.mjs';
import { out, root, vsix } from './lib/paths.mjs';
import { npmCommand } from './lib/processes.mjs';
import {
  isPreRelease,
  listProblems,
  readChanges,
  readProject,
  releaseTime,
  repositoryAddress,
} from './lib/release.mjs';
import { createSbom } from './lib/sbom.mjs';
import { removeScratch } from './lib/scratch.mjs';

const { values } = parseArgs({
  options: { tag: { type: 'string' }, verify: { type: 'boolean' }, 'open-vsx': { type: 'boolean' } },
});
const manifest = JSON.parse(readProject('package.json'));
const lock = JSON.parse(readProject('package-lock.json'));
const { name, version } = manifest;
const folder = join(out, 'release');
const extensionFile = `${name}-${version}.vsix`;

if (values['open-vsx']) {
  const bytes = readFileSync(join(folder, extensionFile));
  const id = { publisher: manifest.publisher, name, version };
  console.log(await publishToOpenVsx(id, bytes, process.env['OVSX_TOKEN'] ?? ''));
} else if (values.verify) {
  const again = join(out, 'release-again');
  build(again);
  const names = new Set([folder, again].flatMap((path) => readdirSync(path)));
  const different = [...names].filter((file) => digest(join(folder, file)) !== digest(join(again, file)));
  if (different.length > 0)
    fail(`Two builds differ: ${different.join(', ')}. Compare out/release and out/release-again.`);
  console.log(`${names.size} files are the same in both builds.`);
} else {
  const problems =
    values.tag === undefined
      ? []
      : listProblems({ manifest, lock, changelog: readProject('CHANGELOG.md'), tag: values.tag });
  if (problems.length > 0) fail(problems.join('\n'));
  build(folder);
  const results = {
    version,
    'pre-release': isPreRelease(version),
    'npm-tag': isPreRelease(version) ? 'next' : 'latest',
  };
  const lines = Object.entries(results).map(([key, value]) => `${key}=${value}`);
  console.log([...readdirSync(folder), ...lines].join('\n'));
  if (!isPreRelease(version)) console.log('Publish a pre-release afterwards, with the next odd minor number.');
  if (process.env['GITHUB_OUTPUT']) appendFileSync(process.env['GITHUB_OUTPUT'], `${lines.join('\n')}\n`);
}

/** @param {string} target a folder in out/ */
function build(target) {
  removeScratch(target);
  mkdirSync(target, { recursive: true });
  run(process.execPath, ['scripts/package.mjs']);
  copyFileSync(vsix, join(target, extensionFile));
  const [command, first] = npmCommand();
  run(command, [...first, 'pack', '--pack-destination', target]);
  writeSbom(target, extensionFile, 'metafile.json');
  writeSbom(target, `${name}-${version}.tgz`, 'metafile-cli.json');
  writeFileSync(join(target, 'notes.md'), `${readChanges(readProject('CHANGELOG.md'))[0]?.text}\n`);
  const sums = readdirSync(target).filter((file) => file !== 'notes.md');
  writeFileSync(join(target, 'SHA256SUMS'), sums.map((file) => `${digest(join(target, file))}  ${file}\n`).join(''));
}

/** @param {string} target @param {string} file @param {string} metafile what esbuild says about the bundles, in out/ */
function writeSbom(target, file, metafile) {
  const libraries = bundledLibraries(JSON.parse(readFileSync(join(out, metafile), 'utf8')));
  const sbom = createSbom(manifest, { name: file, bytes: readFileSync(join(target, file)) }, libraries, {
    integrityOf: ({ folder: path = '' }) => lock.packages[path]?.integrity,
    time: releaseTime(),
    address: repositoryAddress(manifest),
  });
  writeFileSync(join(target, `${file}.spdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`);
}

/** @param {string} path @returns {string | undefined} undefined if there is no such file */
function digest(path) {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return undefined;
  }
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed. ${error?.message ?? ''}`);
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}
