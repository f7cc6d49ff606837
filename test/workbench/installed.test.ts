import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { startServer, writeUserSettings } from '../../scripts/lib/server.mjs';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { openInstallation, type Installation } from '../support/installation.ts';

/** Returns the arguments of all processes on this computer, which any user can read. */
function argumentsOfAll() {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((id) => {
      try {
        return [readFileSync(join('/proc', id, 'cmdline'), 'utf8').replaceAll('\0', ' ')];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

describe('The installed package', () => {
  let installation: Installation;
  before(async () => {
    installation = await openInstallation();
  });
  after(() => installation?.close());

  it('contains the licenses of its libraries', () => {
    const folder = readdirSync(installation.extensionsDir).find((name) =>
      name.startsWith('mailing-studio.mailing-studio-'),
    );
    assert.ok(folder);
    const notices = readFileSync(join(installation.extensionsDir, folder, 'THIRD-PARTY-NOTICES'), 'utf8');
    const undici = readFileSync(join(root, 'node_modules', 'undici', 'package.json'), 'utf8');
    const { version } = JSON.parse(undici) as { readonly version: string };
    assert.ok(notices.includes(`\n\nundici ${version} (MIT)\n\n`));
    const others = ['valibot', 'parse5', 'papaparse', 'nodemailer', 'jsonc-parser', '@vscode/webview-ui-toolkit'];
    for (const name of others) {
      assert.match(notices, new RegExp(`^${name} \\d[^(\\n]* \\([^)]+\\)$`, 'mu'));
    }
  });

  it('is opened with a token that no other user of this computer can see', async function () {
    if (process.platform === 'win32') this.skip();
    const dataDir = makeScratch();
    try {
      writeUserSettings(dataDir, {});
      const { processes, main, extensionsDir } = installation;
      const server = await startServer(processes, { main, dataDir, extensionsDir });
      try {
        const all = argumentsOfAll();
        assert.ok(all.some((one) => one.includes(dataDir)));
        assert.deepEqual(
          all.filter((one) => one.includes(server.token)),
          [],
        );
        assert.ok(!existsSync(join(dataDir, 'connection-token')));
        // It is the token nevertheless.
        assert.equal((await fetch(server.origin, { redirect: 'manual' })).status, 403);
        assert.ok((await fetch(server.url({}), { redirect: 'manual' })).status < 400);
      } finally {
        await server.end();
      }
    } finally {
      removeScratch(dataDir);
    }
  });
});
