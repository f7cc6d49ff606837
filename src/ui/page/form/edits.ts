import type { FormFromPage, JsonValue, Path } from './protocol.ts';

/** Returns the key of a path, which identifies a field and its problems. */
export function getPathKey(path: Path): string {
  return path.join('/');
}

/** An edit without its number. A value of `undefined` removes the field. */
type Edit =
  | { readonly type: 'edit'; readonly path: Path; readonly value: JsonValue; readonly final: boolean }
  | { readonly type: 'choose'; readonly path: Path; readonly id: number; readonly chosen: boolean };

const EDIT_EVENT = 'field-edit';

/** Reports an edit of the user to the form that contains the element. */
export function dispatchEdit(element: HTMLElement, edit: Edit): void {
  element.dispatchEvent(new CustomEvent(EDIT_EVENT, { detail: edit, bubbles: true }));
}

/** The edits of a form: posts and numbers them, and always knows which of them the text doesn't contain yet. */
export class Edits {
  readonly #lastSeqByField = new Map<string, number>();
  #lastSeq = 0;
  #confirmedSeq = 0;

  constructor(form: HTMLElement, post: (message: FormFromPage) => void) {
    form.addEventListener(EDIT_EVENT, (event) => {
      const { detail } = event as CustomEvent<Edit>;
      const seq = (this.#lastSeq += 1);
      this.#lastSeqByField.set(getPathKey(detail.path), seq);
      post({ ...detail, seq });
    });
    // Completes the edits of a field that lost the focus.
    form.addEventListener('focusout', () => {
      if (this.isPending()) post({ type: 'settle' });
    });
  }

  /** Returns whether an edit of a field, or any edit, is pending. The text is then older than the field. */
  isPending(path?: Path): boolean {
    const seq = path ? (this.#lastSeqByField.get(getPathKey(path)) ?? 0) : this.#lastSeq;
    return seq > this.#confirmedSeq;
  }

  /** Confirms all edits up to this number. */
  confirm(seq: number): void {
    this.#confirmedSeq = seq;
  }
}
