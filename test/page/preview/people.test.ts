import assert from 'node:assert/strict';
import type { ViewerChoices } from '../../../src/features/preview/protocol.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';

const body =
  '<!doctype html><html><body><h1>Dear {subscriber:name|default:friend}</h1><p>Text</p>{if:City=Rome}<b>Roman</b>{/if}' +
  '<a href="{unsubscribe}{/unsubscribe}">leave</a><a id="own" href="https://a.example/?m={subscriber:email}">own</a></body></html>';
const envelope = {
  subject: 'Hi {subscriber:name|part:first|default:friend}',
  preheader: 'For {subscriber:email}',
  from_name: '{subscriber:name}',
  from_email: '',
};
const rome = {
  id: 'team:0',
  title: 'Ann in Rome',
  person: {
    id: 1,
    name: 'Ann Rossi',
    email: 'ann@rome.example',
    fields: [{ namekey: 'city', label: 'City', value: 'Rome' }],
  },
};
const choices = (personId: string, more: Partial<ViewerChoices> = {}): { type: 'viewers' } & ViewerChoices => ({
  type: 'viewers',
  tags: 'acymailing',
  people: [rome],
  personId,
  canPick: true,
  ...more,
});

describe('The preview for a person', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let preview: PreviewInBrowser;
  beforeEach(async () => {
    preview = await PreviewInBrowser.open(suite.browser, suite.files);
    await preview.send(choices(''));
    await preview.show({ body, envelope });
  });

  const text = async (selector: string) => (await (await preview.mail()).locator(selector).textContent()) ?? '';
  const line = (part: string) => preview.page.locator(`.inbox .${part}`).textContent();

  it('shows raw tags by default, and lists the people', async () => {
    assert.equal(await text('h1'), 'Dear {subscriber:name|default:friend}');
    assert.equal(await line('subject'), envelope.subject);
    assert.deepEqual(await preview.page.locator('.person option').allTextContents(), [
      'Raw tags',
      'Typical subscriber',
      'No name',
      'Long name',
      'Right-to-left',
      'Ann in Rome',
      'Choose a subscriber…',
    ]);
    assert.equal(await preview.page.locator('.branches').isVisible(), false);
  });

  it('reports the selected person, and renders body, subject and preheader for them', async () => {
    await preview.page.getByLabel('Preview as').selectOption('Ann in Rome');
    assert.deepEqual(
      (await preview.posted('selectPerson')).map(({ personId }) => personId),
      ['team:0'],
    );
    await preview.send(choices('team:0'));
    await preview.settle();
    assert.equal(await text('h1'), 'Dear Ann Rossi');
    assert.equal(await text('b'), 'Roman');
    assert.deepEqual(
      [await line('subject'), await line('preheader'), await line('sender')],
      ['Hi Ann', 'For ann@rome.example', '{subscriber:name}'],
    );
    await preview.send(choices('nameless'));
    await preview.settle();
    assert.equal(await text('h1'), 'Dear friend');
    assert.equal(await line('subject'), 'Hi friend');
    await preview.send(choices(''));
    await preview.settle();
    assert.equal(await text('h1'), 'Dear {subscriber:name|default:friend}');
  });

  it('applies edits between and within tags', async () => {
    await preview.send(choices('team:0'));
    await preview.settle();
    let source = await preview.type('body', body.indexOf('Text'), 'More ');
    assert.equal(await text('p'), 'More Text');
    source = await preview.type('body', source.indexOf('|default'), '|upper');
    assert.equal(await text('h1'), 'Dear ANN ROSSI');
    await preview.type('body', source.indexOf('</h1>'), '!');
    await preview.settle();
    assert.equal(await text('h1'), 'Dear ANN ROSSI!');
    assert.equal((await preview.posted('ready')).length, 1);
  });

  it('reveals the source of a click, and marks the element at the cursor', async () => {
    await preview.send(choices('team:0'));
    await preview.settle();
    await (await preview.mail()).locator('p').click();
    const [place] = await preview.posted('reveal');
    assert.equal(place?.part, 'body');
    assert.ok(place && place.offset >= body.indexOf('Text') && place.offset <= body.indexOf('Text') + 4);
    await preview.send({ type: 'cursor', offset: body.indexOf('Text') + 2 });
    await preview.settle();
    const mark = await preview.page.locator('.cursor').boundingBox();
    const paragraph = await preview.page.frameLocator('iframe.mail').locator('p').boundingBox();
    assert.ok(mark && paragraph && Math.abs(mark.y - paragraph.y) < 3);
  });

  it('overrides conditions, and describes the audience of each branch', async () => {
    await preview.send(choices('typical'));
    await preview.settle();
    const panel = preview.page.locator('.branches');
    assert.equal(await panel.locator('summary').textContent(), '1 condition: 0 shown, 1 hidden');
    await panel.locator('summary').click();
    assert.equal(await panel.locator('.witness').textContent(), 'Example: hidden if City is empty');
    await panel.getByRole('radio', { name: 'Shown' }).click();
    await preview.settle();
    assert.equal(await text('b'), 'Roman');
    assert.equal(await panel.locator('summary').textContent(), '1 condition: 1 shown, 0 hidden');
    assert.equal(await panel.locator('.witness').textContent(), 'Example: shown if City is "Rome"');
    await panel.getByRole('radio', { name: 'Hidden' }).click();
    await preview.settle();
    assert.equal(await (await preview.mail()).locator('b').count(), 0);
  });

  it('shows the target of links with tags, and doesn’t open generated ones', async () => {
    const target = preview.page.locator('.links .target');
    const mail = await preview.mail();
    await mail.locator('#own').hover();
    assert.equal(
      await target.textContent(),
      'https://a.example/?m={subscriber:email} → https://a.example/?m=ann@example.com',
    );
    for (const as of ['', 'typical']) {
      await preview.send(choices(as));
      await preview.settle();
      await mail.locator('a').first().click();
      assert.match((await target.textContent()) ?? '', /the service creates this URL for each recipient$/);
      assert.equal(await preview.page.locator('.links .open').isVisible(), false);
    }
  });

  it('offers no people if the service has no tags', async () => {
    await preview.send(choices('typical', { tags: 'none' }));
    await preview.settle();
    assert.equal(await preview.page.getByLabel('Preview as').isVisible(), false);
    assert.equal(await text('h1'), 'Dear {subscriber:name|default:friend}');
  });

  it('shows hostile names as text', async () => {
    const name = '<img src=x onerror="parent.document.title=1"><script>parent.document.title=1</script>';
    await preview.send(choices('team:0', { people: [{ ...rome, title: name, person: { ...rome.person, name } }] }));
    await preview.settle();
    assert.notEqual(await preview.page.title(), '1');
    assert.equal(await preview.inMail((mail) => mail.querySelectorAll('script').length), 0);
    assert.equal(await preview.page.locator('.person option:checked').innerText(), name);
  });
});
