import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { resolveCommit, runGit } from '../../../src/cli/workspace.ts';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';

describe('git of the command line', () => {
  let folder: string;
  let trusted: string;
  let hostile: string;
  const { PATH } = process.env;

  const git = (...args: readonly string[]) =>
    runGit(folder, ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args]);
  const commit = async (message: string) => {
    await git('commit', '-q', '--allow-empty', '-m', message);
    return (await git('rev-parse', 'HEAD')).trim();
  };
  const isRefused = (revision: string) =>
    assert.rejects(resolveCommit(folder, revision), (error: Error) => {
      assert.match(error.message, /^"[^"\n]*" is a tag, or names several revisions\.\n.*refs\/remotes\/origin\/main/u);
      return true;
    });

  beforeEach(async () => {
    folder = makeScratch();
    await git('init', '-q', '-b', 'main');
    trusted = await commit('One');
    hostile = await commit('Two');
    await git('update-ref', 'refs/remotes/origin/main', trusted);
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    removeScratch(folder);
  });

  it('resolves branches, commits, and revisions before them', async () => {
    assert.equal(await resolveCommit(folder, 'origin/main'), trusted);
    assert.equal(await resolveCommit(folder, 'refs/remotes/origin/main'), trusted);
    for (const revision of ['HEAD~1', 'main~1', 'main^', trusted, trusted.slice(0, 10)])
      assert.equal(await resolveCommit(folder, revision), trusted, revision);
    for (const revision of ['HEAD', 'main', '@', hostile])
      assert.equal(await resolveCommit(folder, revision), hostile, revision);
    await assert.rejects(resolveCommit(folder, 'none'), /^Error: There is no revision "none"/u);
  });

  it('refuses a tag in place of a branch, even if the branch was not fetched', async () => {
    await git('tag', 'origin/main', hostile);
    await isRefused('origin/main');
    await isRefused('origin/main~0');
    assert.equal(await resolveCommit(folder, 'refs/remotes/origin/main'), trusted);
    await git('update-ref', '-d', 'refs/remotes/origin/main');
    await isRefused('origin/main');
    await git('tag', 'x-gother/main', hostile);
    await assert.rejects(resolveCommit(folder, 'other/main'), /^Error: There is no revision/u);
    await git('tag', 'refs/remotes/origin/main', hostile);
    await isRefused('refs/remotes/origin/main');
    assert.equal(await resolveCommit(folder, 'refs/tags/origin/main'), hostile);
  });

  it('refuses the names of several revisions', async () => {
    await git('branch', 'origin/main', hostile);
    await isRefused('origin/main');
    await git('branch', '-q', trusted.slice(0, 8), hostile);
    await isRefused(trusted.slice(0, 8));
    await git('update-ref', 'refs/tags/HEAD', trusted);
    await isRefused('HEAD');
  });

  it('never runs a git of the folder', async function () {
    if (process.platform === 'win32') return this.skip();
    writeFileSync(join(folder, 'git'), '#!/bin/sh\ntouch started\n');
    chmodSync(join(folder, 'git'), 0o755);
    process.env['PATH'] = ['', '.', relative(process.cwd(), folder), PATH].join(delimiter);
    assert.equal((await git('rev-parse', 'HEAD')).trim(), hostile);
    process.env['PATH'] = '.';
    await assert.rejects(git('rev-parse', 'HEAD'), /git/u);
    assert.ok(!existsSync(join(folder, 'started')));
  });
});
