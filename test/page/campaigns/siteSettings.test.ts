import assert from 'node:assert/strict';
import { browserFor } from '../browser.ts';
import { FormInBrowser } from './formInBrowser.ts';

describe("the site's settings in the campaign form", function () {
  this.timeout(30_000);
  const suite = browserFor('src/features/campaigns/form/page/main.ts');
  const sending_params = { utm_source: 'site', segment: { filters: [1] }, abtest: { B: 164 } };
  const status = { type: 'status', isRecord: true, siteParams: sending_params } as const;
  let form: FormInBrowser;
  beforeEach(async () => {
    form = await FormInBrowser.open(suite.browser, suite.files);
    await form.send({ type: 'zones', isStartUtc: true, sendsAtOnce: true, site: 'https://site.example/' });
  });
  const input = (name: string) => form.page.getByRole('textbox', { name, exact: true });
  const isEnabled = () =>
    Promise.all(['UTM source', 'UTM medium', 'UTM campaign'].map((name) => input(name).isEnabled()));

  it('can be added but not changed, and the others are shown as they are', async () => {
    await form.show({ sending_params });
    await form.send(status);
    assert.deepEqual(await isEnabled(), [false, true, true]);
    assert.equal(await input('UTM source').inputValue(), 'site');
    for (const text of ['segment: {"filters":[1]}', 'abtest: {"B":164}'])
      assert.ok(await form.page.getByText(text, { exact: true }).isVisible(), text);
    await input('UTM medium').fill('mail');
    await input('UTM medium').fill('');
    assert.deepEqual(await form.edits(), [
      ['sending_params.utm_medium', 'mail'],
      ['sending_params.utm_medium', undefined],
    ]);
  });

  it('can be changed for an automatic campaign, unless the record is read-only', async () => {
    await form.show({ sending_type: 'auto', frequency: 'cron', sending_params });
    await form.send(status);
    assert.deepEqual(await isEnabled(), [true, true, true]);
    await form.send({ type: 'readOnly', reason: 'It was sent.', canDuplicate: false });
    assert.deepEqual(await isEnabled(), [false, false, false]);
    await form.send({ type: 'readOnly', canDuplicate: false });
    await form.show({ sending_type: 'now', sending_params });
    assert.deepEqual(await isEnabled(), [false, true, true]);
  });

  it('come with a notice about other versions, with a link to the site', async () => {
    await form.show();
    const notice = form.page.getByRole('status').filter({ hasText: 'language versions' });
    await form.send(status);
    assert.equal(await notice.count(), 0);
    await form.send({ ...status, versions: '3 language versions.' });
    assert.ok(await notice.isVisible());
    const link = form.page.getByRole('link', { name: 'Open Website' });
    assert.equal(await link.getAttribute('href'), 'https://site.example/');
  });

  it('are hidden for a service that does not take them', async () => {
    await form.send({ type: 'zones', isStartUtc: false, sendsAtOnce: false });
    await form.show();
    assert.equal(await form.page.getByText('Site settings').isVisible(), false);
  });
});
