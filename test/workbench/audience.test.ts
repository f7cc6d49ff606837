import assert from 'node:assert/strict';
import { chooseMenuItem } from '../support/pages/menu.ts';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection } from '../support/workbench.ts';
import { exportCsv, tableStatus } from './tables.ts';

const addresses =
  'Phone <test.phone@example.com>; test.desktop@example.org\nTEST.phone@example.com, not.found@example.com\n';

describe('The audience in the workbench', () => {
  const window = useWorkbench({ files: { 'people.txt': addresses } });

  it('creates a list, and shows and exports subscribers', async () => {
    const workbench = window();
    const { quickInput, explorer, client, service } = workbench;
    await workbench.enterApiKey();
    await explorer.open();
    await (await explorer.row([testConnection.name, 'Lists'])).contextAction('New List…');
    await quickInput.waitFor('Name of the list');
    await quickInput.answer('Spring guests');
    await quickInput.waitFor('Press Enter to create it');
    await quickInput.pick('Color');
    await quickInput.waitFor('Select a color');
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

    await workbench.openRecord('Lists', 'Newsletter', 'Newsletter');
    const page = await workbench.webviews.frame('subscribers');
    const { query } = await eventually(() => {
      const request = service.requests.find(({ operation }) => operation === 'getSubscribersFromLists');
      assert.ok(request);
      return request;
    });
    assert.deepEqual([query['offset'], query['limit']], ['0', '100']);
    const [newsletter] = await client.getLists({ filters: { name: 'Newsletter' } });
    const { length } = await client.getSubscribersFromLists([newsletter?.id ?? 0], { limit: 5000 });
    await eventually(async () => assert.match(await tableStatus(page), new RegExp(`(?:of |^)${length} rows`, 'u')));
    const { message, rows } = await exportCsv(workbench, page, 'newsletter.csv');
    assert.ok(message.startsWith(`Exported ${length} rows to newsletter.csv`), message);
    assert.equal(rows, length);
  });

  it('changes subscriptions from a selection, and from a user’s page', async () => {
    const workbench = window();
    const { quickInput, dialog, editors, notifications, service, page } = workbench;
    const requests = (operation: string) =>
      service.requests.filter((request) => request.operation === operation).map(({ body }) => body);
    await workbench.enterApiKey();
    await quickInput.openFile('people.txt');
    await editors.waitForActive('people.txt');
    await editors.selectAll();
    await page.keyboard.press('Shift+F10');
    await chooseMenuItem(page, 'Subscribe Addresses…');
    await quickInput.waitFor(/2 lines of people\.txt · 3 addresses/u);
    await quickInput.pick('Continue with 3 addresses');
    await quickInput.waitFor('Select the lists to subscribe to');
    await quickInput.pickMany(['Newsletter', 'Events & workshops']);
    await quickInput.waitFor('Select which emails to send');
    await quickInput.accept();
    const question = await dialog.text();
    assert.match(question, /Subscribe 3 addresses to "Newsletter" and "Events & workshops" on Test service\?/u);
    assert.match(question, /Lists: Newsletter, Events & workshops/u);
    assert.match(question, /The welcome email is not sent/u);
    assert.equal(requests('subscribeUsers').length, 0);
    await dialog.click('Subscribe');
    await notifications.waitFor(
      '2 addresses were subscribed to "Newsletter" and "Events & workshops" on Test service. 1 address was not found on the service.',
    );
    await editors.waitForActive('Not found.txt');
    await editors.waitForText('not.found@example.com');
    assert.deepEqual(requests('subscribeUsers'), [
      {
        emails: ['test.phone@example.com', 'test.desktop@example.org', 'not.found@example.com'],
        listIds: [1, 4],
        sendWelcomeEmail: false,
        trigger: false,
      },
    ]);
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
    assert.equal(requests('unsubscribeUsers').length, 0);
    await dialog.click('Unsubscribe');
    await user.getByRole('button', { name: 'Subscribe to Test' }).waitFor();
    assert.deepEqual(requests('unsubscribeUsers').at(-1), {
      emails: ['test.phone@example.com'],
      listIds: [8],
      sendUnsubscribeEmail: false,
      trigger: false,
    });
  });
});
