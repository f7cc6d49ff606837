import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection, type Workbench } from '../support/workbench.ts';

const received = ({ service }: Workbench, operation: string) =>
  service.requests.filter((request) => request.operation === operation).length;
const subjectOf = (page: Frame) => page.getByRole('textbox', { name: 'Subject', exact: true });

/** The last one opened of the pages that show a form, once it shows the details. */
async function formOf({ webviews }: Workbench, name: 'campaignForm' | 'followUpForm') {
  return eventually(async () => {
    const page = await webviews.frame(name);
    await page.locator('main').waitFor({ timeout: 2000 });
    return page;
  });
}

describe('Campaigns and follow-ups in the workbench', () => {
  const window = useWorkbench();

  it('creates, fills in, reviews and sends a campaign once', async () => {
    const workbench = window();
    const { page, editors, quickInput, explorer, dialog, webviews } = workbench;
    const tab = 'First snow.campaign.json';
    const row = () => explorer.row([testConnection.name, 'Campaigns', 'First snow']);
    const stored = async () => {
      const [found] = await workbench.client.getCampaigns({ filters: { name: 'First snow' } });
      assert.ok(found);
      return workbench.client.getCampaignById(found.id);
    };
    await workbench.enterApiKey();
    await workbench.run('Mailing: New Campaign…');
    await quickInput.waitFor(/Select what to start from/u);
    await quickInput.pick('Empty');
    await quickInput.waitFor(/Subject, shown to recipients/u);
    await quickInput.answer('Snow is near');
    await quickInput.waitFor(/Name of the campaign/u);
    await quickInput.answer('First snow');
    await editors.waitForActive(tab);
    let form = await formOf(workbench, 'campaignForm');

    // VS Code undoes edits that the form wrote; the form undoes those it has not written yet.
    await subjectOf(form).click();
    await subjectOf(form).press('End');
    await page.keyboard.type(' again');
    await page.keyboard.press('ControlOrMeta+z');
    await eventually(async () => assert.equal(await subjectOf(form).inputValue(), 'Snow is near'));
    await page.keyboard.type('!');
    await editors.waitForDirty(tab, true);
    await page.keyboard.press('ControlOrMeta+z');
    await eventually(async () => assert.equal(await subjectOf(form).inputValue(), 'Snow is near'));
    await editors.waitForDirty(tab, false);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await eventually(async () => assert.equal(await subjectOf(form).inputValue(), 'Snow is near!'));

    await form.getByText('No list is selected: the campaign has no recipients.').waitFor();
    await form.getByRole('checkbox', { name: /^Test/u }).click();
    await form.getByText('No list is selected: the campaign has no recipients.').waitFor({ state: 'detached' });
    await eventually(async () =>
      assert.equal(await form.locator('.audience').innerText(), '3 recipients, each counted once'),
    );
    await form.getByRole('radio', { name: /^Scheduled/u }).click();
    const day = form.getByLabel('Day', { exact: true });
    await day.waitFor();
    await form.getByText('A scheduled campaign needs a date.').waitFor();
    await form.getByRole('button', { name: 'Schedule…' }).click();
    await eventually(async () => assert.ok(await day.evaluate((input) => input.matches(':focus'))));
    await day.fill('2099-12-24');
    await form.getByText('A scheduled campaign needs a date.').waitFor({ state: 'detached' });
    await subjectOf(form).press('End');
    await page.keyboard.type('!!');
    await page.keyboard.press('ControlOrMeta+s');
    await editors.waitForDirty(tab, false);
    const { subject, sending_type, listIds } = await stored();
    assert.deepEqual(
      [subject, sending_type, listIds, received(workbench, 'createOrUpdateCampaign')],
      ['Snow is near!!!', 'scheduled', [8], 2],
    );

    // A hidden form reloads when shown, with the last edit and scroll position.
    await form.getByRole('textbox', { name: 'Bcc' }).click();
    await page.keyboard.type('archive@example.com');
    await form.getByRole('button', { name: 'Open Body' }).click();
    await editors.waitForActive('First snow.html');
    await editors.replaceAll('<p>Snow</p>');
    await editors.show(tab);
    form = await formOf(workbench, 'campaignForm');
    await eventually(async () =>
      assert.equal(await form.getByRole('textbox', { name: 'Bcc' }).inputValue(), 'archive@example.com'),
    );
    await eventually(async () =>
      assert.equal(
        await form.evaluate(() => document.hasFocus() && (document.activeElement as HTMLElement).dataset['field']),
        'bcc',
      ),
    );

    await form.getByRole('button', { name: 'Schedule…' }).click();
    await editors.waitForActive(/^Review/u);
    const review = await webviews.frame('sendReview');
    const text = async () => (await review.locator('main').innerText()).replace(/\s+/gu, ' ');
    await eventually(async () =>
      assert.match(
        await text(),
        /Inbox .*Snow is near!!!.* Schedule Sends on Dec 24, 2099.* Recipients Test .*3 recipients/u,
      ),
    );
    assert.match(
      await text(),
      /Tests This workspace hasn't sent a test\. Checks .*Missing values No missing values for the first 3 subscribers of its lists/u,
    );
    assert.equal(await (await webviews.inner('sendReview')).locator('body').innerText(), 'Snow');
    assert.equal(await dialog.isOpen(), false, 'The review comes first.');
    await review.getByText("Don't Send").click();
    await editors.waitForActive(tab);
    assert.deepEqual([await dialog.isOpen(), received(workbench, 'sendCampaign')], [false, 0]);

    form = await formOf(workbench, 'campaignForm');
    await form.getByRole('radio', { name: /^Now/u }).click();
    await form.getByRole('button', { name: 'Send…' }).click();
    await workbench.confirmSendReview();
    // The review survives a canceled confirmation, and its button has the focus again.
    await dialog.click('Cancel');
    const again = await webviews.frame('sendReview');
    await eventually(async () => {
      assert.equal(await editors.active(), 'Review before sending: First snow');
      assert.equal(await again.evaluate(() => document.hasFocus() && document.activeElement?.textContent), 'Send…');
    });
    await workbench.page.keyboard.press('Enter');
    const question = await dialog.text();
    for (const words of [
      /Send "First snow" to 3 recipients on Test service\?/u,
      /Subject: Snow is near!!!/u,
      /Lists: Test/u,
      /Sends immediately/u,
    ])
      assert.match(question, words);
    await dialog.click('Send');
    await workbench.notifications.waitFor('"First snow" was sent to 3 recipients.');
    assert.equal(received(workbench, 'sendCampaign'), 1);
    assert.match(await workbench.service.outbox.eml(1), /Snow/u);
    const { sent, bcc } = await stored();
    assert.deepEqual([sent, bcc], [1, 'archive@example.com']);
    await editors.waitForActive(tab);
    form = await formOf(workbench, 'campaignForm');
    await form.getByText('This campaign was already sent').waitFor();
    await form.locator('.standing', { hasText: /^Sent / }).waitFor();
    assert.equal(await subjectOf(form).isDisabled(), true);
    await eventually(async () => assert.equal(await editors.isReadOnly('First snow.html'), true));

    await explorer.open();
    await eventually(async () => assert.match(await (await row()).description(), /^sent/u));
    await (await row()).contextAction('Send Campaign Again…');
    await workbench.confirmSendReview();
    assert.match(await dialog.text(), /was already sent.*Send it again/u);
    await page.keyboard.press('Enter');
    await editors.waitForActive(/^Review/u);
    assert.deepEqual([await dialog.isOpen(), received(workbench, 'sendCampaign')], [false, 1]);
  });

  it('creates, fills in and deletes a follow-up with a mail', async () => {
    const workbench = window();
    const { page, editors, quickInput, explorer, dialog } = workbench;
    const tab = 'Spring series.follow-up.json';
    const row = () => explorer.row([testConnection.name, 'Follow-ups', 'Spring series']);
    await workbench.enterApiKey();
    await explorer.open();
    await (await explorer.row([testConnection.name, 'Follow-ups'])).contextAction('New Follow-up…');
    await quickInput.waitFor('Name of the follow-up');
    await quickInput.answer('Spring series');
    await quickInput.pick('When a user subscribes');
    await quickInput.waitFor('Display name');
    await quickInput.answer('Spring news');
    await editors.waitForActive(tab);
    let form = await formOf(workbench, 'followUpForm');
    await form.getByText('No emails yet. To add one').waitFor();
    assert.equal(
      await form.getByRole('checkbox', { name: 'Active', exact: true }).getAttribute('aria-disabled'),
      'true',
      'The documented service shows it only.',
    );
    await form.getByText("The service's API can't change this field").first().waitFor();
    await form.getByRole('textbox', { name: 'Display name' }).fill('News of the spring');
    await form.getByRole('checkbox', { name: /^Newsletter/u }).click();
    await form.getByRole('checkbox', { name: 'Start again after the last email' }).click();
    await form.getByRole('textbox', { name: 'Wait before it starts again' }).fill('2');
    const unit = form.getByRole('combobox', { name: 'Unit of the wait' });
    assert.equal(await unit.evaluate((element) => (element as HTMLSelectElement).value), 'days');
    await page.keyboard.press('ControlOrMeta+s');
    await editors.waitForDirty(tab, false);
    const [stored] = await workbench.client.getFollowUps({ filters: { name: 'Spring series' } });
    assert.ok(stored);
    assert.deepEqual(
      [stored.display_name, stored.condition?.lists, stored.loop, stored.loop_delay],
      ['News of the spring', [1], 1, 172_800],
    );
    assert.equal(await (await row()).description(), 'inactive · when a user subscribes');

    await form.getByRole('button', { name: 'Add Email…' }).click();
    await quickInput.pick('From scratch');
    await quickInput.waitFor('Subject, shown to recipients');
    await quickInput.answer('First warm days');
    await quickInput.waitFor('Delay before sending');
    await quickInput.type('10');
    await quickInput.pick('after 10 minutes');
    await editors.waitForActive(/^\d+\.html$/u);
    await page.locator('.codelens-decoration', { hasText: 'Last sent from this computer' }).waitFor();
    await editors.replaceAll('<p>The sun is out.</p>');
    await editors.save();
    await editors.show(tab);
    form = await formOf(workbench, 'followUpForm');
    const timeline = () => form.locator('.timeline .name, .timeline .wait').allInnerTexts();
    await eventually(async () =>
      assert.deepEqual(await timeline(), [
        'When a user subscribes',
        '+ 10 minutes',
        'First warm days',
        '+ 2 days',
        'Can be triggered again',
      ]),
    );
    const delay = form.locator('[data-mail]').getByRole('textbox', { name: 'Delay' });
    await delay.fill('5760');
    await form.getByRole('checkbox', { name: 'First warm days' }).click();
    await page.keyboard.press('ControlOrMeta+s');
    await eventually(async () => {
      const { mails, loop_mail_skip } = await workbench.client.getFollowUpById(stored.id);
      assert.deepEqual(
        [mails.map(({ delay: amount, delay_unit }) => [amount, delay_unit]), loop_mail_skip],
        [[[5760, 60]], [mails[0]?.mail_id]],
      );
    });
    await editors.waitForDirty(tab, false);

    await form.getByRole('button', { name: 'Delete First warm days…' }).click();
    assert.match(
      await dialog.text(),
      /Delete the email "First warm days" \(after 5,760 minutes\) from the follow-up "Spring series"/u,
    );
    await dialog.click('Cancel');
    assert.equal(received(workbench, 'deleteEmailFromFollowUp'), 0);
    await (await row()).contextAction('Delete…');
    assert.match(await dialog.text(), /Delete the follow-up "Spring series".*Its email is deleted too/su);
    await dialog.click('Delete');
    await eventually(async () =>
      assert.deepEqual(await workbench.client.getFollowUps({ filters: { name: 'Spring series' } }), []),
    );
    await eventually(async () => assert.ok(!(await explorer.labels()).includes('Spring series')));
  });
});
