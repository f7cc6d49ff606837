import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { CommandLine } from '../support/commandLine.ts';

const key = 'test-key-0123456789abcdef';
const env = { GITHUB_ACTIONS: 'true' };
const command = /^\s*::|##\[/mu;

describe('the output of mailing', () => {
  let mailing: CommandLine;
  before(async () => {
    mailing = await CommandLine.build();
  });
  afterEach(() => mailing.clear());
  after(() => mailing.dispose());

  it('never repeats what may be a key in a mistyped option or command', async () => {
    for (const args of [
      ['push', `--key=${key}`],
      ['push', `--key${key}`],
      ['push', `-k${key}`],
      ['push', `--api-key=a'b${key}`],
      ['push', '--json', `-k=${key}`],
      ['check', `--profile=${key}`],
      ['check', '--format', key],
      ['check', `-f${key}`],
      ['check', '--max-warnings', key],
      [key],
      [`--key=${key}`],
      ['help', key],
    ]) {
      const { code, stdout, stderr } = await mailing.run(args);
      assert.ok(code === 2 || args[0] === 'help', `${args}`);
      assert.doesNotMatch(stdout + stderr, /0123|test-key/u, `${args}`);
    }
    assert.match((await mailing.run(['push', `--key=${key}`])).stderr, /^error: unknown option '--key…'\n/u);
    const similar = await mailing.run(['push', '--allow-protectd']);
    assert.match(similar.stderr, /unknown option '--allow-protectd'\n\(Did you mean --allow-protected\?\)/u);
    const choice = await mailing.run(['check', '--profile', 'acymaling']);
    assert.match(choice.stderr, /argument 'acymaling' is invalid\. Allowed choices are documented, acymailing\./u);
  });

  it('contains no commands of GitHub Actions but its own', async function () {
    if (process.platform === 'win32') return this.skip();
    const name = '##[error]a.html';
    const text = '<img src="a.png"><p>\n::set-output name=a::b\r\u00A0::add-mask::x\u0085::debug::x ##[error]x</p>';
    mailing.write({ [name]: text, '::add-mask::x/mailing.json': '{' });
    for (const args of [
      ['sent', name],
      ['sent', name, '--text', '--profile', 'acymailing'],
      ['format', name],
      ['format', '--check', name],
      ['check', '--format', 'stylish', name],
      ['check', '--format', 'json', name],
      ['check', '--verbose', '--format', 'junit', name],
      ['check', '--config', '::add-mask::x/mailing.json', name],
      ['check', '--config', '##[error]x', name],
      ['check', '##[error]x'],
      ['push', '##[error]x'],
    ]) {
      const { stdout, stderr } = await mailing.run(args, { env });
      assert.notEqual(stdout + stderr, '');
      assert.doesNotMatch(stdout, command, `${args}`);
      assert.doesNotMatch(stderr, command, `${args}`);
    }
    const annotated = await mailing.run(['check', name], { env });
    assert.match(annotated.stdout, /^::(?:error|warning|notice) file=[^:]*error\]a\.html,line=1/mu);
    assert.doesNotMatch(annotated.stdout, /##\[/u);
  });

  it('is the text itself outside of a log', async function () {
    if (process.platform === 'win32') return this.skip();
    const text = '<p>\n::before ##[x]</p>\n';
    mailing.write({ 'a.html': text });
    const piped = (await mailing.run(['sent', 'a.html'])).stdout;
    assert.match(piped, /^::before ##\[x\]/mu);
    execFileSync('sh', ['-c', `"${process.execPath}" "${mailing.main}" sent a.html > b.html`], {
      cwd: mailing.folder,
      env: { PATH: process.env['PATH'], ...env },
    });
    assert.equal(mailing.read('b.html'), piped);
  });

  it('leaves files alone that no mapping can name', async function () {
    if (process.platform === 'win32') return this.skip();
    mailing.write({ 'b:c.html': '<p>', 'in/a~1.htm': '<p>', 'in/a.html': '<img src="a.png">' });
    for (const args of [['.'], ['in'], ['**/*.htm*']]) {
      const { code, stdout, stderr } = await mailing.run(['check', ...args, '--quiet']);
      assert.deepEqual([code, /^in\/a\.html$/mu.test(stdout)], [1, true], stderr);
      assert.match(stderr, /^Left in\/a~1\.htm alone: /mu);
      assert.equal(/^Left b:c\.html alone: /mu.test(stderr), args[0] !== 'in');
    }
    assert.equal((await mailing.run(['check', 'b:c.html'])).code, 2);
  });
});
