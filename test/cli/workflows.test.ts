import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MailingClient } from '../../src/service/client/index.ts';
import { CommandLine, type Run } from '../support/commandLine.ts';
import { read } from '../support/manifest.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/index.ts';

const key = 'test-key-0123456789abcdef';

describe('docs/ci.md and the action', function () {
  let mailing: CommandLine;
  let sandbox: Sandbox;

  before(async function () {
    if (process.platform === 'win32') return this.skip();
    mailing = await CommandLine.build();
    sandbox = await startSandbox({ assets: 'media/starters', apiKey: key });
    const client = new MailingClient({ ...sandbox, apiKey: key });
    const { templateId } = await client.createTemplate({ name: 'Welcome', subject: 'Hello', body: '<p>one</p>' });
    await client.close();
    mailing.write({
      'mailing.json': JSON.stringify({
        connections: { production: { baseUrl: sandbox.baseUrl, profile: 'documented', protected: true } },
        templates: [{ folder: 'emails/welcome', ids: { production: templateId } }],
      }),
      // The built command instead of the published package.
      'bin/mailing': `#!/bin/sh\nexec "${process.execPath}" "${mailing.main}" "$@"\n`,
      'bin/npm': '#!/bin/sh\necho "$*" >> installed\n',
    });
    for (const name of ['mailing', 'npm']) chmodSync(join(mailing.folder, 'bin', name), 0o755);
    mkdirSync(join(mailing.folder, 'temp/mailing/node_modules'), { recursive: true });
    symlinkSync(join(mailing.folder, 'bin'), join(mailing.folder, 'temp/mailing/node_modules/.bin'));
    await mailing.git('init', '-q');
    await mailing.git('config', 'user.name', 'Test');
    await mailing.git('config', 'user.email', 'test@example.com');
    const pulled = await mailing.run(['pull'], { env: { MAILING_API_KEY: key } });
    assert.equal(pulled.code, 0, pulled.stderr);
    await mailing.git('add', '.');
    await mailing.git('commit', '-qm', 'One');
    await mailing.git('init', '-q', '--bare', 'remote.git');
    await mailing.git('remote', 'add', 'origin', join(mailing.folder, 'remote.git'));
    await mailing.git('push', '-qu', 'origin', 'main');
    mailing.write({ 'emails/welcome/body.html': '<p>two</p><img src="a.png">' });
    await mailing.git('commit', '-qam', 'Two');
  });
  after(async () => {
    await sandbox?.close();
    mailing?.dispose();
  });

  /** Runs a script as CI does. */
  const runScript = (script: string, env: Readonly<Record<string, string>> = {}): Promise<Run> =>
    new Promise((resolve) => {
      const { PATH = '', HOME = '' } = process.env;
      const options = { cwd: mailing.folder, env: { HOME, ...env, PATH: `${join(mailing.folder, 'bin')}:${PATH}` } };
      execFile('bash', ['-c', script], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  it('annotate the problems of changed emails, and write the reports', async () => {
    const action = read('action/action.yml');
    const script = action.slice(action.indexOf('run: |\n') + 'run: |\n'.length).replaceAll(/^ {8}/gmu, '');
    const env = {
      FILES: '',
      BASE: 'origin/main',
      SARIF: 'out.sarif',
      REPORT: 'true',
      VERSION: '1',
      RUNNER_TEMP: join(mailing.folder, 'temp'),
    };
    const summary = { GITHUB_STEP_SUMMARY: join(mailing.folder, 'summary.md') };
    const failed = await runScript(script, { ...env, ...summary, FAIL_LEVEL: 'warning' });
    assert.equal(failed.code, 1, failed.stderr);
    assert.match(failed.stdout, /^::warning file=emails\/welcome\/body\.html,line=1/mu);
    assert.match(readFileSync(summary.GITHUB_STEP_SUMMARY, 'utf8'), /^\| warning \|/mu);
    assert.match(mailing.read('out.sarif'), /"version": "2\.1\.0"/u);
    assert.match(mailing.read('installed'), /--prefix [^ ]*\/temp\/mailing mailing-studio@1\n/u);
    const passed = await runScript(script, { ...env, ...summary, FAIL_LEVEL: 'error', FILES: 'emails/*/*.html' });
    assert.equal(passed.code, 0, passed.stderr);
  });

  it('check without a key, then push and commit the lock file', async () => {
    const [, shell = ''] = /## Any other CI\n\n```sh\n([^]*?)```/u.exec(read('docs/ci.md')) ?? [];
    const [install = '', check = '', push = '', ...commit] = shell
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const checked = await runScript(`${install}\n${check}`);
    assert.equal(checked.code, 1, checked.stderr);
    const pushed = await runScript([push, ...commit].join('\n'), { MAILING_API_KEY_PRODUCTION: key });
    assert.equal(pushed.code, 0, pushed.stderr + pushed.stdout);
    assert.match(pushed.stdout, /pushed {2}body/u);
    assert.match(
      await mailing.git('log', '-1', '--format=%s', '--name-only'),
      /^Push emails\n\nmailing\.lock\.json$/mu,
    );
    assert.equal(await mailing.git('rev-parse', 'origin/main'), await mailing.git('rev-parse', 'main'));
  });

  it('push with the workflows for GitHub and GitLab', async () => {
    const commands = [...read('docs/ci.md').matchAll(/^ +- (?:run: )?(mailing push .*)$/gmu)].map(
      ([, line]) => line ?? '',
    );
    assert.equal(commands.length, 2);
    for (const command of commands) {
      const pushed = await runScript(command, { MAILING_API_KEY_PRODUCTION: key });
      assert.equal(pushed.code, 0, pushed.stderr + pushed.stdout);
    }
    const [quality = ''] = /mailing .*--format gitlab.*/u.exec(read('docs/ci.md')) ?? [];
    assert.equal((await runScript(quality)).code, 1);
    assert.match(mailing.read('quality.json'), /"check_name": "image-alt"/u);
  });
});
