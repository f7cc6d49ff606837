import type { FormFromPage, JsonValue, Path } from './protocol.ts';

/** Returns the key of a path, which identifies a field and its problems. */
export function getPathKey(path: Path): string {
  return path.join('/');
}

export type Edits = ReturnType<typeof createEdits>;

/** Numbers the page's edits, and tracks which of them the text doesn't contain yet. */
export function createEdits(post: (message: FormFromPage) => void) {
  const lastSeqByField = new Map<string, number>();
  let lastSeq = 0;
  let confirmedSeq = 0;
  const getNext = (path: Path) => {
    lastSeqByField.set(getPathKey(path), (lastSeq += 1));
    return lastSeq;
  };
  /** Returns whether an edit of a field, or any edit, is pending. The text is then older than the field. */
  const isPending = (path?: Path) =>
    (path === undefined ? lastSeq : (lastSeqByField.get(getPathKey(path)) ?? 0)) > confirmedSeq;
  return {
    isPending,
    /** Posts a field's new value; `undefined` removes the field. `final`: the user doesn't continue typing in it. */
    set: (path: Path, value: JsonValue, final: boolean) =>
      post({ type: 'edit', seq: getNext(path), path, final, value }),
    /** Adds an id to the list of ids at the path, or removes it. */
    choose: (path: Path, id: number, chosen: boolean) => post({ type: 'choose', seq: getNext(path), path, id, chosen }),
    /** Completes the edits of a field that lost the focus. */
    settle: () => {
      if (isPending()) post({ type: 'settle' });
    },
    /** Confirms all edits up to this number. */
    confirm: (seq: number) => {
      confirmedSeq = seq;
    },
  };
}
