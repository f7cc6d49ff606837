import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { Workbench } from '../support/workbench.ts';

/** Returns the status line of a page's table. */
export const tableStatus = (page: Frame): Promise<string> => page.locator('.table-status').innerText();

/** Exports the visible table as CSV. Returns the notification, and the number of rows in the file. */
export async function exportCsv(
  workbench: Workbench,
  page: Frame,
  name: string,
): Promise<{ readonly message: string; readonly rows: number }> {
  const path = join(workbench.folder, name);
  await page.getByText('Export…').click();
  await workbench.quickInput.waitFor('Select a format');
  await workbench.quickInput.pick('CSV file…');
  await workbench.quickInput.answerFile(path);
  const message = await workbench.notifications.waitFor(/^Exported /u);
  await workbench.notifications.clear();
  return { message, rows: readFileSync(path, 'utf8').trim().split('\r\n').length - 1 };
}
