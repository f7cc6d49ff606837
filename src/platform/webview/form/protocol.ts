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

/** Path of a value in the details: `['subject']`, `['frequency_options', 'unit']`. Empty for the details as a whole. */
export type Path = readonly (string | number)[];

/** A problem shown beside a field. */
export interface FieldProblem {
  readonly path: Path;
  /** A sentence, or a phrase that follows the field's label. */
  readonly message: string;
  /** `error`: can't be saved; `warning`: can be saved but may be a mistake; `service`: the service rejected it. */
  readonly kind: 'error' | 'warning' | 'service';
}

/** A list to select. */
export interface FormListChoice {
  readonly id: number;
  readonly name: string;
  /** `#rrggbb` */
  readonly color?: string;
  /** "1,204 subscribers" */
  readonly subscribers?: string;
  /** A remark such as "inactive". */
  readonly note?: string;
}

export type Lists =
  /** There is no service. */
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  /** `incompleteNote` is shown if not all lists were read. */
  | { readonly kind: 'loaded'; readonly lists: readonly FormListChoice[]; readonly incompleteNote?: string };

/** The messages to every form. */
export type FormToPage =
  /** The details in the text. `confirmedSeq` is the number of the page's last edit that they contain. A field with a newer edit keeps its input. */
  | {
      readonly type: 'details';
      readonly confirmedSeq: number;
      readonly details: Readonly<Record<string, unknown>>;
      readonly problems: readonly FieldProblem[];
    }
  /** The text is not valid JSON. `line` is 1-based. */
  | { readonly type: 'broken'; readonly line: number; readonly message: string }
  | { readonly type: 'readOnly'; readonly reason?: string; readonly canDuplicate: boolean }
  | { readonly type: 'lists'; readonly lists: Lists };

/** The messages from every form. The commands are the feature's. */
export type FormFromPage<Command extends string> =
  | { readonly type: 'ready' }
  /** Edits are numbered consecutively. Without a value, the field is removed. `final`: the user doesn't continue typing in it. */
  | {
      readonly type: 'edit';
      readonly seq: number;
      readonly path: Path;
      readonly value?: unknown;
      readonly final: boolean;
    }
  /** Adds an id to the list of ids at the path, or removes it. */
  | {
      readonly type: 'choose';
      readonly seq: number;
      readonly path: Path;
      readonly id: number;
      readonly chosen: boolean;
    }
  /** The field lost the focus. */
  | { readonly type: 'settle' }
  /** Undo or redo while edits are pending that VS Code doesn't know yet. */
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'run'; readonly command: Command; readonly id?: number }
  /** Reads the lists again after a failure. */
  | { readonly type: 'retry' };

/** No field of a record is nested deeper. */
const MAX_PATH_LENGTH = 8;
/** Path of one field: a form never edits all details at once. */
const isPath = isArrayOf(isEither(isString, isNumber), { minLength: 1, maxLength: MAX_PATH_LENGTH });

/** The host of the feature checks the command. */
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
