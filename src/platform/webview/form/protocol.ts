import {
  isAnything,
  isEither,
  isBoolean,
  isArrayOf,
  isNumber,
  isOptional,
  isString,
  isCount,
  type MessageShapes,
} from '../messages.ts';

/** Where a value stands in the details: `['subject']`, `['frequency_options', 'unit']`; empty for the details as a whole. */
export type Path = readonly (string | number)[];

/** Something to be said beside a field. */
export interface FieldProblem {
  readonly path: Path;
  /** A sentence, or a half one that the field's label begins. */
  readonly message: string;
  /** `error`: can't be stored; `warning`: can, and may not be meant; `service`: the service refused it. */
  readonly kind: 'error' | 'warning' | 'service';
}

/** A list that can be chosen. */
export interface FormListChoice {
  readonly id: number;
  readonly name: string;
  /** `#rrggbb` */
  readonly color?: string;
  /** "1,204 subscribers" */
  readonly subscribers?: string;
  /** What is special about it: "inactive". */
  readonly note?: string;
}

export type Lists =
  /** There is no service to ask. */
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  /** `more`: said where the service has lists that are not among them. */
  | { readonly kind: 'loaded'; readonly lists: readonly FormListChoice[]; readonly incompleteNote?: string };

/** What every form is told. */
export type FormToPage =
  /**
   * The details as the text has them. `seen` is the number of the page's last edit that is in them: a field edited since then
   * shows what is being typed.
   */
  | {
      readonly type: 'details';
      readonly confirmedSeq: number;
      readonly details: Readonly<Record<string, unknown>>;
      readonly problems: readonly FieldProblem[];
    }
  /** The text is not JSON. `line` is counted from 1. */
  | { readonly type: 'broken'; readonly line: number; readonly message: string }
  | { readonly type: 'readOnly'; readonly reason?: string; readonly canDuplicate: boolean }
  | { readonly type: 'lists'; readonly lists: Lists };

/** What every form tells. The commands are the room's: its host knows what they do. */
export type FormFromPage<Command extends string> =
  | { readonly type: 'ready' }
  /** Each edit has a number, one more than the last. No value: the field is taken away. `final`: nobody types on in it. */
  | {
      readonly type: 'edit';
      readonly seq: number;
      readonly path: Path;
      readonly value?: unknown;
      readonly final: boolean;
    }
  /** An id of the list of ids at the path is chosen, or left out. */
  | {
      readonly type: 'choose';
      readonly seq: number;
      readonly path: Path;
      readonly id: number;
      readonly chosen: boolean;
    }
  /** The field was left. */
  | { readonly type: 'settle' }
  /** Undo or redo, while edits are under way that VS Code does not know of yet. */
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'run'; readonly command: Command; readonly id?: number }
  /** What could not be read is to be read again. */
  | { readonly type: 'retry' };

/** No field of a record lies deeper. */
const MAX_PATH_LENGTH = 8;
/** Of one field: an edit of all details at once is none that a form makes. */
const isPath = isArrayOf(isEither(isString, isNumber), { minLength: 1, maxLength: MAX_PATH_LENGTH });

/** Commands are any text here: the room's host looks them up among its own. */
export const formFromPage: MessageShapes<FormFromPage<string>> = {
  ready: {},
  edit: { seq: isCount, path: isPath, value: isAnything, final: isBoolean },
  choose: { seq: isCount, path: isPath, id: isNumber, chosen: isBoolean },
  settle: {},
  undo: {},
  redo: {},
  run: { command: isString, id: isOptional(isCount) },
  retry: {},
};
