import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering } from '../answers.ts';
import { folder, provideTask, run, formatMessages, useMapped } from './fixtures.ts';

/** Runs the test task and returns its exit code. */
type Build = () => number;

describe('built template', () => {
  const { entry, stored, updates } = useMapped('emails/letter', { name: 'Letter', body: '<p>one</p>' });
  let build: Build;
  let runs: number;
  let tasks: vscode.Disposable;
  const source = 'src/letter.mjml';
  const output = 'dist/letter.html';
  const mine = () => ({ folder: 'emails/letter' });
  const lenses = async (name: string) => {
    await vscode.workspace.openTextDocument(folder.uri(name));
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      folder.uri(name),
    );
    return found.map(({ command, range }) => `${range.start.line} ${command?.title}`);
  };
  /** Sets whole seconds, which no file system rounds. */
  const touch = (name: string, seconds: number) => utimesSync(folder.path(name), seconds, seconds);
  const now = Math.floor(Date.now() / 1000);

  before(() => {
    tasks = provideTask('letters', () => {
      runs += 1;
      return build();
    });
  });
  after(() => tasks.dispose());

  beforeEach(async () => {
    runs = 0;
    build = () => {
      folder.write(output, `<p>${folder.read(source)}</p>`);
      return 0;
    };
    folder.write(source, 'one');
    folder.write(output, '<p>one</p>');
    touch(source, now - 100);
    touch(output, now - 90);
    await folder.map({ templates: [entry({ source, output, task: 'test: letters' })] });
    await run('pull', mine());
  });

  it('has lenses above the first line of its source', async () => {
    await eventually(async () =>
      assert.deepEqual(await lenses(source), ['0 Build', '0 Preview', '0 Compare with the Service', '0 Push']),
    );
    assert.deepEqual(await lenses(output), []);
    folder.write('src/other.mjml', 'no template');
    assert.deepEqual(await lenses('src/other.mjml'), []);
    await folder.map({
      templates: [{ folder: 'emails/letter', source, output }, entry({ folder: 'emails/plain' })],
    });
    assert.deepEqual(await lenses(source), ['0 Preview', '0 Push']);
    folder.write('emails/plain/body.html', '<p>by hand</p>');
    assert.deepEqual(await lenses('emails/plain/body.html'), ['0 Preview', '0 Compare with the Service', '0 Push']);
  });

  it('is built by its task and pushed as built', async () => {
    folder.write(source, 'two');
    const { result } = await run<string[]>('build', folder.uri(source));
    assert.deepEqual([result, runs], [['emails/letter'], 1]);
    assert.equal((await run('push', folder.uri(source), 'Push')).result, 1);
    assert.equal((await stored()).body, '<p>two</p>');
  });

  it('reports a failed task with its exit code', async () => {
    build = () => 3;
    const { result, shown } = await run('build', mine());
    assert.equal(result, undefined);
    await eventually(() => assert.match(formatMessages(shown), /The task "test: letters" failed with exit code 3\./u));
    assert.deepEqual(shown[0]?.buttons, ['Show Output']);
    await folder.map({ templates: [entry({ source, output, task: 'missing' })] });
    assert.match(formatMessages((await run('build', mine())).shown), /There is no task "missing" here/u);
  });

  it('is built before a push if its source is newer, or pushed as it is if the user chooses so', async () => {
    // Clear a failure from earlier tests.
    await run('build', mine());
    folder.write(source, 'two');
    folder.write(output, '<p>old</p>');
    touch(output, now - 95);
    touch(source, now - 80);
    const { shown } = await run('push', mine(), 'Push');
    assert.match(formatMessages(shown), /dist\/letter\.html is older than src\/letter\.mjml\.$/u);
    assert.deepEqual(shown[0]?.buttons, ['Build and Push', 'Push Old Output']);
    build = () => 7;
    await run('build', mine());
    assert.match(
      formatMessages((await run('push', mine(), undefined)).shown),
      /older than src\/letter\.mjml\. The task "test: letters" failed with exit code 7\./u,
    );
    const failed = await run('push', mine(), ['Build and Push', 'Push']);
    assert.match(formatMessages(failed.shown), /failed with exit code 7/u);
    assert.equal(updates(), 0);
    build = () => {
      folder.write(output, '<p>two</p>');
      return 0;
    };
    assert.equal((await run('push', mine(), ['Build and Push', 'Push'])).result, 1);
    assert.equal((await stored()).body, '<p>two</p>');
    folder.write(output, '<p>older</p>');
    touch(output, now - 200);
    assert.equal((await run('push', mine(), ['Push Old Output', 'Push'])).result, 1);
    assert.equal((await stored()).body, '<p>older</p>');
  });

  const preview = (name: string) =>
    vscode.commands.executeCommand<{ uri: vscode.Uri } | undefined>('mailing.preview', folder.uri(name));

  it('shows its output in the preview', async () => {
    assert.equal((await preview(source))?.uri.toString(), folder.uri(output).toString());
    await eventually(() => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
      assert.ok(tabs.includes('Preview letter'), tabs.join());
    });
  });

  it('shows an HTML source in the preview until its output is built', async () => {
    const pages = ['src/page.html', 'src/page.txt'] as const;
    for (const page of pages) folder.write(page, '<p>one</p>');
    await folder.map({
      templates: pages.map((page) => ({ folder: `emails/${page.slice(9)}`, source: page, output: `${page}.out` })),
    });
    assert.equal((await preview(pages[0]))?.uri.toString(), folder.uri(pages[0]).toString());
    const { result, shown } = await answering(undefined, () => preview(pages[1]));
    assert.equal(result, undefined);
    assert.match(formatMessages(shown), /src\/page\.txt\.out doesn't exist\. Build the template first\./u);
  });
});
