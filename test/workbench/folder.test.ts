import assert from 'node:assert/strict';
import { eventually, testConnection, useWorkbench } from '../support/workbench.ts';

describe('A service as a folder', () => {
  const window = useWorkbench();

  it('stands in the workspace, with its templates as files', async () => {
    const workbench = window();
    // The window restarts when its folders change: the workbench gives up what it was reading, and looks at the folder before the extension runs again.
    workbench.problems.allow(/Canceled: Canceled|ENOPRO: No file system provider found/u);
    // A second folder makes the workbench open its workspace anew.
    workbench.problems.allow(/\[lifecycle\]/u);
    await workbench.enterApiKey();
    const moved = workbench.page.waitForURL(/[?&]workspace=/u, { timeout: 60_000 });
    await workbench.run('Mailing: Open Connection as Folder');
    await moved;
    await workbench.ready();
    const folders = workbench.page.locator('.explorer-folders-view .monaco-list-row');
    const empty = workbench.page.getByText('You have not yet added a folder to the workspace.');
    await folders.first().or(empty).waitFor();
    // In a browser, the workbench now and then begins without the folders that its workspace's file names, until it is loaded once more.
    if (await empty.isVisible()) await workbench.reload();
    await folders.filter({ hasText: testConnection.name }).waitFor();
    // The workbench unfolds what was unfolded before, or stands alone, also while it is pointed at.
    const expand = (label: string, child: string) => eventually(async () => {
      const row = folders.filter({ hasText: label }).first();
      if (await row.getAttribute('aria-expanded', { timeout: 1000 }) === 'false') await row.click({ timeout: 1000 });
      await folders.filter({ hasText: child }).first().waitFor({ timeout: 3000 });
    }, { patienceMs: 30_000 });
    await expand(testConnection.name, 'templates');
    await expand('templates', '13');
    await expand('13', '.template.json');
    const names = (await folders.allInnerTexts()).map((name) => name.trim());
    for (const suffix of ['.html', '.css', '.template.json']) assert.ok(names.some((name) => name.endsWith(suffix)), names.join(', '));
    await workbench.screenshot('folder');
  });
});
