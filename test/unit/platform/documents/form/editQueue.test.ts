import assert from 'node:assert/strict';
import { EditQueue, type FormEdit } from '../../../../../src/platform/documents/form/editQueue.ts';

const typed = (seq: number, value: string, field = 'subject'): FormEdit => ({
  seq,
  field,
  changes: () => [{ path: [field], value }],
});
const chosen = (seq: number, id: number): FormEdit => ({ seq, changes: () => [{ path: ['listIds', -1], value: id }] });

describe('EditQueue', () => {
  /** Returns a queue whose timer never fires, with the numbers of its written edits. */
  function queue() {
    const written: number[] = [];
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const edits = new EditQueue(async ({ seq }) => {
      await gate;
      written.push(seq);
    }, 2 ** 30);
    return { edits, written, release };
  }

  it('combines edits while the user types in a field', async () => {
    const { edits, written, release } = queue();
    release();
    for (const [index, value] of ['a', 'ab', 'abc'].entries()) edits.add(typed(index + 1, value), false);
    assert.equal(edits.lastWrittenSeq, 0);
    await edits.flush();
    assert.deepEqual(written, [3]);
    assert.equal(edits.lastWrittenSeq, 3);
    await edits.flush();
    assert.deepEqual(written, [3], 'No edit is written twice.');
  });

  it('writes the waiting edit before one of another field or a final one', async () => {
    const { edits, written, release } = queue();
    edits.add(typed(1, 'a'), false);
    edits.add(typed(2, 'b', 'name'), false);
    edits.add(chosen(3, 5), true);
    edits.add(chosen(4, 6), true);
    const done = edits.flush();
    release();
    await done;
    assert.deepEqual(written, [1, 2, 3, 4]);
  });

  it('writes an edit when the field is idle', async () => {
    const first = await new Promise<FormEdit>((resolve) => {
      new EditQueue(async (edit) => resolve(edit), 1).add(typed(1, 'a'), false);
    });
    assert.equal(first.seq, 1);
  });

  it('resets the numbering when the page restarts', async () => {
    const { edits, written, release } = queue();
    release();
    edits.add(typed(7, 'a'), false);
    await edits.restart();
    assert.deepEqual([edits.lastWrittenSeq, written], [0, [7]]);
  });
});
