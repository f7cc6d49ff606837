import assert from 'node:assert/strict';
import { OpenDocument, type EditorState, type Version } from '../../../../src/platform/documents/openDocument.ts';
import { hashText } from '../../../../src/sync/fields/fields.ts';
import { getAddress } from './stage.ts';

/** Creates a document, with an editor that shows `editor` and the base that an earlier session stored. */
function createStage(editor?: Partial<EditorState>, storedBase?: Version) {
  const bases = new Map<string, Version>();
  const address = getAddress('body');
  if (storedBase) bases.set(address.uri.toString(), storedBase);
  let shown: EditorState | undefined;
  const show = (next: Partial<EditorState> | undefined) => {
    shown = next && { text: 'first', isDirty: false, isUnsaved: false, ...next };
  };
  show(editor);
  const document = new OpenDocument(address, {
    getEditor: () => shown,
    bases: {
      get: (uri) => bases.get(uri),
      set: (uri, base) => void (base === undefined ? bases.delete(uri) : bases.set(uri, base)),
    },
  });
  /** Passes a text of the service to the editor. */
  const read = (text: string) => {
    const { version } = document.recordVersion(text);
    document.recordRead(text);
    return version;
  };
  /** Returns the hash of the base of a save by the editor. */
  const getBaseHash = () => {
    document.beginSave();
    return document.getWriteBase('any').hash;
  };
  return { document, show, read, getBaseHash };
}

const createVersion = (text: string): Version => ({ fingerprint: hashText(text), mtime: 1, size: text.length });
const unsaved = { text: 'mine', isDirty: true, isUnsaved: true };

describe('A document of a record', () => {
  it('has an older time than the stored text until the editor shows it', () => {
    const { document, read } = createStage({});
    read('first');
    document.beginSave();
    const { mtime } = read('stored');
    document.updateBase('stored', true, 'sent');
    const { size, mtime: time = NaN } = document.statDuringSave ?? {};
    assert.equal(size, 'sent'.length);
    assert.ok(time < mtime, `${time} < ${mtime}`);
  });

  it('bases edits on a text without edits that an earlier session read', () => {
    const { document, show, getBaseHash } = createStage({});
    document.handleOpen();
    show(unsaved);
    assert.equal(getBaseHash(), hashText('first'));
  });

  it('has an unknown base if an editor opens with edits and no stored base', () => {
    const { document, getBaseHash } = createStage(unsaved);
    document.handleOpen();
    assert.equal(getBaseHash(), 'unknown');
  });

  it('keeps the base that an earlier session stored', () => {
    for (const editor of [{ text: 'second' }, unsaved]) {
      const { document, getBaseHash } = createStage(editor, createVersion('first'));
      document.handleOpen();
      assert.equal(getBaseHash(), hashText('first'));
    }
  });

  it('gets no base from an editor that has closed', () => {
    const { document, show, getBaseHash } = createStage();
    document.handleOpen();
    show(unsaved);
    assert.equal(getBaseHash(), 'unknown');
  });

  it('forgets the base with its editor', () => {
    const { document, show, read, getBaseHash } = createStage({});
    read('first');
    document.handleClose();
    show(unsaved);
    document.handleOpen();
    assert.equal(getBaseHash(), 'unknown');
  });

  it('forgets the base before the first edit with its editor', () => {
    const { document, show, read, getBaseHash } = createStage({});
    read('first');
    show({ text: 'firs' });
    document.handleEdit(true);
    document.handleClose();
    show({ text: 'second' });
    read('second');
    document.handleOpen();
    show({ text: 'second', isDirty: true, isUnsaved: true });
    document.handleEdit(false);
    assert.equal(getBaseHash(), hashText('second'));
  });
});
