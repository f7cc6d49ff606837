import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { connectService, type TestService } from '../service.ts';
import { folder, run, formatMessages } from './fixtures.ts';
import type { MappedFile } from '../../../src/features/sourceControl/map.ts';

describe('mapping a file', () => {
  let service: TestService;
  let id: number;
  const received = (operation: string) =>
    service.sandbox.requests.filter((request) => request.operation === operation).length;
  const map = (argument: object, answer?: string | readonly string[]) =>
    run<MappedFile>('mapFile', { connection: service.connection, ...argument }, answer);
  const mapped = () =>
    (JSON.parse(folder.read('mailing.json').replace(/^\s*\/\/.*$/gmu, '')) as { templates: object[] }).templates;

  beforeEach(async () => {
    service = await connectService();
    id = (await service.other.createTemplate({ name: 'Letter', subject: 'Hello', body: '<p>theirs</p>' })).templateId;
  });
  afterEach(async () => {
    await service.end();
    await folder.clear();
  });

  it('changes mailing.json without a push or pull', async () => {
    folder.write('mailing.json', '{\n  // ours\n  "templates": []\n}\n');
    folder.write('letters/spring.html', '<p>mine</p>');
    const { result, shown } = await map({ uri: folder.uri('letters/spring.html'), id, built: false });
    assert.deepEqual(result, { folder: 'letters/spring', connection: service.connection, id });
    assert.match(folder.read('mailing.json'), /\/\/ ours/u);
    assert.deepEqual(mapped(), [
      { folder: 'letters/spring', ids: { [service.connection]: id }, body: 'letters/spring.html' },
    ]);
    await eventually(() =>
      assert.match(
        formatMessages(shown),
        /letters\/spring\.html is mapped to template \d+ of Test \d+\. Nothing was pushed or pulled\./u,
      ),
    );
    assert.equal(folder.read('letters/spring.html'), '<p>mine</p>');
    assert.equal(received('updateTemplate'), 0);
    const again = await map({ uri: folder.uri('letters/spring.html'), id, built: false });
    assert.match(formatMessages(again.shown), /is mapped to template \d+ of Test \d+ already/u);
    // Without a base, neither version overwrites the other without a confirmation.
    assert.match(formatMessages((await run('push', folder.uri('letters/spring.html'), 'Push')).shown), /Pull first/u);
    assert.equal((await run('overwrite', folder.uri('letters/spring.html'), 'Push Mine over the Service')).result, 1);
    const template = await service.other.getOneTemplate(id);
    assert.deepEqual([template.body, template.subject], ['<p>mine</p>', 'Hello']);
  });

  it('lets a pull update a file that is not built', async () => {
    folder.write('letters/spring.html', '<p>theirs</p>');
    await map({ uri: folder.uri('letters/spring.html'), id, built: false });
    await run('pull', { folder: 'letters/spring' });
    await service.other.updateTemplate({ templateId: id, body: '<p>newer</p>' });
    await run('pull', { folder: 'letters/spring' });
    assert.equal(folder.read('letters/spring.html'), '<p>newer</p>');
  });

  it('creates a new template from the file after a confirmation', async () => {
    folder.write('src/new.mjml', '<mjml/>');
    folder.write('dist/new.html', '<p>built</p>');
    const argument = { uri: folder.uri('src/new.mjml'), name: 'Fresh', output: 'dist/new.html', task: 'npm: build' };
    const refused = await map(argument, undefined);
    assert.deepEqual([refused.result, received('createTemplate'), folder.has('mailing.json')], [undefined, 1, false]);
    assert.match(
      formatMessages(refused.shown),
      /^Create the template "Fresh" on Test \d+\?\nsrc\/new → Test \d+: name, body$/u,
    );
    const { result } = await map(argument, 'Create');
    assert.ok(result);
    const created = await service.other.getOneTemplate(result.id);
    assert.deepEqual([created.name, created.body], ['Fresh', '<p>built</p>']);
    assert.deepEqual(mapped(), [
      {
        folder: 'src/new',
        ids: { [service.connection]: result.id },
        source: 'src/new.mjml',
        output: 'dist/new.html',
        task: 'npm: build',
      },
    ]);
    assert.match(formatMessages((await run('push', { folder: 'src/new' }, 'Push')).shown), /nothing to push/u);
    assert.match(folder.read('mailing.lock.json'), /"src\/new"/u);
  });

  it('maps HTML as a source if it has an output', async () => {
    folder.write('src/maizzle.html', '<p>source</p>');
    folder.write('dist/src/maizzle.html', '<p>built</p>');
    await map({ uri: folder.uri('src/maizzle.html'), id, output: 'dist/src/maizzle.html' });
    const entry = {
      folder: 'src/maizzle',
      ids: { [service.connection]: id },
      source: 'src/maizzle.html',
      output: 'dist/src/maizzle.html',
    };
    assert.deepEqual(mapped(), [entry]);
  });

  it('creates no second template after a lost response', async () => {
    folder.write('letters/a/body.html', '<p>mine</p>');
    service.sandbox.faults.add({ kind: 'lostAnswer', operation: 'createTemplate', times: 1 });
    const { result, shown } = await map({ uri: folder.uri('letters/a/body.html'), name: 'Lost' }, 'Create');
    assert.match(formatMessages(shown), /The response was lost, but the template "Lost" was made/u);
    assert.ok(result);
    assert.equal((await service.other.getOneTemplate(result.id)).name, 'Lost');
    assert.equal(received('createTemplate'), 2);
    assert.deepEqual(mapped(), [{ folder: 'letters/a', ids: { [service.connection]: result.id } }]);
  });

  it('lets a push create the template if the service has none', async () => {
    folder.write('emails/b/body.html', '<p>b</p>');
    folder.write('emails/b/template.json', '{ "name": "B", "subject": "Hi" }');
    await folder.map({
      connections: { [service.connection]: { protected: true } },
      templates: [{ folder: 'emails/b' }],
    });
    const push = (answer?: string) => run('push', { folder: 'emails/b', connection: service.connection }, answer);
    const refused = await push();
    assert.match(
      formatMessages(refused.shown),
      /^Create the template "B" on Test \d+\?\nemails\/b → Test \d+: name, body, subject\n\nTest \d+ is a protected connection\.$/u,
    );
    assert.equal(received('createTemplate'), 1);
    assert.equal((await push('Create')).result, 1);
    const [{ ids }] = mapped() as [{ ids: Record<string, number> }];
    assert.equal((await service.other.getOneTemplate(ids[service.connection] ?? 0)).subject, 'Hi');
    assert.match(formatMessages((await push()).shown), /nothing to push/u);
  });

  it('reports why a file cannot be mapped', async () => {
    folder.write('mailing.json', '{ "templates": [');
    folder.write('letters/a/body.html', '<p>mine</p>');
    assert.match(
      formatMessages((await map({ uri: folder.uri('letters/a/body.html'), id })).shown),
      /Couldn.t change mailing\.json/u,
    );
    assert.equal(folder.read('mailing.json'), '{ "templates": [');
    await folder.map({ templates: [{ folder: 'letters/b', ids: { [service.connection]: id } }] });
    assert.match(
      formatMessages((await map({ uri: folder.uri('letters/a/body.html'), id })).shown),
      /is mapped to letters\/b already/u,
    );
  });
});
