import { make, createSpokenComma } from '../dom.ts';
import type { TextElement } from '../toolkit.ts';

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A suggestion at the caret of a text field. Offsets are UTF-16. */
export interface Suggestion {
  readonly label: string;
  /** An example of the result. Empty if there is none. */
  readonly example: string;
  readonly description: string;
  /** The edit of the field's text, and the selection after it. */
  readonly edit: TextRange & { readonly text: string; readonly selection: TextRange };
  /** Whether more suggestions follow. */
  readonly continues: boolean;
}

/** Returns the suggestions at an offset, the best first. */
export type Suggest = (text: string, offset: number) => readonly Suggestion[];

const PAGE_STEP = 8;
/** Keys that move the caret and close the suggestions. */
const caretKeys: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** Shows suggestions in a list below a text field. While the list is open, the field is a combobox. */
export class Suggestions {
  /** Wraps the field, to position the list. */
  readonly element: HTMLElement;
  readonly #field: TextElement;
  readonly #trigger: RegExp;
  readonly #suggest: Suggest;
  readonly #list: HTMLElement;
  readonly #description = make('p', { class: 'about', 'aria-hidden': 'true' });
  readonly #box = make('div', { class: 'offered', hidden: '' });
  readonly #count = make('span', { class: 'heard', role: 'status' });
  readonly #keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => this.#activate((this.#active + 1) % this.#suggestions.length),
    ArrowUp: () => this.#activate((this.#active || this.#suggestions.length) - 1),
    PageDown: () => this.#activate(Math.min(this.#active + PAGE_STEP, this.#suggestions.length - 1)),
    PageUp: () => this.#activate(Math.max(this.#active - PAGE_STEP, 0)),
    Enter: () => this.#choose(),
    Tab: () => this.#choose(),
    Escape: () => {
      this.#isDismissed = true;
      this.#close();
    },
  };
  #suggestions: readonly Suggestion[] = [];
  #active = 0;
  /** The user closed the list. The next trigger character opens it again. */
  #isDismissed = false;

  /** `label` is the accessible name of the list. Each of `triggerCharacters` opens it when typed. */
  constructor(field: TextElement, label: string, triggerCharacters: string, suggest: Suggest) {
    this.#field = field;
    this.#trigger = new RegExp(`[${triggerCharacters}]$`, 'u');
    this.#suggest = suggest;
    this.#list = make('div', { class: 'options', role: 'listbox', 'aria-label': label });
    this.#box.append(this.#list, this.#description);
    this.element = make('div', { class: 'suggesting' });
    field.replaceWith(this.element);
    this.element.append(field, this.#box, this.#count);
    field.addEventListener('input', (event) => this.#handleInput(event as InputEvent));
    field.addEventListener('keydown', (event) => this.#handleKey(event));
    field.addEventListener('click', () => this.#close());
    field.addEventListener('focusout', () => this.#close());
    this.#box.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => {
      const index = [...this.#list.children].findIndex((option) => target instanceof Node && option.contains(target));
      if (index < 0) return;
      this.#active = index;
      this.#choose();
    });
  }

  #handleInput({ data, inputType, isComposing }: InputEvent): void {
    if (this.#trigger.test(data ?? '')) this.#isDismissed = false;
    const isTyping = !this.#box.hidden || (inputType ?? '').startsWith('insert');
    if (isTyping && !isComposing && !this.#isDismissed) this.#open();
    else this.#close();
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
    if (isComposing) return;
    const isRequested = key === ' ' && ctrlKey;
    const isPlain = !ctrlKey && !metaKey && !altKey && !shiftKey;
    if (caretKeys.has(key)) this.#close();
    const act = isRequested
      ? () => this.#open()
      : !this.#box.hidden && isPlain && Object.hasOwn(this.#keys, key)
        ? this.#keys[key]
        : undefined;
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #open(): void {
    const { control } = this.#field;
    this.#suggestions =
      control && !control.readOnly ? this.#suggest(control.value, control.selectionEnd ?? control.value.length) : [];
    if (!control || this.#suggestions.length === 0) return this.#close();
    this.#list.replaceChildren(...this.#suggestions.map(createOption));
    this.#box.hidden = false;
    this.#count.textContent = `${this.#suggestions.length} ${this.#suggestions.length === 1 ? 'suggestion' : 'suggestions'}`;
    control.role = 'combobox';
    control.ariaAutoComplete = 'list';
    control.ariaExpanded = 'true';
    control.ariaControlsElements = [this.#list];
    this.#activate(0);
  }

  #close(): void {
    const { control } = this.#field;
    if (this.#box.hidden) return;
    this.#box.hidden = true;
    this.#count.textContent = '';
    if (!control) return;
    control.ariaActiveDescendantElement = null;
    control.ariaControlsElements = null;
    control.ariaExpanded = null;
    control.ariaAutoComplete = null;
    control.role = null;
  }

  #activate(index: number): void {
    this.#active = index;
    [...this.#list.children].forEach((option, at) => {
      option.ariaSelected = String(at === index);
    });
    const option = this.#list.children[index];
    this.#description.textContent = this.#suggestions[index]?.description ?? '';
    option?.scrollIntoView({ block: 'nearest' });
    if (this.#field.control) this.#field.control.ariaActiveDescendantElement = option ?? null;
  }

  #choose(): void {
    const chosen = this.#suggestions[this.#active];
    const { control } = this.#field;
    this.#close();
    if (!chosen || !control) return;
    const { start, end, text, selection } = chosen.edit;
    control.setRangeText(text, start, end);
    control.setSelectionRange(selection.start, selection.end);
    // Listeners of the field treat it like typed input.
    control.dispatchEvent(
      new InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertReplacementText' }),
    );
    if (chosen.continues) this.#open();
    else this.#close();
  }
}

function createOption({ label, example, description }: Suggestion): HTMLElement {
  const shown = example === '' ? [] : [createSpokenComma(), make('span', { class: 'example', dir: 'auto' }, example)];
  const heard = make('span', { class: 'heard' }, `, ${description}`);
  return make('div', { class: 'option', role: 'option' }, make('span', { class: 'name' }, label), ...shown, heard);
}
