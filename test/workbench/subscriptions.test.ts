import assert from 'node:assert/strict';
import { chooseMenuItem } from '../support/pages/menu.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const addresses = 'Phone <test.phone@example.com>; test.desktop@example.org\nTEST.phone@example.com, un.known@example.com\n';

const requests = (workbench: Workbench, operation: string) => workbench.service.requests.filter((request) => request.operation === operation);

/** Selects the addresses in the editor, and begins to subscribe them by its context menu. */
async function beginFromSelection(workbench: Workbench): Promise<void> {
  await workbench.quickInput.openFile('people.txt');
  await workbench.editors.waitForActive('people.txt');
  await workbench.editors.selectAll();
  await workbench.page.keyboard.press('Shift+F10');
  await chooseMenuItem(workbench.page, 'Subscribe Addresses to Lists…');
}

describe('Subscriptions in the workbench', () => {
  const window = useWorkbench({ shared: true, files: { 'people.txt': addresses }, service: { subscribers: 1000 } });

  describe('Subscribing from a selection', () => {
    it('shows what was read, asks for lists and mails, and sends once agreed to', async () => {
      const workbench = window();
      const { quickInput, dialog } = workbench;
      await workbench.enterApiKey();

      const walk = async (name: string): Promise<void> => {
        await beginFromSelection(workbench);
        await quickInput.waitFor(/3 addresses in 2 lines of people\.txt/u);
        await workbench.screenshot(`${name}-read`);
        await quickInput.pick('Go on with 3 addresses');
        await quickInput.waitFor('Subscribe to which lists?');
        await workbench.screenshot(`${name}-lists`);
        await quickInput.pickMany(['Newsletter', 'Events & workshops']);
        await quickInput.waitFor('Real e-mails go out for what is ticked');
        await workbench.screenshot(`${name}-mails`);
        await quickInput.accept();
        const question = await dialog.text();
        assert.match(question, /Subscribe 3 addresses to 2 lists on Test service\?/u);
        assert.match(question, /Lists: Newsletter, Events & workshops/u);
        assert.match(question, /welcome e-mail goes out/u);
        await workbench.screenshot(`${name}-question`);
      };
      await walk('subscribe');
      await dialog.click('Cancel');
      assert.equal(requests(workbench, 'subscribeUsers').length, 0);

      await walk('subscribe-again');
      await dialog.click('Subscribe');
      await workbench.notifications.waitFor('2 addresses were subscribed to 2 lists on Test service. 1 address was not found: the service knows no such users.');
      await workbench.editors.waitForActive('Not found.txt');
      await workbench.editors.waitForText('un.known@example.com');
      await workbench.screenshot('subscribe-done');
      assert.deepEqual(requests(workbench, 'subscribeUsers').map(({ body }) => body), [
        { emails: ['test.phone@example.com', 'test.desktop@example.org', 'un.known@example.com'], listIds: [1, 4], sendWelcomeEmail: true, trigger: true },
      ]);
    });
  });

  describe('Unsubscribing from the tree', () => {
    it('has the list chosen, stops where the service fails, and goes on from there', async () => {
      const workbench = window();
      const { quickInput, dialog, notifications, service } = workbench;
      workbench.problems.allow(/unsubscribeUsers/u);
      await workbench.enterApiKey();
      await workbench.explorer.open();
      await (await workbench.explorer.row([testConnection.name, 'Lists', 'All contacts'])).contextAction('Unsubscribe Addresses from Lists…');
      await quickInput.pick('Type or paste…');
      const emails = Array.from({ length: 450 }, (_, index) => `user.${index}@example.com`);
      await quickInput.type('nobody');
      await quickInput.waitFor('There is no e-mail address yet.');
      await quickInput.answer(`${emails.join(', ')}, test.phone@example.com, nobody`);
      await quickInput.pick('Go on with 451 addresses');
      assert.match(await dialog.text(), /1 of 452 entries is not an e-mail address\. Leave it out\?/u);
      await workbench.screenshot('subscribe-malformed');
      await dialog.click('Leave Out');
      await quickInput.waitFor('Unsubscribe from which lists?');
      await quickInput.accept();
      await quickInput.waitFor('Real e-mails go out for what is ticked');
      await quickInput.accept();
      service.faults.add({ kind: 'resetAfterRead', operation: 'unsubscribeUsers', skip: 2, times: 1 });
      await dialog.click('Unsubscribe');
      const news = /Unsubscribe from "All contacts" stopped: 0 unsubscribed · 400 not found · 51 not known/u;
      await notifications.waitFor(news);
      await workbench.screenshot('subscribe-stopped');
      await notifications.click(news, 'Continue…');
      assert.match(await dialog.text(), /^It is not known whether 1 address was unsubscribed\./u);
      await workbench.screenshot('subscribe-unknown');
      await dialog.click('Send Them Again');
      const question = await dialog.text();
      assert.match(question, /^Unsubscribe test\.phone@example\.com from "All contacts"/u);
      assert.match(question, /Of 51 addresses without an answer, 50 are not on the lists now, and 1 will be sent again\./u);
      await workbench.screenshot('subscribe-continue');
      await dialog.click('Unsubscribe');
      await notifications.waitFor(/51 addresses were unsubscribed from "All contacts" on Test service\. 400 addresses were not found/u);
      assert.deepEqual(requests(workbench, 'unsubscribeUsers').map(({ body }) => (body as { emails: string[] }).emails.length), [200, 200, 51, 1]);
    });
  });

  describe('A user’s subscriptions', () => {
    it('are a table that says everything, and are changed there', async () => {
      const workbench = window();
      const { quickInput, dialog } = workbench;
      await workbench.enterApiKey();
      await workbench.run('Mailing: Show Subscriptions of a User…');
      await quickInput.waitFor('Id or e-mail address of the user');
      await quickInput.type('x');
      await quickInput.waitFor('Neither a number nor an e-mail address.');
      await quickInput.answer('test.phone@example.com');
      await quickInput.pick('All lists');
      await workbench.editors.waitForActive('Subscriptions: test.phone@example.com');
      const page = await workbench.webviews.frame('subscriptions');
      await page.getByRole('heading', { name: 'test.phone@example.com' }).waitFor();
      assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), ['List', 'Status', 'Subscribed on', 'Unsubscribed on', 'Change']);
      const row = page.getByRole('row', { name: /Test/u }).filter({ has: page.getByRole('button', { name: 'Unsubscribe from Test' }) });
      assert.match(await row.innerText(), /Subscribed/u);
      await row.getByText('All fields').click();
      assert.match(await row.innerText(), /translation[\s\S]*subscription_date/u);
      await workbench.screenshot('subscriptions-light');

      await row.getByRole('button', { name: 'Unsubscribe from Test' }).click();
      await quickInput.waitFor('Real e-mails go out for what is ticked');
      await quickInput.accept();
      assert.match(await dialog.text(), /Unsubscribe test\.phone@example\.com from "Test" on Test service\?/u);
      await workbench.screenshot('subscriptions-question');
      await dialog.click('Cancel');
      assert.equal(requests(workbench, 'unsubscribeUsers').length, 0);
      await row.getByRole('button', { name: 'Unsubscribe from Test' }).click();
      await quickInput.waitFor('Real e-mails go out for what is ticked');
      await quickInput.accept();
      await dialog.click('Unsubscribe');
      await page.getByRole('button', { name: 'Subscribe to Test' }).waitFor();
      assert.deepEqual(requests(workbench, 'unsubscribeUsers').map(({ body }) => body), [{ emails: ['test.phone@example.com'], listIds: [8], sendUnsubscribeEmail: true, trigger: true }]);
      await workbench.notifications.clear();
      await workbench.pictures((theme) => `subscriptions-${theme}`);
      await workbench.page.setViewportSize({ width: 700, height: 800 });
      await workbench.pictures((theme) => `subscriptions-narrow-${theme}`);
    });

    it('are not shown for a user that the service does not know', async () => {
      const workbench = window();
      workbench.problems.allow(/no subscriptions of user/u);
      await workbench.enterApiKey();
      await workbench.run('Mailing: Show Subscriptions of a User…');
      await workbench.quickInput.answer('99999');
      await workbench.notifications.waitFor('The service has no subscriptions of user #99999');
      await eventually(async () => assert.equal((await workbench.editors.tabs()).some((tab) => tab.startsWith('Subscriptions')), false));
    });
  });
});
