import './form.css';
import { formatPair, quote, t } from '../../../l10n.ts';
import { icon, make } from '../dom.ts';
import { Channel } from '../channel.ts';
import { icons } from '../icons.ts';
import type { MessageHandlers, TypedMessage } from '../../protocol.ts';
import { button, checkbox, makeButton, radios, registerControls, textField, type ButtonElement } from '../toolkit.ts';
import { Edits, getPathKey } from './edits.ts';
import { capitalize, createRemarks, findFields, type Field } from './fields.ts';
import type { ListPicker } from './lists.ts';
import type { Details, FieldProblem, FormFromPage, FormToPage, JsonValue, Path } from './protocol.ts';

registerControls(button, textField, checkbox, radios);

/** The state that VS Code stores while the page is hidden: scroll position and focused field. */
interface FormPageState {
  readonly scroll: number;
  readonly field?: string | undefined;
}

/**
 * The page of a form: it shows the text's details and posts each edit. A field with an edit that the text doesn't contain yet always keeps its input.
 * `More`: the feature's own messages to the page. `Command`: the names of its commands.
 */
export abstract class FormPage<More extends TypedMessage, Command extends string> {
  protected readonly channel = new Channel<FormToPage | More, FormFromPage, FormPageState>();
  /** Problems without a visible field. */
  readonly #generalRemarks = createRemarks();
  /** Contains the sections. Hidden if the text is invalid. */
  protected readonly form = make('main.form', { hidden: '' }, this.#generalRemarks.element);
  protected readonly edits = new Edits(this.form, (message) => this.channel.post(message));
  /** The record's actions, above the form. Shown only for records of a service. */
  protected readonly actions = make('div.actions', { role: 'group' });
  readonly #dot = make('i.dot', { 'aria-hidden': 'true' });
  readonly #status = make('span.words');
  /** Shown instead of the form. */
  readonly #invalidTextNotice = make('div.notice', { role: 'main', hidden: '' });
  readonly #readOnlyNotice = make('div.notice', { role: 'status', hidden: '' });
  #stateToRestore = this.channel.getState();
  /** The last focused field. A button beside the fields doesn't replace it. */
  #lastField = this.#stateToRestore?.field;

  /** Reads again what couldn't be read. */
  protected readonly retry = () => this.channel.post({ type: 'retry' });

  /** The heading for screen readers, which is also the accessible name of the actions. */
  protected abstract get label(): string;
  protected abstract readonly lists: ListPicker;
  /** Handlers of the feature's own messages. */
  protected abstract readonly handlers: MessageHandlers<More>;

  /** Shows or hides fields depending on the details. */
  protected abstract updateLayout(details: Details): void;

  /** Enables or disables the controls that are not fields. */
  protected abstract setEnabled(enabled: boolean): void;

  /** Called once all fields show the details. */
  protected onShown(): void {
    // Not every form shows more.
  }

  start(): void {
    this.actions.ariaLabel = this.label;
    const standing = make('div.standing', { role: 'status' }, this.#dot, this.#status);
    const bar = make('header.bar', make('h1.heard', this.label), standing, this.actions);
    document.body.append(bar, this.#invalidTextNotice, this.#readOnlyNotice, this.form);
    window.addEventListener('keydown', (event) => this.#interceptUndo(event), { capture: true });
    window.addEventListener('scroll', () => this.#saveState(), { passive: true });
    document.addEventListener('focusin', () => this.#saveState());
    const handlers: MessageHandlers<FormToPage> = {
      details: ({ confirmedSeq, details, problems }) => {
        this.edits.confirm(confirmedSeq);
        this.#showDetails(details, problems);
      },
      broken: ({ line, message }) => this.#showInvalidText(line, message),
      readOnly: ({ reason, canDuplicate }) => this.#showReadOnly(reason, canDuplicate),
      lists: ({ lists }) => this.lists.showLists(lists),
      focusProblem: () =>
        findFields(this.form)
          .find(({ element }) => element.classList.contains('wrong'))
          ?.focus(),
    };
    this.channel.start({ ...handlers, ...this.handlers } as MessageHandlers<FormToPage | More>);
  }

  protected showStatus(state: string, text: string): void {
    this.#dot.className = `dot ${state}`;
    // Screen readers announce every write, so unchanged text is not written again.
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  /** Creates a button that runs one of the feature's commands. */
  protected createAction(label: string, command: Command, appearance = 'secondary'): ButtonElement {
    return makeButton(label, () => this.run(command), { appearance, 'data-command': command });
  }

  protected run(command: Command | 'openAsText' | 'duplicate', id?: number): void {
    this.channel.post({ type: 'run', command, ...(id !== undefined && { id }) });
  }

  #showDetails(details: Details, problems: readonly FieldProblem[]) {
    this.#invalidTextNotice.hidden = true;
    this.form.hidden = false;
    this.updateLayout(details);
    const fields = findFields(this.form);
    for (const field of fields) if (!this.edits.isPending(field.path)) field.show(getValue(details, field.path));
    this.#showProblems(fields, problems);
    this.onShown();
    this.#restoreState(fields);
  }

  /** Shows each problem beside its field, or above all fields. */
  #showProblems(fields: readonly Field[], problems: readonly FieldProblem[]) {
    const unassigned = new Set(problems);
    for (const field of fields) {
      const isShown = field.element.closest('[hidden]') === null;
      const own = isShown ? problems.filter((problem) => belongsTo(problem, field)) : [];
      for (const problem of own) unassigned.delete(problem);
      field.setProblems(own);
    }
    this.#generalRemarks.setProblems(
      [...unassigned].map((problem) => ({ ...problem, message: prefixWithPath(problem) })),
    );
  }

  #showInvalidText(line: number, message: string) {
    const open = makeButton(t('Open as Text'), () => this.run('openAsText'));
    const text = `${t`Line ${line}: ${message}`} ${t('Correct the text to see the form again.')}`;
    this.#invalidTextNotice.replaceChildren(icon(icons.warning), make('span', { role: 'alert' }, text), open);
    this.#invalidTextNotice.hidden = false;
    this.form.hidden = true;
  }

  #showReadOnly(reason: string | undefined, canDuplicate: boolean) {
    for (const field of findFields(this.form)) field.setEnabled(reason === undefined);
    this.setEnabled(reason === undefined);
    this.#readOnlyNotice.hidden = reason === undefined;
    if (reason === undefined) return;
    const duplicate = makeButton(t({ message: 'Duplicate', comment: 'Button: duplicates a record' }), () =>
      this.run('duplicate'),
    );
    this.#readOnlyNotice.replaceChildren(icon(icons.lock), make('span', reason), ...(canDuplicate ? [duplicate] : []));
  }

  /** VS Code doesn't know pending edits yet, so its undo would revert the edit before. */
  #interceptUndo(event: KeyboardEvent) {
    const key = event.key.toLowerCase();
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && (key === 'z' || key === 'y');
    if (!isUndo || !this.edits.isPending()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.channel.post({ type: event.shiftKey || key === 'y' ? 'redo' : 'undo' });
  }

  #saveState() {
    this.channel.saveState(() => {
      this.#lastField = document.activeElement?.getAttribute('data-field') ?? this.#lastField;
      return { scroll: window.scrollY, field: this.#lastField };
    });
  }

  /** Restores scroll position and focus, but never takes the focus from elsewhere. */
  #restoreState(fields: readonly Field[]) {
    if (!this.#stateToRestore) return;
    const { scroll, field } = this.#stateToRestore;
    this.#stateToRestore = undefined;
    requestAnimationFrame(() => window.scrollTo(0, scroll));
    const focus = () => {
      if (field === undefined || document.activeElement !== document.body) return;
      const own = fields.find(({ path }) => getPathKey(path) === field);
      // The click that brings the focus to the page would miss its target if the page scrolled.
      const target = own ?? document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
      target?.focus({ preventScroll: true });
    };
    if (document.hasFocus()) focus();
    else window.addEventListener('focus', focus, { once: true });
  }
}

/** A problem of an object is shown beside its first field, one of an entry beside the field of the whole list. */
function belongsTo({ path }: FieldProblem, field: Field) {
  const key = getPathKey(path);
  const own = getPathKey(field.path);
  return key === own || key.startsWith(`${own}/`) || (own.startsWith(`${key}/`) && own.endsWith('/value'));
}

function getValue(details: Details, path: Path) {
  return path.reduce<JsonValue>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Details)[key] : undefined),
    details,
  );
}

function prefixWithPath({ path, message: text, kind }: FieldProblem) {
  return path.length === 0 || kind === 'service' ? text : formatPair(quote(path.join('.')), capitalize(text));
}
