import './form.css';
import * as l10n from '@vscode/l10n';
import { formatPair, quote } from '../../../l10n.ts';
import { icon, make } from '../dom.ts';
import { connectHost } from '../host.ts';
import { icons } from '../icons.ts';
import type { MessageHandlers, TypedMessage } from '../messages.ts';
import { button, checkbox, dropdown, makeButton, radios, registerControls, textField } from '../toolkit.ts';
import { createEdits, getPathKey } from './edits.ts';
import { capitalize, createRemarks, type Field } from './fields.ts';
import type { Details, FieldProblem, FormFromPage, FormToPage, JsonValue, Lists, Path } from './protocol.ts';

registerControls(button, textField, checkbox, radios, dropdown);

/** The state that VS Code stores while the page is hidden: scroll position and focused field. */
interface FormPageState {
  readonly scroll: number;
  readonly field?: string | undefined;
}

/** The page of a form: shows the text's details and posts each edit. `More`: the feature's own messages to the page. */
export abstract class FormPage<More extends TypedMessage> {
  protected readonly host = connectHost<FormToPage | More, FormFromPage, FormPageState>();
  protected readonly edits = createEdits((edit) => this.host.post(edit));
  /** Problems without a visible field. */
  readonly #generalRemarks = createRemarks();
  /** Contains the sections. Hidden if the text is invalid. */
  protected readonly form = make('main', { class: 'form', hidden: '' }, this.#generalRemarks.element);
  /** The record's actions, above the form. Shown only for records of a service. */
  protected readonly actions = make('div', { class: 'actions', role: 'group' });
  readonly #dot = make('i', { class: 'dot', 'aria-hidden': 'true' });
  readonly #status = make('span', { class: 'words' });
  /** Shown instead of the form. */
  readonly #invalidTextNotice = make('div', { class: 'notice', role: 'main', hidden: '' });
  readonly #readOnlyNotice = make('div', { class: 'notice', role: 'status', hidden: '' });
  readonly #handlers: MessageHandlers<FormToPage> = {
    details: ({ confirmedSeq, details, problems }) => this.#show(confirmedSeq, details, problems),
    broken: ({ line, message }) => this.#showBroken(line, message),
    readOnly: ({ reason, canDuplicate }) => this.#showReadOnly(reason, canDuplicate),
    lists: ({ lists }) => this.showLists(lists),
  };
  #stateToRestore = this.host.getState();
  /** The last focused field. A button beside the fields doesn't replace it. */
  #lastField = this.#stateToRestore?.field;

  start(): void {
    const status = make('div', { class: 'standing', role: 'status' }, this.#dot, this.#status);
    const bar = make('header', { class: 'bar' }, status, this.actions);
    document.body.append(bar, this.#invalidTextNotice, this.#readOnlyNotice, this.form);
    window.addEventListener('keydown', (event) => this.#interceptUndo(event), { capture: true });
    window.addEventListener('scroll', () => this.#saveState(), { passive: true });
    document.addEventListener('focusin', () => this.#saveState());
    this.host.start({ ...this.#handlers, ...this.ownHandlers } as MessageHandlers<FormToPage | More>);
  }

  protected abstract get fields(): readonly Field[];
  protected abstract showLists(lists: Lists): void;
  /** Shows or hides fields depending on the details. */
  protected abstract updateLayout(details: Details): void;
  /** Called once all fields show the details. */
  protected onShown(): void {}

  /** Enables or disables the controls that are not fields. */
  protected abstract setEnabled(enabled: boolean): void;
  /** Handlers of the feature's own messages. */
  protected abstract readonly ownHandlers: MessageHandlers<More>;

  protected showStatus(state: string, text: string): void {
    this.#dot.className = `dot ${state}`;
    // Screen readers announce every write, so unchanged text is not written again.
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

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
    const open = makeButton(l10n.t('Open as Text'), () => this.host.post({ type: 'run', command: 'openAsText' }));
    const broken = l10n.t`Line ${line}: ${what}`;
    const advice = l10n.t('Correct the text to see the form again.');
    this.#invalidTextNotice.replaceChildren(
      icon(icons.warning),
      make('span', { role: 'alert' }, `${broken} ${advice}`),
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
    const duplicate = makeButton(l10n.t({ message: 'Duplicate', comment: 'Button: duplicates a record' }), () =>
      this.host.post({ type: 'run', command: 'duplicate' }),
    );
    this.#readOnlyNotice.replaceChildren(
      icon(icons.lock),
      make('span', {}, reason),
      ...(canDuplicate ? [duplicate] : []),
    );
  }

  /** VS Code doesn't know pending edits yet, so its undo would revert the edit before. */
  #interceptUndo(event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && (key === 'z' || key === 'y');
    if (!isUndo || !this.edits.isPending()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.host.post({ type: event.shiftKey || key === 'y' ? 'redo' : 'undo' });
  }

  #saveState(): void {
    this.host.saveState(() => {
      this.#lastField = document.activeElement?.getAttribute('data-field') ?? this.#lastField;
      return { scroll: window.scrollY, field: this.#lastField };
    });
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
      (own ?? document.querySelector<HTMLElement>(`[data-field="${CSS.escape(before.field)}"]`))?.focus();
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
  return path.length === 0 || kind === 'service' ? text : formatPair(quote(path.join('.')), capitalize(text));
}
