import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

/** Opens a campaign of the sample data from the tree. */
async function openForm(workbench: Workbench, name: string): Promise<Frame> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Campaigns', name])).click();
  await workbench.editors.waitForActive(`${name}.campaign.json`);
  const page = await workbench.webviews.frame('campaignForm');
  await page.locator('main').waitFor();
  return page;
}

/** The service in the test's own words, as somebody else sees it. */
const other = ({ service: { baseUrl, apiKey, profile } }: Workbench) => new MailingClient({ baseUrl, apiKey, profile });

async function campaignOf(workbench: Workbench, name: string) {
  const client = other(workbench);
  const [campaign] = await client.getCampaigns({ filters: { name } });
  assert.ok(campaign);
  return client.getCampaignById(campaign.id);
}

const subjectOf = (page: Frame) => page.getByRole('textbox', { name: 'Subject', exact: true });

describe('The campaign form', () => {
  const window = useWorkbench({ shared: true });

  it('looks like a page of the settings, light, dark, in high contrast and narrow', async () => {
    const workbench = window();
    const page = await openForm(workbench, 'Winter sale');
    await eventually(async () => assert.match(await page.locator('.audience').innerText(), /\d recipients/u));
    await workbench.notifications.clear();
    await workbench.pictures((theme) => `campaign-form-${theme}`);
    await page.getByRole('radio', { name: /^Automatic/u }).click();
    await page.getByLabel('First day').scrollIntoViewIfNeeded();
    await workbench.pictures((theme) => `campaign-form-auto-${theme}`);
    await page.evaluate(() => globalThis.scrollTo(0, 0));
    await subjectOf(page).fill('');
    await page.getByRole('textbox', { name: 'From e-mail' }).fill('nobody');
    await page.getByText('A campaign needs a subject.').waitFor();
    await workbench.pictures((theme) => `campaign-form-problems-${theme}`);
    await workbench.page.setViewportSize({ width: 700, height: 900 });
    await workbench.screenshot('campaign-form-narrow');
  });

  it('stores what was typed with Ctrl+S, also what was typed just before', async () => {
    const workbench = window();
    const tab = 'Year in review.campaign.json';
    const page = await openForm(workbench, 'Year in review');
    await subjectOf(page).fill('Twelve months');
    await workbench.editors.waitForDirty(tab, true);
    await subjectOf(page).press('End');
    await workbench.page.keyboard.type(', one picture');
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await workbench.editors.waitForDirty(tab, false);
    assert.equal((await campaignOf(workbench, 'Year in review')).subject, 'Twelve months, one picture');
    assert.equal(workbench.service.requests.filter(({ operation }) => operation === 'createOrUpdateCampaign').length, 1);
  });

  it('schedules a campaign for lists, and shows the same in the text and back', async () => {
    const workbench = window();
    const name = 'Opening hours over the holidays';
    const tab = `${name}.campaign.json`;
    const page = await openForm(workbench, name);
    await page.getByText('No list is chosen: nobody would get it.').waitFor();
    await page.getByRole('checkbox', { name: /^Customers/u }).click();
    await page.getByText('No list is chosen: nobody would get it.').waitFor({ state: 'detached' });
    await eventually(async () => assert.match(await page.locator('.audience').innerText(), /^\d+ recipients, each counted once$/u));
    await page.getByRole('radio', { name: /^Scheduled/u }).click();
    await page.getByText('A scheduled campaign needs a date.').waitFor();
    await page.getByLabel('Day', { exact: true }).fill('2027-12-24');
    await page.getByText('A scheduled campaign needs a date.').waitFor({ state: 'detached' });
    await workbench.editors.titleAction('Open as Text');
    await workbench.editors.waitForText(/"sending_type": "scheduled",\s+"sending_date": "2027-12-24"/u);
    assert.deepEqual((await workbench.editors.tabs()).filter((each) => each === tab), [tab], 'The text takes the place of the form.');
    await workbench.screenshot('campaign-form-as-text');
    await workbench.editors.titleAction('Open as Form');
    const again = await workbench.webviews.frame('campaignForm');
    await eventually(async () => assert.equal(await again.getByLabel('Day', { exact: true }).inputValue(), '2027-12-24'));
    assert.equal((await workbench.editors.tabs()).filter((each) => each === tab).length, 1);
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await workbench.editors.waitForDirty(tab, false);
    const { sending_type, listIds } = await campaignOf(workbench, name);
    assert.deepEqual([sending_type, listIds], ['scheduled', [5]]);
  });

  it('shows the time of a date with its zone, and keeps it where another day is chosen', async () => {
    const workbench = window();
    const [name, tab] = ['Winter sale', 'Winter sale.campaign.json'];
    const { id, subject = '', listIds } = await campaignOf(workbench, name);
    const fields = { campaignId: id, name, subject: subject ?? '', body: '<p>Hello</p>', listIds: listIds ?? [] };
    await other(workbench).createOrUpdateCampaign({ ...fields, sending_type: 'scheduled', sending_date: '2027-03-01 14:30:00' });
    const page = await openForm(workbench, name);
    const day = page.getByLabel('Day', { exact: true });
    await eventually(async () => assert.equal(await day.inputValue(), '2027-03-01'));
    assert.equal(await page.getByLabel('Time', { exact: true }).first().inputValue(), '14:30:00');
    await page.getByText('The service’s own time zone counts, which it does not tell.').first().scrollIntoViewIfNeeded();
    await workbench.notifications.clear();
    await workbench.screenshot('campaign-form-time');
    await day.fill('2027-03-02');
    await workbench.editors.waitForDirty(tab, true);
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await workbench.editors.waitForDirty(tab, false);
    assert.equal((await campaignOf(workbench, name)).sending_date, '2027-03-02 14:30:00');
  });

  it('undoes a word at once, and what is being typed too', async () => {
    const workbench = window();
    const page = await openForm(workbench, 'Year in review');
    const before = await subjectOf(page).inputValue();
    await subjectOf(page).click();
    await subjectOf(page).press('End');
    await workbench.page.keyboard.type(' again');
    await workbench.page.keyboard.press('ControlOrMeta+z');
    await eventually(async () => assert.equal(await subjectOf(page).inputValue(), before));
    await workbench.page.keyboard.type('!');
    await workbench.editors.waitForDirty('Year in review.campaign.json', true);
    await workbench.page.keyboard.press('ControlOrMeta+z');
    await eventually(async () => assert.equal(await subjectOf(page).inputValue(), before));
    await workbench.editors.waitForDirty('Year in review.campaign.json', false);
    await workbench.page.keyboard.press('ControlOrMeta+Shift+z');
    await eventually(async () => assert.equal(await subjectOf(page).inputValue(), `${before}!`));
  });

  it('says where the text is broken, and leaves it alone', async () => {
    const workbench = window();
    await openForm(workbench, 'Year in review');
    await workbench.editors.titleAction('Open as Text');
    await workbench.editors.waitForText(/"subject"/u);
    await workbench.editors.replaceAll('{\n  "name": "Kept"\n  "subject": "Half"\n}');
    await workbench.editors.titleAction('Open as Form');
    const page = await workbench.webviews.frame('campaignForm');
    await eventually(async () => assert.match(await page.getByRole('alert').innerText(), /^Line 3 is not valid JSON: comma expected\./u));
    assert.equal(await page.locator('main').isVisible(), false);
    await workbench.screenshot('campaign-form-broken');
    await page.getByRole('button', { name: 'Open as Text' }).click();
    await workbench.editors.waitForText(/"name": "Kept"\s+"subject": "Half"/u);
  });

  it('keeps what nobody knows, and says so above all fields', async () => {
    const workbench = window();
    await openForm(workbench, 'Year in review');
    await workbench.editors.titleAction('Open as Text');
    await workbench.editors.waitForText(/"subject"/u);
    await workbench.editors.replaceAll('{ "flavour": [1,  2], "name": "N", "subject": "S" }');
    await workbench.editors.titleAction('Open as Form');
    const page = await workbench.webviews.frame('campaignForm');
    await page.getByText('“flavour” is not a field of a campaign.').waitFor();
    await subjectOf(page).fill('Other');
    await workbench.editors.titleAction('Open as Text');
    await workbench.editors.waitForText('{ "flavour": [1,  2], "name": "N", "subject": "Other" }');
  });

  it('shows the service’s refusal beside the field that it is about, until that is changed', async () => {
    const workbench = window();
    workbench.problems.allow(/Unable to write file|Failed to save|createOrUpdateCampaign/u);
    const page = await openForm(workbench, 'Year in review');
    workbench.service.faults.add({ kind: 'status', status: 422, message: 'The subject has a word that is not allowed.', operation: 'createOrUpdateCampaign', times: 1 });
    await subjectOf(page).fill('Free money');
    await workbench.page.keyboard.press('ControlOrMeta+s');
    const remark = page.locator('.field', { has: subjectOf(page) }).locator('.remark');
    await eventually(async () => assert.deepEqual(await remark.allInnerTexts(), ['The service says: The subject has a word that is not allowed.']));
    await workbench.screenshot('campaign-form-refused');
    assert.equal(await workbench.editors.isDirty('Year in review.campaign.json'), true);
    await subjectOf(page).fill('A year');
    await eventually(async () => assert.deepEqual(await remark.allInnerTexts(), []));
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await workbench.editors.waitForDirty('Year in review.campaign.json', false);
  });

  it('is read-only for a campaign that was sent, with a way out', async () => {
    const workbench = window();
    const page = await openForm(workbench, 'Season sale');
    await page.getByText('Sent already').waitFor();
    assert.equal(await subjectOf(page).isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Duplicate' }).isVisible(), true);
    await workbench.notifications.clear();
    await workbench.screenshot('campaign-form-sent');
  });

  it('shows that the campaign went out, and locks itself', async () => {
    const workbench = window();
    const page = await openForm(workbench, 'Opening hours over the holidays');
    await page.getByRole('checkbox', { name: /^Test/u }).click();
    await page.getByRole('button', { name: 'Send…' }).click();
    await workbench.passLastLook();
    await workbench.dialog.click('Send Now');
    // A picture of the sample stands in the e-mail itself, which Gmail drops.
    await workbench.dialog.click('Send With Errors');
    // The form was hidden by the last look, and comes back as a page of its own.
    await workbench.editors.waitForActive('Opening hours over the holidays.campaign.json');
    const back = await workbench.webviews.frame('campaignForm');
    await back.getByText('Sent already').waitFor();
    await back.locator('.standing', { hasText: /^Sent / }).waitFor();
    assert.equal(await subjectOf(back).isDisabled(), true);
    assert.equal(workbench.service.requests.filter(({ operation }) => operation === 'sendCampaign').length, 1);
  });

  it('says that the lists can’t be read, and reads them again', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    const fault = workbench.service.faults.add({ kind: 'status', status: 500, operation: 'getLists' });
    await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Winter sale'])).click();
    const page = await workbench.webviews.frame('campaignForm');
    await page.getByText('The lists can’t be read').waitFor();
    assert.equal(await page.getByText('List #5', { exact: true }).isVisible(), true);
    await workbench.notifications.clear();
    await page.getByText('The lists can’t be read').scrollIntoViewIfNeeded();
    await workbench.screenshot('campaign-form-no-lists');
    fault.remove();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await eventually(async () => assert.equal(await page.getByRole('checkbox', { name: /^Customers/u }).getAttribute('aria-checked'), 'true'));
  });

  it('comes back where it was left, with what was typed last', async () => {
    const workbench = window();
    const page = await openForm(workbench, 'Year in review');
    await subjectOf(page).fill('Before it was hidden');
    await page.getByRole('textbox', { name: 'Bcc' }).click();
    await workbench.page.keyboard.type('archive@example.com');
    await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Year in review'])).contextAction('Open Campaign Body');
    await workbench.editors.waitForActive('Year in review.html');
    await workbench.editors.show('Year in review.campaign.json');
    const again = await eventually(async () => {
      const frame = await workbench.webviews.frame('campaignForm');
      assert.equal(await subjectOf(frame).inputValue(), 'Before it was hidden');
      assert.equal(await frame.getByRole('textbox', { name: 'Bcc' }).inputValue(), 'archive@example.com');
      return frame;
    });
    await eventually(async () => assert.equal(await again.evaluate(() => document.hasFocus() && (document.activeElement as HTMLElement).dataset['field']), 'bcc'));
  });
});

describe('The campaign form of what no request can carry', () => {
  const birthday = (answer: unknown): unknown => (answer as object[]).map((row) => ({ ...row, sending_type: 'birthday', sending_params: { birthday: { days: 3 } } }));
  const window = useWorkbench({ rewrites: { getCampaignById: birthday } });

  it('is read-only with the reason, and offers a duplicate', async () => {
    const workbench = window();
    const page = await openForm(workbench, 'Year in review');
    await page.getByText('It has the sending type “birthday”').waitFor();
    assert.equal(await subjectOf(page).isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Duplicate' }).isVisible(), true);
    await workbench.notifications.clear();
    await workbench.screenshot('campaign-form-unsendable');
    await page.getByText('The text says “birthday”.').scrollIntoViewIfNeeded();
    await workbench.screenshot('campaign-form-unsendable-sending');
  });
});

describe('The campaign form of a local file', () => {
  const window = useWorkbench({ service: false, files: { 'plan.campaign.json': '{\n  "name": "Plan",\n  "subject": "S",\n  "listIds": [4]\n}\n' } });

  it('is there when it is asked for, and does without a service', async () => {
    const workbench = window();
    await workbench.quickInput.openFile('plan.campaign.json');
    // Any tool may call its files so.
    await eventually(async () => assert.match(await workbench.editors.visibleText(), /"name": "Plan"/u));
    assert.equal(await workbench.page.locator('.editor-actions [aria-label*="Open as Form"]').count(), 0);
    await workbench.run('Mailing: Open as Form');
    const page = await workbench.webviews.frame('campaignForm');
    await page.getByText('List #4', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send…' }).isVisible(), false);
    await subjectOf(page).fill('Local');
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await eventually(() => assert.equal(readFileSync(join(workbench.folder, 'plan.campaign.json'), 'utf8'), '{\n  "name": "Plan",\n  "subject": "Local",\n  "listIds": [4]\n}\n'));
  });
});
