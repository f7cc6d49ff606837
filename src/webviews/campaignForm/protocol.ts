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

/** A list that a campaign can go to. */
export interface ListChoice {
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
  | { readonly kind: 'known'; readonly lists: readonly ListChoice[] };

/** How many people the chosen lists have, each counted once. */
export type Audience =
  | { readonly kind: 'none' }
  | { readonly kind: 'counting' }
  | { readonly kind: 'failed'; readonly message: string }
  /** `recipients`: "1,204 recipients"; there are more where it isn't `exact`. */
  | { readonly kind: 'counted'; readonly recipients: string; readonly exact: boolean };

/** What the campaign is waiting for. */
export interface Standing {
  readonly state: 'draft' | 'scheduled' | 'auto' | 'sent';
  /** "scheduled Jan 31, 2027" */
  readonly words: string;
}

/** What the buttons of the form do; the host knows how. */
export type FormCommand = 'openBody' | 'preview' | 'sendTest' | 'send' | 'openAsText' | 'duplicate';

export type ToPage =
  /**
   * The details as the text has them. `seen` is the number of the page's last edit that is in them: a field edited since then
   * shows what is being typed.
   */
  | { readonly type: 'details'; readonly seen: number; readonly details: Readonly<Record<string, unknown>>; readonly problems: readonly FieldProblem[] }
  /** The text is not JSON. `line` is counted from 1. */
  | { readonly type: 'broken'; readonly line: number; readonly message: string }
  | { readonly type: 'readOnly'; readonly reason?: string; readonly canDuplicate: boolean }
  /** `isRecord` is false for a file that belongs to no service: there is nothing to send or preview. */
  | { readonly type: 'standing'; readonly isRecord: boolean; readonly standing?: Standing }
  | { readonly type: 'lists'; readonly lists: Lists }
  | { readonly type: 'audience'; readonly audience: Audience }
  /** HTML of the body, for the words that an inbox shows of it. */
  | { readonly type: 'body'; readonly html: string };

export type FromPage =
  | { readonly type: 'ready' }
  /** Each edit has a number, one more than the last. No value: the field is taken away. `final`: nobody types on in it. */
  | { readonly type: 'edit'; readonly seq: number; readonly path: Path; readonly value?: unknown; readonly final: boolean }
  | { readonly type: 'list'; readonly seq: number; readonly id: number; readonly chosen: boolean }
  /** The field was left. */
  | { readonly type: 'settle' }
  /** Undo or redo, while edits are under way that VS Code does not know of yet. */
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'run'; readonly command: FormCommand }
  /** What could not be read is to be read again. */
  | { readonly type: 'retry' };
