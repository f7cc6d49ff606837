import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Place } from '../../../src/folders/place.ts';

describe('A folder that links must not lead out of', () => {
  let outside: string;
  let root: string;
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    outside = mkdtempSync(join(tmpdir(), 'mailing-place-'));
    root = join(outside, 'root');
    mkdirSync(join(root, 'emails'), { recursive: true });
    for (const path of ['root/emails/plain.html', 'root/emails/inner.html', 'secret.html']) writeFileSync(join(outside, path), '');
  });
  afterEach(() => rmSync(outside, { recursive: true, force: true }));
  const check = (path: string): Promise<void> => new Place(root).check(join(root, path), path);

  it('has its files, those that are not there yet, and those that links in it lead to', async () => {
    symlinkSync(join(root, 'emails/inner.html'), join(root, 'emails/link.html'));
    for (const path of ['emails/plain.html', 'emails/new.html', 'new/deep/file.html', 'emails/link.html']) await check(path);
  });

  it('has no file that is a link out of it, or is in one', async () => {
    symlinkSync(join(outside, 'secret.html'), join(root, 'emails/link.html'));
    symlinkSync(outside, join(root, 'out'));
    for (const path of ['emails/link.html', 'out/secret.html', 'out/new.html', '../secret.html']) {
      await assert.rejects(check(path), { message: `${path} leads out of the workspace folder.` });
    }
  });
});
