import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { folder, run, formatMessages, useMapped } from './fixtures.ts';

describe('mapped folder', () => {
  const { service, entry, mine, stored } = useMapped('emails/letter', { name: 'Letter', body: '<p>one</p>' });
  let scratch: string;
  let outside: string;
  const diagnostics = () =>
    vscode.languages
      .getDiagnostics(folder.uri('mailing.json'))
      .filter(({ source }) => source === 'Mailing Studio')
      .map(({ message }) => message);

  beforeEach(async () => {
    scratch = makeScratch();
    outside = join(scratch, 'outside');
    await folder.map({ templates: [entry()] });
  });
  afterEach(() => removeScratch(scratch));

  it('says how to map a file if there is no mailing.json, also for a build', async () => {
    await folder.clear();
    for (const command of ['build', 'refresh', 'push']) {
      const shown = await run(command).then(
        (result) => formatMessages(result.shown),
        (error: unknown) => String(error),
      );
      assert.match(shown, /contains a mailing\.json\. Run "Mailing: Map Templates to a Folder…"/u, command);
    }
  });

  it("refuses to pull through a link to a file, folder or lock that doesn't exist", async () => {
    for (const [parent, link] of [
      ['emails/letter', 'emails/letter/body.html'],
      ['emails', 'emails/letter'],
      ['.', 'mailing.lock.json'],
    ] as const) {
      mkdirSync(folder.path(parent), { recursive: true });
      symlinkSync(outside, folder.path(link));
      const { shown } = await run('pull', mine());
      assert.match(formatMessages(shown), /is a broken link/u);
      assert.equal(existsSync(outside), false);
      await folder.clear();
      await folder.map({ templates: [entry()] });
    }
  });

  it('refuses to pull into the mapping, the lock, or a file of Git or VS Code', async () => {
    await run('pull', mine());
    folder.write('.git/config', '[core]');
    symlinkSync('.git', folder.path('linked'));
    for (const body of [
      'mailing.json',
      'mailing.lock.json',
      '.git/config',
      '.GIT/config',
      'linked/config',
      '.vscode/settings.json',
    ]) {
      await folder.map({ templates: [entry({ body })] });
      const lock = folder.read('mailing.lock.json');
      const { shown } = await run('pull', mine()).catch((error: unknown) => ({
        shown: [{ text: String(error), detail: undefined }],
      }));
      assert.match(
        [...shown.map(({ text }) => text), ...diagnostics()].join('\n'),
        /reserved for Git, VS Code or Mailing Studio/u,
        body,
      );
      assert.deepEqual(JSON.parse(folder.read('mailing.json')), { templates: [entry({ body })] });
      assert.equal(folder.read('mailing.lock.json'), lock);
      assert.equal(readFileSync(folder.path('.git/config'), 'utf8'), '[core]');
      assert.equal(folder.has('.vscode/settings.json'), false);
    }
  });

  it('pushes nothing while its mapping has a mistake about connections', async () => {
    await run('pull', mine());
    await folder.map({ connections: { [service().connection]: { protectd: true } }, templates: [entry()] });
    folder.write('emails/letter/body.html', '<p>two</p>');
    for (const command of ['push', 'overwrite']) {
      const { shown } = await run(command, mine(), ['Push', 'Overwrite', 'Push Anyway']);
      assert.match(
        formatMessages(shown),
        /Nothing was pushed because mailing\.json has a problem: .*Correct it and push again\./u,
      );
    }
    assert.ok(diagnostics().some((message) => message.endsWith('Nothing is pushed until you correct this.')));
    assert.equal((await stored()).body, '<p>one</p>');
    await folder.map({ connections: { [service().connection]: { protected: false } }, templates: [entry()] });
    assert.equal((await run('push', mine(), 'Push')).result, 1);
  });

  it('uses a mapping that changed right before the push', async () => {
    await run('pull', mine());
    folder.write('emails/letter/body.html', '<p>two</p>');
    // The push begins before the extension notices this change.
    folder.write(
      'mailing.json',
      JSON.stringify({ connections: { [service().connection]: { protected: true } }, templates: [entry()] }),
    );
    const { shown } = await run('push', mine(), undefined);
    assert.match(formatMessages(shown), /is a protected connection/u);
  });

  it('reports a protected connection that is not configured', async () => {
    await folder.map({ connections: { prodution: { protected: true } }, templates: [entry()] });
    assert.deepEqual(diagnostics(), [
      'There is no connection "prodution" here, so this protects nothing. Check the ID.',
    ]);
  });

  it('refuses to push and pull with a lock of a newer version, and leaves it alone', async () => {
    await run('pull', mine());
    const newer = '{"version":2}';
    folder.write('mailing.lock.json', newer);
    folder.write('emails/letter/body.html', '<p>two</p>');
    const { shown } = await run('push', mine(), 'Push');
    assert.match(formatMessages(shown), /Couldn't read mailing\.lock\.json: it has version 2/u);
    assert.match(formatMessages((await run('pull', mine())).shown), /it has version 2/u);
    assert.equal((await stored()).body, '<p>one</p>');
    assert.equal(folder.read('mailing.lock.json'), newer);
  });
});
