import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { startSandbox, type Sandbox } from '../support/sandbox/index.ts';
import { openCollector, type Collector } from '../support/collector.ts';
import { openInstallation, type Installation } from '../support/installation.ts';
import { openWorkbench } from '../support/computer.ts';
import { captureFailure } from '../support/screenshots.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection, type Workbench } from '../support/workbench.ts';

/** Ids in the sample data: the list of testers, and that of everybody. */
const testers = 8;
const everybody = 6;
const template = 'Welcome';

describe('An untrusted folder', function () {
  let installation: Installation;
  let service: Sandbox;
  let hostile: Collector;
  let open: Awaited<ReturnType<typeof openWorkbench>> | undefined;
  const endings: (() => Promise<void>)[] = [];

  before(async () => {
    installation = await openInstallation();
    endings.push(() => installation.close());
    service = await startSandbox({ assets: join(root, 'media', 'starters') });
    endings.push(() => service.close());
    hostile = await openCollector();
    endings.push(() => hostile.close());
  });
  afterEach(async function () {
    if (open && this.currentTest?.state === 'failed') await captureFailure(open.workbench.page, this.currentTest);
    await open?.close();
    open = undefined;
  });
  after(async () => {
    for (const end of endings.reverse()) await end();
  });

  /** What sending a test would do, as the modal says it; it is not sent. */
  async function testQuestion(workbench: Workbench) {
    await workbench.editors.show(`${template}.html`);
    await workbench.editors.titleAction('Send Test Email');
    await workbench.quickInput.waitFor('Select recipients or type addresses');
    await eventually(async () => assert.match((await workbench.quickInput.entries())[0] ?? '', /your test list/u));
    await workbench.quickInput.accept();
    const question = await workbench.dialog.text();
    await workbench.dialog.click('Cancel');
    return question;
  }

  const services = async ({ explorer }: Workbench) =>
    (await explorer.lines()).filter(({ level }) => level === 1).map(({ label }) => label);

  it('adds no connection, names no test list and raises no limit, until it is trusted', async () => {
    const own = { ...testConnection, baseUrl: service.baseUrl, profile: service.profile };
    open = await openWorkbench(installation, {
      service: false,
      settings: {
        'mailing.connections': [own],
        'mailing.testLists': { test: testers },
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'always',
      },
      files: {
        '.vscode/settings.json': JSON.stringify({
          'mailing.connections': [{ id: 'hostile', name: 'Prize draw', baseUrl: hostile.url }, own],
          'mailing.testLists': { test: everybody },
          'mailing.test.maxRecipients': 1000,
          // These a folder can't set at all.
          'http.proxy': hostile.url,
          'http.proxyStrictSSL': false,
        }),
        'notes.txt': 'A folder from the internet.',
        'mailing.json': JSON.stringify({
          templates: [
            {
              folder: 'emails/a',
              ids: { [testConnection.id]: 1 },
              source: 'a.mjml',
              output: 'a.html',
              task: 'npm: build',
            },
          ],
        }),
        'a.mjml': '<mjml></mjml>\n',
        'a.html': '<p>built</p>\n',
      },
    });
    const { workbench } = open;
    const { explorer, editors, quickInput, page } = workbench;
    // The workbench's own, about its own extensions, once more of them may run.
    workbench.problems.allow(/is already registered/u);
    await page.getByText('Restricted Mode', { exact: false }).first().waitFor();
    await explorer.open();
    await workbench.enterApiKey(service.apiKey);
    await (await explorer.row([testConnection.name, 'Templates', template])).click();
    await editors.waitForActive(`${template}.html`);
    assert.deepEqual(await services(workbench), [testConnection.name]);
    assert.match(await testQuestion(workbench), /to 3 recipients of the list "Test"/u);
    await quickInput.runCommand('Mailing: Test Connection');
    await workbench.notifications.waitFor(/Connected to "Test service"/u);
    assert.equal(hostile.connections, 0, 'Nothing was sent where the folder wants it.');
    await workbench.notifications.clear();
    const lenses = page.locator('.part.editor .codelens-decoration a');
    const shown = async (expected: readonly string[]) => {
      await eventually(async () =>
        assert.deepEqual(
          (await lenses.allInnerTexts()).map((text) => text.trim()),
          expected,
        ),
      );
    };
    await quickInput.openFile('a.mjml');
    await shown(['Preview', 'Compare with the Service']);
    await quickInput.runCommand('Mailing: Push to the Service…');
    await workbench.notifications.waitFor(/Couldn't push because this workspace isn't trusted/u);
    assert.deepEqual(
      service.requests.filter(({ operation }) => /^(?:create|update)/u.test(operation ?? '')),
      [],
    );
    await workbench.notifications.clear();

    await workbench.run('Workspaces: Manage Workspace Trust');
    await page
      .locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/u })
      .first()
      .click();
    await quickInput.openFile('a.mjml');
    await shown(['Build', 'Preview', 'Compare with the Service', 'Push']);
    await explorer.open();
    await eventually(async () => assert.deepEqual(await services(workbench), ['Prize draw', testConnection.name]));
    assert.match(await testQuestion(workbench), /to (?!3 )\d+ recipients of the list "All contacts"/u);
    await (await explorer.row(['Prize draw', 'Lists'])).expand();
    await eventually(async () =>
      assert.match(
        (await explorer.lines()).map(({ label, description }) => `${label} ${description}`).join('\n'),
        /Prize draw .*key/iu,
      ),
    );
    assert.equal(hostile.connections, 0, 'A connection that the user gave no key gets no request.');
    assert.deepEqual(workbench.problems.all, []);
  });
});
