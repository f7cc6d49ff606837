import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { read, readManifest, root } from '../../support/manifest.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly title: string; readonly category: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    readonly languageModelTools: readonly { readonly name: string; readonly toolReferenceName: string }[];
  };
}

const { commands, configuration, languageModelTools } = readManifest<Manifest>().contributes;
const pages = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)];

/** The relative links of a page, as URLs. */
function listLinks(page: string) {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/u.test(target))
    .map((target) => new URL(target, new URL(page, root)));
}

/** Returns the anchors of a page's headings, as GitHub creates them. */
function listAnchors(page: URL) {
  return [...read(page.href).matchAll(/^#+ (.+)$/gmu)].map(
    ([, title = '']) =>
      `#${title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-')}`,
  );
}

describe('README.md and docs/', () => {
  for (const page of pages) {
    it(`have working links in ${page}`, () => {
      const isBroken = ({ hash, pathname }: URL) => {
        const file = new URL(pathname, root);
        return !existsSync(file) || (hash !== '' && !listAnchors(file).includes(hash));
      };
      assert.deepEqual(listLinks(page).filter(isBroken).map(String), []);
    });

    it(`quote commands as package.json does in ${page}`, () => {
      const titles = new Set(commands.map(({ category, title }) => `${category}: ${title}`));
      const quoted = [...read(page).matchAll(/\*\*(Mailing: [^*]+)\*\*/gu)].map(([, title = '']) => title);
      assert.deepEqual(
        quoted.filter((title) => !titles.has(title)),
        [],
      );
    });
  }

  it('link to every page and show every picture', () => {
    const linked = new Set(pages.flatMap((page) => listLinks(page).map(({ pathname }) => pathname)));
    const pictures = readdirSync(new URL('media/readme/', root)).map((name) => `media/readme/${name}`);
    assert.deepEqual(
      [...pages, ...pictures].filter((path) => !linked.has(new URL(path, root).pathname)),
      [],
    );
  });

  it('install this version of the command, and never from a checkout', () => {
    const { version } = readManifest<{ readonly version: string }>();
    const texts = [...pages, 'action/action.yml'].map(read);
    const installed = texts.flatMap(
      (text) => text.match(/(?<=mailing-studio@)\d[\d.]*\d|(?<=default: )\d[\d.]+/gu) ?? [],
    );
    assert.ok(installed.length > 5);
    assert.deepEqual([...new Set(installed)], [version]);
    assert.deepEqual(
      texts.flatMap((text) => text.match(/npx --yes|"npx"|npm install (?!--global |.*--prefix).*/gu) ?? []),
      [],
    );
    assert.doesNotMatch(read('docs/ci.md'), /git remote set-url|git config .*TOKEN/u);
  });

  it('have a picture on each page for users', () => {
    const plain = pages.filter((page) => !/^!\[[^\]]{20,}\]\(/mu.test(read(page)));
    assert.deepEqual(plain, ['docs/accessibility.md', 'docs/ci.md', 'docs/libraries.md', 'docs/releasing.md']);
  });

  it('link only to packaged pages in the packaged pages', () => {
    const packaged = ['accessibility', 'checks', 'tags'].map((name) => new URL(`docs/${name}.md`, root).pathname);
    for (const page of ['docs/accessibility.md', 'docs/checks.md', 'docs/tags.md'])
      assert.deepEqual(
        listLinks(page).filter(({ pathname }) => !packaged.includes(pathname) && !pathname.endsWith('.png')),
        [],
      );
  });

  it('describe every setting and every tool', () => {
    const [settings, agents] = [read('docs/settings.md'), read('docs/agents.md')];
    for (const name of configuration.flatMap(({ properties }) => Object.keys(properties)))
      assert.ok(settings.includes(`\`${name}\``), name);
    for (const { name, toolReferenceName } of languageModelTools)
      assert.ok(agents.includes(`\`${name}\``) && agents.includes(`\`#${toolReferenceName}\``), name);
  });

  it('keep the README short', () => assert.ok(read('README.md').split('\n').length <= 91));
});
