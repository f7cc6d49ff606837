import assert from 'node:assert/strict';
import type { MappedTemplate } from '../../../src/sync/mapping.ts';
import { getStaleness } from '../../../src/sync/staleness.ts';
import { TemplateFolder } from '../../../src/sync/folder.ts';
import { Disk, findImages, layout } from './fixtures.ts';

describe('built output', () => {
  const template: MappedTemplate = {
    folder: 'emails/a',
    ids: {},
    output: 'dist/a.html',
    source: ['src/a.mjml', 'emails/a'],
    task: 'npm: build',
    range: { start: 0, end: 0 },
  };
  const newest = { path: 'src/a.mjml', at: 100 };
  const failed = { exitCode: 3, at: 150 };

  it('is current if it is not older than its source', () => {
    for (const built of [100, 101, 500])
      assert.equal(getStaleness(template, { builtAt: built, newestSource: newest, lastFailure: undefined }), undefined);
    assert.equal(
      getStaleness(template, { builtAt: 101, newestSource: newest, lastFailure: failed }),
      undefined,
      'Even after a failed task.',
    );
    assert.equal(
      getStaleness(
        { ...template, output: undefined },
        { builtAt: undefined, newestSource: newest, lastFailure: failed },
      ),
      undefined,
      'Nothing is built.',
    );
  });

  it('is stale if it is older, with the cause', () => {
    assert.deepEqual(getStaleness(template, { builtAt: 99, newestSource: newest, lastFailure: undefined }), {
      cause: 'dist/a.html is older than src/a.mjml.',
      isMissing: false,
    });
    assert.deepEqual(getStaleness(template, { builtAt: 99, newestSource: newest, lastFailure: failed }), {
      cause: 'dist/a.html is older than src/a.mjml. The task "npm: build" failed with exit code 3.',
      isMissing: false,
    });
  });

  it('is stale if it was never built', () => {
    assert.deepEqual(getStaleness(template, { builtAt: undefined, newestSource: newest, lastFailure: undefined }), {
      cause: 'dist/a.html is not there: it was not built yet.',
      isMissing: true,
    });
  });

  it('is stale without a source if the task failed after it was written', () => {
    assert.deepEqual(getStaleness(template, { builtAt: 149, newestSource: undefined, lastFailure: failed }), {
      cause: 'dist/a.html was not built anew. The task "npm: build" failed with exit code 3.',
      isMissing: false,
    });
    assert.equal(getStaleness(template, { builtAt: 151, newestSource: undefined, lastFailure: failed }), undefined);
    assert.equal(getStaleness(template, { builtAt: 149, newestSource: undefined, lastFailure: undefined }), undefined);
  });

  it('has the named files and folders as sources, except for the pushed files', () => {
    const folder = new TemplateFolder(new Disk(), layout, () => [], findImages);
    for (const path of ['src/a.mjml', 'emails/a/parts/head.mjml'])
      assert.equal(folder.isSource(template, path), true, path);
    for (const path of [
      'src/a.mjml.bak',
      'src/b.mjml',
      'emails/a/style.css',
      'emails/a/template.json',
      'dist/a.html',
      'emails/ab/x.mjml',
    ]) {
      assert.equal(folder.isSource(template, path), false, path);
    }
    assert.equal(folder.bodyPath(template), 'dist/a.html');
    assert.equal(folder.bodyPath({ folder: 'emails/c', body: 'c.html' }), 'c.html');
    assert.equal(folder.bodyPath({ folder: 'emails/c' }), 'emails/c/body.html');
    assert.equal(
      folder.isBuilt({ folder: 'emails/c', ids: {}, body: 'c.html', range: template.range }, 'body'),
      false,
      'A body that is not built can be pulled.',
    );
  });
});
