import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { answering, type Answer } from '../answers.ts';
import { type, useService } from '../service.ts';
import { folder, provideTask, run, formatMessages } from './fixtures.ts';

describe('saves that the user did not start', () => {
  const service = useService('grown');
  let documents: readonly vscode.TextDocument[];
  let runs: number;
  let tasks: vscode.Disposable;
  const one = () => documents[0] ?? assert.fail('One is not open.');
  const two = () => documents[1] ?? assert.fail('Two is not open.');
  let from: number;
  const bodies = () =>
    service()
      .sandbox.requests.filter(({ number, operation }) => number > from && operation === 'updateTemplate')
      .map(({ body }) => (body as { body?: string }).body);
  const areUnsaved = () => documents.map(({ isDirty }) => isDirty);
  const map = (isProtected: boolean) =>
    folder.map({
      templates: [
        { folder: 'emails/built', source: 'src/built.mjml', output: 'dist/built.html', task: 'test: letters' },
      ],
      connections: { [service().connection]: { protected: isProtected } },
    });
  /** Runs a task of the user and waits for it. */
  const runTask = async (answer: Answer) => {
    const [task] = await vscode.tasks.fetchTasks({ type: 'mailing-test' });
    const { shown } = await answering(answer, async () => {
      await vscode.tasks.executeTask(task ?? assert.fail('There is no task.'));
      await eventually(() => assert.equal(runs, 1));
    });
    return shown;
  };

  const files = () => vscode.workspace.getConfiguration('files');
  const setAutoSave = (value: 'off' | 'afterDelay') =>
    files().update('autoSave', value, vscode.ConfigurationTarget.Global);

  before(() => {
    tasks = provideTask('letters', () => {
      runs += 1;
      return 0;
    });
  });
  after(() => tasks.dispose());

  beforeEach(async () => {
    runs = 0;
    from = service().mark();
    folder.write('src/built.mjml', 'one');
    folder.write('dist/built.html', '<p>one</p>');
    documents = [];
    for (const name of ['One', 'Two']) {
      const { templateId } = await service().other.createTemplate({ name, subject: 'Hello', body: '<p>as it was</p>' });
      const document = await vscode.workspace.openTextDocument(service().uri(`/templates/${templateId}/${name}.html`));
      await vscode.window.showTextDocument(document, { preview: false });
      await type(document, `<p>${name}</p>`);
      documents = [...documents, document];
    }
    await eventually(() => assert.deepEqual(areUnsaved(), [true, true]));
  });
  afterEach(() => folder.clear());

  it('asks before a build whether to save', async () => {
    await map(false);
    const canceled = await run('build', { folder: 'emails/built' }, undefined);
    assert.deepEqual([runs, areUnsaved(), bodies()], [0, [true, true], []]);
    assert.match(
      formatMessages(canceled.shown),
      /^Save 2 documents on the service before building\?\nOne\.html → Test \d+\nTwo\.html → Test \d+\n/u,
    );
    assert.deepEqual(
      canceled.shown.map(({ modal, buttons }) => [modal, buttons]),
      [[true, ['Build Without Saving', 'Save All']]],
    );
    await run('build', { folder: 'emails/built' }, 'Build Without Saving');
    assert.deepEqual([runs, areUnsaved(), bodies()], [1, [true, true], []]);
    await run('build', { folder: 'emails/built' }, 'Save All');
    assert.deepEqual([runs, areUnsaved()], [2, [false, false]]);
    assert.equal(bodies().length, 2);
    assert.deepEqual((await run('build', { folder: 'emails/built' })).shown, [], 'There is nothing to save.');
  });

  it('can save a document after a build without saving', async () => {
    await map(false);
    await run('build', { folder: 'emails/built' }, 'Build Without Saving');
    assert.equal(await two().save(), true);
    assert.deepEqual([areUnsaved(), bodies().length], [[true, false], 1]);
  });

  it('asks nothing before a build if task.saveBeforeRun is never', async () => {
    await map(false);
    const settings = vscode.workspace.getConfiguration('task');
    await settings.update('saveBeforeRun', 'never', vscode.ConfigurationTarget.Global);
    try {
      assert.deepEqual((await run('build', { folder: 'emails/built' })).shown, []);
      assert.deepEqual([runs, areUnsaved(), bodies()], [1, [true, true], []]);
    } finally {
      await settings.update('saveBeforeRun', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('asks before a task of the user stores documents on a protected connection', async () => {
    await map(true);
    const [asked, ...others] = await runTask(undefined);
    assert.deepEqual([asked?.modal, asked?.text, others], [true, 'Save 2 documents to a protected connection?', []]);
    assert.match(asked?.detail ?? '', /^One\.html → Test \d+\nTwo\.html → Test \d+$/u);
    assert.deepEqual([areUnsaved(), bodies()], [[true, true], []]);
    const { shown } = await answering('Save', () => vscode.commands.executeCommand('workbench.action.files.saveAll'));
    assert.deepEqual([shown.length, areUnsaved(), bodies().length], [1, [false, false], 2]);
  });

  it('asks before it saves an inactive tab on a protected connection, but not for the active one', async () => {
    await map(true);
    await vscode.window.showTextDocument(two());
    const refused = await answering(undefined, () => one().save());
    assert.deepEqual(
      [refused.result, refused.shown.map(({ text }) => text)],
      [false, ['Save "One.html" to a protected connection?']],
    );
    const { result, shown } = await answering(undefined, () => two().save());
    assert.deepEqual([result, shown, areUnsaved(), bodies().length], [true, [], [true, false], 1]);
  });

  it('refuses Auto Save on a protected connection and accepts a manual save', async () => {
    await map(true);
    await vscode.window.showTextDocument(one());
    let automatic = 0;
    const following = vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      if (document === one() && reason === vscode.TextDocumentSaveReason.AfterDelay) automatic += 1;
    });
    await files().update('autoSaveDelay', 1, vscode.ConfigurationTarget.Global);
    await setAutoSave('afterDelay');
    try {
      await eventually(() => assert.ok(automatic > 0));
      // VS Code would join a manual save with an automatic one of the same text.
      await setAutoSave('off');
      await type(one(), '<p>by hand</p>');
      assert.equal(await one().save(), true);
      assert.deepEqual(bodies(), ['<p>by hand</p>']);
    } finally {
      following.dispose();
      await setAutoSave('off');
      await files().update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
