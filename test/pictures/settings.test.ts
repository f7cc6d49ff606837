import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { openTemplate, take, usePictures } from './views.ts';

describe("Pictures of VS Code's settings and chat", () => {
  const window = usePictures({}, {}, { 'chat.disableAIFeatures': false });

  it('show the settings of the extension', async () => {
    const workbench = window();
    const { page, editors } = workbench;
    await workbench.run('Preferences: Open Settings (UI)');
    await editors.waitForActive('Settings');
    // The space closes the suggestions.
    await page.keyboard.type('@ext:mailing-studio.mailing-studio ');
    await page.locator('.setting-item-contents', { hasText: 'Max Recipients' }).waitFor();
    await workbench.notifications.clear();
    await take(workbench, 'settings');
  });

  it('show the tools for language models', async () => {
    const workbench = window();
    const { page } = workbench;
    await openTemplate(workbench, 'Welcome');
    await workbench.run('Chat: Focus on Chat View');
    await page.keyboard.type('#mailing');
    const suggestions = page.locator('.suggest-widget.visible');
    await eventually(async () =>
      assert.match(await suggestions.innerText({ timeout: 2000 }), /^\s*#mailing[^]*#mailingPropose/u),
    );
    await workbench.notifications.clear();
    await take(workbench, 'agents');
  });
});
