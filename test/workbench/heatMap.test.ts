import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { eventually, pictureThemes, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

/** Opens the links of a sent campaign in its statistics, in an editor: beside the tree there is little room for a table. */
async function openLinks(workbench: Workbench, name: string): Promise<Frame> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Campaigns', name])).inlineAction('Show Statistics');
  const beside = await workbench.webviews.frame('statistics');
  await eventually(async () => assert.equal(await beside.locator('h1').innerText({ timeout: 2000 }), name));
  await workbench.run('Mailing: Open Statistics in Editor');
  await workbench.editors.waitForActive(new RegExp(`${name.replace(/[()]/gu, '.')}`, 'u'));
  const statistics = await eventually(async () => {
    const all = await workbench.webviews.all('statistics');
    assert.equal(all.length, 2);
    return all[1] as Frame;
  });
  await statistics.getByRole('tab', { name: 'Links' }).click();
  await statistics.getByText('https://').first().waitFor();
  return statistics;
}

/** The preview, with the clicks over it. */
async function heated(workbench: Workbench): Promise<{ page: Frame; mail: Frame }> {
  const page = await workbench.webviews.frame('preview');
  await page.locator('.heat .drift .badge').first().waitFor();
  await workbench.notifications.clear();
  return { page, mail: await workbench.webviews.inner('preview') };
}

/** Addresses of the e-mail's links that are coloured: what stands in it under each colour. */
function colouredLinks(page: Frame): Promise<string[]> {
  return page.evaluate(() => {
    const mail = document.querySelector<HTMLIFrameElement>('iframe.mail')?.contentDocument;
    const spots = [...document.querySelectorAll('.heat .spot')].map((spot) => spot.getBoundingClientRect());
    const frame = document.querySelector('iframe.mail')?.getBoundingClientRect();
    return [...(mail?.querySelectorAll('a[href]') ?? [])].filter((link) => [...link.getClientRects()].some((box) => spots.some((spot) =>
      Math.abs(spot.left - box.left - (frame?.left ?? 0)) < 2 && Math.abs(spot.top - box.top - (frame?.top ?? 0)) < 2))).map((link) => link.getAttribute('href') ?? '');
  });
}

describe('The heat map of a campaign’s links', () => {
  const window = useWorkbench({ shared: true, size: { width: 1440, height: 900 } });

  it('is laid over the preview from the statistics, in every theme and at the width of a phone', async () => {
    const workbench = window();
    const statistics = await openLinks(workbench, 'Season sale');
    await statistics.getByText('Show All on Preview').click();
    const { page, mail } = await heated(workbench);
    await eventually(async () => assert.ok((await colouredLinks(page)).includes('https://solstice.example.com/sale')));
    assert.ok(!(await colouredLinks(page)).some((href) => href.includes('{')), 'A tag of the service is no link that was counted.');
    assert.match(await page.locator('.chip').innerText(), /^Clicks as of \S/u);
    await workbench.screenshot('heat-light');
    await page.locator('vscode-button[title^="Phone"]').click();
    await eventually(async () => assert.equal(await mail.evaluate(() => innerWidth), 375));
    for (const theme of pictureThemes) {
      await workbench.setTheme(theme);
      await page.locator('.heatPanel .row').nth(1).click();
      await eventually(async () => assert.ok(await page.locator('.heat .spot.chosen').count() > 0));
      await workbench.notifications.clear();
      await workbench.screenshot(`heat-${theme}-phone`);
    }
    await page.locator('.heatPanel .row').nth(1).press('Escape');
    await eventually(async () => assert.equal(await page.locator('.heat .spot').count(), 0));
    assert.equal(await page.locator('.chip').isVisible(), false);
  });

  it('shows the chosen link, keeps it while the preview is hidden, and is gone once it was closed', async () => {
    const workbench = window();
    const statistics = await openLinks(workbench, 'Fortnightly digest (1)');
    const chosen = statistics.getByText('https://').first();
    const address = await chosen.innerText();
    await chosen.click();
    await statistics.getByText('Show on Preview', { exact: true }).click();
    const shown = async (): Promise<Frame> => {
      const { page } = await heated(workbench);
      await eventually(async () => assert.equal(await page.locator('.row[aria-selected="true"] .address').innerText(), address));
      await eventually(async () => assert.ok((await colouredLinks(page)).includes(address)));
      return page;
    };
    const { page } = await heated(workbench);
    await shown();
    assert.ok(await page.locator('.heat .spot.chosen').count() > 0);
    await workbench.screenshot('heat-chosen');
    await workbench.run('Help: Welcome');
    await workbench.editors.waitForActive(/Welcome/u);
    await workbench.editors.close('Welcome');
    const again = await shown();
    await again.getByRole('button', { name: 'Remove the clicks' }).click();
    await again.locator('.chip').waitFor({ state: 'hidden' });
  });
});
