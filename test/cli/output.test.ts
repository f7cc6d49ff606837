import assert from 'node:assert/strict';
import { CommandLine } from '../support/commandLine.ts';

const key = 'test-key-0123456789abcdef';

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
});
