import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktopVersion, quoteForWindows } from '../../../scripts/lib/desktop.mjs';
import { makeTestExtension, runInDesktop } from '../../../scripts/lib/integration.mjs';
import { Processes } from '../../../scripts/lib/processes.mjs';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { readJson } from '../../support/manifest.ts';

describe('Desktop VS Code', () => {
  it('is the oldest version that package.json allows, the newest one, or a given one', () => {
    const { engines } = readJson<{ readonly engines: { readonly vscode: string } }>('package.json');
    assert.match(desktopVersion('oldest', engines.vscode), /^1\.\d+\.\d+$/u);
    assert.ok(engines.vscode.endsWith(desktopVersion('oldest', engines.vscode)));
    assert.equal(desktopVersion(undefined, engines.vscode), 'stable');
    assert.equal(desktopVersion('1.110.0', engines.vscode), '1.110.0');
  });

  it('gets its arguments whole on Windows, where its command is a batch file', () => {
    const [, ...args] = quoteForWindows('C:\\Program Files\\Code & more\\bin\\code.cmd', [
      '--user-data-dir',
      'D:\\a b',
    ]);
    assert.deepEqual(args, [
      '/d',
      '/s',
      '/c',
      '""C:\\Program Files\\Code & more\\bin\\code.cmd" "--user-data-dir" "D:\\a b""',
    ]);
  });

  it('loads an extension without code for the tests of an installed one', () => {
    const folder = makeScratch();
    const manifest = JSON.parse(readFileSync(join(makeTestExtension(folder), 'package.json'), 'utf8')) as object;
    assert.ok(!('main' in manifest) && !('activationEvents' in manifest) && 'engines' in manifest);
    removeScratch(folder);
  });

  it('installs the package in a profile of its own, and tests it there', async function () {
    // A shell script in place of VS Code.
    if (process.platform === 'win32') this.skip();
    const folder = makeScratch();
    const log = join(folder, 'log.txt');
    const result = join(folder, 'result.json');
    mkdirSync(join(folder, 'bin'));
    for (const [name, more] of [
      ['code', `echo '{"passed":1,"failed":0}' > "$MAILING_STUDIO_TEST_RESULT"`],
      ['bin/code', ''],
    ] as const) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> '${log}'\n${more}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const { VSCODE_PATH } = process.env;
    process.env['VSCODE_PATH'] = join(folder, 'code');
    const processes = new Processes();
    try {
      assert.equal(await runInDesktop(processes, { result, runner: '/run.mjs', vsix: '/a.vsix' }), 0);
      assert.equal(readFileSync(result, 'utf8').trim(), '{"passed":1,"failed":0}');
      const [installing = '', testing = ''] = readFileSync(log, 'utf8').trim().split('\n');
      const profile = /--user-data-dir (\S+) --extensions-dir (\S+)/u;
      assert.match(installing, /^bin\/code .*--install-extension \/a\.vsix --force$/u);
      assert.deepEqual(profile.exec(installing)?.slice(1), profile.exec(testing)?.slice(1));
      assert.match(testing, /^code .*\.code-workspace .*--extensionTestsPath=\/run\.mjs/u);
      assert.ok(!testing.includes('--disable-extensions'));
      const loaded = /--extensionDevelopmentPath=(\S+)/u.exec(testing)?.[1];
      assert.ok(loaded && !existsSync(loaded), 'The profile is removed.');
    } finally {
      if (VSCODE_PATH === undefined) delete process.env['VSCODE_PATH'];
      else process.env['VSCODE_PATH'] = VSCODE_PATH;
      await processes.end();
      removeScratch(folder);
    }
  });
});
