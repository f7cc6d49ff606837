import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { read, readJson, readManifest, root } from '../../support/manifest.ts';
import { mendings } from './markup.ts';

interface Step {
  readonly id: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

interface Manifest {
  readonly icon: string;
  readonly pricing: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon?: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
    readonly jsonValidation: readonly { readonly url: string; readonly fileMatch: readonly string[] }[];
    readonly customEditors: readonly { readonly selector: readonly { readonly filenamePattern: string }[] }[];
    readonly walkthroughs: readonly { readonly id: string; readonly icon: string; readonly steps: readonly Step[] }[];
  };
}

const manifest = readManifest<Manifest>();
const { commands, views, viewsContainers, jsonValidation, customEditors, walkthroughs } = manifest.contributes;
const allViews = Object.values(views).flat();
/** Commands that a walkthrough may run: the extension's, and those that VS Code creates for its views. */
const runnable = new Set([...commands.map(({ command }) => command), ...allViews.map(({ id }) => `${id}.focus`)]);

describe('texts of the package', () => {
  it('are all used', () => {
    const source = read('package.json');
    const keys = Object.keys(readJson<object>('package.nls.json'));
    assert.deepEqual(
      keys.filter((key) => !source.includes(`"%${key}%"`)),
      [],
    );
  });
});

describe('the listing of the package', () => {
  it('is found under its categories and keywords', () => {
    assert.deepEqual(manifest.categories, ['Linters', 'Formatters', 'SCM Providers', 'Visualization', 'Other']);
    // The Marketplace accepts 30, and vsce adds some for the contributions.
    assert.ok(manifest.keywords.length <= 24);
    assert.equal(new Set(manifest.keywords).size, manifest.keywords.length);
    assert.equal(manifest.pricing, 'Free');
  });

  it('shows pictures that the Marketplace accepts', () => {
    const pictures = ['README.md', 'CHANGELOG.md'].flatMap((page) => [
      ...read(page).matchAll(/!\[[^\]]*\]\(([^)]+)\)|<img[^>]+src="([^"]+)"/gu),
    ]);
    assert.ok(pictures.length > 0);
    for (const [, markdown, html] of pictures) assert.match(markdown ?? html ?? '', /^media\/readme\/[\w-]+\.png$/u);
  });
});

describe('pictures of the package', () => {
  it('exist', () => {
    const named = [
      manifest.icon,
      ...viewsContainers.activitybar.map(({ icon }) => icon),
      ...allViews.flatMap(({ icon }) => icon ?? []),
      ...jsonValidation.map(({ url }) => url),
      ...walkthroughs.flatMap(({ icon, steps }) => [icon, ...steps.map(({ media }) => media.svg)]),
    ];
    assert.deepEqual(
      named.filter((path) => !existsSync(new URL(path, root))),
      [],
    );
  });

  it('have a marketplace icon of 256 × 256 pixels with transparency', () => {
    const png = readFileSync(new URL(manifest.icon, root));
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, 256]);
    // Color type 6 in PNG: red, green, blue and alpha.
    assert.equal(png[25], 6);
  });

  it('have a monochrome activity bar icon of 24 × 24', () => {
    const svg = read('media/mailing.svg');
    assert.match(svg, /viewBox="0 0 24 24"/u);
    assert.deepEqual(
      new Set([...svg.matchAll(/(?:fill|stroke)="([^"]*)"/gu)].map(([, color]) => color)),
      new Set(['none', 'currentColor']),
    );
    assert.deepEqual(mendings(svg), []);
  });
});

describe('the walkthrough', () => {
  const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);

  it('leads from the sandbox to a test email', () => {
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['sandbox', 'connect', 'open', 'preview', 'check', 'sendTest'],
    );
  });

  it('completes a step when its result is there, not when its command starts', () => {
    const events = steps.map(({ completionEvents }) =>
      completionEvents.map((event) => event.replace('onContext:', '')),
    );
    assert.deepEqual(events, [
      ['mailing.hasSandbox'],
      ['mailing.hasServices'],
      ['resourceScheme == mailing'],
      ['mailing.hasPreview'],
      ['mailing.hasCheckedEmail'],
      ['mailing.hasSentTest'],
    ]);
  });

  for (const { id, description, media } of steps) {
    it(`has a button and an image for "${id}"`, () => {
      const linked = [...description.matchAll(/\]\(command:([^)?]+)/gu)].map(([, command]) => command ?? '');
      assert.equal(linked.length, 1);
      assert.deepEqual(
        linked.filter((command) => !runnable.has(command)),
        [],
      );

      const svg = read(media.svg);
      assert.deepEqual(mendings(svg), []);
      assert.ok(svg.includes(`<title>${media.altText}</title>`));
      assert.match(svg, /var\(--vscode-editor-background, #[\da-f]{6}\)/u);
      assert.doesNotMatch(svg, /<(?:script|image|foreignObject)|url\(|href=/u);
    });
  }
});

describe('schemas and forms', () => {
  it('apply only to service documents, not to files of the same name', () => {
    const ofForms = customEditors.flatMap(({ selector }) => selector.map(({ filenamePattern }) => filenamePattern));
    const patterns = [...jsonValidation.flatMap(({ fileMatch }) => fileMatch), ...ofForms];
    assert.equal(patterns.length, 8);
    // Files in users' folders that belong to the extension.
    assert.deepEqual(
      patterns.filter((pattern) => !pattern.startsWith('mailing:/')),
      ['mailing.people.json', 'mailing.json'],
    );
  });
});
