import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

/** Opens a campaign of the sample data from the tree. */
async function openForm(workbench: Workbench, name: string): Promise<Frame> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Campaigns', name])).click();
  await workbench.editors.waitForActive(`${name}.campaign.json`);
  const page = await workbench.webviews.frame('campaignForm');
  await page.locator('main').waitFor();
  return page;
}

const subjectOf = (page: Frame) => page.getByRole('textbox', { name: 'Subject', exact: true });

describe('The campaign form', () => {
  const window = useWorkbench();

  it('looks like a page of the settings, light, dark, in high contrast and narrow', async () => {
    const workbench = window();
    const page = await openForm(workbench, 'Winter sale');
    await eventually(async () => assert.match(await page.locator('.audience').innerText(), /\d recipients/u));
    await workbench.notifications.clear();
    await workbench.screenshot('campaign-form-light');
    await page.getByRole('radio', { name: /^Automatic/u }).click();
    await page.getByLabel('First day').scrollIntoViewIfNeeded();
    await workbench.screenshot('campaign-form-light-auto');
    await workbench.setTheme('dark');
    await workbench.screenshot('campaign-form-dark-auto');
    await page.locator('.bar').scrollIntoViewIfNeeded();
    await page.evaluate(() => window.scrollTo(0, 0));
    await subjectOf(page).fill('');
    await page.getByRole('textbox', { name: 'From e-mail' }).fill('nobody');
    await page.getByText('A campaign needs a subject.').waitFor();
    await workbench.screenshot('campaign-form-dark');
    await workbench.setTheme('highContrast');
    await workbench.screenshot('campaign-form-high-contrast');
    await workbench.setTheme('light');
    await workbench.page.setViewportSize({ width: 700, height: 900 });
    await workbench.screenshot('campaign-form-narrow');
  });
});
