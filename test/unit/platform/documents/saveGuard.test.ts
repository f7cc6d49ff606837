import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { DocumentAddress } from '../../../../src/platform/documents/model.ts';
import { SaveGuard, type SaveCause } from '../../../../src/platform/documents/saveGuard.ts';
import { getAddress, useFakeTimers, type DocumentName } from './stage.ts';

/** A window with a guard, and a protected connection "one". */
class Window {
  readonly prompts: (readonly string[])[] = [];
  isProtected = true;
  answer = true;
  unsaved: readonly DocumentName[] = [];
  readonly guard = new SaveGuard({
    isProtected: (connection) => Promise.resolve(this.isProtected && connection === 'one'),
    listUnsaved: () => this.unsaved.map((name) => getAddress(name).uri.toString()),
    confirm: (documents: readonly DocumentAddress[]) => {
      this.prompts.push(documents.map(({ part }) => part.suffix));
      return Promise.resolve(this.answer);
    },
  });

  /** Saves a document. Resolves with true, or with the error. */
  async save(name: DocumentName, cause?: SaveCause): Promise<true | string> {
    if (cause !== undefined) this.guard.recordCause(getAddress(name).uri.toString(), cause);
    return this.guard.check(getAddress(name)).then(
      () => true as const,
      (error: Error) => String(error),
    );
  }

  /** Runs the timers. */
  async wait(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(400);
  }
}

describe('SaveGuard', () => {
  useFakeTimers();

  it('asks nothing on a connection that is not protected', async () => {
    const window = new Window();
    window.isProtected = false;
    window.unsaved = ['body', 'style'];
    for (const cause of ['activeEditor', 'other', 'autoSave', undefined] as const)
      assert.equal(await window.save('body', cause), true, cause);
    assert.deepEqual(window.prompts, []);
  });

  it('stores the active editor on a protected connection without a question', async () => {
    const window = new Window();
    window.unsaved = ['body'];
    assert.equal(await window.save('body', 'activeEditor'), true);
    window.unsaved = ['body', 'style'];
    const saving = window.save('body', 'activeEditor');
    await window.wait();
    assert.equal(await saving, true);
    assert.deepEqual(window.prompts, []);
  });

  it('asks before it stores another tab, and before a save whose cause VS Code does not report', async () => {
    for (const cause of ['other', undefined] as const) {
      const window = new Window();
      window.unsaved = ['body'];
      assert.equal(await window.save('body', cause), true);
      window.answer = false;
      assert.match(
        String(await window.save('body', cause)),
        /You chose not to save to a protected connection\. Your changes are still in this tab/u,
      );
      assert.deepEqual(window.prompts, [['.html'], ['.html']], cause);
    }
  });

  it('applies the cause "active editor" to one save only', async () => {
    const window = new Window();
    await window.save('body', 'activeEditor');
    await window.save('body');
    assert.deepEqual(window.prompts, [['.html']]);
  });

  it('asks once about all documents that are saved together, the active editor among them', async () => {
    for (const answer of [true, false]) {
      const window = new Window();
      window.answer = answer;
      window.unsaved = ['body', 'style'];
      const results = await Promise.all([window.save('body', 'activeEditor'), window.save('style', 'other')]);
      assert.deepEqual(
        results.map((result) => result === true),
        [answer, answer],
      );
      assert.deepEqual(window.prompts, [['.html', '.css']]);
    }
  });

  it('refuses Auto Save on a protected connection', async () => {
    const window = new Window();
    assert.match(String(await window.save('body', 'autoSave')), /Auto Save is off for protected connections/u);
    assert.deepEqual(window.prompts, []);
  });

  it('applies an answer that was already given until it is disposed of', async () => {
    const window = new Window();
    const uri = getAddress('body').uri.toString();
    for (const isProtected of [true, false]) {
      window.isProtected = isProtected;
      const refusal = window.guard.applyAnswer([uri], 'refuse');
      assert.match(
        String(await window.save('body', 'activeEditor')),
        /You chose to build without saving\. Your changes are still in this tab/u,
      );
      assert.equal(await window.save('style', 'activeEditor'), true);
      refusal();
      assert.equal(await window.save('body', 'activeEditor'), true);
    }
    window.isProtected = true;
    window.guard.applyAnswer([uri], 'store');
    assert.equal(await window.save('body', 'other'), true);
    assert.deepEqual(window.prompts, []);
  });

  it('refuses undecided saves when it is disposed', async () => {
    const window = new Window();
    window.unsaved = ['body', 'style'];
    const saving = window.save('body', 'activeEditor');
    await new Promise((resolve) => setImmediate(resolve));
    window.guard.dispose();
    assert.match(String(await saving), /not to save/u);
  });
});
