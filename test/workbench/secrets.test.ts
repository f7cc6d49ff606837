import assert from 'node:assert/strict';
import { createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, vsix } from '../../scripts/lib/paths.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/index.ts';
import { openCollector, type Collector } from '../support/collector.ts';
import { openInstallation, type Installation } from '../support/installation.ts';
import { openEcho, type Echo } from '../support/secrets/echo.ts';
import { searchFolder } from '../support/secrets/files.ts';
import { formsIn, listForms, unzip } from '../support/secrets/forms.ts';
import { PageSearch } from '../support/secrets/page.ts';
import { openWorkbench } from '../support/computer.ts';
import { captureFailure } from '../support/screenshots.ts';
import { eventually } from '../support/eventually.ts';
import type { Workbench } from '../support/workbench.ts';

/** Unique keys, with characters that every encoding escapes differently. */
const newKey = () => `Kq${randomBytes(12).toString('hex')}Zw/+="<&%x${randomBytes(6).toString('hex')}`;
const key = newKey();
const wrongKey = newKey();
const forms = new Map([
  ...listForms(key),
  ...[...listForms(wrongKey)].map(([name, form]) => [`wrong key, ${name}`, form] as const),
]);

const service = 'Echo shop';
const template = 'Hello';

/** What the workbench keeps for extensions in its store of secrets: decrypted with both halves of its key, the browser's and the server's. */
async function storedSecrets({ page, dataDir }: Workbench) {
  const sealed = Buffer.from(await page.evaluate(() => localStorage.getItem('secrets.provider') ?? ''), 'base64');
  const serverPart = readFileSync(join(dataDir, 'mint-key'));
  const cipherKey = Buffer.from(sealed.subarray(0, 32).map((byte, at) => byte ^ (serverPart[at] ?? 0)));
  const text = sealed.subarray(44);
  const decipher = createDecipheriv('aes-256-gcm', cipherKey, sealed.subarray(32, 44)).setAuthTag(text.subarray(-16));
  return Buffer.concat([decipher.update(text.subarray(0, -16)), decipher.final()]).toString('utf8');
}

/**
 * What a user does in the window, one group after the other. After each, the window is searched. A new view or command gets a line here:
 * nothing else is to be done for its texts, messages, files and requests to be searched.
 */
type Act = (stage: Stage) => Promise<void>;

interface Stage {
  readonly workbench: Workbench;
  readonly sandbox: Sandbox;
  readonly echo: Echo;
  readonly foreignServer: Collector;
  readonly other: MailingClient;
}

const connect: Act = async ({ workbench: { quickInput, notifications }, echo }) => {
  await quickInput.runCommand('Mailing: Connect a Service…');
  await quickInput.waitFor('URL of the site');
  await quickInput.answer(echo.baseUrl);
  await quickInput.waitFor('API key');
  echo.setLeak('a refusal that names the key');
  await quickInput.answer(wrongKey);
  await quickInput.waitFor('refused the API key');
  echo.setLeak('a redirect to a foreign server');
  await quickInput.answer(key);
  await quickInput.waitFor('redirects to');
  echo.setLeak(undefined);
  await quickInput.accept();
  await quickInput.waitFor('Name shown in the tree');
  await quickInput.answer(service);
  await notifications.waitFor(`Connected to "${service}"`);
};

const browse: Act = async ({ workbench: { explorer } }) => {
  await explorer.open();
  for (const branch of ['Campaigns', 'Follow-ups', 'Lists', 'Templates'])
    await (await explorer.row([service, branch])).expand();
  assert.match(await (await explorer.row([service])).tooltip(), /127\.0\.0\.1/u);
  for (const branch of ['Campaigns', 'Follow-ups', 'Lists']) await (await explorer.row([service, branch])).collapse();
};

const edit: Act = async ({ workbench: { explorer, editors, notifications, webviews }, other, foreignServer }) => {
  const { templateId } = await other.createTemplate({
    name: template,
    subject: 'Greetings',
    body: `<p>First</p><img src="${foreignServer.url}/pixel.gif">`,
  });
  await (await explorer.row([service, 'Templates'])).contextAction('Refresh');
  await (await explorer.row([service, 'Templates', template])).click();
  await editors.waitForActive(`${template}.html`);
  await editors.titleAction('Open Preview to the Side');
  const page = await webviews.frame('preview');
  await page
    .getByText('remote images or fonts blocked')
    .or(page.getByText('remote image or font blocked'))
    .first()
    .waitFor();
  assert.equal(foreignServer.requests.length, 0);
  await page.getByText('Load', { exact: true }).click();
  await eventually(() => assert.ok(foreignServer.requests.length > 0, 'The image was not loaded.'));
  await editors.show(`${template}.html`);
  await editors.replaceAll('<p>Second</p>');
  await editors.save();
  await editors.waitForDirty(`${template}.html`, false);
  await editors.replaceAll('<p>Mine</p>');
  await other.updateTemplate({ templateId, body: '<p>Theirs</p>' });
  await editors.save();
  const question = /changed on Echo shop after you opened it/u;
  await notifications.waitFor(question);
  await notifications.click(question, 'Compare');
  await editors.waitForActive(/Echo shop ↔ Your Version/u);
  await notifications.click(question, 'Overwrite');
  await editors.waitForDirty(`${template}.html`, false);
};

const sendTest: Act = async ({ workbench: { editors, quickInput, dialog, notifications } }) => {
  await editors.show(`${template}.html`);
  await editors.titleAction('Send Test Email');
  await quickInput.waitFor(/Select a list to use for all tests/u);
  await quickInput.pick('Test');
  await dialog.click('Send Test');
  await notifications.waitFor('The test was sent to 3 recipients of the list "Test".');
};

const sendCampaign: Act = async ({ workbench, other }) => {
  const { explorer, editors, dialog, notifications, webviews } = workbench;
  await other.createOrUpdateCampaign({ name: 'Autumn', subject: 'Leaves', body: '<p>Leaves</p>', listIds: [8] });
  await (await explorer.row([service, 'Campaigns'])).contextAction('Refresh');
  await (await explorer.row([service, 'Campaigns', 'Autumn'])).click();
  await editors.waitForActive('Autumn.campaign.json');
  await (await webviews.frame('campaignForm')).getByRole('checkbox').first().waitFor();
  await editors.titleAction('Send Campaign');
  await workbench.confirmSendReview();
  await dialog.click('Send');
  await notifications.waitFor('"Autumn" was sent to 3 recipients.');
  await (await explorer.row([service, 'Campaigns', 'Autumn'])).contextAction('Show Statistics');
  const statistics = await webviews.frame('statistics');
  await statistics.locator('.tile').first().waitFor();
  await statistics.getByRole('tab', { name: 'Recipients' }).click();
  await statistics.locator('.table-status', { hasText: '3 rows' }).waitFor();
};

const subscribers: Act = async ({ workbench: { explorer, editors, webviews, quickInput, notifications, folder } }) => {
  const list = await explorer.row([service, 'Lists', 'Newsletter']);
  await list.click();
  await editors.waitForActive('Newsletter');
  await (await webviews.frame('subscribers')).locator('.table-row').first().waitFor();
  // Not from the page: it would take the focus back while the file dialog opens, which closes the dialog.
  await list.contextAction('Subscribers', 'Export Subscribers…');
  await quickInput.waitFor('Select what to export');
  await quickInput.pick('Subscribers');
  await quickInput.waitFor('Select a format');
  await quickInput.pick('CSV file…');
  await quickInput.answerFile(join(folder, 'people.csv'));
  await notifications.waitFor(/Exported .* to people\.csv/u);
  assert.ok(existsSync(join(folder, 'people.csv')));
  await notifications.clear();
};

const followUps: Act = async ({ workbench: { explorer, editors, webviews }, other }) => {
  await other.createOrUpdateFollowUp({ name: 'Series', display_name: 'News', trigger: 'birthday' });
  await (await explorer.row([service, 'Follow-ups'])).contextAction('Refresh');
  await (await explorer.row([service, 'Follow-ups', 'Series'])).click();
  await editors.waitForActive('Series.follow-up.json');
  const page = await webviews.frame('followUpForm');
  await page.getByRole('textbox', { name: 'Display name' }).fill('Good news');
  await editors.show('Series.follow-up.json');
  await editors.save();
  await editors.waitForDirty('Series.follow-up.json', false);
};

/** An interrupted run that continues from the stored state, and a user's table. */
const subscriptions: Act = async ({
  workbench: { explorer, editors, quickInput, dialog, notifications, webviews },
  sandbox,
}) => {
  await (await explorer.row([service, 'Lists', 'Newsletter'])).contextAction('Subscribers', 'Unsubscribe Addresses…');
  await quickInput.pick('Type or paste…');
  await quickInput.type('invalid');
  await quickInput.waitFor('Enter at least one email address.');
  await quickInput.answer('test.phone@example.com, not.found@example.com');
  await quickInput.pick('Continue with 2 addresses');
  await quickInput.waitFor('Select the lists to unsubscribe from');
  await quickInput.accept();
  await quickInput.waitFor('Select which emails to send');
  await quickInput.accept();
  sandbox.faults.add({ kind: 'resetAfterRead', operation: 'unsubscribeUsers', times: 1 });
  await dialog.click('Unsubscribe');
  await notifications.waitFor(/Unsubscribing from "Newsletter" stopped/u);
  await notifications.click(/Unsubscribing from "Newsletter" stopped/u, 'Continue…');
  assert.match(await dialog.text(), /^1 address may or may not have been unsubscribed\./u);
  await dialog.click('Send Again');
  assert.match(await dialog.text(), /^Unsubscribe test\.phone@example\.com from "Newsletter"/u);
  await dialog.click('Unsubscribe');
  await notifications.waitFor(/unsubscribed from "Newsletter"/u);
  await notifications.clear();
  await quickInput.runCommand('Mailing: Show Subscriptions of a User…');
  await quickInput.waitFor('ID or email address of the user');
  await quickInput.answer('test.phone@example.com');
  await quickInput.pick('All lists');
  await editors.waitForActive('Subscriptions: test.phone@example.com');
  await (await webviews.frame('subscriptions')).getByRole('row').nth(1).waitFor();
};

/** The service gives the key away to reads and to writes. The integration tests do this in every way that a service may. */
const indiscreet: Act = async ({ workbench: { editors, notifications, explorer, quickInput }, echo }) => {
  await notifications.clear();
  for (const how of ['an error that dumps the request', 'a redirect to a foreign server']) {
    echo.setLeak(how);
    await quickInput.runCommand('Mailing: Test Connection');
    await eventually(async () =>
      assert.ok(
        (await notifications.texts()).some((text) => /Couldn't connect to|Connected to/u.test(text)),
        how,
      ),
    );
    await quickInput.runCommand('Mailing: Refresh');
    await editors.show(`${template}.html`);
    await editors.replaceAll(`<p>${how}</p>`);
    await editors.save();
    await eventually(async () =>
      assert.ok(
        (await notifications.texts()).some((text) => /Failed to save/u.test(text)),
        how,
      ),
    );
    await notifications.clear();
  }
  echo.setLeak(undefined);
  await quickInput.runCommand('Mailing: Refresh');
  await editors.save();
  await editors.waitForDirty(`${template}.html`, false);
  await explorer.row([service, 'Templates']);
};

/** The log, to its beginning. */
const readLog: Act = async ({ workbench: { quickInput, page } }) => {
  await quickInput.runCommand('Mailing: Show Log');
  const output = page.locator('.part.panel .monaco-editor .view-lines');
  await eventually(async () => assert.match(await output.innerText(), /failed/u));
  await page
    .locator('.part.panel .monaco-editor')
    .first()
    .click({ position: { x: 100, y: 20 } });
  const shown: string[] = [];
  for (const direction of ['ControlOrMeta+Home', 'PageDown', 'PageDown', 'PageDown', 'ControlOrMeta+End']) {
    await page.keyboard.press(direction);
    shown.push(await output.innerText());
  }
  assert.match(shown.join('\n'), /•••/u, 'What the service gave away was struck out.');
};

const sandboxToo: Act = async ({ workbench: { quickInput, explorer } }) => {
  await quickInput.runCommand('Mailing: Try the Sandbox');
  await explorer.open();
  await explorer.titleAction('Collapse All');
  await (await explorer.row(['Sandbox', 'Lists'])).expand();
};

/** Waits for the workbench's backup of unsaved edits. */
const backUp: Act = async ({ workbench }) => {
  await workbench.editors.show(`${template}.html`);
  await workbench.editors.replaceAll('<p>Unsaved</p>');
  await workbench.editors.waitForDirty(`${template}.html`, true);
  await workbench.waitForBackup('<p>Unsaved</p>');
};

const acts: readonly Act[] = [
  connect,
  browse,
  edit,
  sendTest,
  sendCampaign,
  subscribers,
  followUps,
  subscriptions,
  indiscreet,
  readLog,
  sandboxToo,
  backUp,
];

describe('The API key, after a full run', function () {
  this.timeout(600_000);

  let installation: Installation;
  let stage: Stage;
  let search: PageSearch;
  const endings: (() => Promise<void>)[] = [];

  before(async () => {
    installation = await openInstallation();
    endings.push(() => installation.close());
    const sandbox = await startSandbox({ assets: join(root, 'media', 'starters'), apiKey: key, subscribers: 60 });
    const foreignServer = await openCollector();
    const echo = await openEcho(sandbox.baseUrl, foreignServer.url);
    const other = new MailingClient({ baseUrl: sandbox.baseUrl, apiKey: key });
    endings.push(
      () => sandbox.close(),
      () => foreignServer.close(),
      () => echo.close(),
      () => other.close(),
    );
    const { workbench, close } = await openWorkbench(installation, {
      service: false,
      logs: true,
      prepare: async (context) => {
        search = await PageSearch.install(context, forms);
      },
    });
    endings.push(close);
    stage = { workbench, sandbox, echo, foreignServer, other };
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await captureFailure(stage.workbench.page, this.currentTest);
  });
  after(async () => {
    for (const end of endings.reverse()) await end();
  });

  it('does not appear in anything displayed or exchanged', async () => {
    for (const act of acts) {
      await act(stage);
      await search.check(stage.workbench.page);
      assert.deepEqual(search.matches, [], act.name);
    }
  });

  it('was searched for in texts, webview messages, requests and the console', () => {
    for (const [kind, count] of Object.entries(search.counts)) assert.ok(count > 20, `${kind}: ${count}`);
  });

  it('is sent in its header to its service, and nowhere else in any request', () => {
    const { echo, foreignServer } = stage;
    assert.ok(echo.requests.length > 50);
    for (const { url, rawHeaders, body } of echo.requests) {
      const at = rawHeaders.indexOf('Api-Key');
      assert.ok([key, wrongKey].includes(rawHeaders[at + 1] ?? ''));
      const rest = [url, decodeURIComponent(url), body, ...rawHeaders.toSpliced(at, 2)].join('\n');
      assert.deepEqual(formsIn(rest, forms), [], url);
    }
    assert.ok(
      foreignServer.requests.every(({ path }) => path === '/pixel.gif'),
      'Nothing but the image the reader asked for.',
    );
    assert.deepEqual(formsIn(JSON.stringify(foreignServer.requests), forms), []);
  });

  it('is in no file: settings, workspace, logs, storage, backups, exports', () => {
    const { dataDir, folder } = stage.workbench;
    const [data, workspace] = [searchFolder(dataDir, forms), searchFolder(folder, forms)];
    assert.deepEqual([...data.found, ...workspace.found], []);
    for (const name of ['settings.json', 'mint-key', '.log'])
      assert.ok(
        data.files.some((file) => file.endsWith(name)),
        `${name} is not among ${data.files.join(', ')}`,
      );
    const log = data.files.find((file) => file.endsWith('Mailing Studio.log'));
    assert.ok(
      log !== undefined && /redirects to http.*•••/u.test(readFileSync(join(dataDir, log), 'utf8')),
      'The log exists, and redacts the key.',
    );
    assert.ok(workspace.files.includes('people.csv'), workspace.files.join(', '));
    assert.match(readFileSync(join(dataDir, 'data', 'User', 'settings.json'), 'utf8'), /"name": "Echo shop"/u);
  });

  it('is not in the package or its installed files', () => {
    const packed = unzip(readFileSync(vsix));
    assert.ok(packed.has('extension/package.json'));
    for (const [name, bytes] of packed)
      assert.deepEqual(formsIn(`${name}\n${bytes.toString('latin1')}`, forms), [], name);
    // Also no secret of the user who packaged it.
    for (const [name, bytes] of packed)
      assert.doesNotMatch(
        bytes.toString('latin1'),
        /-----BEGIN [A-Z ]*PRIVATE KEY|\bnpm_[A-Za-z0-9]{36}|\bghp_[A-Za-z0-9]{36}/u,
        name,
      );
    assert.ok(![...packed.keys()].some((name) => /(?:^|\/)(?:\.env|\.npmrc|test|src)(?:\/|$)|\.map$/u.test(name)));
    assert.deepEqual(searchFolder(installation.extensionsDir, forms).found, []);
  });

  it('is in the secret storage under its service, and a rejected key is not', async () => {
    const secrets = await storedSecrets(stage.workbench);
    assert.ok(
      secrets.includes(JSON.stringify(key).slice(1, -1)) ||
        secrets.includes(JSON.stringify(JSON.stringify(key)).slice(3, -3)),
      'The search would have found nothing, as there was nothing.',
    );
    assert.ok(secrets.includes(stage.echo.baseUrl));
    assert.ok(!secrets.includes(wrongKey.slice(0, 12)));
  });

  it('is found by the search when planted', async () => {
    const {
      workbench: { page, dataDir, folder },
      echo,
    } = stage;
    const planted: Readonly<Record<string, (form: string) => Promise<object | void>>> = {
      text: (form) =>
        page.evaluate((text) => {
          document.body.append(text);
          document.body.lastChild?.remove();
        }, form),
      attribute: (form) =>
        page.evaluate((text) => {
          document.body.setAttribute('title', text);
          document.body.removeAttribute('title');
        }, form),
      field: (form) =>
        page.evaluate((text) => {
          const field = document.createElement('input');
          field.value = text;
          document.body.append(field);
          field.remove();
        }, form),
      'local storage': (form) => page.evaluate((text) => localStorage.setItem('planted', text), form),
      'session storage': (form) => page.evaluate((text) => sessionStorage.setItem('planted', text), form),
      database: (form) =>
        page.evaluate(
          (text) =>
            new Promise<void>((resolve, reject) => {
              const opening = indexedDB.open('planted', 1);
              opening.onupgradeneeded = () => opening.result.createObjectStore('things').put({ deep: [text] }, 'a');
              opening.onsuccess = () => {
                opening.result.close();
                resolve();
              };
              opening.onerror = () => reject(new Error('The database could not be opened.'));
            }),
          form,
        ),
      message: (form) =>
        page.evaluate(
          (text) =>
            new Promise<void>((resolve) => {
              addEventListener('message', (event) => void (event.data, resolve()), { once: true });
              postMessage({ planted: new Map([[1, { text }]]) }, '*');
            }),
          form,
        ),
      console: (form) => page.evaluate((text) => console.debug(text), form),
      request: (form) =>
        page.evaluate(
          (text) => fetch('/version', { headers: { 'x-planted': encodeURIComponent(text) } }).then(() => undefined),
          form,
        ),
    };
    for (const [medium, plant] of Object.entries(planted)) {
      const before = search.matches.length;
      await plant(key);
      await eventually(async () => {
        await search.check(page);
        assert.ok(search.matches.length > before, `It was not found: ${medium}`);
      });
      await page.evaluate(() => {
        localStorage.removeItem('planted');
        sessionStorage.removeItem('planted');
        indexedDB.deleteDatabase('planted');
      });
    }
    // A page of the extension, within one of the workbench's within the window.
    await stage.workbench.editors.show('Newsletter');
    const frame = await stage.workbench.webviews.frame('subscribers');
    // Its document may be replaced until it has its content.
    await frame.locator('.table-row').first().waitFor();
    for (const plant of [
      (text: string) => {
        document.body.setAttribute('title', text);
        document.body.removeAttribute('title');
      },
      (text: string) => {
        postMessage({ planted: [text] }, '*');
      },
    ]) {
      const before = search.matches.length;
      await frame.evaluate(plant, key);
      await eventually(async () => {
        await search.check(page);
        assert.ok(search.matches.length > before, `It was not found in a page: ${JSON.stringify([...search.frames])}`);
      });
    }

    for (const [form, text] of forms) {
      for (const place of [dataDir, folder]) {
        const file = join(place, 'planted.txt');
        writeFileSync(file, `before ${text} after`, 'latin1');
        assert.ok(
          searchFolder(place, forms).found.some((each) => each.file === 'planted.txt' && each.forms.includes(form)),
          form,
        );
        rmSync(file);
      }
    }
    assert.ok(
      readdirSync(folder).length > 0 &&
        echo.requests.some(({ rawHeaders }) => formsIn(rawHeaders.join(), forms).length > 0),
      'The requests that carry the key contain one of its forms.',
    );
  });
});
