import assert from 'node:assert/strict';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

/** The service in the test's own words, as somebody else sees it. */
const other = ({ service: { baseUrl, apiKey, profile } }: Workbench) => new MailingClient({ baseUrl, apiKey, profile });
const sent = ({ service }: Workbench, operation: string): number => service.requests.filter((request) => request.operation === operation).length;

async function open(workbench: Workbench): Promise<void> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
}

describe('Follow-ups', () => {
  const window = useWorkbench({ shared: true });

  it('are made, changed in the form, given mails, and deleted', async () => {
    const workbench = window();
    const { quickInput, explorer, editors, webviews } = workbench;
    await open(workbench);
    await (await explorer.row([testConnection.name, 'Follow-ups'])).contextAction('New Follow-up…');
    await quickInput.waitFor('Name of the follow-up');
    await quickInput.answer('Spring series');
    await quickInput.pick('When a user subscribes');
    await quickInput.waitFor('Display name');
    await quickInput.answer('Spring news');
    await editors.waitForActive('Spring series.follow-up.json');
    const form = async () => {
      const frame = await webviews.frame('followUpForm');
      await frame.locator('main').waitFor();
      return frame;
    };
    let page = await form();
    await page.getByText('No mails yet:').waitFor();
    const tab = 'Spring series.follow-up.json';
    assert.equal(await page.getByRole('checkbox', { name: 'Active', exact: true }).getAttribute('aria-disabled'), 'true', 'The documented service shows it only.');
    await page.getByText('no operation that changes it').first().waitFor();

    await page.getByRole('textbox', { name: 'Display name' }).fill('News of the spring');
    await page.getByRole('checkbox', { name: /^Newsletter/u }).click();
    await page.getByRole('checkbox', { name: 'Start again after the last mail' }).click();
    await page.getByRole('textbox', { name: 'Wait before it starts again' }).fill('2');
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await editors.waitForDirty(tab, false);
    const [stored] = await other(workbench).getFollowUps({ filters: { name: 'Spring series' } });
    assert.ok(stored);
    assert.equal(await (await explorer.row([testConnection.name, 'Follow-ups', 'Spring series'])).description(), 'inactive · when a user subscribes');
    assert.deepEqual([stored.display_name, stored.condition?.lists, stored.loop, stored.loop_delay], ['News of the spring', [1], 1, 172_800]);

    for (const [subject, delay, unit] of [['Three weeks of sun', '3', 'days'], ['First warm days', '10', 'minutes']] as const) {
      await page.getByRole('button', { name: 'Attach Mail…' }).click();
      await quickInput.pick('From scratch');
      await quickInput.waitFor('Subject of the mail');
      await quickInput.answer(subject);
      await quickInput.waitFor('Name of the mail');
      await quickInput.accept();
      await quickInput.waitFor('After which delay');
      await quickInput.answer(delay);
      await quickInput.pick(unit);
      await editors.waitForActive(/^\d+\.html$/u);
      await workbench.page.locator('.codelens-decoration', { hasText: 'What this machine sent last' }).waitFor();
      if (delay === '3') {
        await editors.replaceAll('<p>The sun is out.</p>');
        await workbench.screenshot('follow-up-mail');
        await editors.save();
      }
      await editors.show(tab);
      // What was hidden begins anew.
      page = await form();
    }
    await eventually(async () => assert.deepEqual(await page.locator('.timeline .name').allInnerTexts(), ['When a user subscribes', 'First warm days', 'Three weeks of sun', 'Can be triggered again']));
    assert.deepEqual(await page.locator('.timeline .wait').allInnerTexts(), ['+ 10 minutes', '+ 3 days', '+ 2 days']);
    await workbench.notifications.clear();
    await workbench.screenshot('follow-up-form');
    await page.locator('.timeline').scrollIntoViewIfNeeded();
    await page.getByText('Mails that later rounds skip').scrollIntoViewIfNeeded();
    await workbench.pictures((theme) => `follow-up-timeline-${theme}`);

    const first = page.locator('[data-mail]').filter({ hasText: 'First warm days' });
    await first.getByRole('textbox', { name: 'Delay' }).fill('5760');
    await first.getByRole('textbox', { name: 'Delay' }).press('Tab');
    await eventually(async () => assert.deepEqual(await page.locator('.timeline .title .name').allInnerTexts(), ['Three weeks of sun', 'First warm days']));
    await page.getByRole('checkbox', { name: 'Three weeks of sun' }).click();
    await editors.waitForDirty(tab, true);
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await editors.waitForDirty(tab, false);
    const { mails, loop_mail_skip } = await other(workbench).getFollowUpById(stored.id);
    assert.deepEqual(mails.map(({ delay, delay_unit }) => [delay, delay_unit]), [[3, 86_400], [5760, 60]]);
    assert.deepEqual(loop_mail_skip, [mails[0]?.mail_id]);

    await page.getByRole('button', { name: 'Delete First warm days…' }).click();
    assert.match(await workbench.dialog.text(), /Delete First warm days \(after 5760 minutes\) from the follow-up "Spring series"/u);
    await workbench.screenshot('follow-up-delete-mail');
    await workbench.dialog.click('Cancel');
    assert.equal(sent(workbench, 'deleteEmailFromFollowUp'), 0);
    await page.getByRole('button', { name: 'Delete First warm days…' }).click();
    await workbench.dialog.click('Delete');
    await eventually(async () => assert.deepEqual(await page.locator('.timeline .title .name').allInnerTexts(), ['Three weeks of sun']));

    await (await explorer.row([testConnection.name, 'Follow-ups', 'Spring series'])).contextAction('Delete Follow-up…');
    assert.match(await workbench.dialog.text(), /Delete the follow-up "Spring series".*Its mail is deleted with it/su);
    await workbench.dialog.click('Delete');
    await eventually(async () => assert.deepEqual(await other(workbench).getFollowUps({ filters: { name: 'Spring series' } }), []));
    await eventually(async () => assert.ok(!(await explorer.labels()).includes('Spring series')));
  });

  it('never pretend to know the text of a mail', async () => {
    const workbench = window();
    const { webviews, editors } = workbench;
    await open(workbench);
    await (await workbench.explorer.row([testConnection.name, 'Follow-ups', 'Welcome series'])).click();
    await editors.waitForActive('Welcome series.follow-up.json');
    const page = await webviews.frame('followUpForm');
    await page.getByText('This machine has not sent its text, and the service never returns it').first().waitFor();
    assert.equal(await page.locator('[data-mail] vscode-text-field[disabled]').count(), 3, 'A delay is taken with the text alone.');
    await workbench.page.setViewportSize({ width: 720, height: 900 });
    await page.locator('.timeline').scrollIntoViewIfNeeded();
    await workbench.screenshot('follow-up-unknown-narrow');
    await page.getByRole('button', { name: /^Supply Text… Mail #/u }).first().click();
    assert.match(await workbench.dialog.text(), /This machine has no text of mail #\d+ \(after 5 minutes\).*The service never returns the text of a mail/su);
    await workbench.screenshot('follow-up-supply');
    await workbench.dialog.click('Cancel');
    assert.equal(sent(workbench, 'attachEmailToFollowUp'), 0);
  });
});
