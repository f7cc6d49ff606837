import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection } from '../support/workbench.ts';

const image = 'https://images.example.com/leaf.svg';
const letter = (text: string) =>
  `<h1>Local</h1>\n<p>${text}</p>\n<img alt="" src="${image}">\n<div style="height: 300px"></div>\n<h2>End</h2>\n`;

/** Addresses of the email's links that have a color over them. */
function coloredLinks(page: Frame) {
  return page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>('iframe.mail');
    const { left: x = NaN, top: y = NaN } = frame?.getBoundingClientRect() ?? {};
    const spots = [...document.querySelectorAll('.heat .spot')].map((spot) => spot.getBoundingClientRect());
    const isColored = ({ left, top }: DOMRect) =>
      spots.some((spot) => Math.abs(spot.left - left - x) < 2 && Math.abs(spot.top - top - y) < 2);
    const links = [...(frame?.contentDocument?.querySelectorAll('a[href]') ?? [])];
    return links
      .filter((link) => [...link.getClientRects()].some(isColored))
      .map((link) => link.getAttribute('href') ?? '');
  });
}

describe('The preview in the workbench', () => {
  const window = useWorkbench({ files: { 'letter.html': letter('First'), 'notes.txt': 'Notes' } });

  it('follows typing, links to the source and back, and loads images on request', async () => {
    const workbench = window();
    const { editors } = workbench;
    const fetched: string[] = [];
    // Requests that left the browser, without blocked ones.
    await workbench.page.route('https://images.example.com/**', (route) => {
      fetched.push(route.request().url());
      return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
    });
    await workbench.quickInput.openFile('letter.html');
    await editors.waitForActive('letter.html');
    await editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    const page = await workbench.webviews.frame('preview');
    await eventually(async () => assert.equal(await mail.locator('p').innerText(), 'First'));
    await editors.replaceAll('<h1>Local</h1><p>Sec<ond</p><b>half');
    await eventually(async () => assert.match(await mail.locator('body').innerText(), /Sec/u));
    await editors.replaceAll(letter('Third'));
    await eventually(async () => assert.equal(await mail.locator('p').innerText(), 'Third'));

    await mail.locator('h2').click();
    await editors.waitForActive('letter.html');
    await eventually(async () => assert.ok((await workbench.statusBar()).some((text) => text.startsWith('Ln 5, '))));
    await editors.goTo(2, 4);
    await eventually(async () => {
      const [mark, paragraph] = [await page.locator('.cursor').boundingBox(), await mail.locator('p').boundingBox()];
      assert.ok(
        mark && paragraph && Math.abs(mark.y - paragraph.y) < 4 && Math.abs(mark.height - paragraph.height) < 8,
      );
    });

    await page.getByText('1 remote image or font blocked').waitFor();
    assert.deepEqual(fetched, []);
    await page.getByText('Load', { exact: true }).click();
    await eventually(() => assert.deepEqual([...new Set(fetched)], [image]));
  });

  it('shows a sent campaign with its counted clicks, until they are hidden', async () => {
    const workbench = window();
    const { editors, explorer, webviews } = workbench;
    const name = 'Season sale';
    await workbench.enterApiKey();
    await explorer.open();
    await (await explorer.row([testConnection.name, 'Campaigns', name])).inlineAction('Show Statistics');
    const statistics = await webviews.frame('statistics');
    await statistics.getByRole('tab', { name: 'Links' }).click();
    const link = statistics.getByText('https://solstice.example.com/sale', { exact: true }).first();
    await link.click();
    await statistics.getByText('Show in Preview', { exact: true }).click();

    /** Waits until the preview shows the clicks, and the chosen link. */
    const shown = async () => {
      const page = await webviews.frame('preview');
      await page.locator('.heat .drift .badge').first().waitFor();
      await eventually(async () =>
        assert.equal(
          await page.locator('.row[aria-selected="true"] .address').innerText(),
          'https://solstice.example.com/sale',
        ),
      );
      await eventually(async () => assert.ok((await coloredLinks(page)).includes('https://solstice.example.com/sale')));
      assert.ok((await page.locator('.heat .spot.chosen').count()) > 0);
      return page;
    };
    const page = await shown();
    assert.ok(
      !(await coloredLinks(page)).some((href) => href.includes('{')),
      'Tags of the service are no links that were counted.',
    );
    assert.match(await page.locator('.chip').innerText(), /^Clicks as of \S/u);
    const [campaign] = await workbench.client.getCampaigns({ filters: { name } });
    assert.match(await page.locator('.inbox').innerText(), new RegExp(campaign?.subject ?? 'no campaign', 'u'));

    // VS Code unloads the page of a hidden tab.
    await editors.show(`Preview ${name}`);
    await workbench.quickInput.openFile('notes.txt');
    await editors.waitForActive('notes.txt');
    await eventually(async () => assert.deepEqual(await webviews.all('preview'), []));
    await editors.show(`Preview ${name}`);
    const again = await shown();
    await again.getByRole('button', { name: 'Hide Clicks' }).click();
    await again.locator('.chip').waitFor({ state: 'hidden' });
    assert.equal(await again.locator('.heat .spot').count(), 0);
  });
});
