import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection } from '../support/workbench.ts';
import { exportCsv, tableStatus } from './tables.ts';

describe('A restart of the workbench', function () {
  const window = useWorkbench({
    seed: (client) =>
      client.createOrUpdateCampaign({
        name: 'Autumn',
        subject: 'Leaves fall',
        body: '<h1>Leaves</h1>',
        listIds: [8],
      }),
  });

  it('restores previews, edits, an unconfirmed send, statistics and subscribers', async () => {
    const workbench = window();
    const { editors, explorer, webviews, notifications, dialog, quickInput, service, client } = workbench;
    workbench.problems.allow(/Unable to write file|was changed on Test service/u);
    const row = (branch: string, name: string) => explorer.row([testConnection.name, branch, name]);
    const description = async () => (await row('Campaigns', 'Autumn')).description();
    const received = (operation: string) => service.requests.filter((each) => each.operation === operation).length;
    const untilTab = (name: string) => eventually(async () => assert.ok((await editors.tabs()).includes(name)));
    const untilHeading = (page: Frame, text: string) =>
      eventually(async () => assert.equal(await page.locator('h1').innerText({ timeout: 1000 }), text));
    /** Waits until the last opened preview shows this heading, as wide as a phone. */
    const untilShown = (heading: string) =>
      eventually(async () => {
        const mail = await webviews.inner('preview');
        assert.ok((await mail.locator('h1, h2').first().innerText({ timeout: 1000 })).startsWith(heading));
        assert.equal(await mail.evaluate(() => innerWidth), 375);
      });

    await workbench.openRecord('Lists', 'Newsletter', 'Newsletter');
    const subscribers = await webviews.frame('subscribers');
    await subscribers.locator('.table-row').first().waitFor();
    const subscribersStored = await webviews.watchMessages('subscribers', 'do-update-state');
    await subscribers.getByRole('tab', { name: 'Unsubscribed' }).click();
    await subscribers.getByRole('tab', { name: 'Unsubscribed', selected: true }).waitFor();
    await subscribersStored(/"tab":"unsubscribed"/u);

    await workbench.run('Mailing: Show Statistics of a Campaign…');
    await quickInput.waitFor(/Select a campaign/u);
    await eventually(async () => assert.ok((await quickInput.labels()).includes('Monthly letter no. 37')));
    assert.ok(
      !(await quickInput.labels()).includes('Year in review'),
      'Campaigns that were not sent have no statistics.',
    );
    await quickInput.pick('Season sale');
    const view = await webviews.frame('statistics');
    await untilHeading(view, 'Season sale');
    const statisticsStored = await webviews.watchMessages('statistics', 'do-update-state');
    await workbench.run('Mailing: Compare Statistics of Campaigns…');
    await quickInput.waitFor(/2 to 5 campaigns/u);
    // The campaign on the screen is checked already.
    await quickInput.pickMany(['Monthly letter no. 36', 'Monthly letter no. 37']);
    // The side bar is too narrow for a comparison.
    /** The statistics in an editor are wide. */
    const inEditor = () =>
      eventually(async () => {
        for (const frame of await webviews.all('statistics'))
          if ((await frame.locator('body.wide').count()) === 1) return frame;
        return assert.fail('No editor shows statistics.');
      });
    await (await inEditor()).locator('[data-chart=comparison] .bar').first().waitFor();
    const comparison = await editors.active();
    await untilHeading(view, 'Season sale');
    await view.getByRole('tab', { name: 'Recipients' }).click();
    await view.locator('.table-filter select').selectOption('Bounced');
    await eventually(async () => assert.match(await tableStatus(view), /^\d+ match(?:es)? · [\d,]+ rows?/u));
    const shown = await tableStatus(view);
    const { message, rows } = await exportCsv(workbench, view, 'recipients.csv');
    const count = rows.toLocaleString('en');
    assert.ok(message.startsWith(`Exported ${count} rows to recipients.csv`), message);
    assert.match(shown, new RegExp(`· ${count} rows?\\b`, 'u'));
    await statisticsStored(/"tab":"recipients".*"filter":"bounced"/u);
    // The preview needs its space.
    await workbench.run('View: Hide Secondary Side Bar');

    await (await row('Campaigns', 'Autumn')).contextAction('Open Campaign Body');
    await editors.waitForActive('Autumn.html');
    await editors.titleAction('Open Preview to the Side');
    // The first email comes with the stored settings.
    await (await webviews.inner('preview')).locator('h1').waitFor();
    await (await webviews.frame('preview')).getByLabel('Width').selectOption('375', { force: true });
    await untilShown('Leaves');
    const previewStored = await webviews.watchMessages('preview', 'do-update-state');
    await editors.show('Preview Autumn');
    await editors.titleAction('Toggle Preview Locking');
    await untilTab('[Preview] Autumn');
    await previewStored(/"locked":true/u);
    await editors.show('Autumn.html');

    // A second preview follows the active email, also to that of the locked one.
    await (await row('Templates', 'Order receipt')).click();
    await editors.waitForActive('Order receipt.html');
    await editors.titleAction('Open Preview to the Side');
    await untilTab('Preview Order receipt');
    await untilShown('Thank you');
    await editors.show('Order receipt.html');
    await editors.waitForText(/Thank you/u);
    await editors.replaceAll('<h1>Unsaved thanks</h1><p>Edits</p>');
    await untilShown('Unsaved thanks');
    await editors.waitForDirty('Order receipt.html', true);
    await workbench.waitForBackup('<p>Edits</p>');
    const [receipt] = await client.getTemplates({ search: 'Order receipt' });
    const templateId = receipt?.id ?? assert.fail('There is no such template.');
    await client.updateTemplate({ templateId, body: '<p>Other</p>' });
    await editors.show('Autumn.html');
    await untilTab('Preview Autumn');
    await untilShown('Leaves');

    const late = service.faults.add({ kind: 'late', operation: 'sendCampaign', times: 1 });
    await editors.titleAction('Send Campaign');
    await workbench.confirmSendReview();
    await dialog.click('Send');
    await notifications.waitFor(/may have been sent: the response was lost\. Mailing Studio keeps checking/u);
    await eventually(async () => assert.equal(await description(), 'sending, response lost'));
    service.faults.add({
      kind: 'status',
      status: 403,
      message: 'Task not allowed.',
      operation: 'getUnsubscribedUsersFromLists',
    });

    await workbench.reload();
    await explorer.open();
    await eventually(async () => assert.equal(await description(), 'sending, response lost'));
    assert.equal(received('sendCampaign'), 1);
    late.land();
    await notifications.waitFor(/^"Autumn" was sent or scheduled on .*\. The response was lost/u);
    await eventually(async () => assert.match(await description(), /^sent/u));
    assert.deepEqual([received('sendCampaign'), service.outbox.count], [1, 3]);
    assert.equal((await client.getCampaigns({ filters: { sent: 1, name: 'Autumn' }, limit: 2 })).length, 1);

    await untilShown('Leaves');
    // VS Code restores a hidden tab when it is shown.
    await editors.show('[Preview] Autumn');
    await eventually(async () => assert.equal((await webviews.all('preview')).length, 1));
    await untilShown('Leaves');
    const previews = async () => (await editors.tabs()).filter((each) => each.includes('Preview')).toSorted();
    assert.deepEqual(await previews(), ['Preview Autumn', '[Preview] Autumn']);
    await editors.show('Order receipt.html');
    await untilTab('Preview Order receipt');
    // An editor that is restored takes the focus once its text is read.
    await editors.waitForText('<p>Edits</p>');
    await editors.focus();
    await editors.show('[Preview] Autumn');
    await editors.titleAction('Toggle Preview Locking');
    await eventually(async () => assert.deepEqual(await previews(), ['Preview Autumn']));
    await editors.show('Order receipt.html');
    await eventually(async () => assert.deepEqual(await previews(), ['Preview Order receipt']));
    await untilShown('Unsaved thanks');

    // The edits are still unsaved, and another user's write is still detected.
    await editors.waitForDirty('Order receipt.html', true);
    await editors.focus();
    await editors.save();
    await notifications.waitFor(/changed on Test service after you opened it/u);
    assert.equal((await client.getOneTemplate(templateId)).body, '<p>Other</p>');

    await editors.show(comparison);
    const editor = await inEditor();
    const heads = editor.getByRole('region', { name: 'Campaigns side by side' }).locator('thead th');
    await eventually(async () => assert.equal(await heads.count(), 3));
    await editor.getByRole('button', { name: 'Season sale' }).click();
    await untilHeading(editor, 'Season sale');
    await editor.locator('.tile[data-key="sent"]').waitFor();
    await workbench.run('View: Toggle Secondary Side Bar Visibility');
    const restored = await eventually(async () => {
      const [frame] = (await webviews.all('statistics')).filter((each) => each !== editor);
      return frame ?? assert.fail('The side bar shows no statistics.');
    });
    await untilHeading(restored, 'Season sale');
    await eventually(async () => assert.equal(await tableStatus(restored), shown));
    assert.equal(await restored.getByRole('tab', { name: 'Recipients' }).getAttribute('aria-selected'), 'true');
    await workbench.run('View: Hide Secondary Side Bar');

    await editors.show('Newsletter');
    const subscribersRestored = await webviews.frame('subscribers');
    await subscribersRestored.getByText(/Couldn't load the rows/u).waitFor();
    service.faults.clear();
    await subscribersRestored.getByText('Retry').click();
    await subscribersRestored.locator('.table-row').first().waitFor();
    assert.equal(
      await subscribersRestored.getByRole('tab', { name: 'Unsubscribed' }).getAttribute('aria-selected'),
      'true',
    );
    // Later previews in this window open with the last width.
    await editors.show('Preview Order receipt');
    await (await webviews.frame('preview')).getByLabel('Width').selectOption('full', { force: true });
  });
});
