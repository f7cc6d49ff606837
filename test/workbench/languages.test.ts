import assert from 'node:assert/strict';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection } from '../support/workbench.ts';

describe('The workbench in German', () => {
  const window = useWorkbench(
    { seed: (client) => client.createTemplate({ name: 'Brief', body: '<p>Hallo <img src="x.png"></p>' }) },
    // What VS Code's German language pack sets.
    { prepare: (context) => context.addInitScript("globalThis._VSCODE_NLS_LANGUAGE = 'de'") },
  );

  it('has German texts in commands, the tree, the preview and the findings of the worker', async () => {
    const workbench = window();
    const { editors, page, quickInput, service, webviews } = workbench;
    await workbench.run('Mailing: API-Schlüssel festlegen…');
    await quickInput.answer(service.apiKey);
    await page.getByRole('tab', { name: 'Mailing Studio' }).click();
    for (const row of [testConnection.name, 'Vorlagen', 'Brief']) {
      const item = page.getByRole('treeitem').filter({ has: page.getByText(row, { exact: true }) });
      await item.waitFor();
      if ((await item.getAttribute('aria-expanded')) !== 'true') await item.click();
    }
    await editors.waitForActive('Brief.html');
    await editors.titleAction('Vorschau an der Seite öffnen');
    const preview = await webviews.frame('preview');
    // The toolbar's menu has it.
    await preview.getByText('Vorschau als').waitFor({ state: 'attached' });
    await workbench.run('Problems: Focus on Problems View');
    await eventually(async () =>
      assert.match(
        await page.locator('.markers-panel').innerText({ timeout: 2000 }),
        /Dieses Bild hat keinen Alt-Text/u,
      ),
    );

    await workbench.run('Mailing: Statistik einer Kampagne anzeigen…');
    await quickInput.waitFor('Kampagne');
  });
});
