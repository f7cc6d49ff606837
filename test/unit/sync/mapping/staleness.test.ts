import assert from 'node:assert/strict';
import type { MappedTemplate } from '../../../../src/sync/mapping/mapping.ts';
import { getStaleness } from '../../../../src/sync/mapping/staleness.ts';
import { TemplateFolder } from '../../../../src/sync/mapping/folder.ts';
import { Disk, findImages, layout } from '../fixtures.ts';

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
  const isOlder = 'dist/a.html is older than src/a.mjml.';
  const hasFailed = 'The task "npm: build" failed with exit code 3.';
  const none = undefined;

  for (const [title, builtAt, newestSource, lastFailure, cause] of [
    ['current if it is as old as its source', 100, newest, none, none],
    ['current if it is newer than its source', 101, newest, none, none],
    ['current even after a failed task', 101, newest, failed, none],
    ['stale if it is older', 99, newest, none, isOlder],
    ['stale if it is older because the task failed', 99, newest, failed, `${isOlder} ${hasFailed}`],
    ['stale if it was never built', none, newest, none, "dist/a.html hasn't been built yet."],
    ['stale without a source if the task failed later', 149, none, failed, `dist/a.html wasn't rebuilt. ${hasFailed}`],
    ['current without a source if the task failed earlier', 151, none, failed, none],
    ['current without a source', 149, none, none, none],
  ] as const) {
    it(`is ${title}`, () =>
      assert.deepEqual(
        getStaleness(template, { builtAt, newestSource, lastFailure }),
        cause && { cause, isMissing: builtAt === undefined },
      ));
  }

  it('is not needed for a template without one', () => {
    const state = { builtAt: undefined, newestSource: newest, lastFailure: failed };
    assert.equal(getStaleness({ ...template, output: undefined }, state), undefined);
  });

  it('has the named files and folders as sources, except for the pushed files', () => {
    const folder = new TemplateFolder(new Disk(), layout, () => [], findImages);
    const sources = ['src/a.mjml', 'emails/a/parts/head.mjml'];
    const own = ['emails/a/style.css', 'emails/a/template.json', 'dist/a.html'];
    const others = ['src/a.mjml.bak', 'src/b.mjml', 'emails/ab/x.mjml'];
    assert.deepEqual(
      [...sources, ...own, ...others].filter((path) => folder.isSource(template, path)),
      sources,
    );
    assert.equal(folder.bodyPath(template), 'dist/a.html');
    assert.equal(folder.bodyPath({ folder: 'emails/c' }), 'emails/c/body.html');
    assert.equal(folder.isBuilt(template, 'body'), true);
    assert.equal(folder.isBuilt({ ...template, output: undefined, body: 'c.html' }, 'body'), false);
  });
});
