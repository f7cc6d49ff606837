import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/service/client/index.ts';
import { chooseMenuItem } from '../support/pages/menu.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const MINUTE_MS = 60_000;

const addresses =
  'Phone <test.phone@example.com>; test.desktop@example.org\nTEST.phone@example.com, not.found@example.com\n';

const status = (page: Frame) => page.locator('.table-status');

/** Exports the visible table as CSV. Returns the notification, and the number of rows in the file. */
async function exportCsv(
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

describe('The audience in the workbench', () => {
  const now = new Date();
  const window = useWorkbench({
    shared: true,
    files: { 'people.txt': addresses },
    service: { subscribers: 1200, now: () => now },
  });

  it('creates a list, and shows and exports subscribers', async () => {
    const workbench = window();
    const { quickInput, explorer } = workbench;
    const client = new MailingClient(workbench.service);
    await workbench.enterApiKey();
    await explorer.open();
    await (await explorer.row([testConnection.name, 'Lists'])).contextAction('New List…');
    await quickInput.waitFor('Name of the list');
    await quickInput.answer('Spring guests');
    await quickInput.waitFor('Press Enter to create it');
    await quickInput.pick('Color');
    await quickInput.waitFor('Which color');
    await quickInput.pick('Green');
    await quickInput.waitFor('Press Enter to create it');
    await quickInput.pick('Visible');
    await eventually(async () => assert.ok((await quickInput.entries()).some((entry) => /Visible \| no/u.test(entry))));
    await quickInput.pick('Create "Spring guests"');
    const [list] = await eventually(async () => {
      const found = await client.getLists({ filters: { name: 'Spring guests' } });
      assert.equal(found.length, 1);
      return found;
    });
    assert.deepEqual([list?.color, list?.active, list?.visible], ['#1a7f37', 1, 0]);
    await explorer.row([testConnection.name, 'Lists', 'Spring guests']);

    await (await explorer.row([testConnection.name, 'Lists', 'Newsletter'])).click();
    await workbench.editors.waitForActive('Newsletter');
    const page = await workbench.webviews.frame('subscribers');
    const [newsletter] = await client.getLists({ filters: { name: 'Newsletter' } });
    const { length } = await client.getSubscribersFromLists([newsletter?.id ?? 0], { limit: 5000 });
    await client.close();
    await eventually(async () =>
      assert.match(await status(page).innerText(), new RegExp(`^${length} subscribers · \\d+ loaded`, 'u')),
    );
    const { message, rows } = await exportCsv(workbench, page, 'newsletter.csv');
    assert.ok(message.startsWith(`Exported ${length} subscribers to newsletter.csv`), message);
    assert.equal(rows, length);
  });

  it('changes subscriptions from a selection, from the tree, and from a user’s page', async () => {
    const workbench = window();
    const { quickInput, dialog, editors, notifications, service, page } = workbench;
    workbench.problems.allow(/unsubscribeUsers/u);
    const requests = (operation: string) =>
      service.requests.filter((request) => request.operation === operation).map(({ body }) => body);
    await workbench.enterApiKey();
    await quickInput.openFile('people.txt');
    await editors.waitForActive('people.txt');
    await editors.selectAll();
    await page.keyboard.press('Shift+F10');
    await chooseMenuItem(page, 'Subscribe Addresses to Lists…');
    await quickInput.waitFor(/3 addresses in 2 lines of people\.txt/u);
    await quickInput.pick('Go on with 3 addresses');
    await quickInput.waitFor('Subscribe to which lists?');
    await quickInput.pickMany(['Newsletter', 'Events & workshops']);
    await quickInput.waitFor('Select which emails to send');
    await quickInput.accept();
    const question = await dialog.text();
    assert.match(question, /Subscribe 3 addresses to 2 lists on Test service\?/u);
    assert.match(question, /Lists: Newsletter, Events & workshops/u);
    assert.match(question, /welcome email is sent/u);
    assert.equal(requests('subscribeUsers').length, 0);
    await dialog.click('Subscribe');
    await notifications.waitFor(
      '2 addresses were subscribed to 2 lists on Test service. 1 address was not found on the service.',
    );
    await editors.waitForActive('Not found.txt');
    await editors.waitForText('not.found@example.com');
    assert.deepEqual(requests('subscribeUsers'), [
      {
        emails: ['test.phone@example.com', 'test.desktop@example.org', 'not.found@example.com'],
        listIds: [1, 4],
        sendWelcomeEmail: true,
        trigger: true,
      },
    ]);
    await notifications.clear();

    await workbench.explorer.open();
    await (
      await workbench.explorer.row([testConnection.name, 'Lists', 'All contacts'])
    ).contextAction('Subscribers', 'Unsubscribe Addresses from Lists…');
    await quickInput.pick('Type or paste…');
    const unregistered = Array.from({ length: 450 }, (_, index) => `user.${index}@example.com`);
    await quickInput.type('invalid');
    await quickInput.waitFor('There is no email address yet.');
    await quickInput.answer(`${unregistered.join(', ')}, test.phone@example.com, invalid`);
    await quickInput.pick('Go on with 451 addresses');
    assert.match(await dialog.text(), /1 of 452 entries is not an email address\. Leave it out\?/u);
    await dialog.click('Leave Out');
    await quickInput.waitFor('Unsubscribe from which lists?');
    await quickInput.accept();
    await quickInput.waitFor('Select which emails to send');
    await quickInput.accept();
    service.faults.add({ kind: 'resetAfterRead', operation: 'unsubscribeUsers', skip: 2, times: 1 });
    await dialog.click('Unsubscribe');
    const news = /Unsubscribe from "All contacts" stopped: 0 unsubscribed · 400 not found · 51 unconfirmed/u;
    await notifications.waitFor(news);
    await notifications.click(news, 'Continue…');
    assert.match(await dialog.text(), /^1 address may or may not have been unsubscribed\./u);
    await dialog.click('Send Them Again');
    const again = await dialog.text();
    assert.match(again, /^Unsubscribe test\.phone@example\.com from "All contacts"/u);
    assert.match(again, /Of 51 addresses without an answer, 50 are not on the lists now, and 1 will be sent again\./u);
    await dialog.click('Unsubscribe');
    await notifications.waitFor(
      /51 addresses were unsubscribed from "All contacts" on Test service\. 400 addresses were not found/u,
    );
    assert.deepEqual(
      requests('unsubscribeUsers').map((body) => (body as { emails: string[] }).emails.length),
      [200, 200, 51, 1],
    );
    await notifications.clear();

    await workbench.run('Mailing: Show Subscriptions of a User…');
    await quickInput.waitFor('ID or email address of the user');
    await quickInput.type('x');
    await quickInput.waitFor('Enter a number or an email address.');
    await quickInput.answer('test.phone@example.com');
    await quickInput.pick('All lists');
    await editors.waitForActive('Subscriptions: test.phone@example.com');
    const user = await workbench.webviews.frame('subscriptions');
    await user.getByRole('heading', { name: 'test.phone@example.com' }).waitFor();
    await user.getByRole('button', { name: 'Unsubscribe from Test' }).click();
    await quickInput.waitFor('Select which emails to send');
    await quickInput.accept();
    assert.match(await dialog.text(), /Unsubscribe test\.phone@example\.com from "Test" on Test service\?/u);
    assert.equal(requests('unsubscribeUsers').length, 4);
    await dialog.click('Unsubscribe');
    await user.getByRole('button', { name: 'Subscribe to Test' }).waitFor();
    assert.deepEqual(requests('unsubscribeUsers').at(-1), {
      emails: ['test.phone@example.com'],
      listIds: [8],
      sendUnsubscribeEmail: true,
      trigger: true,
    });
  });

  it('shows statistics in the side bar and in an editor, and restores them and subscribers after a restart', async () => {
    const workbench = window();
    const { quickInput, service } = workbench;
    const client = new MailingClient(service);
    await workbench.enterApiKey();
    await workbench.explorer.open();
    await (await workbench.explorer.row([testConnection.name, 'Lists', 'Newsletter'])).click();
    await workbench.editors.waitForActive('Newsletter');
    const subscribers = await workbench.webviews.frame('subscribers');
    await subscribers.locator('.table-row').first().waitFor();
    const subscribersKept = await workbench.webviews.watchState('subscribers');
    await subscribers.getByRole('tab', { name: 'Unsubscribed' }).click();
    await subscribers.getByText(/unsubscribed users · /u).waitFor();
    await subscribersKept(/"tab":"unsubscribed"/u);

    await workbench.fold('Statistics', false);
    await workbench.fold('Services', true);
    const view = await workbench.webviews.frame('statistics');
    const figure = (page: Frame, key: string) => page.locator(`.tile[data-key="${key}"]`);
    await view.getByText('No campaign selected').waitFor();
    await view.getByText('Choose a Campaign…').click();
    await quickInput.waitFor(/Which campaign/u);
    await eventually(async () => assert.ok((await quickInput.labels()).includes('Monthly letter no. 37')));
    assert.ok(
      !(await quickInput.labels()).includes('Year in review'),
      'Campaigns that were not sent have no statistics.',
    );
    await quickInput.cancel();

    await client.sendCampaign(7);
    await view.getByText('Choose a Campaign…').click();
    await quickInput.waitFor(/Which campaign/u);
    await quickInput.pick('Year in review');
    await view.getByText('Sent, but no opens yet').waitFor();
    service.clock.advance(50 * MINUTE_MS);
    await view.locator('.head').getByRole('button', { name: 'Refresh' }).click();
    const opens = Number((await client.getCampaignStatistics(7))[0]?.['open_unique']);
    assert.ok(opens > 0);
    await eventually(async () =>
      assert.match(await figure(view, 'open_unique').locator('.change').innerText(), new RegExp(`\\+${opens}`, 'u')),
    );
    assert.match(await view.locator('body > [role=status]').innerText(), /Unique opens \d+, \+\d+/u);
    await client.close();
    await view.getByRole('button', { name: 'Copy as Markdown' }).click();
    await eventually(async () =>
      assert.ok((await workbench.statusBar()).some((entry) => entry.includes('copied as Markdown'))),
    );

    await view.getByRole('button', { name: 'Compare…' }).click();
    await quickInput.waitFor(/2 to 5 campaigns/u);
    // The campaign on the screen is checked already.
    await quickInput.pickMany(['Monthly letter no. 36', 'Season sale']);
    await view.getByText('3 campaigns compared').waitFor();
    const statisticsKept = await workbench.webviews.watchState('statistics');
    await view.getByRole('button', { name: 'Open in Editor' }).click();
    /** The statistics in an editor are wide. */
    const inEditor = (): Promise<Frame> =>
      eventually(async () => {
        for (const frame of await workbench.webviews.all('statistics'))
          if ((await frame.locator('body.wide').count()) === 1) return frame;
        return assert.fail('No editor shows statistics.');
      });
    await (await inEditor()).locator('[data-chart=comparison] .bar').first().waitFor();

    await view.getByRole('button', { name: 'Season sale' }).click();
    await eventually(async () => assert.equal(await view.locator('h1').innerText(), 'Season sale'));
    await view.getByRole('tab', { name: 'Recipients' }).click();
    await view.locator('.table-filter vscode-dropdown').click();
    await view.getByRole('option', { name: 'Bounced', exact: true }).click();
    await eventually(async () => assert.match(await status(view).innerText(), /^\d+ bounced among all/u));
    const shown = await status(view).innerText();
    const { message, rows } = await exportCsv(workbench, view, 'recipients.csv');
    const count = rows.toLocaleString('en');
    assert.ok(message.startsWith(`Exported ${count} recipients to recipients.csv`), message);
    assert.match(shown, new RegExp(`among all ${count}\\b`, 'u'));
    await statisticsKept(/"tab":"recipients".*"filter":"bounced"/u);

    service.faults.add({
      kind: 'status',
      status: 403,
      message: 'Task not allowed.',
      operation: 'getUnsubscribedUsersFromLists',
    });
    await workbench.reload();
    const editor = await inEditor();
    const restored = await eventually(async () => {
      const [frame] = (await workbench.webviews.all('statistics')).filter((each) => each !== editor);
      return frame ?? assert.fail('The side bar shows no statistics.');
    });
    await eventually(async () => assert.equal(await restored.locator('h1').innerText(), 'Season sale'));
    await eventually(async () => assert.equal(await status(restored).innerText(), shown));
    assert.equal(await restored.getByRole('tab', { name: 'Recipients' }).getAttribute('aria-selected'), 'true');
    assert.equal(await editor.getByRole('region', { name: 'Campaigns side by side' }).locator('thead th').count(), 3);
    await editor.getByRole('button', { name: 'Season sale' }).click();
    await eventually(async () => assert.equal(await editor.locator('h1').innerText(), 'Season sale'));
    await figure(editor, 'sent').waitFor();

    await workbench.editors.show('Newsletter');
    const subscribersRestored = await workbench.webviews.frame('subscribers');
    await subscribersRestored.getByText(/The unsubscribed users can’t be read/u).waitFor();
    service.faults.clear();
    await subscribersRestored.getByText('Retry').click();
    await subscribersRestored.locator('.table-row').first().waitFor();
    assert.equal(
      await subscribersRestored.getByRole('tab', { name: 'Unsubscribed' }).getAttribute('aria-selected'),
      'true',
    );
  });
});
