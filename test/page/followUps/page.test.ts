import assert from 'node:assert/strict';
import type { FollowUpToPage } from '../../../src/features/followUps/protocol.ts';
import type { FormFromPage, FormToPage } from '../../../src/ui/page/form/protocol.ts';
import { eventually } from '../../support/eventually.ts';
import { browserFor } from '../browser.ts';
import { loadPage, PageInBrowser } from '../pageInBrowser.ts';
import { details } from './samples.ts';

describe('Follow-up form page', function () {
  const suite = browserFor('src/features/followUps/page/main.ts');
  let form: PageInBrowser<FormToPage | FollowUpToPage, FormFromPage>;
  const sendDetails = (changed: object = {}, confirmedSeq = 0) =>
    form.send({ type: 'details', confirmedSeq, problems: [], details: { ...details, ...changed } });
  const sendMails = (...mails: readonly (readonly [id: number, name: string])[]) =>
    form.send({
      type: 'mails',
      mails: mails.map(([id, name]) => ({ id, name, sentText: 'Last sent today.' })),
      isActive: mails.length === 0,
      statusText: mails.length === 0 ? 'Active' : 'Inactive',
    });
  const readBar = () => form.page.locator('.bar').innerText();
  beforeEach(async () => {
    form = new PageInBrowser(await loadPage(suite.browser, suite.files));
    await form.send({
      type: 'options',
      isRecord: true,
      options: { triggers: [{ value: 'user_creation', label: 'On user creation' }] },
    });
    await sendDetails();
  });

  it('shows the state of the follow-up and attaches a mail', async () => {
    await sendMails();
    assert.match(await readBar(), /Active/u);
    await form.page.getByText('Add Email…', { exact: true }).click();
    assert.deepEqual(
      (await form.posted('run')).map(({ command }) => command),
      ['attachMail'],
    );
  });

  it('keeps the value of a list that Escape closes', async () => {
    const unit = form.page.getByRole('combobox', { name: 'Unit of the wait' });
    const selected = await unit.inputValue();
    await unit.press('Space');
    await form.page.keyboard.press('ArrowUp');
    await form.page.keyboard.press('Escape');
    assert.equal(await unit.inputValue(), selected);
    const before = (await form.posted('edit')).at(-1)?.value;
    await unit.press('Space');
    await form.page.keyboard.press('ArrowUp');
    await form.page.keyboard.press('Enter');
    assert.notEqual(await unit.inputValue(), selected);
    assert.notDeepEqual((await form.posted('edit')).at(-1)?.value, before);
  });

  it('posts an edit for each mail that later rounds skip', async () => {
    await form.page.locator('vscode-checkbox[data-field="loop_mail_skip/8"]').click();
    assert.deepEqual(
      (await form.posted('choose')).map(({ path, id, chosen }) => [path, id, chosen]),
      [[['loop_mail_skip'], 8, true]],
    );
  });

  it('shows each delay and the end of the sequence', async () => {
    const readTimeline = (selector: string) => form.page.locator(`.timeline ${selector}`).allInnerTexts();
    await sendMails([7, 'First warm days']);
    assert.deepEqual(await readTimeline('.name'), [
      'On user creation',
      'First warm days',
      'Email #8',
      'Can be triggered again',
    ]);
    assert.deepEqual(await readTimeline('.wait'), ['+ 10 minutes', '+ 3 days', '+ 2 days']);
    await sendDetails({ loop: 0 });
    assert.deepEqual((await readTimeline('.name')).at(-1), 'Ends');
    assert.deepEqual(await readTimeline('.wait'), ['+ 10 minutes', '+ 3 days', '']);
    assert.equal(await form.page.getByRole('textbox', { name: 'Wait before it starts again' }).isVisible(), false);
    await sendDetails({ mails: [] });
    assert.ok(await form.page.getByText('No emails yet. To add one').isVisible());
  });

  it('moves a mail once its changed delay loses focus', async () => {
    await sendMails([7, 'First'], [8, 'Second']);
    const readNames = () => form.page.locator('li.mail .name').allInnerTexts();
    const delay = form.page.locator('[data-mail="7"]').getByRole('textbox', { name: 'Delay' });
    await delay.fill('5760');
    assert.deepEqual(
      (await form.posted('edit')).map(({ path, value }) => [path, value]),
      [[['mails', 1, 'delay'], 5760]],
    );
    await sendDetails({ mails: [details.mails[0], { mail_id: 7, delay: 5760, delay_unit: 'minutes' }] }, 1);
    assert.deepEqual(await readNames(), ['First', 'Second']);
    await delay.press('Tab');
    await eventually(async () => assert.deepEqual(await readNames(), ['Second', 'First']));
  });

  it('disables the delay of a mail without a stored text and offers to supply one', async () => {
    await sendMails([7, 'First']);
    const getMailRow = (id: number) => form.page.locator(`[data-mail="${id}"]`);
    assert.ok(
      await getMailRow(8).getByText("This computer hasn't sent its text, and the service never returns it").isVisible(),
    );
    assert.ok(
      await getMailRow(7)
        .getByText('Last sent today. The service never returns the text, so it may have another one.')
        .isVisible(),
    );
    const isDisabled = (id: number) => getMailRow(id).getByRole('textbox', { name: 'Delay' }).isDisabled();
    assert.deepEqual([await isDisabled(7), await isDisabled(8)], [false, true]);
    await getMailRow(8).getByRole('button', { name: 'Supply Text… Email #8' }).click();
    await getMailRow(7).getByRole('button', { name: 'Delete First…' }).click();
    assert.deepEqual(
      (await form.posted('run')).map(({ command, id }) => [command, id]),
      [
        ['editMail', 8],
        ['deleteMail', 7],
      ],
    );
  });

  it('posts an edit for each changed field in the units of the service', async () => {
    await form.send({ type: 'lists', lists: { kind: 'loaded', lists: [{ id: 1, name: 'Newsletter' }] } });
    const { page } = form;
    await page.getByRole('textbox', { name: 'Display name' }).fill('News of the spring');
    await page.getByRole('checkbox', { name: /^Newsletter/u }).click();
    await page.getByRole('checkbox', { name: 'Active', exact: true }).click();
    await page.getByRole('textbox', { name: 'Wait before it starts again' }).fill('3');
    await page.getByRole('checkbox', { name: 'Start again after the last email' }).click();
    assert.deepEqual(
      (await form.posted('edit')).map(({ path, value }) => [path.join('.'), value]),
      [
        ['display_name', 'News of the spring'],
        ['active', 1],
        ['loop_delay', 259_200],
        ['loop', 0],
      ],
    );
    assert.deepEqual(
      (await form.posted('choose')).map(({ path, id, chosen }) => [path.join('.'), id, chosen]),
      [['condition.lists', 1, true]],
    );
  });

  it('disables read-only fields and shows the reason', async () => {
    await form.send({
      type: 'options',
      isRecord: true,
      options: { triggers: [], readOnlyReason: 'The service has no operation that changes it.' },
    });
    assert.equal(
      await form.page.getByRole('checkbox', { name: 'Active', exact: true }).getAttribute('aria-disabled'),
      'true',
    );
    assert.equal(await form.page.getByText('The service has no operation that changes it.').count(), 2);
  });

  it('hides mail actions for a local file', async () => {
    await form.send({ type: 'options', isRecord: false, options: { triggers: [] } });
    assert.match(await readBar(), /\nLocal file$/u);
  });
});
