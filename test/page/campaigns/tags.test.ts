import assert from 'node:assert/strict';
import { createCustomFields } from '../../../src/email/tags/index.ts';
import { browserFor } from '../browser.ts';
import { FormInBrowser } from './formInBrowser.ts';

describe('tag completions in the subject of the campaign form', function () {
  const suite = browserFor('src/features/campaigns/form/page/main.ts');
  let form: FormInBrowser;
  beforeEach(async () => {
    form = await FormInBrowser.open(suite.browser, suite.files);
    await form.send({ type: 'tags', setting: 'acymailing', fields: createCustomFields(['Shoe size']) });
    await form.show({ subject: '' });
    await subject().click();
  });

  const subject = () => form.page.locator('[data-field="subject"] input');
  const list = () => form.page.getByRole('listbox', { name: 'Tags' });
  const type = (text: string) => form.page.keyboard.type(text);
  const press = async (...keys: string[]) => {
    for (const key of keys) await form.page.keyboard.press(key);
  };
  const labels = () => list().locator('.name').allInnerTexts();
  const active = () => list().locator('[aria-selected="true"] .name').innerText();
  const selected = () =>
    subject().evaluate((element) => {
      const { value, selectionStart, selectionEnd } = element as HTMLInputElement;
      return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
    });

  it('appear after a brace, a colon and a bar, with sample output', async () => {
    assert.equal(await list().isVisible(), false);
    await type('Hi {');
    assert.ok((await labels()).includes('subscriber') && (await labels()).includes('if'));
    assert.equal((await labels()).includes('unsubscribe'), false, 'A link in a subject would be shown as markup.');
    await type('subscriber:');
    assert.equal((await labels())[0], 'shoesize');
    assert.match(
      await list()
        .getByRole('option', { name: /^name , Ann Marie O’Neil , Name$/u })
        .innerText(),
      /Ann Marie/u,
    );
    await type('name|');
    const parameters = await labels();
    assert.ok(parameters.includes('part') && parameters.includes('default') && !parameters.includes('separator'));
    await type('part:');
    assert.deepEqual(await labels(), ['first', 'last', '2']);
    await type('fi');
    assert.deepEqual(await labels(), ['first']);
    await type('x');
    assert.equal(await list().isVisible(), false);
  });

  it('count in the length of the subject as recipients get them', async () => {
    await subject().fill('Hi {subscriber:name|part:first}');
    assert.equal(await form.page.locator('.inbox .subject').innerText(), 'Hi Ann');
    assert.ok(await form.page.getByText('6 characters. Fits on a phone and on a desktop.').isVisible());
  });

  it('can be inserted step by step with the keyboard', async () => {
    await type('Hi {sub');
    await press('Enter');
    assert.equal(await subject().inputValue(), 'Hi {subscriber:');
    await type('na');
    await press('Tab');
    assert.equal(await subject().inputValue(), 'Hi {subscriber:name}');
    assert.equal(await list().isVisible(), false);
    assert.ok(
      await subject().evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element),
      'Tab inserts the tag and keeps the focus.',
    );
    await type('!');
    assert.deepEqual((await form.edits()).slice(-2), [
      ['subject', 'Hi {subscriber:name}'],
      ['subject', 'Hi {subscriber:name}!'],
    ]);
  });

  it('wrap around with the arrow keys, and close with Escape', async () => {
    await type('{');
    const all = await labels();
    assert.equal(await active(), all[0]);
    await press('ArrowDown');
    assert.equal(await active(), all[1]);
    await press('ArrowUp', 'ArrowUp');
    assert.equal(await active(), all.at(-1));
    await press('ArrowDown');
    assert.equal(await active(), all[0]);
    await press('PageDown');
    assert.equal(await active(), all[8]);
    await press('Escape');
    assert.equal(await list().isVisible(), false);
    await type('date');
    assert.equal(await list().isVisible(), false, 'Stays closed after Escape.');
    await press('Enter', 'ArrowDown');
    assert.equal(await subject().inputValue(), '{date');
    await press('Control+Space');
    assert.deepEqual(await labels(), ['date']);
    await press('ArrowLeft');
    assert.equal(await list().isVisible(), false);
  });

  it('insert paired tags, with the placeholder selected', async () => {
    await type('A{if');
    await press('Enter');
    assert.equal(await subject().inputValue(), 'A{if:Shoe size=value}{/if}');
    assert.equal(await selected(), 'Shoe size');
    await press('End');
    await type(' {if:id=1}x{/');
    await press('Tab');
    assert.equal(await subject().inputValue(), 'A{if:Shoe size=value}{/if} {if:id=1}x{/if}');
  });

  it('can be inserted with the mouse while the field keeps the focus', async () => {
    await type('{');
    await list().getByRole('option', { name: /^date/u }).click();
    assert.equal(await subject().inputValue(), '{date:');
    await list()
      .getByRole('option', { name: /^d\/m\/Y/u })
      .click();
    assert.equal(await subject().inputValue(), '{date:d/m/Y}');
    await type('{');
    await form.page.getByRole('textbox', { name: 'Bcc', exact: true }).click();
    assert.equal(await list().isVisible(), false);
  });

  it('make the field a combo box with an active descendant while they are open', async () => {
    const state = () =>
      subject().evaluate((element) => {
        const { role, ariaExpanded, ariaAutoComplete, ariaControlsElements, ariaActiveDescendantElement } = element;
        return [
          role,
          ariaExpanded,
          ariaAutoComplete,
          ariaControlsElements?.[0]?.ariaLabel,
          ariaActiveDescendantElement?.querySelector('.name')?.textContent,
        ];
      });
    assert.deepEqual(await state(), [null, null, null, undefined, undefined]);
    await type('{');
    await press('ArrowDown');
    assert.deepEqual(await state(), ['combobox', 'true', 'list', 'Tags', (await labels())[1]]);
    assert.match(
      await form.page.getByRole('status').filter({ hasText: 'suggestions' }).innerText(),
      /^\d+ suggestions$/u,
    );
    await press('Escape');
    assert.deepEqual(await state(), [null, null, null, undefined, undefined]);
    assert.ok(await form.page.getByRole('textbox', { name: 'Subject', exact: true }).isVisible());
  });

  it('follow the tag setting of the connection, and are shown as text', async () => {
    await form.send({ type: 'tags', setting: 'none', fields: [] });
    await type('{');
    assert.equal(await list().isVisible(), false);
    await form.send({
      type: 'tags',
      setting: { families: { contact: { title: '<b>C', fields: { first: '<i>Ann' } } } },
      fields: [],
    });
    await press('Control+Space');
    assert.deepEqual(await labels(), ['contact']);
    await press('Enter');
    assert.match(await list().innerText(), /<i>Ann/u);
    await press('Enter');
    assert.equal(await subject().inputValue(), '{contact:first}');
  });

  it('do not appear in fields that recipients never see', async () => {
    await form.page.getByRole('textbox', { name: 'Name', exact: true }).click();
    await type('{');
    assert.equal(await list().isVisible(), false);
  });
});
