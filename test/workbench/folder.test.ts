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
    await eventually(async () => {
      const rows = await workbench.page.locator('.explorer-folders-view .monaco-list-row').allInnerTexts();
      assert.ok(rows.some((row) => row.includes(testConnection.name)), rows.join(', '));
    });
    const expand = async (label: string) => {
      const row = workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: label }).first();
      await row.waitFor();
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    };
    await expand(testConnection.name);
    await expand('templates');
    await eventually(async () => assert.ok((await workbench.page.locator('.explorer-folders-view .monaco-list-row').count()) > 8));
    await workbench.screenshot('folder');
  });
});
