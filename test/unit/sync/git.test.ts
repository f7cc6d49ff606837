import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { Clone, lockName, Service } from './fixtures.ts';

/** A clone on disk that runs Git commands. */
class Repository {
  readonly clone: Clone;
  readonly folder: string;

  constructor(service: Service, folder: string) {
    this.clone = new Clone(service);
    this.folder = folder;
  }

  /** Runs a Git command and returns its exit code. */
  git(...args: readonly string[]) {
    const { status } = spawnSync('git', args, { cwd: this.folder, env, encoding: 'utf8' });
    for (const path of this.#tracked()) this.clone.disk.files.set(path, readFileSync(join(this.folder, path), 'utf8'));
    return status;
  }

  /** Commits all files. */
  commit(message: string) {
    for (const [path, text] of this.clone.disk.files) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
    assert.equal(this.git('add', '--all'), 0);
    assert.equal(this.git('commit', '--quiet', '--message', message), 0);
  }

  /** Commits all files and pushes the branch. */
  publish(message: string) {
    this.commit(message);
    assert.equal(this.git('push', '--quiet', 'origin', 'main'), 0);
  }

  pull() {
    return this.git('pull', '--quiet', '--no-rebase', 'origin', 'main');
  }

  #tracked() {
    return execFileSync('git', ['ls-files'], { cwd: this.folder, env, encoding: 'utf8' }).split('\n').filter(Boolean);
  }
}

/** Isolates the tests from the user's Git settings. */
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};

describe('two people in one repository', function () {
  let root: string;
  let service: Service;
  let ann: Repository;
  let ben: Repository;

  before(function () {
    if (spawnSync('git', ['--version']).status === 0) return;
    console.log('Git is not installed: skipping the tests of mapped folders in a repository.');
    this.skip();
  });
  beforeEach(async () => {
    root = makeScratch();
    const [origin, one, two] = ['origin.git', 'ann', 'ben'].map((name) => join(root, name)) as [string, string, string];
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin], { env });
    for (const folder of [one, two])
      execFileSync('git', ['clone', '--quiet', origin, folder], { env, stdio: 'ignore' });
    service = new Service();
    [ann, ben] = [new Repository(service, one), new Repository(service, two)];
    assert.equal((await ann.clone.pull()).kind, 'pulled');
    ann.git('checkout', '--quiet', '-b', 'main');
    ann.publish('Map the template');
    assert.equal(ben.pull(), 0);
  });
  afterEach(() => removeScratch(root));

  it('shares the base with a colleague, whose clone has no changes until they edit', async () => {
    assert.deepEqual(await ben.clone.getChanges(), {});
    ben.clone.edit('body', (text) => text.replace('three', 'THREE'));
    assert.deepEqual(await ben.clone.getChanges(), { body: 'push' });
    assert.equal((await ben.clone.push()).kind, 'stored');
    assert.match(service.texts['body'] ?? '', /^THREE$/mu);
  });

  it('merges the pushes of both after Git conflicts in a text and in the lock', async () => {
    ann.clone.edit('body', (text) => text.replace('one', 'one of Ann'));
    assert.equal((await ann.clone.push()).kind, 'stored');
    ann.publish('One of Ann');

    // Ben's clone doesn't have Ann's pushed change yet.
    ben.clone.edit('body', (text) => text.replace('one', 'one of Ben').replace('five', 'five of Ben'));
    ben.commit('One and five of Ben');
    assert.equal((await ben.clone.push()).kind, 'newer', 'The service has changed: it has to be pulled first.');
    assert.equal(service.stored.length, 1);

    assert.notEqual(ben.pull(), 0, 'The same line was changed.');
    assert.match(ben.clone.read('body'), /^<{7} [^]*^={7}$[^]*^>{7} /mu);
    assert.equal((await ben.clone.push()).kind, 'unresolved', 'Nothing with marks goes out.');
    ben.clone.edit('body', (text) => text.replace(/^<{7} .*\n([^]*?)^={7}\n[^]*?^>{7} .*\n/mu, '$1'));
    assert.deepEqual(await ben.clone.getChanges(), { body: 'push' });
    assert.equal((await ben.clone.push()).kind, 'stored');
    ben.publish('Merge');
    assert.equal(ann.pull(), 0);

    assert.equal(service.texts['body'], 'one of Ben\ntwo\nthree\nfour\nfive of Ben');
    for (const { clone } of [ann, ben]) assert.deepEqual(await clone.getChanges(), {});
  });

  it('merges locks in which each side changed another field', async () => {
    ann.clone.edit('body', (text) => text.replace('one', 'one of Ann'));
    assert.equal((await ann.clone.push()).kind, 'stored');
    ann.publish('Body');
    ben.clone.edit('stylesheet', (text) => text.replace('red', 'green'));
    assert.equal((await ben.clone.push()).kind, 'newer', 'What Ann pushed is pulled first.');
    await ben.clone.pull();
    assert.equal((await ben.clone.push()).kind, 'stored');
    ben.commit('Stylesheet');
    ben.pull();
    if (ben.clone.disk.files.get(lockName)?.includes('<<<<<<<')) ben.commit('Merge, with the lock as git left it');
    assert.equal(ben.git('push', '--quiet', 'origin', 'main'), 0);
    assert.equal(ann.pull(), 0);
    for (const { clone } of [ann, ben]) {
      await clone.pull();
      assert.deepEqual(await clone.getChanges(), {});
      for (const field of ['body', 'stylesheet']) assert.equal(clone.read(field).trimEnd(), service.texts[field]);
    }
    assert.equal(service.texts['stylesheet'], 'p { color: green }');
    assert.match(service.texts['body'] ?? '', /^one of Ann/u);
  });
});
