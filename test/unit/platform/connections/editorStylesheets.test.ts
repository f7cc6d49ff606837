import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { EditorStylesheets } from '../../../../src/platform/connections/editorStylesheets.ts';

const DAY_MS = 86_400_000;
const file = 'css/libraries/foundation_email.min.css';
const site = { baseUrl: 'https://shop.example/blog' };
const wordpress = `${site.baseUrl}/wp-content/plugins/acymailing/media/${file}`;
const joomla = `${site.baseUrl}/media/com_acym/${file}`;

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly text?: string;
  readonly isTooLarge?: boolean;
}

describe('Stylesheets of the drag-and-drop editor', () => {
  let folder = '';
  let now = 0;
  /** Requested addresses with the tag that the answer may match. */
  let requests: (readonly [url: string, tag: string | undefined])[] = [];
  let answers: Record<string, Answer> = {};

  beforeEach(() => {
    folder = makeScratch();
    [now, requests, answers] = [1_000_000, [], {}];
  });
  afterEach(() => removeScratch(folder));

  const openWindow = () =>
    new EditorStylesheets(
      folder,
      (url, headers) => {
        requests.push([url, headers['If-None-Match']]);
        const answer = answers[url];
        if (!answer) return Promise.reject(new Error('offline'));
        const { status = 200, type = 'text/css; charset=utf-8', text = '', isTooLarge = false } = answer;
        return Promise.resolve({ status, headers: { 'content-type': type, etag: '"1"' }, text, isTooLarge });
      },
      () => now,
    );

  it('come from the place of the content management system, or from either if that is unknown', async () => {
    answers = { [joomla]: { text: 'td{}' } };
    assert.equal(await openWindow().get(site, ''), 'td{}');
    assert.equal(await openWindow().get({ ...site, cms: 'wordpress' }, ''), undefined);
    assert.equal(await openWindow().get({ ...site, cms: 'joomla' }, ''), 'td{}');
    assert.deepEqual(
      requests.map(([url]) => url),
      [wordpress, joomla, wordpress],
    );
  });

  it('show the content management system by their place', async () => {
    assert.equal(await openWindow().findCms(site.baseUrl), undefined);
    answers = { [joomla]: { text: 'td{}' } };
    assert.equal(await openWindow().findCms(site.baseUrl), 'joomla');
    answers = { [wordpress]: { text: 'td{}' } };
    assert.equal(await openWindow().findCms(site.baseUrl), 'wordpress');
  });

  it('come from a moved folder that images show, but only of the own origin', async () => {
    const moved = `https://shop.example/modules/acymailing/media/${file}`;
    answers = { [moved]: { text: 'p{}' } };
    const show = (address: string) => openWindow().get(site, `<img src="${address}/acymailing/media/images/a.png">`);
    assert.equal(await show('https://shop.example/modules'), 'p{}');
    assert.equal(await show('/modules'), 'p{}');
    requests = [];
    for (const address of ['https://other.example/modules', 'https://', '//shop.example.org', 'https://[', '/?x='])
      assert.equal(await show(address), undefined, address);
    assert.deepEqual(new Set(requests.map(([url]) => url)), new Set([wordpress, joomla]));
  });

  const refusals: readonly Answer[] = [
    { type: 'text/html', text: '<html>' },
    { text: 'td{}', isTooLarge: true },
    { status: 301, text: 'td{}' },
    { status: 404, text: 'td{}' },
    { status: 304 },
  ];
  for (const answer of refusals) {
    it(`are missing after the answer ${JSON.stringify(answer)}`, async () => {
      answers = { [wordpress]: answer };
      assert.equal(await openWindow().get({ ...site, cms: 'wordpress' }, ''), undefined);
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('are requested again ten minutes after a failure', async () => {
    const window = openWindow();
    const get = () => window.get({ ...site, cms: 'wordpress' }, '');
    assert.equal(await get(), undefined);
    assert.equal(await get(), undefined);
    assert.equal(requests.length, 1);
    answers = { [wordpress]: { text: 'td{}' } };
    now += 600_000;
    assert.equal(await get(), 'td{}');
  });

  it('are validated once a day, in all windows, and kept while the site is offline', async () => {
    const get = () => openWindow().get({ ...site, cms: 'wordpress' }, '');
    answers = { [wordpress]: { text: 'td{}' } };
    assert.equal(await get(), 'td{}');
    answers = { [wordpress]: { status: 304 } };
    assert.equal(await get(), 'td{}');
    assert.equal(requests.length, 1);
    now += DAY_MS;
    assert.equal(await get(), 'td{}');
    assert.equal(await get(), 'td{}');
    assert.deepEqual(requests.slice(1), [[wordpress, '"1"']]);
    now += DAY_MS;
    answers = {};
    assert.equal(await get(), 'td{}');
    answers = { [wordpress]: { text: 'p{}' } };
    assert.equal(await get(), 'p{}');
  });

  it('are read again if the cached file is damaged', async () => {
    const get = () => openWindow().get({ ...site, cms: 'wordpress' }, '');
    answers = { [wordpress]: { text: 'td{}' } };
    await get();
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '{"css":');
    assert.equal(await get(), 'td{}');
    assert.equal(requests.length, 2);
  });
});
