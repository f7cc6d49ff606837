import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { folder, formatMessages, observeGroups, run, useMapped } from './fixtures.ts';
import type { MappedFile } from '../../../src/features/sourceControl/map.ts';

describe('mapping a file', () => {
  const { service, entry, getId, stored, updates } = useMapped('letters/spring', {
    name: 'Letter',
    body: '<p>theirs</p>',
  });
  const map = (argument: object, answer?: string | readonly string[]) =>
    run<MappedFile>('mapFile', { connection: service().connection, ...argument }, answer);
  const mapped = () =>
    (JSON.parse(folder.read('mailing.json').replace(/^\s*\/\/.*$/gmu, '')) as { templates: object[] }).templates;

  it('changes mailing.json without a push or pull', async () => {
    folder.write('mailing.json', '{\n  // ours\n  "templates": []\n}\n');
    folder.write('letters/spring.html', '<p>mine</p>');
    const { result, shown } = await map({ uri: folder.uri('letters/spring.html'), id: getId(), built: false });
    assert.deepEqual(result, { folder: 'letters/spring', connection: service().connection, id: getId() });
    assert.match(folder.read('mailing.json'), /\/\/ ours/u);
    assert.deepEqual(mapped(), [entry({ body: 'letters/spring.html' })]);
    await eventually(() =>
      assert.match(
        formatMessages(shown),
        /letters\/spring\.html is mapped to template \d+ on Test \d+\. Nothing was pushed or pulled\./u,
      ),
    );
    assert.equal(folder.read('letters/spring.html'), '<p>mine</p>');
    assert.equal(updates(), 0);
    const again = await map({ uri: folder.uri('letters/spring.html'), id: getId(), built: false });
    assert.match(formatMessages(again.shown), /is already mapped to template \d+ on Test \d+\./u);
    // Without a base, neither version overwrites the other without a confirmation.
    assert.match(formatMessages((await run('push', folder.uri('letters/spring.html'), 'Push')).shown), /Pull first/u);
    assert.equal((await run('overwrite', folder.uri('letters/spring.html'), 'Overwrite')).result, 1);
    const template = await stored();
    assert.deepEqual([template.body, template.subject], ['<p>mine</p>', 'Hello']);
  });

  it('gives the file a folder of its own if another template has that of the file', async () => {
    await folder.map({ templates: [{ folder: 'letters/spring', ids: {}, body: 'letters/other.html' }] });
    folder.write('letters/spring/body.html', '<p>mine</p>');
    const { result } = await map({ uri: folder.uri('letters/spring/body.html'), id: getId(), built: false });
    assert.equal(result?.folder, 'letters/spring/body');
    assert.deepEqual(mapped()[1], entry({ folder: 'letters/spring/body', body: 'letters/spring/body.html' }));
  });

  it('lists the file as not yet pushed', async () => {
    folder.write('letters/spring.html', '<p>mine</p>');
    const details = folder.uri('letters/spring/template.json').path;
    await observeGroups(async (groups) => {
      await map({ uri: folder.uri('letters/spring.html'), id: getId(), built: false });
      const list = () =>
        groups.flatMap(({ label, resourceStates }) =>
          resourceStates.map(({ resourceUri: { path } }) => [label, path] as const),
        );
      await eventually(() =>
        assert.deepEqual(list(), [
          ['Not Yet Pushed', folder.uri('letters/spring.html').path],
          ['To Pull', details],
        ]),
      );
    });
    assert.equal(updates(), 0);
  });

  it('creates a new template from the file after a confirmation', async () => {
    folder.write('src/new.mjml', '<mjml/>');
    folder.write('dist/new.html', '<p>built</p>');
    const argument = { uri: folder.uri('src/new.mjml'), name: 'Fresh', output: 'dist/new.html', task: 'npm: build' };
    const refused = await map(argument, undefined);
    assert.deepEqual(
      [refused.result, service().received('createTemplate'), folder.has('mailing.json')],
      [undefined, 1, false],
    );
    assert.match(
      formatMessages(refused.shown),
      /^Create the template "Fresh" on Test \d+\?\nsrc\/new → Test \d+: name, body$/u,
    );
    const { result } = await map(argument, 'Create');
    assert.ok(result);
    const created = await service().other.getOneTemplate(result.id);
    assert.deepEqual([created.name, created.body], ['Fresh', '<p>built</p>']);
    assert.deepEqual(mapped(), [
      {
        folder: 'src/new',
        ids: { [service().connection]: result.id },
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
    await map({ uri: folder.uri('src/maizzle.html'), id: getId(), output: 'dist/src/maizzle.html' });
    const paths = { source: 'src/maizzle.html', output: 'dist/src/maizzle.html' };
    assert.deepEqual(mapped(), [entry({ folder: 'src/maizzle', ...paths })]);
  });

  it('creates no second template after a lost response', async () => {
    folder.write('letters/a/body.html', '<p>mine</p>');
    service().sandbox.faults.add({ kind: 'lostAnswer', operation: 'createTemplate', times: 1 });
    const { result, shown } = await map({ uri: folder.uri('letters/a/body.html'), name: 'Lost' }, 'Create');
    assert.match(formatMessages(shown), /"Lost" was created\. The response was lost/u);
    assert.ok(result);
    assert.equal((await service().other.getOneTemplate(result.id)).name, 'Lost');
    assert.equal(service().received('createTemplate'), 2);
    assert.deepEqual(mapped(), [{ folder: 'letters/a', ids: { [service().connection]: result.id } }]);
  });

  it('lets a push create the template if the service has none', async () => {
    folder.write('emails/b/body.html', '<p>b</p>');
    folder.write('emails/b/template.json', '{ "name": "B", "subject": "Hi" }');
    await folder.map({
      connections: { [service().connection]: { protected: true } },
      templates: [{ folder: 'emails/b' }],
    });
    const push = (answer?: string) => run('push', { folder: 'emails/b', connection: service().connection }, answer);
    const refused = await push();
    assert.match(
      formatMessages(refused.shown),
      /^Create the template "B" on Test \d+\?\nemails\/b → Test \d+: name, body, subject\n\nTest \d+ is a protected connection\.$/u,
    );
    assert.equal(service().received('createTemplate'), 1);
    assert.equal((await push('Create')).result, 1);
    const [{ ids }] = mapped() as [{ ids: Record<string, number> }];
    assert.equal((await service().other.getOneTemplate(ids[service().connection] ?? 0)).subject, 'Hi');
    assert.match(formatMessages((await push()).shown), /nothing to push/u);
  });

  it('reports why a file cannot be mapped', async () => {
    folder.write('mailing.json', '{ "templates": [');
    folder.write('letters/a/body.html', '<p>mine</p>');
    assert.match(
      formatMessages((await map({ uri: folder.uri('letters/a/body.html'), id: getId() })).shown),
      /Couldn.t change mailing\.json/u,
    );
    assert.equal(folder.read('mailing.json'), '{ "templates": [');
    await folder.map({ templates: [entry({ folder: 'letters/b' })] });
    assert.match(
      formatMessages((await map({ uri: folder.uri('letters/a/body.html'), id: getId() })).shown),
      /is already mapped to letters\/b\./u,
    );
  });
});
