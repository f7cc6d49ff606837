import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { folder, formatMessages, observeGroups, run, useMapped } from './fixtures.ts';

describe('mapped templates', () => {
  const { service, entry, getId, mine, stored, change, updates } = useMapped('emails/letter', {
    name: 'Letter',
    body: '<p>one</p>\n<p>two</p>\n<p>three</p>',
    stylesheet: 'p { color: red }',
  });
  const { read, write } = folder;

  beforeEach(async () => {
    const { connection } = service();
    const { result } = await run<string[]>('map', { connection, ids: [getId()], folder: 'emails' });
    assert.deepEqual(result, ['emails/letter']);
  });

  it('are pulled into files with a mapping and a lock', () => {
    assert.equal(read('emails/letter/body.html'), '<p>one</p>\n<p>two</p>\n<p>three</p>');
    assert.equal(read('emails/letter/style.css'), 'p { color: red }');
    assert.equal((JSON.parse(read('emails/letter/template.json')) as { subject: string }).subject, 'Hello');
    assert.deepEqual(JSON.parse(read('mailing.json')), { templates: [entry()] });
    assert.match(read('mailing.lock.json'), /"body": "[\w-]{43}"/u);
  });

  it('are pushed after a confirmation, changed fields only, and pulled with one request', async () => {
    write('emails/letter/body.html', '<p>one</p>\n<p>TWO</p>\n<p>three</p>\n');
    const refused = await run('push', mine(), undefined);
    const [question] = refused.shown;
    assert.ok(question?.modal);
    assert.match(question.detail ?? '', new RegExp(`^emails/letter → Test \\d+ #${getId()}: body$`, 'u'));
    assert.equal(updates(), 0);
    const from = service().mark();
    const requested = () =>
      service()
        .sandbox.requests.filter(({ number }) => number > from)
        .map(({ operation }) => operation);
    assert.equal((await run('push', mine(), 'Push')).result, 1);
    assert.deepEqual(requested(), ['getOneTemplate', 'updateTemplate', 'getOneTemplate']);
    assert.equal((await run('pull', mine())).result, 1);
    assert.deepEqual(requested().slice(3), ['getOneTemplate']);
    const template = await stored();
    assert.match(template.body ?? '', /TWO/u);
    assert.equal(template.stylesheet, 'p { color: red }');
  });

  it('are not read again when mailing.json is written with the same text', async () => {
    const watcher = vscode.workspace.createFileSystemWatcher(folder.path('mailing.json'));
    const from = service().mark();
    try {
      const reported = new Promise((resolve) => watcher.onDidChange(resolve));
      // VS Code's file watcher starts asynchronously and may miss the first changes.
      const writing = setInterval(() => folder.write('mailing.json', read('mailing.json')), 100);
      await reported.finally(() => clearInterval(writing));
      write('emails/letter/template.json', 'not JSON');
      await eventually(() =>
        assert.match(vscode.languages.getDiagnostics(folder.uri('mailing.json'))[0]?.message ?? '', /Not valid JSON/u),
      );
      assert.deepEqual(
        service().sandbox.requests.filter(({ number }) => number > from),
        [],
      );
    } finally {
      watcher.dispose();
    }
  });

  it('report a mailing.json that could not be read, and work again once it can', async () => {
    const mapping = read('mailing.json');
    await folder.clear();
    writeFileSync(folder.path('mailing.json'), Buffer.from('fffe', 'hex'));
    await run('refresh');
    assert.match(
      vscode.languages.getDiagnostics(folder.uri('mailing.json'))[0]?.message ?? '',
      /Couldn't read mailing\.json: the file isn't UTF-8 text/u,
    );
    write('mailing.json', mapping);
    await run('refresh');
    assert.equal((await run('pull', mine())).result, 1);
  });

  it('are pushed to the template that mailing.json names by then', async () => {
    const { connection, other } = service();
    const { templateId } = await other.createTemplate({
      name: 'Letter',
      subject: 'Hello',
      body: '<p>one</p>\n<p>two</p>\n<p>three</p>',
      stylesheet: 'p { color: red }',
    });
    write('emails/letter/body.html', '<p>mine</p>');
    // Before the file watcher reports it.
    write('mailing.json', JSON.stringify({ templates: [entry({ ids: { [connection]: templateId } })] }));
    const { shown } = await run('push', mine(), 'Push');
    assert.match(formatMessages(shown), new RegExp(`#${templateId}: body$`, 'mu'));
    assert.match((await stored()).body ?? '', /two/u);
    write('mailing.json', '{ "templates": [] }');
    assert.match(formatMessages((await run('pull', mine())).shown), /no longer maps "emails\/letter"/u);
  });

  it('get folders that no file system treats as equal', async () => {
    const { connection, other } = service();
    const create = async (name: string) => (await other.createTemplate({ name })).templateId;
    const ids = [await create('Straße'), await create('Strasse')];
    const { result } = await run<string[]>('map', { connection, ids, folder: 'emails' });
    assert.deepEqual(result, ['emails/straße', 'emails/strasse-2']);
    assert.ok(folder.has('emails/strasse-2/template.json'));
  });

  it('are not pushed while a conflict is not resolved', async () => {
    await change({ body: '<p>theirs</p>' });
    write('emails/letter/body.html', '<p>mine</p>');
    const { shown } = await run('pull', mine());
    assert.match(formatMessages(shown), /Conflict in emails\/letter\/body\.html: edited here and on the service/u);
    assert.match(
      read('emails/letter/body.html'),
      /<<<<<<< this folder\n<p>mine<\/p>\n=======\n<p>theirs<\/p>\n>>>>>>> Test/u,
    );
    const pushed = await run('push', mine(), 'Push');
    assert.match(formatMessages(pushed.shown), /body\.html contains conflict markers/u);
    assert.equal((await stored()).body, '<p>theirs</p>');
  });

  it('open the file of a conflict, which has buttons that accept a version, if its diff is open', async () => {
    await change({ body: '<p>theirs</p>' });
    write('emails/letter/body.html', '<p>mine</p>');
    const file = folder.uri('emails/letter/body.html');
    const isFile = (tab: vscode.Tab | undefined) =>
      tab?.input instanceof vscode.TabInputText && tab.input.uri.toString() === file.toString();
    await run('refresh');
    await run('compare', file);
    await run('pull', mine(), 'Resolve');
    await eventually(() => assert.ok(isFile(vscode.window.tabGroups.activeTabGroup.activeTab)));
    // A new source control for the mapping.
    await folder.map({ templates: [] });
    await observeGroups(async (groups) => {
      await folder.map({ templates: [entry()] });
      const [row] = groups.flatMap(({ resourceStates }) => resourceStates);
      assert.deepEqual([row?.command?.command, String(row?.command?.arguments?.[0])], ['vscode.open', String(file)]);
    });
  });

  it('are offered by a push if their texts are older, and refused with a way out', async () => {
    const older = read('emails/letter/body.html');
    await change({ body: `${older}\n<p>theirs</p>` });
    assert.equal((await run('pull', mine())).result, 1);
    write('emails/letter/body.html', older);
    let isDone = false;
    const pushing = run('push').finally(() => (isDone = true));
    await eventually(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      assert.ok(isDone);
    });
    const { shown } = await pushing;
    assert.match(
      formatMessages(shown),
      /emails\/letter: the files are older than the texts on the service\. Pull, or/u,
    );
    assert.equal((await stored()).body, `${older}\n<p>theirs</p>`);
  });

  it('report an unconfirmed push and recognize its text later', async () => {
    write('emails/letter/body.html', '<p>mine</p>');
    service().sandbox.faults.add({ kind: 'status', status: 504, operation: 'updateTemplate', times: 1 });
    const { shown } = await run('push', mine(), 'Push');
    assert.match(formatMessages(shown), /may have been stored|mine|Pushed/u);
    assert.equal(updates(), 1);
    await run('push', mine(), 'Push');
    assert.equal((await stored()).body, '<p>mine</p>');
  });

  it('discard local changes after a confirmation', async () => {
    write('emails/letter/style.css', 'p { color: blue }');
    await run('discard', mine(), undefined);
    assert.equal(read('emails/letter/style.css'), 'p { color: blue }');
    await run('discard', mine(), 'Discard');
    assert.equal(read('emails/letter/style.css'), 'p { color: red }');
  });

  it('show problems of mailing.json at their range and keep working', async () => {
    const deleted = { folder: 'emails/deleted', ids: { [service().connection]: 9999 } };
    await folder.map({ templates: [{ folder: '../outside' }, entry(), deleted] });
    const messages = await eventually(() => {
      const diagnostics = vscode.languages
        .getDiagnostics(folder.uri('mailing.json'))
        .filter(({ source }) => source === 'Mailing Studio');
      assert.equal(diagnostics.length, 2);
      return diagnostics.map(({ message, range }) => `${range.start.line}: ${message}`);
    });
    assert.match(
      messages.join('\n'),
      /^3: "folder" must be a path below[^\n]*\n\d+: There is no template 9999 on Test \d+\.$/u,
    );
    write('emails/letter/body.html', '<p>still works</p>');
    assert.equal((await run('push', mine(), 'Push')).result, 1);
  });

  it('warn about local images before a push', async () => {
    write('emails/letter/body.html', '<img src="img/logo.png">');
    const { shown } = await run('push', mine(), 'Push');
    assert.match(shown[0]?.detail ?? '', /Recipients can't see these images[^:]*: img\/logo\.png/u);
    assert.equal(updates(), 0);
    assert.equal((await run('push', mine(), 'Push Anyway')).result, 1);
  });

  it('have public image addresses on the service and paths in files, with deeply nested tags', async () => {
    await run('pull', mine());
    await folder.map({ templates: [entry()], assets: { 'emails/img': 'https://cdn.example/mail' } });
    const formatting = Array.from({ length: 1200 }, (_, index) => `<b a${index}><p>`).join('');
    const body =
      `${formatting}<img src="./../img/a.png"><p style="background: url(&quot;../img/b.png&quot;)">` +
      '<!--[if mso]><v:fill src="../img/c.png" /><![endif]--><img src="https://cdn.example/mail/d.png">';
    write('emails/letter/body.html', body);
    assert.equal((await run('push', mine(), 'Push')).result, 1);
    const sent = body.replaceAll(/(?:\.\/)?\.\.\/img\//gu, 'https://cdn.example/mail/');
    assert.equal((await stored()).body, sent);
    assert.equal(read('emails/letter/body.html'), body);
    await change({ body: `${sent}<img src="https://cdn.example/mail/e.png">` });
    await run('pull', mine());
    assert.equal(read('emails/letter/body.html'), `${body}<img src="../img/e.png">`);
  });
});
