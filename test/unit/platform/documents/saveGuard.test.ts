import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { DocumentAddress } from '../../../../src/platform/documents/model.ts';
import { SaveGuard, type SaveCause } from '../../../../src/platform/documents/saveGuard.ts';
import { getAddress, useFakeTimers, type DocumentName } from './stage.ts';

const flushTasks = () => new Promise((resolve) => setImmediate(resolve));

describe('SaveGuard', () => {
  useFakeTimers();

  let guard: SaveGuard;
  let isProtected: boolean;
  let answer: boolean;
  let unsaved: readonly DocumentName[];
  let prompts: (readonly string[])[];
  beforeEach(() => {
    [isProtected, answer, unsaved, prompts] = [true, true, ['body'], []];
    guard = new SaveGuard(
      {
        isProtected: (connection) => Promise.resolve(isProtected && connection === 'one'),
        findUnsaved: () => unsaved.map((name) => getAddress(name).uri),
      },
      {
        confirmProtectedSave: (documents: readonly DocumentAddress[]) => {
          prompts.push(documents.map(({ part }) => part.suffix));
          return Promise.resolve(answer);
        },
      },
    );
  });

  /** Saves a document. Resolves with true, or with the error. */
  async function save(name: DocumentName, cause?: SaveCause): Promise<true | string> {
    if (cause !== undefined) guard.recordCause(getAddress(name).uri.toString(), cause);
    return guard.check(getAddress(name)).then(() => true, String);
  }

  it('asks nothing on a connection that is not protected', async () => {
    isProtected = false;
    unsaved = ['body', 'style'];
    for (const cause of ['activeEditor', 'other', 'autoSave', undefined] as const)
      assert.equal(await save('body', cause), true, cause);
    assert.deepEqual(prompts, []);
  });

  it('stores the active editor on a protected connection without a question, for one save', async () => {
    assert.equal(await save('body', 'activeEditor'), true);
    unsaved = ['body', 'style'];
    const saving = save('body', 'activeEditor');
    await flushTasks();
    mock.timers.tick(400);
    assert.deepEqual([await saving, prompts], [true, []]);
    unsaved = ['body'];
    await save('body');
    assert.deepEqual(prompts, [['.html']]);
  });

  it('asks before it stores another tab, and before a save whose cause VS Code does not report', async () => {
    for (const cause of ['other', undefined] as const) {
      answer = true;
      assert.equal(await save('body', cause), true);
      answer = false;
      const refusal = /You chose not to save to a protected connection\. Your changes are still in this tab/u;
      assert.match(String(await save('body', cause)), refusal);
      assert.deepEqual(prompts.splice(0), [['.html'], ['.html']], cause);
    }
  });

  it('asks once about all documents that are saved together, the active editor among them', async () => {
    unsaved = ['body', 'style'];
    for (answer of [true, false]) {
      const results = await Promise.all([save('body', 'activeEditor'), save('style', 'other')]);
      for (const result of results) assert.equal(result === true, answer);
      assert.deepEqual(prompts.splice(0), [['.html', '.css']]);
    }
  });

  it('refuses Auto Save on a protected connection', async () => {
    assert.match(String(await save('body', 'autoSave')), /Auto Save is off for protected connections/u);
    assert.deepEqual(prompts, []);
  });

  it('applies an answer that was already given until it is disposed of', async () => {
    const uris = [getAddress('body').uri.toString()];
    for (isProtected of [false, true]) {
      const end = guard.applyAnswer(uris, 'refuse');
      const refusal = /You chose to build without saving\. Your changes are still in this tab/u;
      assert.match(String(await save('body', 'activeEditor')), refusal);
      unsaved = ['style'];
      assert.equal(await save('style', 'activeEditor'), true);
      end();
      unsaved = ['body'];
      assert.equal(await save('body', 'activeEditor'), true);
    }
    guard.applyAnswer(uris, 'store');
    assert.equal(await save('body', 'other'), true);
    assert.deepEqual(prompts, []);
  });

  it('refuses undecided saves when it is disposed', async () => {
    unsaved = ['body', 'style'];
    const saving = save('body', 'activeEditor');
    await flushTasks();
    guard.dispose();
    assert.match(String(await saving), /not to save/u);
  });
});
