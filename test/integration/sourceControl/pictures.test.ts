import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { LocalPictures } from '../../../src/features/preview/pictures.ts';
import type { LocalPicture } from '../../../src/email/html/pictures.ts';
import { eventually } from '../../support/eventually.ts';
import { folder } from './fixtures.ts';

describe('images of a folder', () => {
  let outside: string;
  let root: string;
  let pictures: LocalPictures;
  let reported: readonly LocalPicture[][];
  const asData = (format: string, bytes: string) =>
    `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`;

  beforeEach(() => {
    outside = makeScratch();
    root = folder.path('pictured');
    mkdirSync(join(root, 'img'), { recursive: true });
    reported = [];
    pictures = new LocalPictures(vscode.Uri.file(root), (more) => {
      reported = [...reported, [...more]];
    });
  });
  afterEach(() => {
    pictures.dispose();
    for (const each of [root, outside]) removeScratch(each);
  });

  it('are reported by path with data or a reason, and without data if missing, outside or no image', async () => {
    writeFileSync(join(root, 'img/logo.png'), 'png');
    writeFileSync(join(root, 'photo one.JPEG'), 'jpeg');
    writeFileSync(join(root, 'secret.txt'), 'text');
    writeFileSync(join(root, 'large.gif'), Buffer.alloc(2 * 1024 * 1024 + 1));
    mkdirSync(join(root, 'folder.png'));
    writeFileSync(join(outside, 'out.png'), 'out');
    writeFileSync(join(root, '../out.png'), 'out');
    symlinkSync(join(outside, 'out.png'), join(root, 'linked.png'));
    symlinkSync(outside, join(root, 'linked'));
    symlinkSync(join(root, 'img/logo.png'), join(root, 'within.png'));
    writeFileSync(join(root, 'photo.AVIF'), 'avif');
    const outsides = ['linked.png', 'linked/out.png', '../out.png', 'img/../../out.png', `${outside}/out.png`];
    const refused = ['folder.png', 'missing.png', ...outsides, 'a\0.png'];
    const images = ['img/logo.png', 'photo one.JPEG', 'within.png', 'secret.txt', 'large.gif', 'photo.AVIF'];
    await pictures.request([...images, 'missing.avif', ...refused]);
    rmSync(join(root, '../out.png'));
    assert.deepEqual(reported, [
      [
        { path: 'img/logo.png', data: asData('png', 'png') },
        { path: 'photo one.JPEG', data: asData('jpeg', 'jpeg') },
        { path: 'within.png', data: asData('png', 'png') },
        { path: 'large.gif', omissionReason: 'large' },
        { path: 'photo.AVIF', omissionReason: 'format' },
        { path: 'missing.avif' },
        ...refused.map((path) => ({ path })),
      ],
    ]);
  });

  it('are limited to 16 MB in total', async () => {
    const paths = Array.from({ length: 9 }, (_, index) => `${index}.png`);
    for (const path of paths) writeFileSync(join(root, path), Buffer.alloc(2 * 1024 * 1024));
    await pictures.request(paths);
    assert.deepEqual(
      reported.flat().filter(({ data }) => data === undefined),
      [{ path: '8.png', omissionReason: 'all' }],
    );
  });

  it('are reported again when their files change', async () => {
    writeFileSync(join(root, 'logo.png'), 'one');
    await pictures.request(['logo.png', 'later.png']);
    const last = (path: string) => reported.flat().findLast((picture) => picture.path === path);
    assert.deepEqual(last('later.png'), { path: 'later.png' });
    // VS Code's file watcher starts asynchronously and may miss the first changes.
    await eventually(async () => {
      writeFileSync(join(root, 'logo.png'), 'two');
      writeFileSync(join(root, 'later.png'), 'later');
      await eventually(
        () => {
          assert.equal(last('logo.png')?.data, asData('png', 'two'));
          assert.equal(last('later.png')?.data, asData('png', 'later'));
        },
        { timeoutMs: 2000 },
      );
    });
    rmSync(join(root, 'logo.png'));
    await eventually(() => assert.deepEqual(last('logo.png'), { path: 'logo.png' }));
  });
});
