import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** @typedef {{ name: string, version: string, license: string, texts: string[], folder?: string }} Library folder: of npm packages */

/** License files of a package. */
const termsFile = /^(?:licen[cs]e|copying|copyright ?notice|notice)(?:[-_.].*)?$/i;

/**
 * Packages under the MIT license that don't include its text, with the first line of the license in their repositories.
 * @type {Record<string, string>}
 */
const withoutText = {
  '@vscode/l10n': 'Copyright (c) Microsoft Corporation. All rights reserved.',
  '@microsoft/fast-element': 'Copyright (c) Microsoft Corporation. All rights reserved.',
  '@microsoft/fast-foundation': 'Copyright (c) Microsoft Corporation. All rights reserved.',
  '@microsoft/fast-web-utilities': 'Copyright (c) Microsoft Corporation. All rights reserved.',
};

/**
 * Code of another package, under the MIT license, that a package contains without a notice.
 * @type {Record<string, { name: string, copyright: string }>}
 */
const within = { undici: { name: 'llhttp', copyright: 'Copyright Fedor Indutny, 2018.' } };

/**
 * Our files that are generated from another project's data, with its name and license. The file's `updated` is the version.
 * @type {Record<string, { name: string, license: string, terms: string }>}
 */
const madeOf = {
  'src/email/checks/data/support.json': { name: 'caniemail', license: 'MIT', terms: 'scripts/data/caniemail/LICENSE' },
};

/**
 * Returns the libraries with code in a bundle.
 * @param {readonly import('esbuild').Metafile[]} metafiles what esbuild says of its bundles
 * @returns {Library[]} by their names
 * @throws {Error} where one has no text of its license
 */
export function bundledLibraries(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.entries(output.inputs)),
  );
  const paths = new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path));
  const folders = new Set([...paths].flatMap((path) => folderOf(path) ?? []));
  const libraries = [...[...folders].flatMap(readLibraries), ...[...paths].flatMap(readData)];
  return libraries.sort((one, other) => one.name.localeCompare(other.name) || one.version.localeCompare(other.version));
}

/**
 * Returns the names, licenses and license texts of libraries as one text.
 * @param {readonly Library[]} libraries
 */
export function noticesOf(libraries) {
  const heading = 'Mailing Studio contains parts of these libraries, under the terms that follow each name.';
  const entries = libraries.map(
    ({ name, version, license, texts }) => `${name} ${version} (${license})\n\n${texts.join('\n\n')}`,
  );
  return `${[heading, ...entries].join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

/**
 * Returns the folder of the package that a bundled file belongs to, relative to the repository. Undefined for our own files.
 * @param {string} path in esbuild's form: with `/`, and with a plugin's namespace before a colon
 * @returns {string | undefined}
 */
function folderOf(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

/**
 * Returns a package and the other packages that it contains.
 * @param {string} folder
 * @returns {Library[]}
 */
function readLibraries(folder) {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const files = readdirSync(path)
    .filter((file) => termsFile.test(file))
    .sort();
  const copyright = license === 'MIT' ? withoutText[name] : undefined;
  const texts = files.length === 0 && copyright ? [mit(copyright)] : files.map((file) => readText(join(path, file)));
  if (texts.length === 0 || typeof license !== 'string') {
    throw new Error(`${name} ${version} is bundled, and has no text of its license in ${folder}.`);
  }
  const inner = within[name];
  const library = { name, version, license, texts, folder };
  if (!inner) return [library];
  return [
    library,
    { name: inner.name, version: `in ${name} ${version}`, license: 'MIT', texts: [mit(inner.copyright)] },
  ];
}

/**
 * Returns the project whose data one of our files is generated from.
 * @param {string} path
 * @returns {Library[]}
 */
function readData(path) {
  const made = madeOf[path];
  if (!made) return [];
  const { updated } = JSON.parse(readFileSync(join(root, path), 'utf8'));
  return [
    {
      name: made.name,
      version: `data of ${updated}`,
      license: made.license,
      texts: [readText(join(root, made.terms))],
    },
  ];
}

/**
 * Returns the text of the MIT license, which also applies to this project.
 * @param {string} copyright its line of who holds it
 */
function mit(copyright) {
  return readText(join(root, 'LICENSE')).replace(/^Copyright.*$/m, () => copyright);
}

/** @param {string} path */
function readText(path) {
  return readFileSync(path, 'utf8').replace(/\r\n?/g, '\n').trim();
}
