import assert from 'node:assert/strict';
import type { FromPage, ToPage } from '../../../src/followUps/protocol.ts';
import { browserFor } from '../browser.ts';
import { loadPage, PageInBrowser } from '../pageInBrowser.ts';

const details = {
  name: 'Spring', display_name: 'Spring series', active: 0, send_once: 1, trigger: 'user_creation', condition: {}, loop: 1, loop_delay: 172_800, loop_mail_skip: [],
  mails: [{ mail_id: 8, delay: 3, delay_unit: 'days' }, { mail_id: 7, delay: 10, delay_unit: 'minutes' }],
};

describe('The follow-up form’s page', function () {
  this.timeout(30_000);
  const suite = browserFor('src/followUps/page/main.ts');
  let form: PageInBrowser<ToPage, FromPage>;
  const bar = (): Promise<string> => form.page.locator('.bar').innerText();
  beforeEach(async () => {
    form = new PageInBrowser(await loadPage(suite.browser, suite.files));
    await form.send({ type: 'terms', isRecord: true, terms: { triggers: [{ value: 'user_creation', label: 'On user creation' }] } });
    await form.send({ type: 'details', seen: 0, problems: [], details });
  });
  afterEach(() => form.page.close());

  it('says how the follow-up stands, and attaches a mail', async () => {
    await form.send({ type: 'mails', mails: [], isActive: true, words: 'Active' });
    assert.match(await bar(), /Active/u);
    await form.page.getByText('Attach Mail…', { exact: true }).click();
    assert.deepEqual((await form.posted('run')).map(({ command }) => command), ['attachMail']);
  });

  it('puts the mails in the order of their delays, by the names that are known', async () => {
    await form.send({ type: 'mails', mails: [{ id: 7, name: 'First days', subject: 'Hello', sent: 'sent today' }], isActive: false, words: 'Inactive' });
    assert.deepEqual(await form.page.locator('li.mail .name').allInnerTexts(), ['First days', 'Mail #8']);
  });

  it('makes an edit of each mail that later rounds skip', async () => {
    await form.page.locator('vscode-checkbox[data-field="loop_mail_skip/8"]').click();
    assert.deepEqual((await form.posted('choose')).map(({ path, id, chosen }) => [path, id, chosen]), [[['loop_mail_skip'], 8, true]]);
  });

  it('offers no mails to a local file', async () => {
    await form.send({ type: 'terms', isRecord: false, terms: { triggers: [] } });
    assert.match(await bar(), /^Local file$/u);
  });
});
