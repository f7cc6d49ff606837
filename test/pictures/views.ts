import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/service/client/index.ts';
import { eventually, testConnection, type Workbench } from '../support/workbench.ts';

/** Width in pixels of pictures that show the side bar alone. */
export const SIDE_BAR_WIDTH = 352;

/** Takes a picture of the window in every theme, as out/screenshots/readme/<name>-<theme>.png. `scripts/pictures.mjs` lists the names. */
export async function take(workbench: Workbench, name: string, options?: { readonly width?: number }): Promise<void> {
  await workbench.pictures((theme) => `readme/${name}-${theme}`, options);
}

/** Calls the window's service as another user would. */
export async function asAnotherUser<T>(
  { service: { baseUrl, apiKey, profile } }: Workbench,
  call: (client: MailingClient) => Promise<T>,
): Promise<T> {
  const client = new MailingClient({ baseUrl, apiKey, profile });
  try {
    return await call(client);
  } finally {
    await client.close();
  }
}

/** Opens a record from the tree, and clears the notifications of getting there. */
export async function openRecord(workbench: Workbench, branch: string, name: string, tab: string): Promise<void> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, branch, name])).click();
  await workbench.editors.waitForActive(tab);
  await workbench.notifications.clear();
}

export async function openTemplate(workbench: Workbench, name: string): Promise<void> {
  await openRecord(workbench, 'Templates', name, `${name}.html`);
}

/** Opens a template's preview beside it, and waits until it shows the email. */
export async function openPreview(workbench: Workbench, name: string): Promise<{ page: Frame; mail: Frame }> {
  await openTemplate(workbench, name);
  await workbench.editors.titleAction('Open Preview to the Side');
  const mail = await workbench.webviews.inner('preview');
  await eventually(async () => assert.ok((await mail.locator('body').innerText()).length > 50));
  return { page: await workbench.webviews.frame('preview'), mail };
}

/** Opens a campaign's statistics in an editor tab. */
export async function openStatistics(workbench: Workbench, name: string): Promise<Frame> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  const row = await workbench.explorer.row([testConnection.name, 'Campaigns', name]);
  const view = await workbench.webviews.frame('statistics');
  // A tree that is drawn anew under the pointer drops a click.
  await eventually(
    async () => {
      await row.inlineAction('Show Statistics');
      await view.locator('h1', { hasText: name }).waitFor({ timeout: 5000 });
    },
    { timeoutMs: 30_000 },
  );
  await view.getByRole('button', { name: 'Open in Editor' }).click();
  await workbench.editors.waitForActive(`Statistics: ${name}`);
  return eventually(async () => {
    const [, inEditor] = await workbench.webviews.all('statistics');
    return inEditor ?? assert.fail('The editor tab has no page.');
  });
}
