import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { connectService, type TestService } from '../service.ts';
import { folder, run, formatMessages } from './fixtures.ts';

describe('promoting a mapped template', () => {
  let staging: TestService;
  let production: TestService;
  let ids: Record<string, number>;
  const create = async ({ other }: TestService, body: string) =>
    (await other.createTemplate({ name: 'Letter', subject: 'Hello', body })).templateId;
  const promote = (answer?: string | readonly string[]) =>
    run('promote', { folder: 'emails/letter', to: production.connection }, answer);
  const stored = async () => production.other.getOneTemplate(ids[production.connection] ?? 0);
  const isDiffOpen = () =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ label }) => /emails\/letter \(Test \d+ ↔ folder\)/u.test(label)),
    );

  beforeEach(async () => {
    [staging, production] = [await connectService(), await connectService()];
    ids = {
      [staging.connection]: await create(staging, '<p>staging</p>'),
      [production.connection]: await create(production, '<p>production</p>'),
    };
    await folder.map({
      connections: { [production.connection]: { protected: true } },
      templates: [{ folder: 'emails/letter', ids }],
    });
    await run('pull', { folder: 'emails/letter', connection: staging.connection });
  });
  afterEach(async () => {
    await staging.end();
    await production.end();
    await folder.clear();
  });

  it('shows the differences and stores them only on the other service after a confirmation', async () => {
    const canceled = await promote();
    assert.match(formatMessages(canceled.shown), /The differences between \S+ and Test \d+ are open/u);
    await eventually(() => assert.ok(isDiffOpen()));
    const refused = await promote('Promote…');
    assert.match(
      formatMessages(refused.shown.filter(({ modal }) => modal)),
      /^Promote 1 template to Test \d+\?\nemails\/letter → Test \d+ #\d+: body\n\nTest \d+ is a protected connection\./u,
    );
    assert.equal((await stored()).body, '<p>production</p>');
    assert.equal((await promote(['Promote…', 'Promote'])).result, 1);
    assert.equal((await stored()).body, '<p>staging</p>');
    assert.equal(staging.received('updateTemplate'), 0);
    assert.match(formatMessages((await promote()).shown), /is the same here and on Test \d+/u);
  });

  it('stores nothing over later changes there', async () => {
    await promote(['Promote…', 'Promote']);
    folder.write('emails/letter/body.html', '<p>next</p>');
    await production.other.updateTemplate({ templateId: ids[production.connection] ?? 0, body: '<p>theirs</p>' });
    const { shown } = await promote(['Promote…', 'Promote']);
    assert.match(
      formatMessages(shown),
      /Couldn't push emails\/letter because of newer changes on the service\. Pull first\./u,
    );
    assert.equal((await stored()).body, '<p>theirs</p>');
  });

  it('creates the template if the service has none', async () => {
    await folder.map({
      templates: [{ folder: 'emails/letter', ids: { [staging.connection]: ids[staging.connection] } }],
    });
    assert.equal((await promote('Create')).result, 1);
    const { templates } = JSON.parse(folder.read('mailing.json')) as { templates: [{ ids: Record<string, number> }] };
    const id = templates[0].ids[production.connection] ?? 0;
    assert.notEqual(id, ids[production.connection]);
    assert.equal((await production.other.getOneTemplate(id)).body, '<p>staging</p>');
  });
});
