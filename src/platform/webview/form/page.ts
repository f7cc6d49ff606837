import { icon, make } from '../dom.ts';
import type { Host } from '../host.ts';
import { icons } from '../icons.ts';
import type { MessageHandlers } from '../messages.ts';
import { makeButton } from '../toolkit.ts';
import { Edits, getPathKey } from './edits.ts';
import { Remarks, type Field } from './fields.ts';
import type { Details, FieldProblem, FormFromPage, FormToPage, JsonValue, Path } from './protocol.ts';

/** The state that VS Code stores while the page is hidden: scroll position and focused field. */
export interface FormPageState {
  readonly scroll: number;
  readonly field?: string;
}

export type FormHost<Command extends string, More extends { readonly type: string }> = Host<
  FormToPage | More,
  FormFromPage<Command | 'openAsText' | 'duplicate'>,
  FormPageState
>;

/** The bar above a form: the record's state and its actions. */
export class FormBar {
  readonly element: HTMLElement;
  /** Shown only for records of a service. */
  readonly actions: HTMLElement;
  readonly #dot = make('i', { class: 'dot', 'aria-hidden': 'true' });
  readonly #text = make('span', { class: 'words' });

  /** `label` is the accessible name of the actions. */
  constructor(label: string, ...actions: readonly HTMLElement[]) {
    this.actions = make('div', { class: 'actions', role: 'group', 'aria-label': label }, ...actions);
    const standing = make('div', { class: 'standing', role: 'status' }, this.#dot, this.#text);
    this.element = make('header', { class: 'bar' }, standing, this.actions);
  }

  show(state: string, text: string): void {
    this.#dot.className = `dot ${state}`;
    // Screen readers announce every write, so unchanged text is not written again.
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }
}

/** The page of a form: shows the text's details and posts each edit. `More`: the feature's own messages to the page. */
export abstract class FormPage<Command extends string, More extends { readonly type: string }> {
  protected readonly host: FormHost<Command, More>;
  protected readonly edits: Edits;
  /** Contains the sections. Hidden if the text is invalid. */
  protected readonly form = make('main', { class: 'form', hidden: '' });
  /** Shown instead of the form. */
  readonly #invalidTextNotice = make('div', { class: 'notice', role: 'main', hidden: '' });
  readonly #readOnlyNotice = make('div', { class: 'notice', role: 'status', hidden: '' });
  /** Problems without a visible field. */
  readonly #generalRemarks = new Remarks();
  readonly #handlers: MessageHandlers<FormToPage> = {
    details: ({ confirmedSeq, details, problems }) => this.#show(confirmedSeq, details, problems),
    broken: ({ line, message }) => this.#showBroken(line, message),
    readOnly: ({ reason, canDuplicate }) => this.#showReadOnly(reason, canDuplicate),
    lists: ({ lists }) => this.showLists(lists),
  };
  #stateToRestore: FormPageState | undefined;
  /** The last focused field. A button beside the fields doesn't replace it. */
  #lastField: string | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: FormHost<Command, More>) {
    this.host = host;
    this.edits = new Edits((edit) => host.post(edit));
    this.form.append(this.#generalRemarks.element);
  }

  get elements(): readonly HTMLElement[] {
    return [this.bar, this.#invalidTextNotice, this.#readOnlyNotice, this.form];
  }

  start(): void {
    this.#stateToRestore = this.host.getState();
    this.#lastField = this.#stateToRestore?.field;
    const handlers = { ...this.#handlers, ...this.ownHandlers } as MessageHandlers<FormToPage | More>;
    window.addEventListener('keydown', (event) => this.#interceptUndo(event), { capture: true });
    window.addEventListener('scroll', () => this.#scheduleSave(), { passive: true });
    document.addEventListener('focusin', () => this.#scheduleSave());
    this.host.start(handlers);
  }

  /** The bar that stays visible above the form. */
  protected abstract get bar(): HTMLElement;
  protected abstract get fields(): readonly Field[];
  protected abstract showLists(lists: Extract<FormToPage, { type: 'lists' }>['lists']): void;
  /** Shows or hides fields depending on the details. */
  protected abstract updateLayout(details: Details): void;
  /** Called once all fields show the details. */
  protected onShown(): void {}

  /** Enables or disables the controls that are not fields. */
  protected abstract setEnabled(enabled: boolean): void;
  /** Handlers of the feature's own messages. */
  protected abstract readonly ownHandlers: MessageHandlers<More>;

  #show(confirmedSeq: number, details: Details, problems: readonly FieldProblem[]): void {
    this.edits.confirm(confirmedSeq);
    this.#invalidTextNotice.hidden = true;
    this.form.hidden = false;
    this.updateLayout(details);
    for (const field of this.fields) if (!this.edits.isPending(field.path)) field.show(getValue(details, field.path));
    this.#showProblems(problems);
    this.onShown();
    this.#restoreState();
  }

  /** Shows each problem beside its field, or above all fields. */
  #showProblems(problems: readonly FieldProblem[]): void {
    const unassigned = new Set(problems);
    const belongsTo = (field: Field, { path }: FieldProblem): boolean => {
      const key = getPathKey(path);
      const own = getPathKey(field.path);
      // A problem of an object is shown beside its first field, one of an entry beside the field of the whole list.
      return key === own || key.startsWith(`${own}/`) || (own.startsWith(`${key}/`) && own.endsWith('/value'));
    };
    for (const field of this.fields) {
      const isShown = field.element.closest('[hidden]') === null;
      const own = isShown ? problems.filter((problem) => belongsTo(field, problem)) : [];
      for (const problem of own) unassigned.delete(problem);
      field.setProblems(own);
    }
    this.#generalRemarks.setProblems(
      [...unassigned].map((problem) => ({ ...problem, message: prefixWithPath(problem) })),
    );
  }

  #showBroken(line: number, what: string): void {
    const open = makeButton('Open as Text', () => this.host.post({ type: 'run', command: 'openAsText' }));
    const rest = 'The form comes back when you correct the text.';
    this.#invalidTextNotice.replaceChildren(
      icon(icons.warning),
      make('span', { role: 'alert' }, `Line ${line}: ${what} ${rest}`),
      open,
    );
    this.#invalidTextNotice.hidden = false;
    this.form.hidden = true;
  }

  #showReadOnly(reason: string | undefined, canDuplicate: boolean): void {
    for (const field of this.fields) field.setEnabled(reason === undefined);
    this.setEnabled(reason === undefined);
    this.#readOnlyNotice.hidden = reason === undefined;
    if (reason === undefined) return;
    const duplicate = makeButton('Duplicate', () => this.host.post({ type: 'run', command: 'duplicate' }));
    this.#readOnlyNotice.replaceChildren(
      icon(icons.lock),
      make('span', {}, reason),
      ...(canDuplicate ? [duplicate] : []),
    );
  }

  /** VS Code doesn't know pending edits yet, so its undo would revert the edit before. */
  #interceptUndo(event: KeyboardEvent): void {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/iu.test(event.key);
    if (!isUndo || !this.edits.isPending()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.host.post({ type: event.shiftKey || event.key.toLowerCase() === 'y' ? 'redo' : 'undo' });
  }

  #scheduleSave(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => {
      const { activeElement } = document;
      this.#lastField =
        (activeElement instanceof HTMLElement ? activeElement.dataset['field'] : undefined) ?? this.#lastField;
      const field = this.#lastField;
      this.host.setState({ scroll: window.scrollY, field });
    }, 100);
  }

  /** Restores scroll position and focus, but never takes the focus from elsewhere. */
  #restoreState(): void {
    const before = this.#stateToRestore;
    if (before === undefined) return;
    this.#stateToRestore = undefined;
    requestAnimationFrame(() => window.scrollTo(0, before.scroll));
    const focus = (): void => {
      if (before.field === undefined || document.activeElement !== document.body) return;
      const own = this.fields.find(({ path }) => getPathKey(path) === before.field);
      if (own) own.focus();
      else document.querySelector<HTMLElement>(`[data-field="${CSS.escape(before.field)}"]`)?.focus();
    };
    if (document.hasFocus()) focus();
    else window.addEventListener('focus', focus, { once: true });
  }
}

function getValue(details: Details, path: Path): JsonValue {
  return path.reduce<JsonValue>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Details)[key] : undefined),
    details,
  );
}

function prefixWithPath({ path, message: text, kind }: FieldProblem): string {
  return path.length === 0 || kind === 'service' ? text : `“${path.join('.')}” ${text}`;
}
