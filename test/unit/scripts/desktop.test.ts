import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktopVersion, quoteForWindows } from '../../../scripts/lib/desktop.mjs';
import { makeTestExtension } from '../../../scripts/lib/integration.mjs';
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
});
