import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { extension, webviews } from '../../../esbuild.mjs';
import { bundledLibraries, noticesOf } from '../../../scripts/lib/notices.mjs';

const permission = /Permission (?:is hereby granted|to use)|Permission is granted|Redistribution and use/u;

describe('Third-party notices', function () {
  it('name each bundled library with its license', async () => {
    const made = { minify: true, sourcemap: false, write: false, metafile: true, logLevel: 'error' } as const;
    const bundles = await Promise.all([extension, webviews].map((options) => build({ ...options, ...made })));
    const libraries = bundledLibraries(bundles.map(({ metafile }) => metafile));
    const names = libraries.map(({ name }) => name);
    const inputs = bundles.flatMap(({ metafile }) =>
      Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs)),
    );
    const used = inputs.filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.startsWith('node_modules/'));
    assert.ok(used.length > 50);
    for (const [path] of used)
      assert.ok(
        names.some((name) => path.includes(`node_modules/${name}/`)),
        path,
      );
    for (const name of ['undici', 'llhttp', 'valibot', '@microsoft/fast-element', 'css-tree', 'caniemail'])
      assert.ok(names.includes(name), name);
    for (const name of ['esbuild', 'mocha', 'playwright-core', 'mailing-studio'])
      assert.ok(!names.includes(name), name);

    const data = libraries.find(({ name }) => name === 'caniemail');
    assert.match(data?.version ?? '', /^data of 20\d\d-\d\d-\d\d$/u);
    assert.match(data?.texts.join() ?? '', /Copyright \(c\) 2019 Rémi Parmentier/u);

    const notices = noticesOf(libraries);
    for (const { name, version, license, texts } of libraries) {
      assert.ok(notices.includes(`${name} ${version} (${license})\n\n`), name);
      assert.match(texts.join('\n'), permission, name);
      assert.match(texts.join('\n'), /copyright/iu, name);
    }
    assert.doesNotMatch(notices, /Mailing Studio contributors/u);
  });

  it('fail for a library without a license', () => {
    const bytes = {
      bytes: 1,
      inputs: { 'node_modules/typescript/lib/nothing.js': { bytesInOutput: 1 } },
      imports: [],
      exports: [],
    };
    assert.deepEqual(
      bundledLibraries([{ inputs: {}, outputs: { 'a.js': bytes } }]).map(({ name }) => name),
      ['typescript'],
    );
    const none = { ...bytes, inputs: { 'src/node_modules/no-such/a.js': { bytesInOutput: 1 } } };
    assert.throws(() => bundledLibraries([{ inputs: {}, outputs: { 'a.js': none } }]), /no-such/u);
  });
});
