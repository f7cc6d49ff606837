import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** The owner in `repository` of package.json until the project has a repository. */
export const PLACEHOLDER = 'OWNER';

/** @typedef {{ version: string, date: string, text: string }} Changes a section of CHANGELOG.md, without its heading */

/** Groups of changes, of https://keepachangelog.com/en/1.1.0/ */
const GROUPS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** @param {string} name */
export const readProject = (name) => readFileSync(join(root, name), 'utf8');

/**
 * Returns the web address of the repository that package.json names. Undefined for the placeholder.
 * @param {{ repository: { url: string } }} manifest
 * @returns {string | undefined}
 * @throws {Error} if it isn't a repository on GitHub
 */
export function repositoryAddress({ repository: { url } }) {
  const [, owner, name] = /^git\+https:\/\/github\.com\/([\w-]+)\/([\w.-]+)\.git$/.exec(url) ?? [];
  if (owner === undefined)
    throw new Error(
      `"repository" of package.json must be of the form git+https://github.com/${PLACEHOLDER}/<name>.git.`,
    );
  return owner === PLACEHOLDER ? undefined : `https://github.com/${owner}/${name}`;
}

/**
 * Returns package.json as it is published: with the addresses that derive from the repository, and without what only developers need.
 * @template {{ repository: { url: string } }} Manifest
 * @param {Manifest & { scripts?: object, devDependencies?: object }} manifest
 */
export function publishedManifest({ scripts: _scripts, devDependencies: _dependencies, repository, ...manifest }) {
  const address = repositoryAddress({ repository });
  if (address === undefined) return manifest;
  return {
    ...manifest,
    repository,
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    qna: `${address}/discussions`,
  };
}

/**
 * Returns whether a version is a pre-release: those have an odd minor number, because the Marketplace accepts no suffixes.
 * @param {string} version
 */
export const isPreRelease = (version) => Number(version.split('.')[1]) % 2 === 1;

/**
 * Returns the sections of CHANGELOG.md, the newest first.
 * @param {string} changelog
 * @returns {Changes[]}
 * @throws {Error} if it isn't in the form of Keep a Changelog
 */
export function readChanges(changelog) {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const [, version = '', date = ''] = /^(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
    if (Number.isNaN(Date.parse(date)))
      throw new Error(`CHANGELOG.md: "## ${heading}" must be a version and a date: "## 1.2.3 - 2026-01-31".`);
    const groups = lines.flatMap((line) => /^### (.+)$/.exec(line)?.[1] ?? []);
    if (groups.length === 0) throw new Error(`CHANGELOG.md: version ${version} has no changes.`);
    for (const [index, group] of groups.entries())
      if (!GROUPS.includes(group) || groups.indexOf(group) !== index)
        throw new Error(`CHANGELOG.md: version ${version} has a wrong or repeated group "${group}".`);
    return { version, date, text: lines.join('\n').trim() };
  });
}

/**
 * Returns what prevents a release.
 * @param {{ manifest: { version: string, repository: { url: string } }, lock: { version: string, packages: Record<string, { version: string }> },
 *   changelog: string, tag: string }} project
 * @returns {string[]}
 */
export function listProblems({ manifest, lock, changelog, tag }) {
  const { version } = manifest;
  const problems = [];
  if (tag !== `v${version}`) problems.push(`The tag is ${tag}, and the version in package.json is ${version}.`);
  if (lock.version !== version || lock.packages['']?.version !== version)
    problems.push('package-lock.json has another version: run `npm install --package-lock-only`.');
  try {
    const versions = readChanges(changelog).map((changes) => changes.version);
    if (versions[0] !== version) problems.push(`CHANGELOG.md begins with ${versions[0]}, not with ${version}.`);
    if (versions.some((newer, index) => compareVersions(newer, versions[index + 1] ?? '0.0.0') <= 0))
      problems.push('CHANGELOG.md has a repeated version, or the versions are out of order.');
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (repositoryAddress(manifest) === undefined)
    problems.push(`"repository" of package.json still has the placeholder ${PLACEHOLDER}.`);
  return problems;
}

/** @param {string} one @param {string} other */
function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  const index = (a ?? []).findIndex((number, position) => number !== b?.[position]);
  return index < 0 ? 0 : (a?.[index] ?? 0) - (b?.[index] ?? 0);
}

/** Returns the time of the newest version in seconds since the epoch: the time of all packaged files. */
export function releaseTime() {
  return Date.parse(readChanges(readProject('CHANGELOG.md'))[0]?.date ?? '') / 1000;
}
