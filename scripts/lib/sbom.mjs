import { createHash } from 'node:crypto';

/** @typedef {import('./notices.mjs').Library} Library */
/** @typedef {{ name: string, version: string, license: string }} Product */
/** @typedef {{ name: string, bytes: Buffer }} PackageFile a published file that contains the product and its libraries */

const PRODUCT = 'SPDXRef-Product';

/**
 * Returns the bill of materials of a published file as an SPDX 2.3 document: the product and the libraries that its bundle contains.
 * @param {Product} product
 * @param {PackageFile} file
 * @param {readonly Library[]} libraries
 * @param {{ integrityOf: (library: Library) => string | undefined, time: number, address: string | undefined }} options integrityOf: returns the
 *   checksum of a library's npm package, as in package-lock.json; time: in seconds since the epoch; address: the repository's
 */
export function createSbom(product, file, libraries, { integrityOf, time, address }) {
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  const packages = libraries.map((library, index) => {
    const [algorithm, encoded] = integrityOf(library)?.split('-') ?? [];
    return {
      SPDXID: `SPDXRef-Library-${index + 1}`,
      name: library.name,
      versionInfo: library.version,
      supplier: 'NOASSERTION',
      downloadLocation: 'NOASSERTION',
      filesAnalyzed: false,
      licenseConcluded: 'NOASSERTION',
      licenseDeclared: library.license,
      copyrightText: readCopyright(library),
      primaryPackagePurpose: 'LIBRARY',
      ...(encoded && {
        checksums: [
          {
            algorithm: algorithm?.toUpperCase(),
            checksumValue: Buffer.from(encoded, 'base64').toString('hex'),
          },
        ],
      }),
      ...(library.folder && {
        externalRefs: [
          {
            referenceCategory: 'PACKAGE-MANAGER',
            referenceType: 'purl',
            referenceLocator: `pkg:npm/${library.name.replace('@', '%40')}@${library.version}`,
          },
        ],
      }),
    };
  });
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: file.name,
    // Unique: the checksum is that of one file.
    documentNamespace: `https://spdx.org/spdxdocs/${file.name}-${sha256}`,
    creationInfo: {
      created: new Date(time * 1000).toISOString().replace('.000', ''),
      creators: ['Tool: esbuild-metafile', 'Organization: Mailing Studio contributors'],
    },
    packages: [
      {
        SPDXID: PRODUCT,
        name: product.name,
        versionInfo: product.version,
        packageFileName: file.name,
        supplier: 'Organization: Mailing Studio contributors',
        downloadLocation: address ? `${address}/releases/download/v${product.version}/${file.name}` : 'NOASSERTION',
        filesAnalyzed: false,
        checksums: [{ algorithm: 'SHA256', checksumValue: sha256 }],
        licenseConcluded: product.license,
        licenseDeclared: product.license,
        copyrightText: 'NOASSERTION',
        primaryPackagePurpose: 'APPLICATION',
      },
      ...packages,
    ],
    relationships: [
      relate('SPDXRef-DOCUMENT', 'DESCRIBES', PRODUCT),
      ...packages.map(({ SPDXID }) => relate(PRODUCT, 'CONTAINS', SPDXID)),
    ],
  };
}

/** @param {string} from @param {string} relationshipType @param {string} to */
function relate(from, relationshipType, to) {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
}

/**
 * Returns the copyright lines of a library's license.
 * @param {Library} library
 */
function readCopyright({ texts }) {
  const lines = texts.flatMap((text) => text.match(/^.*\bcopyright\b.*(?:\(c\)|©|\d{4}).*$/gim) ?? []);
  return lines.length === 0 ? 'NOASSERTION' : lines.map((line) => line.trim()).join('\n');
}
