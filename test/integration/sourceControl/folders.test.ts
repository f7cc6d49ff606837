import assert from 'node:assert/strict';
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { eventually } from '../../support/eventually.ts';
import { answering, type Answer } from '../answers.ts';
import { connectService, type TestService } from '../service.ts';
import { folder } from './fixtures.ts';
import type { Json } from '../../../src/service/client/shapes.ts';

describe('mapped templates', () => {
  let service: TestService;
  let id: number;
  const { path } = folder;
  const read = (name: string): string => readFileSync(path(name), 'utf8');
  const write = (name: string, text: string): void => writeFileSync(path(name), text);
  const run = async (command: string, argument?: object, answer?: Answer) =>
    answering(answer, () =>
      vscode.commands.executeCommand<number | string[] | undefined>(`mailing.folders.${command}`, argument),
    );
  const mine = () => ({ folder: 'emails/letter', connection: service.connection });
  const updates = () => service.sandbox.requests.filter(({ operation }) => operation === 'updateTemplate');

  beforeEach(async () => {
    service = await connectService();
    const created = await service.other.createTemplate({
      name: 'Letter',
      subject: 'Hello',
      body: '<p>one</p>\n<p>two</p>\n<p>three</p>',
      stylesheet: 'p { color: red }',
    });
    id = created.templateId;
    const { result } = await run('map', { connection: service.connection, ids: [id], folder: 'emails' });
    assert.deepEqual(result, ['emails/letter']);
  });
  afterEach(async () => {
    await service.end();
    await folder.clear();
  });

  it('are pulled into files with a mapping and a lock', () => {
    assert.equal(read('emails/letter/body.html'), '<p>one</p>\n<p>two</p>\n<p>three</p>');
    assert.equal(read('emails/letter/style.css'), 'p { color: red }');
    assert.equal((JSON.parse(read('emails/letter/template.json')) as { subject: string }).subject, 'Hello');
    assert.deepEqual(JSON.parse(read('mailing.json')), {
      templates: [{ folder: 'emails/letter', ids: { [service.connection]: id } }],
    });
    assert.match(read('mailing.lock.json'), /"body": "[\w-]{43}"/u);
  });

  it('are pushed after a confirmation, changed fields only', async () => {
    write('emails/letter/body.html', '<p>one</p>\n<p>TWO</p>\n<p>three</p>\n');
    const refused = await run('push', mine(), undefined);
    const [question] = refused.shown;
    assert.ok(question?.modal);
    assert.match(question.detail ?? '', new RegExp(`^emails/letter → Test \\d+ #${id}: body$`, 'u'));
    assert.equal(updates().length, 0);
    const { result } = await run('push', mine(), 'Push');
    assert.equal(result, 1);
    const template = await service.other.getOneTemplate(id);
    assert.match(template.body ?? '', /TWO/u);
    assert.equal(template.stylesheet, 'p { color: red }');
    assert.equal(updates().length, 1);
  });

  it('are pushed with three requests, and pulled with one', async () => {
    write('emails/letter/body.html', '<p>one</p>\n<p>TWO</p>\n<p>three</p>');
    const from = service.mark();
    const requested = () =>
      service.sandbox.requests.filter(({ number }) => number > from).map(({ operation }) => operation);
    assert.equal((await run('push', mine(), 'Push')).result, 1);
    assert.deepEqual(requested(), ['getOneTemplate', 'updateTemplate', 'getOneTemplate']);
    assert.equal((await run('pull', mine())).result, 1);
    assert.deepEqual(requested().slice(3), ['getOneTemplate']);
  });

  it('are not pushed over changes of other users until these are pulled and merged', async () => {
    await service.other.updateTemplate({ templateId: id, body: '<p>ONE</p>\n<p>two</p>\n<p>three</p>' });
    write('emails/letter/body.html', '<p>one</p>\n<p>two</p>\n<p>THREE</p>');
    const pushed = await run('overwrite', mine(), undefined);
    assert.match(pushed.shown[0]?.detail ?? '', /body[\s\S]*earlier states/u);
    await run('push', mine(), 'Push');
    assert.equal(updates().length, 1);
    await run('pull', mine());
    assert.equal(read('emails/letter/body.html'), '<p>ONE</p>\n<p>two</p>\n<p>THREE</p>');
    await run('push', mine(), 'Push');
    assert.equal((await service.other.getOneTemplate(id)).body, '<p>ONE</p>\n<p>two</p>\n<p>THREE</p>');
  });

  it('are not pushed while a conflict is not resolved', async () => {
    await service.other.updateTemplate({ templateId: id, body: '<p>theirs</p>' });
    write('emails/letter/body.html', '<p>mine</p>');
    const { shown } = await run('pull', mine());
    assert.match(
      shown.map(({ text }) => text).join(),
      /Conflict in emails\/letter\/body\.html: edited here and on the service/u,
    );
    assert.match(
      read('emails/letter/body.html'),
      /<<<<<<< this folder\n<p>mine<\/p>\n=======\n<p>theirs<\/p>\n>>>>>>> Test/u,
    );
    const pushed = await run('push', mine(), 'Push');
    assert.match(pushed.shown.map(({ text }) => text).join(), /conflicts are not resolved/u);
    assert.equal((await service.other.getOneTemplate(id)).body, '<p>theirs</p>');
  });

  it('report an unconfirmed push and recognize its text later', async () => {
    write('emails/letter/body.html', '<p>mine</p>');
    service.sandbox.faults.add({ kind: 'status', status: 504, operation: 'updateTemplate', times: 1 });
    const { shown } = await run('push', mine(), 'Push');
    assert.match(shown.map(({ text }) => text).join(' '), /may have been stored|mine|Pushed/u);
    assert.equal(updates().length, 1);
    await run('push', mine(), 'Push');
    assert.equal((await service.other.getOneTemplate(id)).body, '<p>mine</p>');
  });

  it('discard local changes after a confirmation', async () => {
    write('emails/letter/style.css', 'p { color: blue }');
    await run('discard', mine(), undefined);
    assert.equal(read('emails/letter/style.css'), 'p { color: blue }');
    await run('discard', mine(), 'Discard');
    assert.equal(read('emails/letter/style.css'), 'p { color: red }');
  });

  it('show problems of mailing.json at their range and keep working', async () => {
    const { templates } = JSON.parse(read('mailing.json')) as { templates: object[] };
    write(
      'mailing.json',
      JSON.stringify(
        {
          templates: [
            { folder: '../outside' },
            ...templates,
            { folder: 'emails/deleted', ids: { [service.connection]: 9999 } },
          ],
        },
        null,
        2,
      ),
    );
    await vscode.commands.executeCommand('mailing.folders.refresh');
    const messages = await eventually(() => {
      const diagnostics = vscode.languages
        .getDiagnostics(vscode.Uri.file(path('mailing.json')))
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

  it('are never written through a link out of the folder', async () => {
    const outside = makeScratch();
    try {
      removeScratch(path('emails/letter'));
      symlinkSync(outside, path('emails/letter'));
      const { shown } = await run('pull', mine());
      assert.match(shown.map(({ text }) => text).join(), /leads out of the workspace folder/u);
      assert.deepEqual(readdirSync(outside), []);
    } finally {
      removeScratch(outside);
    }
  });

  it('warn about local images before a push', async () => {
    write('emails/letter/body.html', '<img src="img/logo.png">');
    const { shown } = await run('push', mine(), 'Push');
    assert.match(shown[0]?.detail ?? '', /No reader will see these images[^:]*: img\/logo\.png/u);
    assert.equal(updates().length, 0);
    assert.equal((await run('push', mine(), 'Push All the Same')).result, 1);
  });

  it('have public image addresses on the service and paths in files, with deeply nested tags', async () => {
    await run('pull', mine());
    const { templates } = JSON.parse(read('mailing.json')) as { templates: Json };
    write('mailing.json', JSON.stringify({ templates, assets: { 'emails/img': 'https://cdn.example/mail' } }));
    await run('refresh');
    const formatting = Array.from({ length: 1200 }, (_, index) => `<b a${index}><p>`).join('');
    const body =
      `${formatting}<img src="./../img/a.png"><p style="background: url(&quot;../img/b.png&quot;)">` +
      '<!--[if mso]><v:fill src="../img/c.png" /><![endif]--><img src="https://cdn.example/mail/d.png">';
    write('emails/letter/body.html', body);
    assert.equal((await run('push', mine(), 'Push')).result, 1);
    const stored = body.replaceAll(/(?:\.\/)?\.\.\/img\//gu, 'https://cdn.example/mail/');
    assert.equal((await service.other.getOneTemplate(id)).body, stored);
    assert.equal(read('emails/letter/body.html'), body);
    await service.other.updateTemplate({ templateId: id, body: `${stored}<img src="https://cdn.example/mail/e.png">` });
    await run('pull', mine());
    assert.equal(read('emails/letter/body.html'), `${body}<img src="../img/e.png">`);
  });
});
