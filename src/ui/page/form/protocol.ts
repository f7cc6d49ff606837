import * as v from 'valibot';
import { countSchema } from '../../protocol.ts';

/** Path of a value in the details: `['subject']`, `['frequency_options', 'unit']`. Empty for the details as a whole. */
export type Path = readonly (string | number)[];

/** A value of the details, undefined if they have no such field. */
export type JsonValue =
  string | number | boolean | null | undefined | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The details of a record: any JSON object. */
export type Details = Readonly<Record<string, JsonValue>>;

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
      readonly details: Details;
      readonly problems: readonly FieldProblem[];
    }
  /** The text is not valid JSON. `line` is 1-based. */
  | { readonly type: 'broken'; readonly line: number; readonly message: string }
  /** Moves the focus to the first field with an error. */
  | { readonly type: 'focusProblem' }
  | { readonly type: 'readOnly'; readonly reason?: string; readonly canDuplicate: boolean }
  | { readonly type: 'lists'; readonly lists: Lists };

/** No field of a record is nested deeper. */
const MAX_PATH_LENGTH = 8;
const finiteSchema = v.pipe(v.number(), v.finite());
/** Path of one field: a form never edits all details at once. */
const pathSchema = v.pipe(
  v.array(v.union([v.string(), finiteSchema])),
  v.minLength(1),
  v.maxLength(MAX_PATH_LENGTH),
  v.readonly(),
);

/** The messages from every form. The extension checks the command. */
export const formFromPage = v.variant('type', [
  v.object({
    type: v.picklist([
      'ready',
      // The field lost the focus.
      'settle',
      // Undo or redo while edits are pending that VS Code doesn't know yet.
      'undo',
      'redo',
      // Reads the lists again after a failure.
      'retry',
    ]),
  }),
  /** Edits are numbered consecutively. Without a value, the field is removed. `final`: the user doesn't continue typing in it. */
  v.object({
    type: v.literal('edit'),
    seq: countSchema,
    path: pathSchema,
    value: v.optional(v.unknown()),
    final: v.boolean(),
  }),
  /** Adds an id to the list of ids at the path, or removes it. */
  v.object({
    type: v.literal('choose'),
    seq: countSchema,
    path: pathSchema,
    id: finiteSchema,
    chosen: v.boolean(),
  }),
  v.object({ type: v.literal('run'), command: v.string(), id: v.optional(countSchema) }),
]);
export type FormFromPage = v.InferOutput<typeof formFromPage>;
