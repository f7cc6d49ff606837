import { icon, make } from '../dom.ts';
import type { Host } from '../host.ts';
import { icons } from '../icons.ts';
import { dispatch, type Handlers } from '../messages.ts';
import { makeButton } from '../toolkit.ts';
import { Edits, keyOf } from './edits.ts';
import type { Field } from './fields.ts';
import type { FieldProblem, FormFromPage, FormToPage, Path } from './protocol.ts';
import { Remarks } from './remarks.ts';

/** What outlives the page while it is hidden: how far it was scrolled, and the field that had the focus. */
export interface PageState {
  readonly scroll: number;
  readonly field?: string;
}

export type FormHost<Command extends string, More extends { readonly type: string }> = Host<
  FormToPage | More,
  FormFromPage<Command | 'openAsText' | 'duplicate'>,
  PageState
>;

/** The page of a form: shows what the text holds, and tells each change that is made in it. `More`: what it is told besides. */
export abstract class FormPage<Command extends string, More extends { readonly type: string }> {
  protected readonly host: FormHost<Command, More>;
  protected readonly edits: Edits;
  /** Holds the sections, once the text can be read. */
  protected readonly form = make('main', { class: 'form', hidden: '' });
  /** Stands in place of the form. */
  readonly #broken = make('div', { class: 'notice', role: 'main', hidden: '' });
  readonly #readOnly = make('div', { class: 'notice', role: 'status', hidden: '' });
  /** What is about no field that can be seen. */
  readonly #general = new Remarks();
  readonly #handlers: Handlers<FormToPage> = {
    details: ({ seen, details, problems }) => this.#show(seen, details, problems),
    broken: ({ line, message }) => this.#showBroken(line, message),
    readOnly: ({ reason, canDuplicate }) => this.#showReadOnly(reason, canDuplicate),
    lists: ({ lists }) => this.showLists(lists),
  };
  #restore: PageState | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(host: FormHost<Command, More>) {
    this.host = host;
    this.edits = new Edits((edit) => host.post(edit));
    this.form.append(this.#general.element);
  }

  /** The page's parts, in their order. */
  get elements(): readonly HTMLElement[] {
    return [this.bar, this.#broken, this.#readOnly, this.form];
  }

  start(): void {
    this.#restore = this.host.state();
    const handlers = { ...this.#handlers, ...this.own } as Handlers<FormToPage | More>;
    this.host.listen((message) => dispatch(handlers, message));
    window.addEventListener('keydown', (event) => this.#interceptUndo(event), { capture: true });
    window.addEventListener('scroll', () => this.#keepSoon(), { passive: true });
    document.addEventListener('focusin', () => this.#keepSoon());
    this.host.post({ type: 'ready' });
  }

  /** What stays in sight above the form. */
  protected abstract get bar(): HTMLElement;
  protected abstract get fields(): readonly Field[];
  protected abstract showLists(lists: Extract<FormToPage, { type: 'lists' }>['lists']): void;
  /** Shows what a choice among the details makes visible. */
  protected abstract arrange(details: Readonly<Record<string, unknown>>): void;
  /** All fields show the details. */
  protected shown(): void {}

  /** Lets what is no field be used, or not. */
  protected abstract enable(enabled: boolean): void;
  /** What the page does with what it is told besides. */
  protected abstract readonly own: Handlers<More>;

  #show(seen: number, details: Readonly<Record<string, unknown>>, problems: readonly FieldProblem[]): void {
    this.edits.arrived(seen);
    this.#broken.hidden = true;
    this.form.hidden = false;
    this.arrange(details);
    for (const field of this.fields) if (!this.edits.isPending(field.path)) field.show(valueAt(details, field.path));
    this.#say(problems);
    this.shown();
    this.#comeBack();
  }

  /** Puts what is to be said beside the field that it is about, or above all of them. */
  #say(problems: readonly FieldProblem[]): void {
    const rest = new Set(problems);
    const isOf = (field: Field, { path }: FieldProblem): boolean => {
      const key = keyOf(path);
      const own = keyOf(field.path);
      // A problem of the whole stands beside its first part, one of an entry beside the whole.
      return key === own || key.startsWith(`${own}/`) || (own.startsWith(`${key}/`) && own.endsWith('/value'));
    };
    for (const field of this.fields) {
      const isShown = field.element.closest('[hidden]') === null;
      const own = isShown ? problems.filter((problem) => isOf(field, problem)) : [];
      for (const problem of own) rest.delete(problem);
      field.say(own);
    }
    this.#general.say([...rest].map((problem) => ({ ...problem, message: named(problem) })));
  }

  #showBroken(line: number, what: string): void {
    const open = makeButton('Open as Text', () => this.host.post({ type: 'run', command: 'openAsText' }));
    const rest = 'The form comes back as soon as the text can be read. Nothing is changed until then.';
    this.#broken.replaceChildren(
      icon(icons.warning),
      make('span', { role: 'alert' }, `Line ${line} is not valid JSON: ${what}. ${rest}`),
      open,
    );
    this.#broken.hidden = false;
    this.form.hidden = true;
  }

  #showReadOnly(reason: string | undefined, canDuplicate: boolean): void {
    for (const field of this.fields) field.enable(reason === undefined);
    this.enable(reason === undefined);
    this.#readOnly.hidden = reason === undefined;
    if (reason === undefined) return;
    const duplicate = makeButton('Duplicate', () => this.host.post({ type: 'run', command: 'duplicate' }));
    this.#readOnly.replaceChildren(icon(icons.lock), make('span', {}, reason), ...(canDuplicate ? [duplicate] : []));
  }

  /** VS Code's undo knows nothing of an edit that is still under way: it would undo the one before. */
  #interceptUndo(event: KeyboardEvent): void {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/iu.test(event.key);
    if (!isUndo || !this.edits.isPending()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.host.post({ type: event.shiftKey || event.key.toLowerCase() === 'y' ? 'redo' : 'undo' });
  }

  #keepSoon(): void {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      const { activeElement } = document;
      const field = activeElement instanceof HTMLElement ? activeElement.dataset['field'] : undefined;
      this.host.keep({ scroll: window.scrollY, ...(field === undefined ? {} : { field }) });
    }, 100);
  }

  /** After it was hidden, the page is where it was; the focus too, but it is never taken from elsewhere. */
  #comeBack(): void {
    const before = this.#restore;
    if (before === undefined) return;
    this.#restore = undefined;
    requestAnimationFrame(() => window.scrollTo(0, before.scroll));
    const focus = (): void => {
      if (before.field === undefined || document.activeElement !== document.body) return;
      const own = this.fields.find(({ path }) => keyOf(path) === before.field);
      if (own) own.focus();
      else document.querySelector<HTMLElement>(`[data-field="${CSS.escape(before.field)}"]`)?.focus();
    };
    if (document.hasFocus()) focus();
    else window.addEventListener('focus', focus, { once: true });
  }
}

function valueAt(details: Readonly<Record<string, unknown>>, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined,
    details,
  );
}

function named({ path, message: text, kind }: FieldProblem): string {
  return path.length === 0 || kind === 'service' ? text : `“${path.join('.')}” ${text}`;
}
