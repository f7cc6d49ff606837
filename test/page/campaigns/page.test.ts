import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { browserFor } from '../browser.ts';
import { details, FormInBrowser, lists } from './formInBrowser.ts';

describe('campaign form page', function () {
  const suite = browserFor('src/features/campaigns/form/page/main.ts');
  let form: FormInBrowser;
  beforeEach(async () => {
    form = await FormInBrowser.open(suite.browser, suite.files);
  });

  /** Returns the input of a text field. By label alone, its host element would match too. */
  const input = (name: string) => form.page.getByRole('textbox', { name, exact: true });
  const subject = () => input('Subject');
  const day = () => form.page.getByLabel('Day', { exact: true });
  const button = (name: string) => form.page.getByRole('button', { name });
  const checkbox = (name: RegExp) => form.page.getByRole('checkbox', { name });
  const isVisible = (text: string) => form.page.getByText(text, { exact: true }).isVisible();

  it('shows each field of the details by its label', async () => {
    await form.show({
      sending_type: 'auto',
      frequency: 'every',
      frequency_options: { unit: 'week', value: 2 },
      need_confirm: 0,
      start_date: '2027-02-01',
      bcc: 'a@b.example',
    });
    await form.showLists();
    const { page } = form;
    const fields = ['Subject', 'Name', 'From name', 'From email', 'Bcc', 'Every'].map(input);
    assert.deepEqual(await Promise.all([...fields, page.getByLabel('First day')].map((field) => field.inputValue())), [
      details.subject,
      details.name,
      details.from_name,
      details.from_email,
      'a@b.example',
      '2',
      '2027-02-01',
    ]);
    assert.equal(await page.getByRole('radio', { name: /^Automatic, /u }).getAttribute('aria-checked'), 'true');
    assert.equal(await checkbox(/^Confirm each email/u).getAttribute('aria-checked'), 'false');
    const unit = page.getByRole('combobox', { name: 'Unit' });
    assert.equal(await unit.evaluate((element) => (element as HTMLElement & { value: string }).value), 'week');
    assert.deepEqual(await form.edits(), [], 'Showing details sends no edits.');
    assert.equal(await form.count('choose'), 0);
  });

  it('keeps the value of a list that Escape closes', async () => {
    await form.show({ sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'week', value: 2 } });
    const unit = form.page.getByRole('combobox', { name: 'Unit' });
    await unit.press('Space');
    await form.page.keyboard.press('ArrowDown');
    await form.page.keyboard.press('Escape');
    assert.equal(await unit.inputValue(), 'week');
    const before = (await form.edits()).at(-1)?.[1];
    await unit.press('Space');
    await form.page.keyboard.press('ArrowDown');
    await form.page.keyboard.press('Enter');
    assert.notEqual(await unit.inputValue(), 'week');
    assert.notDeepEqual((await form.edits()).at(-1)?.[1], before);
  });

  it('hides fields that do not apply to the sending type', async () => {
    await form.show({ sending_type: 'now', sending_date: undefined });
    const visible = () =>
      Promise.all([day(), form.page.getByLabel('First day'), input('Every')].map((field) => field.isVisible()));
    assert.deepEqual(await visible(), [false, false, false]);
    await form.show();
    assert.deepEqual(await visible(), [true, false, false]);
    await form.show({ sending_type: 'auto', frequency: 'cron' });
    assert.deepEqual(await visible(), [false, true, false]);
    await form.show({ sending_type: 'auto', frequency: 'every' });
    assert.deepEqual(await visible(), [false, true, true]);
  });

  it('reports each keystroke, and when the field loses the focus', async () => {
    await form.show({ subject: '' });
    await subject().click();
    await form.page.keyboard.type('Hé');
    await form.page.keyboard.press('Tab');
    assert.deepEqual(await form.posted('edit'), [
      { type: 'edit', seq: 1, path: ['subject'], final: false, value: 'H' },
      { type: 'edit', seq: 2, path: ['subject'], final: false, value: 'Hé' },
    ]);
    assert.equal(await form.count('settle'), 1);
  });

  it('keeps pending input, and applies changes from other editors', async () => {
    await form.show({ subject: 'One' });
    await subject().click();
    await form.page.keyboard.press('End');
    await form.page.keyboard.type('!');
    await form.show({ subject: 'One', name: 'Changed in the text' }, { confirmedSeq: 0 });
    assert.equal(await subject().inputValue(), 'One!', 'Older details do not overwrite a keystroke.');
    assert.equal(await input('Name').inputValue(), 'Changed in the text');
    await form.show({ subject: 'One!' }, { confirmedSeq: 1 });
    await form.page.keyboard.press('Home');
    await form.page.keyboard.press('ArrowRight');
    await form.show({ subject: 'One, two' }, { confirmedSeq: 1 });
    assert.equal(await subject().inputValue(), 'One, two');
    assert.deepEqual(
      await subject().evaluate((input) => [
        (input as HTMLInputElement).selectionStart,
        (input.getRootNode() as ShadowRoot).activeElement === input,
      ]),
      [1, true],
    );
  });

  it('reports choices of radio buttons and check boxes', async () => {
    await form.show({ sending_type: 'auto', frequency: 'every', need_confirm: 1 });
    await form.page.getByRole('radio', { name: /^Now/u }).click();
    await checkbox(/^Confirm each email/u).click();
    assert.deepEqual(await form.edits(), [
      ['sending_type', 'now'],
      ['need_confirm', 0],
    ]);
  });

  it('shows an unsupported sending type, and allows choosing another', async () => {
    await form.show({ sending_type: 'birthday' });
    const isShown = () => isVisible(`This field can't show the value "birthday".`);
    assert.ok(await isShown());
    await form.page.getByRole('radio', { name: /^Now/u }).click();
    assert.deepEqual(await form.edits(), [['sending_type', 'now']]);
    await form.show({ sending_type: 'now' }, { confirmedSeq: 1 });
    assert.equal(await isShown(), false);
  });

  it('reports whole numbers as numbers, and removes an empty one', async () => {
    await form.show({ sending_type: 'auto', frequency: 'every', frequency_options: { unit: 'day', value: 3 } });
    const every = input('Every');
    for (const text of ['14', 'two', '1.5', '']) await every.fill(text);
    assert.deepEqual(await form.edits(), [
      ['frequency_options.value', 14],
      ['frequency_options.value', 'two'],
      ['frequency_options.value', '1.5'],
      ['frequency_options.value', undefined],
    ]);
  });

  it('accepts a date, and shows an invalid one as text', async () => {
    await form.show({ sending_date: 'soon' });
    assert.equal(await day().inputValue(), '');
    assert.ok(await isVisible(`This field can't show the value "soon".`));
    await day().fill('2027-03-01');
    await day().fill('');
    assert.deepEqual(await form.edits(), [
      ['sending_date', '2027-03-01'],
      ['sending_date', undefined],
    ]);
  });

  it('marks day and time, and says beside them that they are missing', async () => {
    const message = 'A scheduled campaign needs a date.';
    const problems = [{ path: ['sending_date'], message, kind: 'error' as const }];
    await form.show({ sending_date: undefined }, { problems });
    assert.equal(await isVisible(message), true);
    for (const input of [day(), form.page.getByLabel('Time', { exact: true }).first()])
      assert.equal(await input.evaluate((each) => each.ariaInvalid), 'true');
    await form.send({ type: 'focusProblem' });
    assert.ok(await day().evaluate((each) => each.matches(':focus')));
  });

  it('shows a time with its zone, and edits day and time separately', async () => {
    await form.show({ sending_date: '2027-03-01 14:30:00' });
    const time = form.page.getByLabel('Time', { exact: true }).first();
    assert.deepEqual([await day().inputValue(), await time.inputValue()], ['2027-03-01', '14:30:00']);
    assert.ok(await isVisible("Dates are in the service's time zone, which it doesn't report."));
    await day().fill('2027-03-02');
    await time.fill('08:15');
    await time.fill('');
    await day().fill('');
    await form.show({ sending_date: undefined }, { confirmedSeq: 4 });
    await day().fill('2027-03-04');
    assert.deepEqual(await form.edits(), [
      ['sending_date', '2027-03-02 14:30:00'],
      ['sending_date', '2027-03-02 08:15:00'],
      ['sending_date', undefined],
      ['sending_date', '2027-03-04 08:15:00'],
    ]);
    await form.show({ sending_date: '2027-03-01' }, { confirmedSeq: 9 });
    await time.fill('09:30');
    assert.deepEqual((await form.edits()).at(-1), ['sending_date', '2027-03-01 09:30:00']);
    assert.equal(await form.page.getByLabel('Time', { exact: true }).nth(1).isVisible(), false);
  });

  it('removes the time of a scheduled campaign by keyboard', async () => {
    await form.show({ sending_date: '2027-03-01 14:30:00' });
    const time = form.page.getByLabel('Time', { exact: true }).first();
    const remove = form.page.getByRole('button', { name: 'Remove Time' });
    await remove.press('Enter');
    assert.deepEqual(await form.edits(), [['sending_date', '2027-03-01']]);
    assert.deepEqual([await time.inputValue(), await remove.isVisible()], ['', false]);
    assert.ok(await time.evaluate((each) => each.matches(':focus')));
  });

  it('shows UTC for a timestamp, and for a day if the service stores timestamps', async () => {
    const first = form.page.getByLabel('First day');
    const zone = () => form.page.getByText('The time zone is UTC.').isVisible();
    await form.show({ sending_type: 'auto', frequency: 'cron', start_date: '2027-02-28T23:00:00Z' });
    assert.deepEqual([await first.inputValue(), await zone()], ['2027-02-28', true]);
    await first.fill('2027-03-05');
    assert.deepEqual(await form.edits(), [['start_date', '2027-03-05T23:00:00Z']]);
    await form.show({ sending_type: 'auto', frequency: 'cron', start_date: '2027-03-05' }, { confirmedSeq: 1 });
    assert.equal(await zone(), false);
    await form.send({ type: 'zones', isStartUtc: true, sendsAtOnce: false });
    assert.equal(await zone(), true);
  });

  it('selects lists, and removes missing ones', async () => {
    await form.show({ listIds: [1, 99] });
    await form.showLists();
    assert.equal(await checkbox(/Newsletter/u).getAttribute('aria-checked'), 'true');
    await checkbox(/Customers/u).click();
    await checkbox(/Newsletter/u).click();
    assert.ok(await isVisible('List #99 (not found)'));
    await button('Remove list #99').click();
    assert.deepEqual(
      (await form.posted('choose')).map(({ seq, path, id, chosen }) => [seq, path, id, chosen]),
      [
        [1, ['listIds'], 5, true],
        [2, ['listIds'], 1, false],
        [3, ['listIds'], 99, false],
      ],
    );
  });

  it('filters more than ten lists by name', async () => {
    await form.show({ listIds: [] });
    await form.showLists(lists);
    assert.equal(await input('Filter lists').isVisible(), false);
    await form.showLists(Array.from({ length: 300 }, (_, index) => ({ id: index + 1, name: `Group ${index + 1}` })));
    assert.ok(await isVisible('200 more. Type part of a name to search.'));
    await input('Filter lists').fill('group 29');
    assert.equal(await form.page.locator('.rows vscode-checkbox').count(), 11);
    assert.deepEqual(await form.edits(), []);
  });

  it('reports that the lists can’t be read, and retries', async () => {
    await form.show({ listIds: [3] });
    await form.send({ type: 'lists', lists: { kind: 'loading' } });
    assert.ok(await isVisible('Loading lists…'));
    assert.equal(await form.page.getByText('List #3', { exact: true }).count(), 0);
    await form.send({ type: 'lists', lists: { kind: 'failed', message: 'The service does not answer.' } });
    assert.ok(await isVisible("Couldn't read the lists: The service does not answer."));
    assert.ok(await isVisible('List #3'));
    await button('Retry').click();
    assert.equal(await form.count('retry'), 1);
  });

  it('shows the number of recipients of the lists', async () => {
    await form.show();
    const audience = form.page.locator('.audience');
    for (const exact of [true, false]) {
      await form.send({ type: 'audience', audience: { kind: 'counted', count: 1204, exact } });
      assert.equal(await audience.innerText(), `${exact ? '' : 'At least '}1,204 recipients, each counted once`);
    }
    await form.send({ type: 'audience', audience: { kind: 'none' } });
    assert.equal(await audience.isVisible(), false);
  });

  it('shows problems beside their field, and links them to the control', async () => {
    const problems = [
      { path: ['from_email'], message: 'must be one email address, or empty.', kind: 'error' },
      { path: ['sending_date'], message: "'sending_date' not provided in the request body.", kind: 'service' },
      { path: ['listIds', 1], message: 'must be the id of a list.', kind: 'error' },
      { path: ['flavour'], message: 'is not a field of a campaign.', kind: 'error' },
      { path: [], message: 'Could not be stored.', kind: 'service' },
      { path: ['start_date'], message: 'must be a date.', kind: 'error' },
    ] as const;
    await form.show({ from_email: 'invalid' }, { problems });
    const { page } = form;
    const email = input('From email');
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    assert.deepEqual(
      await email.evaluate((input) => input.ariaDescribedByElements?.map((element) => element.textContent)),
      ['Must be one email address, or empty.'],
    );
    assert.equal(await subject().getAttribute('aria-invalid'), null);
    const beside = async (label: string) =>
      page
        .locator('.field', { has: page.getByLabel(label, { exact: true }) })
        .locator('.remark')
        .allInnerTexts();
    assert.deepEqual(await beside('Day'), ["The service says: 'sending_date' not provided in the request body."]);
    assert.deepEqual(await page.locator('fieldset', { hasText: 'Lists' }).locator('.remark').allInnerTexts(), [
      'Must be the id of a list.',
    ]);
    assert.deepEqual(
      await page.locator('main > .remarks .remark').allInnerTexts(),
      [
        '"flavour": Is not a field of a campaign.',
        'The service says: Could not be stored.',
        '"start_date": Must be a date.',
      ],
      'Problems of hidden and unsupported fields are shown at the top.',
    );
    await form.show();
    assert.equal(await email.getAttribute('aria-invalid'), null);
    assert.equal(await page.locator('.remark').count(), 0);
  });

  it('shows markup, long text and bidirectional text as text', async () => {
    const name = '<img src=x onerror=alert(1)>'.repeat(20);
    await form.show({ subject: '<b>\u202Eevil</b>', name, from_name: 'مرحبا', listIds: [4] });
    await form.showLists([{ id: 4, name, color: '#123456' }]);
    assert.equal(await form.page.locator('img, b').count(), 0);
    assert.ok(
      await form.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'Nothing is wider than the page.',
    );
    assert.deepEqual(await form.edits(), []);
  });

  it('reports invalid JSON, offers to open the text, and recovers', async () => {
    await form.show();
    await form.send({ type: 'broken', line: 5, message: 'Not valid JSON: comma expected.' });
    assert.match(await form.page.getByRole('alert').innerText(), /^Line 5: Not valid JSON: comma expected\./u);
    assert.equal(await form.page.locator('main').isVisible(), false);
    await button('Open as Text').click();
    assert.deepEqual(await form.posted('run'), [{ type: 'run', command: 'openAsText' }]);
    await form.show();
    assert.equal(await form.page.locator('main').isVisible(), true);
    assert.equal(await form.page.getByRole('alert').count(), 0);
  });

  it('disables all fields if it is read-only', async () => {
    await form.show();
    await form.showLists();
    await form.send({ type: 'status', isRecord: true, status: { state: 'sent', label: 'sent Nov 3, 2026' } });
    await form.send({ type: 'readOnly', reason: 'Sent already.', canDuplicate: true });
    const { page } = form;
    assert.equal(await subject().isDisabled(), true);
    assert.equal(await day().isDisabled(), true);
    const enabled = await page
      .locator('main')
      .locator('vscode-text-field:not(.filter), vscode-checkbox, vscode-radio, select, vscode-button')
      .evaluateAll((all) => all.filter((each) => !(each as HTMLElement & { disabled: boolean }).disabled).length);
    assert.equal(enabled, 0);
    assert.equal(await isVisible('Sent Nov 3, 2026'), true);
    await button('Duplicate').click();
    await button('Preview').click();
    await button('Show Statistics').click();
    assert.deepEqual(await form.posted('run'), [
      { type: 'run', command: 'duplicate' },
      { type: 'run', command: 'preview' },
      { type: 'run', command: 'showStatistics' },
    ]);
    assert.equal(await button('Schedule…').isVisible(), false);
    await form.send({ type: 'status', isRecord: true, status: { state: 'draft', label: 'draft' } });
    assert.equal(await button('Show Statistics').isVisible(), false);
    assert.equal(await button('Schedule…').isDisabled(), true);
    await form.send({ type: 'zones', isStartUtc: true, sendsAtOnce: true });
    assert.equal(await button('Send…').isDisabled(), true);
    await form.send({ type: 'readOnly', canDuplicate: false });
    assert.equal(await subject().isDisabled(), false);
  });

  it('shows the list ids of a local file, and hides actions that need a service', async () => {
    await form.show({ listIds: [4] });
    await form.send({ type: 'status', isRecord: false });
    await form.send({ type: 'lists', lists: { kind: 'none' } });
    assert.ok(await isVisible('List #4'));
    assert.ok(await isVisible('Local file'));
    for (const name of ['Send…', 'Preview']) assert.equal(await button(name).isVisible(), false, name);
    await subject().fill('Local');
    assert.deepEqual(await form.edits(), [['subject', 'Local']]);
  });

  it('shows the emoji that a sender begins with in the inbox line', async () => {
    await form.show({ from_name: '🎁 Fjord' });
    assert.equal(await form.page.locator('.inbox .avatar').textContent(), '🎁');
  });

  it('updates the inbox line while typing, with a snippet of the body', async () => {
    await form.show({ subject: '' });
    await form.send({
      type: 'body',
      html: '<style>p{}</style><p>Warm <b>words</b></p><script>posted.push({ type: "leaked" })</script>',
    });
    await subject().fill('Hello there');
    assert.equal(await form.page.locator('.inbox .subject').innerText(), 'Hello there');
    assert.match(await form.page.locator('.inbox .preheader').innerText(), /Warm words/u);
    assert.ok(await isVisible('11 characters. Fits on a phone and on a desktop.'));
    await subject().fill('👩‍👩‍👧'.repeat(61));
    assert.ok(await form.page.getByText(/^61 characters\. Desktops show about 60/u).isVisible());
    assert.deepEqual(await form.posted('leaked' as 'ready'), []);
  });

  it('undoes pending input itself, and forwards other undo requests to VS Code', async () => {
    await form.show({ subject: 'One' });
    await subject().click();
    await form.page.keyboard.press('ControlOrMeta+z');
    assert.equal(await form.count('undo'), 0);
    await form.page.keyboard.type('!');
    await form.page.keyboard.press('ControlOrMeta+z');
    await form.page.keyboard.press('ControlOrMeta+Shift+z');
    assert.deepEqual([await form.count('undo'), await form.count('redo')], [1, 1]);
  });

  it('restores the scroll position and the focused field', async () => {
    await form.show({ sending_type: 'auto', frequency: 'every' });
    await form.showLists();
    await form.page.getByLabel('First day').focus();
    await eventually(async () => assert.match(JSON.stringify(await form.readStoredState()), /"field":"start_date"/u));
    await form.page
      .getByRole('button', { name: 'Open Body' })
      .evaluate((button: HTMLElement) => button.focus({ preventScroll: true }));
    await form.page.evaluate(() => window.scrollTo(0, 300));
    const storedState = { scroll: 300, field: 'start_date' };
    await eventually(async () => assert.deepEqual(await form.readStoredState(), storedState));
    await form.page.close();
    form = await FormInBrowser.open(suite.browser, suite.files, { storedState });
    await form.show({ sending_type: 'auto', frequency: 'every' });
    await eventually(async () =>
      assert.deepEqual(
        await form.page.evaluate(() => [window.scrollY, (document.activeElement as HTMLElement).dataset['field']]),
        [300, 'start_date'],
      ),
    );
  });

  it('can be used by keyboard alone, in reading order', async () => {
    await form.show({ sending_type: 'now', sending_date: undefined });
    await form.showLists(lists.slice(0, 2));
    await form.send({ type: 'status', isRecord: true, status: { state: 'draft', label: 'draft' } });
    const visited: string[] = [];
    for (let step = 0; step < 18; step += 1) {
      await form.page.keyboard.press('Tab');
      visited.push(
        await form.page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          return (
            element.dataset['field'] ??
            element.dataset['command'] ??
            element.closest<HTMLElement>('[data-field]')?.dataset['field'] ??
            element.tagName
          );
        }),
      );
    }
    assert.deepEqual(visited, [
      'openBody',
      'preview',
      'sendTest',
      'send',
      'subject',
      'name',
      'listIds/5',
      'listIds/1',
      'listIds/2',
      'sending_type',
      'from_name',
      'from_email',
      'reply_to_name',
      'reply_to_email',
      'bounce_email',
      'bcc',
      'BODY',
      'openBody',
    ]);
    await form.page.getByRole('radio', { name: /^Now/u }).focus();
    await form.page.keyboard.press('ArrowDown');
    assert.deepEqual(await form.edits(), [['sending_type', 'scheduled']]);
  });
});
