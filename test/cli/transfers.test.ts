import assert from 'node:assert/strict';
import { existsSync, symlinkSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { removeScratch } from '../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import { CommandLine, type RunOptions } from '../support/commandLine.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/index.ts';
import { listen } from '../support/listen.ts';

const key = 'test-key-0123456789abcdef';

interface JsonReport {
  readonly templates: readonly { readonly folder: string; readonly state: string; readonly fields?: unknown }[];
}

describe('mailing status, diff, pull and push', () => {
  let mailing: CommandLine;
  let sandbox: Sandbox;
  let client: MailingClient;
  let id: number;

  before(async () => {
    mailing = await CommandLine.build();
    sandbox = await startSandbox({ assets: 'media/starters', apiKey: key });
    client = new MailingClient({ ...sandbox, apiKey: key });
  });
  beforeEach(async () => {
    sandbox.faults.clear();
    mailing.clear();
    ({ templateId: id } = await client.createTemplate({ name: 'Welcome', subject: 'Hello', body: '<p>one</p>' }));
    configure();
  });
  after(async () => {
    await client.close();
    await sandbox.close();
    mailing.dispose();
  });

  const configure = (connection: object = { baseUrl: sandbox.baseUrl, profile: 'documented' }) =>
    mailing.write({
      'mailing.json': JSON.stringify({
        connections: { production: connection },
        templates: [{ folder: 'emails/welcome', ids: { production: id } }],
      }),
    });
  const run = (args: readonly string[], options: RunOptions = {}) =>
    mailing.run(args, { ...options, env: { MAILING_API_KEY: key, ...options.env } });
  const edit = (body: string) => mailing.write({ 'emails/welcome/body.html': body });
  const getBody = async () => (await client.getOneTemplate(id)).body;
  const state = async (...args: readonly string[]) => {
    const { stdout } = await run([...args, '--json']);
    return (JSON.parse(stdout) as JsonReport).templates[0]?.state;
  };

  it('pulls, shows differences, and pushes exactly the changed fields', async () => {
    const dry = await run(['pull', '--dry-run']);
    assert.equal(dry.code, 0);
    assert.equal(mailing.read('.mailing/.gitignore'), '*\n');
    assert.match(dry.stdout, /would be pulled/u);
    assert.ok(!existsSync(join(mailing.folder, 'emails/welcome/body.html')));
    assert.equal((await run(['pull'])).code, 0);
    assert.equal(mailing.read('emails/welcome/body.html'), '<p>one</p>');
    assert.equal((await run(['status'])).code, 0);
    edit('<p>two</p>');
    const status = await run(['status']);
    assert.deepEqual([status.code, status.stdout], [1, `emails/welcome → production #${id}  push  body (push)\n`]);
    const diff = await run(['diff', 'emails']);
    assert.equal(diff.code, 1);
    assert.match(diff.stdout, /^--- emails\/welcome\/body\.html\tproduction\n[^]*^-<p>one<\/p>[^]*^\+<p>two<\/p>/mu);
    const before = mailing.read('mailing.lock.json');
    const dryPush = await run(['push', '--dry-run']);
    assert.equal(dryPush.code, 0);
    assert.match(dryPush.stdout, /^\+<p>two<\/p>[^]*would be pushed {2}body/mu);
    assert.deepEqual([await getBody(), mailing.read('mailing.lock.json')], ['<p>one</p>', before]);
    const pushed = await run(['push']);
    assert.deepEqual([pushed.code, pushed.stdout], [0, `emails/welcome → production #${id}  pushed  body\n`]);
    assert.deepEqual([await getBody(), await state('status')], ['<p>two</p>', 'same']);
    assert.notEqual(mailing.read('mailing.lock.json'), before);
  });

  it('refuses to push over a change that was not pulled, and conflicts', async () => {
    await run(['pull']);
    await client.updateTemplate({ templateId: id, body: '<p>theirs</p>' });
    edit('<p>mine</p>');
    const refused = await run(['push']);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /refused {2}body {2}The service has newer changes\. Pull first\./u);
    assert.equal(await getBody(), '<p>theirs</p>');
    assert.equal((await run(['pull'])).code, 1);
    assert.match(mailing.read('emails/welcome/body.html'), /^<<<<<<< folder$/mu);
    assert.match((await run(['push'])).stdout, /Resolve its conflicts first/u);
    assert.equal(await getBody(), '<p>theirs</p>');
  });

  describe('in a repository with branches', () => {
    const commit = async (...paths: readonly string[]) => {
      await mailing.git('add', ...paths);
      await mailing.git('commit', '-qm', 'Change');
    };
    beforeEach(async () => {
      await run(['pull']);
      mailing.write({ '.gitignore': '.mailing\n' });
      await mailing.git('init', '-q', '-b', 'main');
      await commit('.');
      await mailing.git('branch', 'feature');
    });

    it('never pushes an older branch with the lock of a newer one', async () => {
      await client.updateTemplate({ templateId: id, body: '<p>theirs</p>' });
      await run(['pull']);
      await commit('emails');
      await mailing.git('checkout', '-q', 'feature');
      assert.equal(mailing.read('emails/welcome/body.html'), '<p>one</p>');
      assert.equal(await state('status'), 'pull');
      const { code, stdout } = await run(['push']);
      assert.deepEqual([code, await getBody()], [1, '<p>theirs</p>'], stdout);
      assert.match(stdout, /refused {2}body {2}The files are older than the texts on the service\. Pull first\.$/mu);
    });

    it('pushes a revert, whose text is older, because its history has the newer one', async () => {
      edit('<p>two</p>');
      await run(['push']);
      await commit('.');
      edit('<p>one</p>');
      await commit('.');
      const { code, stdout } = await run(['push']);
      assert.deepEqual([code, await getBody()], [0, '<p>one</p>'], stdout);
    });

    it("pushes only commits that come from the lock's text, in a clone without earlier versions", async () => {
      edit('<p>two</p>');
      await run(['push']);
      await commit('emails');
      await commit('mailing.lock.json');
      edit('<p>three</p>');
      await commit('emails');
      removeScratch(join(mailing.folder, '.mailing'));
      assert.equal(await state('push', '--dry-run'), 'would be pushed');

      await mailing.git('checkout', '-q', 'feature');
      edit('<p>one</p><p>mine</p>');
      await commit('emails');
      await mailing.git('cherry-pick', 'main~1');
      const { code, stdout } = await run(['push']);
      assert.deepEqual([code, await getBody()], [1, '<p>two</p>'], stdout);
      assert.match(stdout, /refused {2}body {2}mailing\.lock\.json has no state that these files come from\./u);
    });
  });

  describe('with a built output', () => {
    const writeAt = (file: string, text: string, minutes: number) => {
      mailing.write({ [file]: text });
      const time = new Date(Date.now() + minutes * 60_000);
      utimesSync(join(mailing.folder, file), time, time);
    };
    beforeEach(async () => {
      const template = { folder: 'emails/welcome', source: ['welcome.mjml'], output: 'dist/welcome.html' };
      mailing.write({
        'mailing.json': JSON.stringify({
          connections: { production: { baseUrl: sandbox.baseUrl, profile: 'documented' } },
          templates: [{ ...template, ids: { production: id } }],
        }),
        '.gitignore': '.mailing\n',
      });
      writeAt('welcome.mjml', 'one', -20);
      writeAt('dist/welcome.html', '<p>one</p>', -10);
      await run(['pull']);
      writeAt('dist/welcome.html', '<p>old build</p>', -10);
    });

    it('refuses one that is older than its source, and pushes the next build', async () => {
      writeAt('welcome.mjml', 'two', -5);
      const { code, stdout } = await run(['push']);
      assert.deepEqual([code, await getBody()], [1, '<p>one</p>'], stdout);
      assert.match(stdout, /dist\/welcome\.html is older than welcome\.mjml\. Build it and push again\./u);
      writeAt('dist/welcome.html', '<p>two</p>', 0);
      assert.deepEqual([(await run(['push'])).code, await getBody()], [0, '<p>two</p>']);
    });

    it('takes a committed one, which a checkout may write before its source', async () => {
      await mailing.git('init', '-q', '-b', 'main');
      // Git may take a file of the same size and time as unchanged.
      for (const build of ['<p>one</p>', '<p>second</p>']) {
        writeAt('dist/welcome.html', build, -10);
        await mailing.git('add', '.');
        await mailing.git('commit', '-qm', 'Build');
      }
      writeAt('welcome.mjml', 'one', 0);
      const { code, stdout } = await run(['push']);
      assert.deepEqual([code, await getBody()], [0, '<p>second</p>'], stdout);
    });
  });

  it('pushes to a protected connection only with --allow-protected', async () => {
    configure({ baseUrl: sandbox.baseUrl, profile: 'documented', protected: true });
    await run(['pull']);
    edit('<p>two</p>');
    const refused = await run(['push']);
    assert.deepEqual([refused.code, await getBody()], [1, '<p>one</p>']);
    assert.equal((await run(['push', '--allow-protected'])).code, 0);
    assert.equal(await getBody(), '<p>two</p>');
  });

  it('reports a push without a response as unconfirmed, and never repeats it automatically', async () => {
    await run(['pull']);
    edit('<p>two</p>');
    const lock = mailing.read('mailing.lock.json');
    const late = sandbox.faults.add({ kind: 'late', operation: 'updateTemplate', times: 1 });
    const push = await run(['push']);
    assert.equal(push.code, 1, push.stderr);
    assert.match(push.stdout, /unconfirmed/u);
    assert.equal(mailing.read('mailing.lock.json'), lock);
    assert.equal(mailing.read('.mailing/.gitignore'), '*\n');
    assert.match((await run(['status'])).stdout, /Unconfirmed push: body/u);
    const again = await run(['push']);
    assert.deepEqual([again.code, await getBody()], [1, '<p>one</p>']);
    assert.match(again.stdout, /unconfirmed {2}body/u);
    late.land();
    assert.deepEqual([await getBody(), await state('push')], ['<p>two</p>', 'same']);
    edit('<p>three</p>');
    assert.equal((await run(['push'])).code, 0);
    edit('<p>four</p>');
    assert.equal((await run(['push'])).code, 0);
    assert.equal(await getBody(), '<p>four</p>');
  });

  it('pushes a corrected text after the service refused one', async () => {
    await run(['pull']);
    edit('<p>two</p>');
    sandbox.faults.add({ kind: 'status', status: 422, operation: 'updateTemplate', times: 1 });
    const refused = await run(['push']);
    assert.equal(refused.code, 2, refused.stdout);
    assert.equal((await run(['status'])).stdout, `emails/welcome → production #${id}  push  body (push)\n`);
    edit('<p>three</p>');
    assert.equal(await state('push'), 'pushed');
    assert.equal(await getBody(), '<p>three</p>');
  });

  it('confirms a push whose response was lost if the service shows the text', async () => {
    await run(['pull']);
    edit('<p>two</p>');
    sandbox.faults.add({ kind: 'lostAnswer', operation: 'updateTemplate', times: 1 });
    assert.equal((await run(['push'])).code, 0);
    assert.equal(await getBody(), '<p>two</p>');
    const { requests } = sandbox;
    assert.equal(
      requests.filter(
        ({ operation, body }) => operation === 'updateTemplate' && JSON.stringify(body).includes(`:${id},`),
      ).length,
      1,
    );
  });

  it('lets only one of two pushes run', async () => {
    await run(['pull']);
    edit('<p>two</p>');
    const slow = sandbox.faults.add({ kind: 'slow', operation: 'updateTemplate', bytes: 4, intervalMs: 100 });
    const [one, other] = await Promise.all([run(['push']), run(['push'])]);
    slow.remove();
    const codes = [one.code, other.code].sort();
    assert.ok(codes[0] === 0 && (codes[1] === 0 || codes[1] === 1), `${one.stderr}${other.stderr}`);
    assert.equal(await getBody(), '<p>two</p>');
    assert.equal(await state('status'), 'same');
    // A crashed push doesn't block the next one.
    mailing.write({ '.mailing/pushing.json': JSON.stringify({ pid: 2 ** 22 + 1, host: 'x', at: 0 }) });
    edit('<p>three</p>');
    assert.equal((await run(['push'])).code, 0);
  });

  it('pushes nothing if nothing is mapped to one of the named folders', async () => {
    await run(['pull']);
    edit('<p>two</p>');
    const { code, stdout, stderr } = await run(['push', 'emails', 'emails/wellcome']);
    assert.deepEqual([code, stdout, await getBody()], [2, '', '<p>one</p>']);
    assert.match(stderr, /^No template of "production" is mapped to emails\/wellcome\.$/mu);
    assert.deepEqual([(await run(['push', './emails/', '.'])).code, await getBody()], [0, '<p>two</p>']);
  });

  it('reads the key from the environment, and never prints it', async () => {
    edit(`<p>${key}</p>`);
    const missing = await mailing.run(['status']);
    assert.deepEqual([missing.code, missing.stderr.split('\n')[0]], [2, 'There is no key for "production".']);
    const own = await mailing.run(['diff'], { env: { MAILING_API_KEY: 'wrong', MAILING_API_KEY_PRODUCTION: key } });
    assert.equal(own.code, 1, own.stderr);
    assert.ok(!`${own.stdout}${own.stderr}`.includes(key));
    const wrong = await mailing.run(['status'], { env: { MAILING_API_KEY: 'wrong-key-0123456789' } });
    assert.equal(wrong.code, 2);
    assert.ok(!`${wrong.stdout}${wrong.stderr}`.includes('wrong-key'));
  });

  it('sends a key only over HTTPS or to this computer, and to the address of the trusted branch', async () => {
    const plain = await run(['status', '--url', 'http://shop.example']);
    assert.deepEqual([plain.code, plain.stderr.split('\n').length], [2, 3]);
    await mailing.git('init', '-q');
    await mailing.git('add', 'mailing.json');
    await mailing.git('commit', '-qm', 'One');
    assert.equal((await run(['pull', '--trusted-ref', 'main'])).code, 0);
    const before = sandbox.requests.length;
    const other = await run(['status', '--trusted-ref', 'main', '--url', `${sandbox.baseUrl}/other`]);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /The key wasn't sent/u);
    assert.equal(sandbox.requests.length, before);
    assert.equal((await run(['status', '--trusted-ref', '--upload-pack=x'])).code, 2);
    // A folder of a branch that looks like a repository has no trusted revisions.
    await mailing.git('clone', '-q', '--bare', '.', 'copy');
    mailing.write({ 'copy/mailing.json': mailing.read('mailing.json') });
    const nested = await run(['status', '--trusted-ref', 'main'], { cwd: 'copy' });
    assert.deepEqual([nested.code, sandbox.requests.length], [2, before], nested.stderr);
  });

  it('explains services that answer with something else in two lines', async () => {
    const server = createServer((_, response) => response.end('<html>Hello</html>'));
    const url = `http://127.0.0.1:${await listen(server)}`;
    try {
      for (const args of [
        ['status', '--url', url],
        ['status', '--url', 'http://127.0.0.1:9'],
        ['status', '--connection', 'staging'],
      ]) {
        const { code, stderr, stdout } = await run(args);
        assert.equal(code, 2, `${stderr}${stdout}`);
        assert.doesNotMatch(`${stderr}${stdout}`, /\n +at /u);
      }
    } finally {
      server.close();
    }
  });

  it('prints texts of emails as text, on terminals and in GitHub Actions', async () => {
    await run(['pull']);
    edit('<p>one</p>\n::stop-commands::x\n<img src="\u001B]0;x\u0007&#10;::add-mask::x">\n##[error]x');
    const { stderr, stdout } = await run(['push'], { env: { GITHUB_ACTIONS: 'true' } });
    assert.match(stderr, /local images: +\]0;x ::add-mask::x$/mu);
    assert.match(stdout, /pushed/u);
    edit('<p>two</p>\n::stop-commands::x\n<img src="\u001B]0;x\u0007&#10;::add-mask::x">\n##[error]x');
    const diff = await run(['diff'], { env: { GITHUB_ACTIONS: 'true' } });
    assert.match(diff.stdout, /^ \uFFFD:stop-commands::x$/mu);
    assert.doesNotMatch(diff.stdout, /^\s*::|##\[/mu);
    assert.ok(!diff.stdout.includes('\u001B'));
    assert.match((await run(['diff'])).stdout, /^ ::stop-commands::x$/mu);
  });

  it('says that another push is running, even with --quiet', async () => {
    const claim = { pid: process.pid, host: hostname(), at: Date.now() };
    mailing.write({ '.mailing/pushing.json': JSON.stringify(claim) });
    const { code, stderr } = await run(['push', '--quiet']);
    assert.deepEqual([code, /^Another push of this folder is running\./u.test(stderr)], [1, true], stderr);
  });

  it('sends nothing that it cannot record first', async () => {
    await run(['pull']);
    edit('<p>two</p>');
    mailing.write({ '.mailing/sent': 'a file' });
    const { code, stdout } = await run(['push']);
    assert.deepEqual([code, await getBody()], [2, '<p>one</p>'], stdout);
    assert.match(stdout, /failed {2}Couldn't record the request, so nothing was sent\. Couldn't write .+sent/u);
    assert.equal(await state('status'), 'push');
  });

  it('rejects a state folder that is a link', async () => {
    await run(['pull']);
    edit('<p>two</p>');
    mailing.write({ 'elsewhere/x': '' });
    removeScratch(join(mailing.folder, '.mailing'));
    symlinkSync(join(mailing.folder, 'elsewhere'), join(mailing.folder, '.mailing'));
    for (const command of ['push', 'status']) {
      const { code, stderr } = await run([command]);
      assert.deepEqual([code, /is a link/u.test(stderr)], [2, true], stderr);
    }
    assert.equal(await getBody(), '<p>one</p>');
    assert.ok(!existsSync(join(mailing.folder, 'elsewhere/versions')));
  });
});
